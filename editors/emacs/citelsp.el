;;; citelsp.el --- Citations by a language server -*- lexical-binding: t -*-

;; Version: 0.3.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tex, bib, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; (require 'citelsp) and M-x eglot in a buffer of LaTeX, Markdown, Org, Typst or BibTeX.
;; Completing at a placeholder, or \[citelsp-suggest] there, writes a work's key and adds its entry;
;; \[citelsp-pick] does so with several works at once.

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

(defcustom citelsp-save t
  "Whether a bibliography is saved after an entry was added, if it had no unsaved changes."
  :type 'boolean)

(defconst citelsp-modes
  '(tex-mode latex-mode plain-tex-mode LaTeX-mode Rnw-mode poly-noweb+r-mode literate-haskell-mode
    markdown-mode gfm-mode markdown-ts-mode poly-quarto-mode poly-markdown+r-mode org-mode typst-ts-mode
    typst-mode citelsp-typst-mode bibtex-mode)
  "Modes in which the server helps.")

;; Emacs brings no mode for Typst, and Eglot serves a mode; one that is installed comes first.
(define-derived-mode citelsp-typst-mode text-mode "Typst"
  "Typst as plain text."
  (setq-local comment-start "// " comment-end ""))

(add-to-list 'auto-mode-alist '("\\.typ\\'" . citelsp-typst-mode) t)

(add-to-list 'eglot-server-programs (cons citelsp-modes (lambda (&rest _) citelsp-command)))

(defun citelsp--decoded (path)
  "PATH in characters: eglot 1.9 gives bytes, which Emacs visits beside the same file and cannot save."
  (decode-coding-string (encode-coding-string path 'utf-8) 'utf-8))

(advice-add 'eglot--uri-to-path :filter-return #'citelsp--decoded)

;; The server finds keys by names, titles and words with typing errors; Emacs would keep those that begin as typed.

(defun citelsp--all-completions (string table predicate _point)
  "The keys in TABLE for STRING and PREDICATE as the server found them; nil if there are works, told by titles."
  (let ((found (all-completions string table predicate)))
    (unless (seq-some (lambda (it) (string-match-p " " it)) found) found)))

(defun citelsp--try-completion (string table predicate point)
  "The only key in TABLE for STRING and PREDICATE; if there are several, STRING and POINT, so that they are listed."
  (let ((found (citelsp--all-completions string table predicate point)))
    (cond ((null found) nil)
          ((cdr found) (cons string point))
          ((string= (car found) string) t)
          (t (cons (car found) (length (car found)))))))

(add-to-list 'completion-styles-alist
             '(citelsp citelsp--try-completion citelsp--all-completions "The keys that the server found."))

(defun citelsp--complete ()
  "In a buffer of ours, complete with the keys that the server found; Eglot of Emacs 30 does so by itself."
  (when (and (eglot-managed-p) (memq major-mode citelsp-modes))
    (add-hook 'completion-at-point-functions #'citelsp--completion-at-point -90 t)
    (setq-local completion-category-overrides
                (cons '(eglot (styles citelsp flex basic)) (assq-delete-all 'eglot (copy-sequence completion-category-overrides))))))

(add-hook 'eglot-managed-mode-hook #'citelsp--complete)

;; Works at a placeholder.  Eglot 1.9 compares their titles with the word before point, and puts a part of one there.

(add-to-list 'completion-styles-alist
             '(citelsp-works citelsp--try-works citelsp--all-works "All works that the server found."))
(add-to-list 'completion-category-defaults '(citelsp-work (styles citelsp-works)))

(defun citelsp--all-works (_string table predicate _point)
  "All works in TABLE for PREDICATE: the server chose them by what is typed."
  (all-completions "" table predicate))

(defun citelsp--try-works (string table predicate point)
  "STRING and POINT as they are, so that the works in TABLE for PREDICATE are listed; t if STRING is one of them."
  (let ((works (citelsp--all-works string table predicate point)))
    (cond ((member string works) t)
          (works (cons string point)))))

(defun citelsp--placeholder-start ()
  "Where a placeholder may begin that point is in: the last < or ? on this line or the one before, if nothing closes it."
  (save-excursion
    (let ((end (point)))
      (when (re-search-backward "[<?]" (line-beginning-position 0) t)
        (unless (save-excursion (re-search-forward "[]>}]" end t))
          (point))))))

(defun citelsp--works-at-point ()
  "The server's items for the placeholder at point, and where the text begins that they replace; nil if there is none."
  (let* ((answer (jsonrpc-request (eglot--current-server-or-lose) :textDocument/completion
                                  (eglot--TextDocumentPositionParams)))
         (items (append (if (vectorp answer) answer (plist-get answer :items)) nil))
         (edit (plist-get (car items) :textEdit))
         (start (and edit (car (eglot--range-region (plist-get edit :range))))))
    (when (and start (< start (point)) (save-excursion (goto-char start) (looking-at "[[{]?[<?]")))
      (cons start (citelsp--rows items)))))

(defun citelsp--completion-at-point ()
  "Works for the placeholder at point, for `completion-at-point-functions'; one that is accepted is cited and added."
  (when (and (eglot-managed-p) (citelsp--placeholder-start))
    (citelsp--tell)
    (let* ((found (citelsp--works-at-point))
           (start (car found))
           (typed (and start (buffer-substring-no-properties start (point))))
           (rows (cdr found)))
      (when found
        (list start (point)
              (lambda (string predicate action)
                (unless (equal string typed) ; some editors ask again as more is typed
                  (let ((now (and (equal string (buffer-substring-no-properties start (point)))
                                  (progn (citelsp--tell) (citelsp--works-at-point)))))
                    (when now (setq typed string rows (cdr now)))))
                (cond ((eq action 'metadata)
                       '(metadata (category . citelsp-work) (display-sort-function . identity)
                                  (cycle-sort-function . identity)))
                      ((eq (car-safe action) 'boundaries) nil)
                      (t (complete-with-action action rows (if (eq action t) "" string) predicate))))
              :annotation-function
              (lambda (row) (concat "  " (plist-get (cdr (assoc row rows)) :detail)))
              :company-doc-buffer
              (lambda (row) (citelsp--description (cdr (assoc row rows))))
              :exit-function
              (lambda (row status)
                (let ((item (cdr (assoc row rows))))
                  (when (and item (memq status '(finished exact sole)))
                    (delete-region start (point))
                    (insert typed)
                    (citelsp--accept item)))))))))

(defun citelsp--description (item)
  "A buffer with what the server says of ITEM."
  (let* ((resolved (jsonrpc-request (eglot--current-server-or-lose) :completionItem/resolve item))
         (documentation (plist-get resolved :documentation)))
    (when documentation
      (with-current-buffer (get-buffer-create " *citelsp work*")
        (erase-buffer)
        (insert (eglot--format-markup documentation))
        (current-buffer)))))

(defun citelsp--accept (item)
  "Put ITEM in the place of its placeholder; what may ask the author something waits until the list is gone."
  (if (member (plist-get (plist-get item :command) :command) '(nil "citelsp.insertEntry"))
      (citelsp--apply item)
    (let ((buffer (current-buffer)))
      ;; Not while another request waits for its answer, as one after each command does: that answer would end this.
      (run-with-idle-timer 0 nil (lambda ()
                                   (when completion-in-region-mode (completion-in-region-mode -1)) ; it hides lists
                                   (with-current-buffer buffer (citelsp--apply item)))))))

;; An older Eglot names the symbol at point, which is only a part of a key with a colon; later ones ask the server.

(defun citelsp--ask-for-name (rename name)
  "Have RENAME give the key at point, all of which is shown and the default, the new NAME."
  (interactive
   (lambda (spec)
     (if (not (memq major-mode citelsp-modes))
         (advice-eval-interactive-spec spec)
       (let* ((place (condition-case nil ; other servers may not know this request, or send no name
                         (or (jsonrpc-request (eglot--current-server-or-lose) :textDocument/prepareRename
                                              (eglot--TextDocumentPositionParams))
                             (user-error "There is nothing to rename here"))
                       (jsonrpc-error nil)))
              (key (plist-get place :placeholder)))
         (if key
             (list (read-from-minibuffer (format "Rename %s to: " key) nil nil nil nil key))
           (advice-eval-interactive-spec spec))))))
  (funcall rename name))

(unless (fboundp 'eglot--rename-interactive)
  (advice-add 'eglot-rename :around #'citelsp--ask-for-name))

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

;; An accepted work is one act: its entry is added first, and undone together with its citation.

(defun citelsp--bibliographies ()
  "The buffers that show bibliographies, each with its text and whether it has unsaved changes."
  (let (found)
    (dolist (buffer (buffer-list) found)
      (when (string-suffix-p ".bib" (or (buffer-file-name buffer) ""))
        (with-current-buffer buffer
          (push (list buffer (save-restriction (widen) (buffer-string)) (buffer-modified-p)) found))))))

(defun citelsp--on-disk (buffer)
  "The text of BUFFER's file, which was not visited before."
  (let ((file (buffer-file-name buffer)))
    (with-temp-buffer
      (when (file-exists-p file) (insert-file-contents file))
      (buffer-string))))

(defun citelsp--save ()
  "Save this buffer; say so if that fails, as its entry is to be cited, and can be undone, all the same."
  (condition-case problem
      (let ((inhibit-message t)) (save-buffer))
    (error (message "citelsp: %s was not saved: %s" (buffer-name) (error-message-string problem)))))

(defun citelsp--swap (buffer start old new)
  "Put NEW in the place of OLD at START of BUFFER, and note how to undo that."
  (when (buffer-live-p buffer)
    (push (list 'apply #'citelsp--swap buffer start new old) buffer-undo-list)
    (with-current-buffer buffer
      (save-excursion
        (save-restriction
          (widen)
          (let ((clean (not (buffer-modified-p))) (end (+ start (length old))))
            (when (and (<= end (point-max)) (string= old (buffer-substring-no-properties start end)))
              (delete-region start end)
              (goto-char start)
              (insert new)
              (when (and clean citelsp-save) (citelsp--save)))))))))

(defun citelsp--swap-of (buffer before)
  "How to undo what made the text BEFORE into that of BUFFER: an item for an undo list; nil if it is the same."
  (let* ((after (with-current-buffer buffer (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max)))))
         (same (compare-strings before nil nil after nil nil)))
    (unless (eq same t)
      (let* ((start (1- (abs same)))
             (tail (let ((n 0) (most (- (min (length before) (length after)) start)))
                     (while (and (< n most) (eq (aref before (- (length before) n 1)) (aref after (- (length after) n 1))))
                       (setq n (1+ n)))
                     n)))
        (list 'apply #'citelsp--swap buffer (1+ start)
              (substring after start (- (length after) tail)) (substring before start (- (length before) tail)))))))

(defvar citelsp--adding nil "Non-nil while the entries of works that the author has just chosen are added.")

(cl-defmethod eglot-handle-request :before (_server (_method (eql workspace/applyEdit)) &key edit &allow-other-keys)
  "Visit what EDIT changes, if the author asked for it: Eglot's question would swallow what is typed next."
  (when citelsp--adding
    (cl-loop for (uri _) on (plist-get edit :changes) by #'cddr do (find-file-noselect (eglot--uri-to-path uri)))
    (cl-loop for it across (plist-get edit :documentChanges)
             for uri = (plist-get (plist-get it :textDocument) :uri)
             when uri do (find-file-noselect (eglot--uri-to-path uri)))))

(defun citelsp--add (command arguments)
  "Have the server run COMMAND with ARGUMENTS, which adds entries.
Save the bibliographies that had no unsaved changes; return items for the undo list."
  (citelsp--tell)
  (let* ((known (citelsp--bibliographies))
         (keys (let ((citelsp--adding t) (eglot-confirm-server-initiated-edits nil))
                 (apply #'citelsp--execute command arguments)))
         swaps)
    (dolist (it (citelsp--bibliographies))
      (let* ((buffer (car it)) (before (assq buffer known))
             (swap (citelsp--swap-of buffer (substring-no-properties (if before (nth 1 before) (citelsp--on-disk buffer))))))
        (when swap
          (push swap swaps)
          (message "Added %s to %s" keys (buffer-name buffer))
          (when (and citelsp-save (not (nth 2 before)))
            (with-current-buffer buffer (citelsp--save))))))
    swaps))

(defun citelsp--apply (item)
  "Put ITEM where the server says and run its command.
One whose command cites leaves the text to that: the work is looked up first."
  (let* ((command (plist-get item :command))
         (name (plist-get command :command))
         (arguments (append (plist-get command :arguments) nil)))
    (if (equal name "citelsp.cite")
        (citelsp--cite (car arguments))
      (citelsp--write item name arguments))))

(defun citelsp--write (item name arguments)
  "Put ITEM where the server says and run the command NAME with ARGUMENTS."
  (let* ((edit (plist-get item :textEdit))
         (range (eglot--range-region (plist-get edit :range) t))
         (swaps (and (equal name "citelsp.insertEntry") (citelsp--add name arguments))))
    (undo-boundary)
    (delete-region (car range) (cdr range))
    (goto-char (car range))
    (insert (plist-get edit :newText))
    (citelsp--note-swaps swaps)
    (when (and name (not (equal name "citelsp.insertEntry")))
      (citelsp--tell)
      (apply #'citelsp--execute name arguments)
      (when (member name '("citelsp.searchOnline" "citelsp.searchFurther"))
        (goto-char (car range))
        (forward-char)
        (citelsp-suggest)))))

;;;###autoload
(defun citelsp-suggest ()
  "Choose a work for the placeholder at point; its key and its entry are written."
  (interactive)
  (citelsp--tell)
  (let* ((answer (jsonrpc-request (eglot--current-server-or-lose) :textDocument/completion
                                  (eglot--TextDocumentPositionParams)))
         (items (append (if (vectorp answer) answer (plist-get answer :items)) nil))
         (works (citelsp--rows items))
         (completion-extra-properties
          (list :annotation-function
                (lambda (row) (concat "  " (plist-get (cdr (assoc row works)) :detail)))))
         (chosen (and works (citelsp--choose "Work: " works))))
    (cond ((assoc chosen works) (citelsp--apply (cdr (assoc chosen works))))
          ((not works) (message "There is no placeholder here")))))

(defun citelsp--show-choices ()
  "List what can be chosen, unless something else does that in the minibuffer."
  (unless (seq-some (lambda (mode) (and (boundp mode) (symbol-value mode)))
                    '(vertico-mode ivy-mode helm-mode icomplete-mode fido-mode selectrum-mode mct-mode))
    (minibuffer-completion-help)))

(defun citelsp--choose (prompt choices &optional default)
  "Read one of CHOICES, all of which are shown at once, with PROMPT; DEFAULT if nothing is typed."
  (minibuffer-with-setup-hook (:append #'citelsp--show-choices)
    (completing-read prompt (citelsp--in-order choices) nil t nil nil default)))

(defun citelsp--rows (items)
  "An alist of ITEMS by what is shown of them, each in its own words."
  (let (rows)
    (dolist (it items (nreverse rows))
      (let ((label (plist-get it :label)))
        (while (assoc label rows) (setq label (concat label " ")))
        (push (cons label it) rows)))))

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
           (citelsp--cite
            (append place (list :works (vconcat (mapcar (lambda (key) (plist-get (cdr (assoc key works)) :work))
                                                        picked))))))
          ((not works) (citelsp--say-none found)))))

(defun citelsp--say-none (found)
  "Say why the answer FOUND of the server has no works."
  (let ((reason (plist-get found :reason)))
    (message "citelsp: %s" (if (member reason '(nil "")) "No work was found" reason))))

(defun citelsp--cite (argument &optional command)
  "Cite the works that ARGUMENT names by COMMAND; undoing the citation undoes their entries."
  (undo-boundary)
  (let ((swaps (citelsp--add (or command "citelsp.cite") (list argument))))
    (when (consp buffer-undo-list) ; not t, where the author wants no undoing, and not empty
      (while (and buffer-undo-list (null (car buffer-undo-list))) (pop buffer-undo-list)))
    (citelsp--note-swaps swaps)))

(defun citelsp--note-swaps (swaps)
  "Have undoing the last change here do SWAPS, too; nothing where the author wants no undoing."
  (unless (eq buffer-undo-list t)
    (setq buffer-undo-list (append swaps buffer-undo-list))))

(defun citelsp--read (works default)
  "Read several keys of WORKS, each shown with what it stands for; DEFAULT where none is given.
Works that should not be cited as they are, such as those retracted, are marked by ✗, with the reason."
  (let ((completion-extra-properties
         (list :annotation-function
               (lambda (key)
                 (let* ((it (cdr (assoc key works)))
                        (told (mapcar (lambda (name) (or (plist-get it name) "")) '(:who :title :against :origin)))
                        (marked (not (member (plist-get it :against) '(nil "")))))
                   (concat (if marked "  ✗ " "  ") (string-join (seq-remove #'string-empty-p told) "  ")))))))
    (minibuffer-with-setup-hook (:append #'citelsp--show-choices)
      (completing-read-multiple (if (string-empty-p default) "Works: " (format "Works (%s): " default))
                                (citelsp--in-order works) nil t nil nil default))))

;; Works by words, from the author's list, Zotero, the corpus and, if the author says so, the services.

;;;###autoload
(defun citelsp-find (words)
  "Find works by WORDS of title, people, year or key, or by a DOI or arXiv id; cite those chosen at point.
Several keys are separated by commas.  A locator is read next, and what will be written is shown."
  (interactive "sTitle, author, year, key, DOI or arXiv id: ")
  (citelsp--tell)
  (let* ((place (list :uri (citelsp--uri)
                      :position (plist-get (eglot--TextDocumentPositionParams) :position)))
         (chosen (citelsp--find place words nil)))
    (when chosen
      (let* ((locator (read-string "Locator such as p. 12, or nothing: "))
             (citing (append place (list :works (vconcat chosen) :locator locator)))
             (shown (citelsp--execute "citelsp.previewCitation" citing))
             (forms (mapcar (lambda (it) (cons (plist-get it :text) (plist-get it :textual)))
                            (plist-get shown :forms)))
             (form (citelsp--choose (format "%s.  Write: " (plist-get shown :adds)) forms (caar forms))))
        (citelsp--cite (append citing (list :textual (cdr (assoc form forms)))) "citelsp.writeCitation")))))

(defun citelsp--find (place words outside)
  "The names of the works chosen of those found at PLACE for WORDS; the services are asked if OUTSIDE."
  (let* ((found (citelsp--execute "citelsp.findWorks"
                                  (append place (list :words words :outside (if outside t :json-false)))))
         (works (mapcar (lambda (it) (cons (plist-get it :key) it)) (plist-get found :works)))
         (further (plist-get found :outside))
         ;; Without commas, at which what is chosen is parted.
         (row (and further (subst-char-in-string ?, ?\s (format "%s: %s" (plist-get further :title) (plist-get further :words)))))
         (rows (append works (and row (list (cons row (list :title "asks the services")))))))
    (if (not rows)
        (ignore (citelsp--say-none found))
      (let ((picked (citelsp--read rows (or (caar works) ""))))
        (if (member row picked)
            (citelsp--find place words t)
          (mapcar (lambda (key) (plist-get (cdr (assoc key works)) :work)) picked))))))

;; The evidence for citations, in a buffer beside the manuscript.

(defvar-local citelsp--citations nil "What is told of in this buffer: a list of citations in their order.")
(defvar-local citelsp--current 0 "The number of the citation that is shown.")

(defvar citelsp-evidence-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "n" #'citelsp-next-citation)
    (define-key map "p" #'citelsp-previous-citation)
    map)
  "Keys in the buffer of evidence.")

(define-derived-mode citelsp-evidence-mode special-mode "Evidence"
  "The evidence for a manuscript's citations; \\[citelsp-next-citation] and \\[citelsp-previous-citation] go through them."
  (setq-local word-wrap t))

;;;###autoload
(defun citelsp-read ()
  "Read the evidence for the citations of this document, from the one at point on."
  (interactive)
  (citelsp--tell)
  (let* ((found (citelsp--execute "citelsp.reading" (list :uri (citelsp--uri))))
         (line (1- (line-number-at-pos)))
         (citations (append (plist-get found :citations) nil))
         (next (seq-position citations line (lambda (it at) (>= (plist-get (plist-get (plist-get it :range) :end) :line) at)))))
    (if (not citations)
        (message "citelsp: no citation here has an entry")
      (with-current-buffer (get-buffer-create "*citelsp evidence*")
        (let ((inhibit-read-only t)) (erase-buffer) (insert (plist-get found :text)))
        (citelsp-evidence-mode)
        (setq citelsp--citations citations citelsp--current (or next (1- (length citations))))
        (pop-to-buffer (current-buffer))
        (citelsp--go 0)))))

(defun citelsp--go (by)
  "Show the citation BY further on, here and in its manuscript."
  (setq citelsp--current (mod (+ citelsp--current by) (length citelsp--citations)))
  (let* ((citation (nth citelsp--current citelsp--citations))
         (start (plist-get (plist-get citation :range) :start))
         (manuscript (find-file-noselect (eglot--uri-to-path (plist-get citation :uri)))))
    (goto-char (point-min))
    (forward-line (plist-get citation :line))
    (set-window-start nil (point))
    (with-selected-window (display-buffer manuscript '(nil (inhibit-same-window . t)))
      (goto-char (eglot--lsp-position-to-point start))
      (recenter))))

(defun citelsp-next-citation ()
  "Show the next citation."
  (interactive)
  (citelsp--go 1))

(defun citelsp-previous-citation ()
  "Show the previous citation."
  (interactive)
  (citelsp--go -1))

;;;###autoload
(defun citelsp-verify ()
  "Look up the references of this document in the services."
  (interactive)
  (message "%s" (citelsp--execute "citelsp.verify" (citelsp--uri))))

(provide 'citelsp)
;;; citelsp.el ends here
