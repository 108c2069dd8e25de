;;; first_steps.el --- From the init file to the first suggestion, each step printed -*- lexical-binding: t -*-

(setq make-backup-files nil create-lockfiles nil auto-save-default nil)

(defun steps-until (probe)
  (let ((end (+ (float-time) 120)) found)
    (while (and (not (setq found (funcall probe))) (< (float-time) end))
      (accept-process-output nil 0.02))
    (or found (kill-emacs 1))))

(message "step: open the manuscript")
(find-file (getenv "PAPER"))
(run-hooks 'post-command-hook) ; at which eglot connects, as after every command
(steps-until #'eglot-current-server)
(steps-until (lambda () eglot--managed-mode))

(message "step: write a placeholder")
(search-forward (getenv "SENTENCE"))
(insert (getenv "TYPED"))
(backward-char)

(message "step: M-x citelsp-suggest")
(let (shown)
  (add-hook 'minibuffer-setup-hook
            (lambda ()
              (when (get-buffer "*Completions*") ; none while the command's name is read
                (setq shown (with-current-buffer "*Completions*" (buffer-string)))))
            100)
  (switch-to-buffer (current-buffer))
  (ignore-errors (execute-kbd-macro (vconcat (kbd "M-x") "citelsp-suggest" (kbd "RET C-g"))))
  (unless (and shown (string-search (getenv "TITLE") shown))
    (message "%s" shown)
    (kill-emacs 1)))
(kill-emacs 0)
