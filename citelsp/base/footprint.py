"""What values take of the memory, and caches that take no more of it than they may.

A cache bounded by a number of texts is not bounded: a title may be a megabyte.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import lru_cache, wraps
from itertools import chain
from operator import attrgetter
from sys import getsizeof
from threading import Lock
from types import FunctionType
from typing import Any, Generic, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

K = TypeVar("K")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_Parts = Callable[[Any], Iterable[object]]  # what a value is made of

MB = 1 << 20
_KEY_OVERHEAD = 250  # bytes for a key among those of a cache


def size(value: object) -> int:
    """Estimate the bytes of a value and of what it is made of.

    Looks into containers and dataclasses, each counted once, as one may hold itself; anything else is counted each
    time, as if it referred to nothing.  Classes, functions and patterns count nothing, as the program has them anyway.
    """
    total = 0
    seen: set[int] = set()  # containers, by their `id`
    uncounted = [value]
    while uncounted:
        part = uncounted.pop()
        if type(part) is str:  # most parts are
            total += getsizeof(part)
            continue
        # How to list the parts of such a value; None if it has none, `_shared` if the program has it anyway.
        parts = _parts(type(part))  # type: ignore[arg-type]  # every class is hashable
        if parts is None:
            total += getsizeof(part)
        elif parts is not _shared and id(part) not in seen:
            seen.add(id(part))
            total += getsizeof(part)
            uncounted += parts(part)
    return total


def _shared(_: object) -> Iterable[object]:
    """Return no parts, for a value that the whole program shares: it is not counted at all."""
    return ()


@lru_cache(maxsize=256)  # a program has no more
def _parts(kind: type) -> _Parts | None:
    """Return the function that gives the parts of a value of this type; None if it has no parts that can be seen."""
    if issubclass(kind, re.Pattern | type | FunctionType):
        return _shared
    if issubclass(kind, Mapping):
        return lambda mapping: chain(mapping.keys(), mapping.values())
    if issubclass(kind, Sequence | AbstractSet) and not issubclass(kind, str | bytes):
        return iter
    if is_dataclass(kind):
        # The class counts nothing.  It goes before the fields, as attrgetter gives no tuple for a single name.
        return attrgetter("__class__", *(member.name for member in fields(kind)))
    return None


class Shelf(Generic[K]):
    """The keys of what a cache holds, the latest last; says which are to go, so that all takes at most `most` bytes."""

    def __init__(self, most: int, count: int | None = None) -> None:
        """`count`: so many keys at most."""
        self._most = most
        self._count = count
        self._sizes: dict[K, int] = {}
        self._total = 0

    def put(self, key: K, *values: object) -> list[K]:
        """Note what a key stands for from now on; return the oldest keys, which do not fit any more, never this one."""
        return self.note(key, size(values) + _KEY_OVERHEAD)

    def note(self, key: K, size: int) -> list[K]:
        """Do as `put` does, for what has so many bytes."""
        self.drop(key)
        self._sizes[key] = size
        self._total += size
        dropped: list[K] = []
        while len(self._sizes) > 1 and not self._fits():
            oldest = next(iter(self._sizes))
            dropped.append(oldest)
            self.drop(oldest)
        return dropped

    def joined(self, known: Mapping[K, T], new: Mapping[K, T]) -> dict[K, T]:
        """Return both mappings as one, as far as they fit; `known` itself is never changed, as others may read it."""
        both = {**known, **new}
        for key, value in new.items():
            if known.get(key) is not value:
                for dropped in self.put(key, value):
                    both.pop(dropped, None)
        return both

    def drop(self, key: K) -> None:
        """Forget a key, if it is there."""
        self._total -= self._sizes.pop(key, 0)

    def _fits(self) -> bool:
        return self._total <= self._most and (self._count is None or len(self._sizes) <= self._count)


def remember_by_object() -> Callable[[Callable[[K, *Ts], T]], Callable[[K, *Ts], T]]:
    """Remember what a pure function says of its first argument, for as long as that object lives.

    Only for objects that equal nothing but themselves: an equal one would get the other's answer.  Of each object the
    last answer is remembered, with the other arguments that it was for.  Neither may refer to the object, which would
    then live as long as the program.  There is no lock: two threads may both work an answer out, and either is right.
    """

    def decorate(function: Callable[[K, *Ts], T]) -> Callable[[K, *Ts], T]:
        """Make `function` remember its last answer of each first argument, as long as that object lives."""
        answers: WeakKeyDictionary[K, tuple[tuple[*Ts], T]] = WeakKeyDictionary()

        @wraps(function)
        def call(item: K, *others: *Ts) -> T:
            answered = answers.get(item)  # the other arguments of the last call, and its answer
            if answered is None or answered[0] != others:
                answered = answers[item] = others, function(item, *others)
            _, answer = answered
            return answer

        return call

    return decorate


def remember(most: int) -> Callable[[Callable[[*Ts], T]], Callable[[*Ts], T]]:
    """Remember what a pure function answered, at most `most` bytes of questions and answers; the oldest go first.

    The last one stays, however large.  A question is the arguments of a call.  The decorated function has a
    `cache_clear` that forgets all.
    """

    def decorate(function: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
        """Make `function` remember its answers by its arguments (the question), up to the bytes that the shelf has."""
        answers: dict[tuple[*Ts], T] = {}
        shelf = Shelf[tuple[*Ts]](most)
        lock = Lock()

        @wraps(function)
        def call(*question: *Ts) -> T:
            try:
                return answers[question]
            except KeyError:
                answer = function(*question)  # without the lock, so that nobody waits; two threads may do it at once
            with lock:
                answers[question] = answer
                for dropped in shelf.put(question, question, answer):
                    del answers[dropped]
            return answer

        def forget() -> None:
            with lock:
                for question in list(answers):
                    shelf.drop(question)
                    del answers[question]

        vars(call)["cache_clear"] = forget  # as those of functools
        return call

    return decorate
