"""citelsp: a language server for citations in LaTeX and Markdown."""

__version__ = "0.3.0"
