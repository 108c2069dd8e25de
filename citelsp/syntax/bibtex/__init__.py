"""BibTeX and biblatex files: blocks, their ends and fields, read with exact places and written again without loss."""
