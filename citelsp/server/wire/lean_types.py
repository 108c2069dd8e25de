"""The protocol's types, each made complete when it is first used.

lsprotocol has five hundred classes, of which a session uses a hundred.  attrs writes and compiles the methods of each
as it is imported, and lsprotocol's converter resolves the annotations of all: that was half of the time in which a
server starts.
"""

from threading import RLock
from typing import Any

import attrs

_FIELDS = "__attrs_attrs__"  # where attrs keeps the fields of a class, and looks whether it has any
_define = attrs.define
_completing = RLock()  # several threads may be the first to use a type


class _Fields:
    """The fields of a class that nobody has used yet."""

    def __get__(self, instance: object, owner: type) -> object:
        _complete(owner)
        return getattr(owner, _FIELDS)


def load() -> None:
    """Import lsprotocol, its classes incomplete until they are used, and without methods that compare and print."""
    attrs.define = _put_off  # type: ignore[assignment]  # for the next import alone
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = _define
    from lsprotocol import _hooks

    # Annotations are resolved with the class; should the name go, all are resolved at the start as before.
    _hooks._resolved_forward_references = True


def _put_off(written: type | None = None, **options: Any) -> Any:  # noqa: ANN401  as attrs.define
    """attrs.define, at once if the class is to be something special, which none in lsprotocol is so far."""
    if written is None or options:
        return _define(written, **options)
    setattr(written, _FIELDS, _Fields())
    written.__init__ = _complete_and_begin  # type: ignore[misc]
    return written


def _complete_and_begin(self: object, *values: object, **named: object) -> None:
    _complete(type(self))
    self.__init__(*values, **named)  # type: ignore[misc]


def _complete(written: type) -> None:
    from lsprotocol import types

    with _completing:
        for base in written.__mro__:
            if isinstance(vars(base).get(_FIELDS), _Fields):
                # In the class itself, without slots: who imported it has it.
                _define(base, slots=False, init=True, eq=False, repr=False)
                attrs.resolve_types(base, types.ALL_TYPES_MAP, {})
