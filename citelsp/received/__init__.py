"""Papers as they are submitted or received, as documents to be checked: PDF, Word, OpenDocument, arXiv, pasted text.

Nothing of them is written, and nothing is kept.
"""
