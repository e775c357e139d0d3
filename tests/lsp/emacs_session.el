;;; emacs_session.el --- Argon in a real Emacs with Eglot  -*- lexical-binding: t; -*-
;; emacs --batch -l emacs_session.el PLUGIN PACKAGE SERVER...
;; Each step prints "ok ..." or "FAILED ..."; the exit status tells whether any failed.

(defvar failed 0)
(defvar plugin (pop command-line-args-left))
(defvar package-root (file-name-as-directory (pop command-line-args-left)))
(defvar server-words command-line-args-left)
(setq command-line-args-left nil)

(defmacro step (title &rest body)
  `(let ((fault (condition-case problem (if (progn ,@body) nil "it is not so") (error (format "%S" problem)))))
     (if (null fault) (princ (format "ok %s\n" ,title))
       (setq failed (1+ failed))
       (princ (format "FAILED %s: %s\n" ,title fault)))))

(defun patiently (predicate)
  "Wait until PREDICATE is true, for at most a minute."
  (let ((until (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall predicate))) (< (float-time) until))
      (accept-process-output nil 0.05))
    found))

(defun face-of (words &optional after)
  "The face of what stands AFTER characters into WORDS."
  (save-excursion
    (goto-char (point-min))
    (search-forward words)
    (let ((place (+ (match-beginning 0) (or after 0))))
      (font-lock-ensure)
      (get-text-property place 'face))))

(defun go (words)
  "Move to the start of WORDS."
  (goto-char (point-min))
  (search-forward words)
  (goto-char (match-beginning 0)))

(add-to-list 'load-path plugin)
(require 'argon-mode)
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(setq eglot-sync-connect 30 eglot-events-buffer-size 0 eglot-server-programs `((argon-mode . ,server-words)))

(find-file (expand-file-name "root.ar" package-root))
(font-lock-mode 1)

(step "the mode is that of argon sources" (eq major-mode 'argon-mode))
(step "the package is the project" (equal (file-truename (cdr (project-current))) (file-truename package-root)))
(step "keywords, names, types and comments have colours"
      (and (eq (face-of "derive overdue") 'font-lock-keyword-face)
           (eq (face-of "derive overdue" 7) 'font-lock-function-name-face)
           (eq (face-of "pub type Invoice" 9) 'font-lock-type-face)
           (eq (face-of "/// Money asked" 4) 'font-lock-comment-face)))
(step "canonical layout is what indentation gives"
      (let ((before (buffer-string)))
        (indent-region (point-min) (point-max))
        (equal before (buffer-string))))

(apply #'eglot (eglot--guess-contact))
(step "the server runs" (patiently #'eglot-current-server))
(setq flymake-no-changes-timeout 0.1)

(step "an error is underlined while it stands"
      (progn
        (go "i.due < today()")
        (search-forward "i.du")
        (insert "u")
        (eglot--signal-textDocument/didChange)
        (patiently (lambda () (flymake-start) (flymake-diagnostics)))))
(step "its fix is offered and mends it"
      (let* ((where (flymake-diagnostic-beg (car (flymake-diagnostics))))
             (actions (progn (goto-char where) (eglot-code-actions where where)))
             (fix (seq-find (lambda (each) (equal (plist-get each :kind) "quickfix")) actions)))
        (eglot--apply-workspace-edit (plist-get fix :edit))
        (save-excursion (go "i.due < today()") t)))
(step "then nothing is"
      (progn (eglot--signal-textDocument/didChange)
             (patiently (lambda () (flymake-start) (null (flymake-diagnostics))))))
(step "hover tells the signature"
      (progn
        (go "late_fee(i.amount")
        (let ((found (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
          (string-match-p "late_fee" (format "%S" found)))))
(step "definition goes to another file"
      (progn
        (go "Tenant, unit: Property")
        (string-suffix-p "parties.ar"
                         (plist-get (elt (jsonrpc-request (eglot-current-server) :textDocument/definition
                                                          (eglot--TextDocumentPositionParams))
                                         0)
                                    :uri))))
(step "references are found in other files"
      (let ((found (progn (go "overdue(i: Invoice)")
                          (jsonrpc-request (eglot-current-server) :textDocument/references
                                           (append (eglot--TextDocumentPositionParams)
                                                   '(:context (:includeDeclaration t)))))))
        (seq-some (lambda (each) (string-suffix-p "tests.ar" (plist-get each :uri))) found)))
(step "completion brings an import"
      (let* ((answer (progn
                       (goto-char (point-max))
                       (insert "\nderive near(p: Person) :- p: Person, p.name == \"a\", Distr")
                       (eglot--signal-textDocument/didChange)
                       (jsonrpc-request (eglot-current-server) :textDocument/completion
                                        (eglot--TextDocumentPositionParams))))
             (items (or (plist-get answer :items) answer))
             (found (seq-find (lambda (each) (equal (plist-get each :label) "District")) items)))
        (undo-boundary)
        (delete-region (save-excursion (go "\nderive near") (point)) (point-max))
        (eglot--signal-textDocument/didChange)
        (plist-get found :additionalTextEdits)))
(step "rename changes every file"
      (let ((edit (progn (go "overdue(i: Invoice)")
                         (jsonrpc-request (eglot-current-server) :textDocument/rename
                                          (append (eglot--TextDocumentPositionParams) '(:newName "unpaid"))))))
        (string-match-p "tests" (format "%S" edit))))
(step "the layout is canonical"
      (let ((before (buffer-string)))
        (go "i.paid == false,")
        (insert "   ")
        (eglot--signal-textDocument/didChange)
        (eglot-format-buffer)
        (equal before (buffer-string))))
(step "semantic tokens come"
      (> (length (plist-get (jsonrpc-request (eglot-current-server) :textDocument/semanticTokens/full
                                             (list :textDocument (eglot--TextDocumentIdentifier)))
                            :data))
         100))
(step "inlay hints come"
      (> (length (jsonrpc-request (eglot-current-server) :textDocument/inlayHint
                                  (list :textDocument (eglot--TextDocumentIdentifier)
                                        :range (list :start '(:line 0 :character 0)
                                                     :end '(:line 100 :character 0)))))
         0))
(step "a fact is explained by its proof"
      (progn
        (argon-explain-fact "called_upon(dora)")
        (patiently (lambda () (get-buffer "*Argon*")))
        (with-current-buffer "*Argon*" (string-match-p "answers_for" (buffer-string)))))
(step "the tests of the package run" (progn (argon-run-tests) t))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server) nil 10)
(kill-emacs (if (zerop failed) 0 1))
;;; emacs_session.el ends here
