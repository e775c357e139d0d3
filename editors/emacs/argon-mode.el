;;; argon-mode.el --- Major mode for Argon, with its language server -*- lexical-binding: t; -*-

;; Author: The Argon authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Colours, comments and indentation for `*.ar' sources; everything that needs to know the program comes from
;; `argon lsp' by Eglot (part of Emacs 29, a package before it).  M-x eglot starts it, or at once:
;;
;;   (add-hook 'argon-mode-hook #'eglot-ensure)

;;; Code:

(require 'argon-tokens)
(require 'project)

(declare-function eglot-current-server "eglot")
(declare-function eglot-execute-command "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function jsonrpc-request "jsonrpc")
(defvar eglot-server-programs)

(defgroup argon nil
  "Argon, a modelling language whose rules are checked, run and explained."
  :group 'languages
  :prefix "argon-")

(defcustom argon-program "argon"
  "The `argon' program."
  :type 'string)

(defcustom argon-indent-offset 4
  "Columns of one step of indentation, as `argon fmt' has it."
  :type 'integer
  :safe #'integerp)

(defvar argon-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124" table)
    (modify-syntax-entry ?* ". 23bn" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?# "." table)
    (modify-syntax-entry ?\" "\"" table)
    (dolist (operator '(?+ ?- ?= ?% ?& ?| ?< ?> ?! ??))
      (modify-syntax-entry operator "." table))
    table)
  "Syntax table of Argon sources: nested comments, strings, operators.")

(defun argon--words (words)
  "A regular expression for WORDS as whole symbols."
  (regexp-opt words 'symbols))

(defconst argon--declared
  (concat "\\_<" (regexp-opt argon-tokens-declarations) "\\_>[ \t]+\\(\\(?:\\sw\\|\\s_\\)+\\)")
  "A declaration by a keyword; the first group is its name.")

(defconst argon--typed
  "^[ \t]*\\(?:pub\\(?:(pkg)\\)?[ \t]+\\)?\\(\\(?:\\sw\\|\\s_\\|::\\)+\\)[ \t]+\\(\\(?:\\sw\\|\\s_\\)+\\)[ \t]*\\(?:[<:(={;]\\|where\\|iff\\)"
  "A declaration by a metatype or metarel, its first group, and its name, the second.")

(defun argon--no-keyword-p ()
  "Whether what the first group of the last match covers is no word of the language."
  (not (member (match-string 1) argon-tokens-first-words)))

(defun argon--match-typed (limit)
  "Find the next declaration by a metatype before LIMIT."
  (let (found)
    (while (and (not found) (re-search-forward argon--typed limit t))
      (setq found (argon--no-keyword-p)))
    found))

(defvar argon-font-lock-keywords
  `(("#!?\\[[^]\n]*\\]" . font-lock-preprocessor-face)
    ("#[0-9]\\{4\\}-[0-9][0-9]-[0-9][0-9]\\(?:T[^#\n]*\\)?#" . font-lock-constant-face)
    (,argon--declared 1 font-lock-function-name-face)
    (argon--match-typed (1 font-lock-keyword-face) (2 font-lock-type-face))
    (,(argon--words argon-tokens-constants) . font-lock-constant-face)
    (,(argon--words argon-tokens-types) . font-lock-type-face)
    (,(argon--words argon-tokens-keywords) . font-lock-keyword-face)
    (,(concat (argon--words argon-tokens-aggregates) "[ \t]*[({]") 1 font-lock-builtin-face)
    (,(concat (argon--words argon-tokens-contextual) "[ \t]+[[:alpha:]_\"{#(0-9]") 1 font-lock-keyword-face)
    ("\\_<[[:upper:]]\\(?:\\sw\\|\\s_\\)*\\_>" . font-lock-type-face))
  "What is coloured beside comments and strings.")

(defun argon--continued-p ()
  "Whether the line before point's is the head of a rule or an unfinished expression."
  (save-excursion
    (forward-line 0)
    (and (zerop (forward-line -1))
         (progn (end-of-line) (skip-chars-backward " \t") t)
         (looking-back ":-\\|=" (line-beginning-position)))))

(defun argon--indentation ()
  "The column that the line at point begins in."
  (save-excursion
    (forward-line 0)
    (let* ((state (syntax-ppss))
           (depth (car state))
           (opened (nth 1 state)))
      (skip-chars-forward " \t")
      (cond ((nth 3 state) nil)
            ((nth 4 state) nil)
            ((looking-at-p "[])}]") (argon--column-of-line opened))
            ((and opened (> depth 0)) (+ (argon--column-of-line opened) argon-indent-offset))
            ((looking-at-p "=>") argon-indent-offset)
            ((argon--continued-p) argon-indent-offset)
            ((argon--in-body-p) argon-indent-offset)
            (t 0)))))

(defun argon--in-body-p ()
  "Whether the last line before point's that says anything goes on: it ends with a comma outside of brackets."
  (save-excursion
    (forward-line 0)
    (skip-chars-backward " \t\n")
    (eq (char-before) ?,)))

(defun argon--column-of-line (position)
  "The indentation of the line that POSITION is in; 0 without one."
  (if (null position)
      0
    (save-excursion (goto-char position) (current-indentation))))

(defun argon-indent-line ()
  "Indent the line at point by the brackets and the rule around it."
  (interactive)
  (let ((column (argon--indentation))
        (inside (> (current-column) (current-indentation))))
    (when column
      (if inside
          (save-excursion (indent-line-to column))
        (indent-line-to column)))))

;;;###autoload
(define-derived-mode argon-mode prog-mode "Argon"
  "Major mode for sources in Argon."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "\\(?://+[/!]?\\|/\\*+\\)[ \t]*")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width argon-indent-offset)
  (setq-local indent-line-function #'argon-indent-line)
  (setq-local font-lock-defaults '(argon-font-lock-keywords))
  (setq-local fill-column 100))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ar\\'" . argon-mode))

;; The nearest `ox.toml' is the root of a package.
(defun argon--project (folder)
  "The package that FOLDER is in, as `project.el' has projects."
  (let ((root (locate-dominating-file folder "ox.toml")))
    (and root (cons 'transient root))))

(add-hook 'project-find-functions #'argon--project)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `(argon-mode . ,(lambda (&rest _) (list argon-program "lsp")))))

;; What only this server can do.

(defun argon--ask (command &rest arguments)
  "Have the server run COMMAND on the package of this buffer, with more ARGUMENTS, and show what it finds."
  (let* ((server (or (and (fboundp 'eglot-current-server) (eglot-current-server))
                     (user-error "No language server here: M-x eglot starts it")))
         (uri (plist-get (eglot--TextDocumentIdentifier) :uri))
         (found (jsonrpc-request server :workspace/executeCommand
                                 `(:command ,command :arguments ,(apply #'vector uri arguments))
                                 :timeout 60)))
    (argon--show found)))

(defun argon--show (found)
  "Show the page of an answer FOUND, unless the server had it opened already."
  (let ((text (plist-get found :text)))
    (if (or (null text) (plist-get found :uri))
        (message "%s" (or (plist-get found :title) "done"))
      (with-help-window (get-buffer-create "*Argon*")
        (princ text)))))

(defun argon-run-tests ()
  "Run the tests of the package, as its files are saved."
  (interactive)
  (argon--ask "argon.runTest"))

(defun argon-run-query (name)
  "Run the query NAME of the package."
  (interactive "sQuery: ")
  (argon--ask "argon.runQuery" name))

(defun argon-explain-fact (fact)
  "Show why FACT holds, or why it does not."
  (interactive "sFact, such as late(ada): ")
  (argon--ask "argon.explainFact" fact))

(defun argon-show-proof (fact)
  "Open the proof of FACT in a browser."
  (interactive "sFact, such as late(ada): ")
  (argon--ask "argon.showProof" fact))

(defun argon-build ()
  "Build the artifact of the package."
  (interactive)
  (argon--ask "argon.build"))

(define-key argon-mode-map (kbd "C-c C-t") #'argon-run-tests)
(define-key argon-mode-map (kbd "C-c C-q") #'argon-run-query)
(define-key argon-mode-map (kbd "C-c C-e") #'argon-explain-fact)
(define-key argon-mode-map (kbd "C-c C-p") #'argon-show-proof)
(define-key argon-mode-map (kbd "C-c C-b") #'argon-build)

(provide 'argon-mode)
;;; argon-mode.el ends here
