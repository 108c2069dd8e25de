"""The formats of bibliographies that are not BibTeX: one file each, and what they share."""
