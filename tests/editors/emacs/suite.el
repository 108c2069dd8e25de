;;; suite.el --- Drives eglot in batch, with keys where keys matter -*- lexical-binding: t -*-

(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*-[0-9]*"))
  (add-to-list 'load-path folder))
(require 'ert)
(require 'citelsp)
(require 'cl-lib)

(setq eglot-sync-connect 20 eglot-connect-timeout 30 eglot-autoshutdown nil
      eglot-confirm-server-initiated-edits nil make-backup-files nil create-lockfiles nil
      auto-save-default nil)
(fset 'y-or-n-p (lambda (&rest _) t))

(defvar suite-folder (file-name-as-directory (getenv "CITELSP_WORKSPACE")))

(defun suite-until (probe)
  (let ((end (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall probe))) (< (float-time) end))
      (accept-process-output nil 0.02))
    (or found (ert-fail "waited in vain"))))

(defun suite-open (name)
  (find-file (expand-file-name name suite-folder))
  (when (string-suffix-p ".tex" name) (latex-mode))
  (unless (eglot-current-server)
    (apply #'eglot (eglot--guess-contact))
    (suite-until #'eglot-current-server))
  (suite-until (lambda () eglot--managed-mode)))

(defun suite-write (text)
  "Put TEXT on a line of its own before the bibliography, point behind it."
  (goto-char (point-min))
  (search-forward "\n\\bibliography")
  (goto-char (match-beginning 0))
  (insert "\n" text)
  (eglot--signal-textDocument/didChange))

(defun suite-line () (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(defun suite-text (name)
  (let ((buffer (find-buffer-visiting (expand-file-name name suite-folder))))
    (if buffer (with-current-buffer buffer (buffer-string)) "")))

(ert-deftest suite-01-keys ()
  (suite-open "main.tex")
  (suite-write "See \\cite{prep")
  (let* ((capf (eglot-completion-at-point))
         (found (all-completions "" (nth 2 capf))))
    (should (equal (substring-no-properties (car found)) "lamport94latex"))
    (funcall (plist-get (nthcdr 3 capf) :exit-function)
             (progn (delete-region (nth 0 capf) (nth 1 capf)) (insert (car found)) (car found)) 'finished)
    (insert "}")
    (should (equal (suite-line) "See \\cite{lamport94latex}"))))

(ert-deftest suite-02-placeholder-with-keys ()
  (suite-open "main.tex")
  (suite-write "Self-attention alone \\cite<attention is all you need>")
  (backward-char)
  (execute-kbd-macro (vconcat (kbd "M-x") "citelsp-suggest" (kbd "RET") "Vaswani" (kbd "TAB RET")))
  (should (equal (suite-line) "Self-attention alone \\cite{vaswani2017attention}"))
  (suite-until (lambda () (string-match "{vaswani2017attention," (suite-text "références.bib"))))
  (should (string-prefix-p "@article{knuth84literate," (suite-text "références.bib"))))

(ert-deftest suite-03-accepting-in-the-list-leaves-the-text-meant ()
  (suite-open "main.tex")
  (suite-write "Again \\cite<attention is all you need")
  (let* ((capf (eglot-completion-at-point))
         (table (nth 2 capf))
         (chosen (car (all-completions "" table))))
    (delete-region (nth 0 capf) (nth 1 capf))
    (goto-char (nth 0 capf))
    (insert chosen)
    (funcall (plist-get (nthcdr 3 capf) :exit-function) chosen 'finished)
    (should (equal (suite-line) "Again \\cite{vaswani2017attention}"))))

(ert-deftest suite-04-accepting-with-keys-leaves-the-text-meant ()
  (suite-open "main.tex")
  (suite-write "With keys \\cite<attention is all you need")
  (switch-to-buffer (current-buffer))
  (execute-kbd-macro (vconcat (kbd "M-x") "completion-at-point" (kbd "RET")
                              (kbd "M-x") "switch-to-completions" (kbd "RET C-s") "Vaswani" (kbd "RET RET")))
  (set-buffer (find-buffer-visiting (expand-file-name "main.tex" suite-folder)))
  (should (equal (suite-line) "With keys \\cite{vaswani2017attention}")))

(ert-deftest suite-05-findings-and-a-fix ()
  (suite-open "main.tex")
  (suite-write "Unknown 😀 \\citep{knuth84litterate}")
  (save-buffer)
  (let ((found (suite-until (lambda () (seq-filter (lambda (it) (string-match-p "litterate" (flymake-diagnostic-text it)))
                                                   (flymake-diagnostics))))))
    (should (equal (buffer-substring-no-properties (flymake-diagnostic-beg (car found)) (flymake-diagnostic-end (car found)))
                   "knuth84litterate"))
    (goto-char (flymake-diagnostic-beg (car found))))
  (let* ((actions (append (eglot-code-actions (point) (point) nil nil) nil))
         (fix (seq-find (lambda (it) (string-match-p "knuth84literate" (plist-get it :title))) actions)))
    (should (plist-get fix :edit))
    (eglot--apply-workspace-edit (plist-get fix :edit)))
  (should (equal (suite-line) "Unknown 😀 \\citep{knuth84literate}"))
  (save-some-buffers t)
  (suite-until (lambda () (not (seq-find (lambda (it) (string-match-p "litterate" (flymake-diagnostic-text it)))
                                         (flymake-diagnostics))))))

(ert-deftest suite-06-what-the-services-say ()
  (suite-open "références.bib")
  (goto-char (point-min))
  (insert "@article{small73,
  author = {Small, Henry},
  title = {Co-citation in the Scientific Literature: A New Measure of the Relationship Between Two Documents},
  journal = {Journal of the American Society for Information Science},
  year = {1937},
  doi = {10.1002/asi.4630240406},
}
")
  (eglot--signal-textDocument/didChange)
  (save-buffer)
  (suite-open "main.tex")
  (suite-write "Measured \\citep{small73}")
  (save-buffer)
  (suite-open "références.bib")
  (let ((found (suite-until (lambda () (seq-find (lambda (it) (string-match-p "recorded: 1973" (flymake-diagnostic-text it)))
                                                 (flymake-diagnostics))))))
    (goto-char (1+ (flymake-diagnostic-beg found))))
  (let* ((actions (append (eglot-code-actions (point) (point) nil nil) nil))
         (fix (seq-find (lambda (it) (string-match-p "1973" (plist-get it :title))) actions)))
    (eglot--apply-workspace-edit (plist-get fix :edit)))
  (should (string-match-p "year = {1973},\n  doi = {10.1002" (buffer-string)))
  (eglot--signal-textDocument/didChange)
  (save-buffer))

(ert-deftest suite-07-hover ()
  (suite-open "main.tex")
  (goto-char (point-min))
  (search-forward "\\citep{knu")
  (should (string-match "Literate Programming"
                        (format "%S" (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                      (eglot--TextDocumentPositionParams))))))

(ert-deftest suite-08-cancel ()
  (suite-open "main.tex")
  (with-temp-file (expand-file-name "slow.bib" suite-folder)
    (insert "@article{slow, author = {Doe, Jo}, title = {A Slow Answer}, doi = {10.1000/napping}}\n"))
  (with-temp-file (expand-file-name "slow.md" suite-folder)
    (insert "---\nbibliography: slow.bib\n---\n\nSlow [@slow].\n"))
  (let* ((server (eglot-current-server)) failure
         (uri (eglot--path-to-uri (expand-file-name "slow.md" suite-folder)))
         (request (car (jsonrpc--async-request-1
                        server :workspace/executeCommand (list :command "citelsp.verify" :arguments (vector uri))
                        :success-fn (lambda (_) (setq failure 'none))
                        :error-fn (lambda (it) (setq failure (plist-get it :code)))))))
    (jsonrpc-notify server :$/cancelRequest (list :id request))
    (should (equal (suite-until (lambda () failure)) -32800))))

(ert-deftest suite-09-markdown ()
  (find-file (expand-file-name "notes.md" suite-folder))
  (let* ((uri (eglot--path-to-uri (buffer-file-name)))
         (server (with-current-buffer (find-buffer-visiting (expand-file-name "main.tex" suite-folder)) (eglot-current-server)))
         (text (concat (buffer-string) "\nSee [@lamp")))
    (jsonrpc-notify server :textDocument/didOpen
                    `(:textDocument (:uri ,uri :languageId "markdown" :version 1 :text ,text)))
    (let ((found (jsonrpc-request server :textDocument/completion
                                  `(:textDocument (:uri ,uri) :position (:line ,(1- (length (split-string text "\n"))) :character 10)))))
      (should (equal (plist-get (elt (plist-get found :items) 0) :label) "lamport94latex")))
    (jsonrpc-notify server :textDocument/didClose `(:textDocument (:uri ,uri)))))

(ert-deftest suite-10-rename ()
  (suite-open "main.tex")
  (goto-char (point-min))
  (search-forward "\\citep{knu")
  (eglot-rename "knuth1984")
  (should (string-match "\\\\citep{knuth1984}\\." (buffer-string)))
  (should (string-match "@article{knuth1984," (suite-text "références.bib")))
  (save-some-buffers t))

(ert-deftest suite-11-a-killed-server-starts-again ()
  (suite-open "main.tex")
  (let ((server (eglot-current-server)))
    (delete-process (jsonrpc--process server))
    (suite-until (lambda () (not (jsonrpc-running-p server)))))
  (suite-until (lambda () (not (eq (eglot-current-server) nil)) (or (eglot-current-server) (ignore-errors (suite-open "main.tex") t))))
  (goto-char (point-min))
  (search-forward "\\citep{knu")
  (should (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))

(ert-run-tests-batch-and-exit)
