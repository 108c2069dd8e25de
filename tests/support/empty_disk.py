"""A disk without files, for tests that live in the editor's buffers alone."""

from citelsp.workspace.globs import Listing


class Nowhere:
    def stamp(self, _path):
        return None

    def load(self, _path):
        return None

    def writable(self, _path):
        return True

    def real(self, _path):
        return _path

    def glob(self, _pattern, _areas, _allowance):
        return Listing([])

    def below(self, _directory, _depth):
        return []

    def scan(self, _directory, _depth):
        return Listing([])
