"""The protocol's types without what nobody asks of them."""

from functools import partial

import attrs


def load() -> None:
    """Import lsprotocol, its five hundred classes without methods that compare and print them.

    attrs writes and compiles those class by class, which would be a third of the time in which a server starts.
    """
    define = attrs.define
    attrs.define = partial(define, eq=False, repr=False)  # for the next import alone
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = define
