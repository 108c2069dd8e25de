-- written by editors/lists.py from the server's languages
return {
  filetypes = { 'tex', 'plaintex', 'rnoweb', 'lhaskell', 'markdown', 'quarto', 'rmd', 'org', 'typst', 'bib' },
  -- names of files whose type is that of many other files too
  files = { '*.ipynb', '*.csl.json', '*.csljson', 'references.json', 'bibliography.json', '*.csl.yaml', '*.csl.yml', 'references.yaml', 'references.yml', 'bibliography.yaml', 'bibliography.yml', 'refs.yaml', 'refs.yml' },
  -- empty ones, by type
  placeholders = {
    tex = '\\cite<>',
    plaintex = '\\cite<>',
    rnoweb = '\\cite<>',
    lhaskell = '\\cite<>',
    markdown = '[@<>]',
    quarto = '[@<>]',
    rmd = '[@<>]',
    org = '[cite:@<>]',
    typst = '@<>',
  },
}
