from labelled_corpus import place

__all__ = ["place"]
