;;; citelsp.el --- Citations by a language server -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tex, bib, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; (require 'citelsp) and M-x eglot in a LaTeX, BibTeX or Markdown buffer.
;; Eglot never runs the command of an item accepted in a completion list:
;; \[citelsp-suggest] at a placeholder writes the key and adds the entry.

;;; Code:

(require 'eglot)

(defgroup citelsp nil
  "Citations by a language server."
  :group 'tex)

(defcustom citelsp-command '("citelsp" "serve")
  "The server's program and its arguments."
  :type '(repeat string))

(defconst citelsp-modes
  '(tex-mode latex-mode LaTeX-mode bibtex-mode markdown-mode)
  "Modes in which the server helps.")

(add-to-list 'eglot-server-programs (cons citelsp-modes (lambda (&rest _) citelsp-command)))

(defun citelsp--execute (command &rest arguments)
  "Have the server run COMMAND with ARGUMENTS."
  (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                   (list :command command :arguments (vconcat arguments))))

(defun citelsp--uri ()
  "The URI of this buffer's file."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun citelsp--apply (item)
  "Put ITEM where the server says and run its command."
  (let* ((edit (plist-get item :textEdit))
         (command (plist-get item :command))
         (range (eglot--range-region (plist-get edit :range))))
    (delete-region (car range) (cdr range))
    (goto-char (car range))
    (insert (plist-get edit :newText))
    (when command
      (eglot--signal-textDocument/didChange)
      (apply #'citelsp--execute (plist-get command :command)
             (append (plist-get command :arguments) nil)))))

;;;###autoload
(defun citelsp-suggest ()
  "Choose a work for the placeholder at point; its key and its entry are written."
  (interactive)
  (eglot--signal-textDocument/didChange)
  (let* ((answer (jsonrpc-request (eglot--current-server-or-lose) :textDocument/completion
                                  (eglot--TextDocumentPositionParams)))
         (items (append (if (vectorp answer) answer (plist-get answer :items)) nil))
         (works (mapcar (lambda (it) (cons (plist-get it :label) it)) items))
         (chosen (and works (completing-read "Work: " (citelsp--in-order works) nil t))))
    (if chosen
        (citelsp--apply (cdr (assoc chosen works)))
      (message "There is no placeholder here"))))

(defun citelsp--in-order (works)
  "A completion table of WORKS that keeps their order."
  (lambda (string predicate action)
    (if (eq action 'metadata)
        '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
      (complete-with-action action works string predicate))))

;;;###autoload
(defun citelsp-verify ()
  "Look up the references of this document in the services."
  (interactive)
  (message "%s" (citelsp--execute "citelsp.verify" (citelsp--uri))))

(provide 'citelsp)
;;; citelsp.el ends here
