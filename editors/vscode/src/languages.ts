// written by editors/lists.py from the server's languages
export const LANGUAGES = ["latex", "tex", "rsweave", "literate haskell", "markdown", "quarto", "rmd", "org", "typst", "bibtex", "bbl"];

/** Names of files whose language is that of many other files too. */
export const FILES = ["*.ipynb", "*.csl.json", "*.csljson", "references.json", "bibliography.json", "*.csl.yaml", "*.csl.yml", "references.yaml", "references.yml", "bibliography.yaml", "bibliography.yml", "refs.yaml", "refs.yml"];

/** Languages of the cells of a notebook that are read. */
export const CELLS = ["markdown", "raw"];

/** An empty placeholder, with the cursor in it, by language. */
export const PLACEHOLDERS: Record<string, string> = {
  "latex": "\\cite<$0>",
  "tex": "\\cite<$0>",
  "rsweave": "\\cite<$0>",
  "literate haskell": "\\cite<$0>",
  "markdown": "[@<$0>]",
  "quarto": "[@<$0>]",
  "rmd": "[@<$0>]",
  "org": "[cite:@<$0>]",
  "typst": "@<$0>",
};
