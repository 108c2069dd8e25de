;;; citelsp.el --- Citations by a language server -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tex, bib, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; (require 'citelsp) and M-x eglot in a LaTeX, BibTeX or Markdown buffer.
;; Eglot never runs the command of an item accepted in a completion list:
;; \[citelsp-suggest] at a placeholder writes the key and adds the entry,
;; \[citelsp-pick] those of several works at once.

;;; Code:

(require 'eglot)

(defgroup citelsp nil
  "Citations by a language server."
  :group 'tex)

(defcustom citelsp-command '("citelsp" "serve")
  "The server's program and its arguments."
  :type '(repeat string))

(defcustom citelsp-patience 300
  "Seconds to wait for a search, a check or an edit of the server."
  :type 'integer)

(defconst citelsp-modes
  '(tex-mode latex-mode LaTeX-mode Rnw-mode poly-noweb+r-mode literate-haskell-mode markdown-mode gfm-mode
    markdown-ts-mode poly-quarto-mode poly-markdown+r-mode org-mode typst-ts-mode typst-mode bibtex-mode)
  "Modes in which the server helps.")

(add-to-list 'eglot-server-programs (cons citelsp-modes (lambda (&rest _) citelsp-command)))

(defun citelsp--execute (command &rest arguments)
  "Have the server run COMMAND with ARGUMENTS."
  (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                   (list :command command :arguments (vconcat arguments))
                   :timeout citelsp-patience))

(defun citelsp--tell ()
  "Tell the server of every change: works are written to a .bib that another buffer shows."
  (dolist (buffer (eglot--managed-buffers (eglot--current-server-or-lose)))
    (with-current-buffer buffer (eglot--signal-textDocument/didChange))))

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
      (citelsp--tell)
      (apply #'citelsp--execute (plist-get command :command)
             (append (plist-get command :arguments) nil)))))

;;;###autoload
(defun citelsp-suggest ()
  "Choose a work for the placeholder at point; its key and its entry are written."
  (interactive)
  (citelsp--tell)
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
(defun citelsp-pick ()
  "Choose works for the placeholder at point, to be cited together.
Their keys, separated by commas, are read; what fits is the default."
  (interactive)
  (citelsp--tell)
  (let* ((place (list :uri (citelsp--uri)
                      :position (plist-get (eglot--TextDocumentPositionParams) :position)))
         (found (citelsp--execute "citelsp.works" place))
         (works (mapcar (lambda (it) (cons (plist-get it :key) it)) (plist-get found :works)))
         (fitting (seq-filter (lambda (key) (eq (plist-get (cdr (assoc key works)) :fits) t))
                              (mapcar #'car works)))
         (picked (and works (citelsp--read works (string-join fitting ",")))))
    (cond (picked
           (citelsp--execute
            "citelsp.cite"
            (append place (list :works (vconcat (mapcar (lambda (key) (plist-get (cdr (assoc key works)) :work))
                                                        picked))))))
          ((not works) (message "citelsp: %s" (plist-get found :reason))))))

(defun citelsp--read (works default)
  "Read several keys of WORKS, each shown with what it stands for; DEFAULT where none is given."
  (let ((completion-extra-properties
         (list :annotation-function
               (lambda (key)
                 (let ((it (cdr (assoc key works))))
                   (format "  %s: %s" (plist-get it :who) (plist-get it :title)))))))
    (completing-read-multiple (if (string-empty-p default) "Works: " (format "Works (%s): " default))
                              (citelsp--in-order works) nil t nil nil default)))

;;;###autoload
(defun citelsp-verify ()
  "Look up the references of this document in the services."
  (interactive)
  (message "%s" (citelsp--execute "citelsp.verify" (citelsp--uri))))

(provide 'citelsp)
;;; citelsp.el ends here
