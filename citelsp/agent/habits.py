"""What worked with a model at an endpoint, remembered between runs in one small file, for a month.

Endpoints learn: one that refused a schema may take it after its next update, and nothing but asking again tells.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from citelsp.base import atomic, log

Form = Literal["schema", "object", "plain"]
FORMS: tuple[Form, ...] = ("schema", "object", "plain")  # each needs less of the endpoint
_LASTING = 30 * 24 * 3600.0  # seconds
LEAST, MOST = 500, 16_000  # tokens that one answer may have


@dataclass(frozen=True, slots=True)
class Habits:
    """How a model at an endpoint is asked."""

    form: Form = "schema"  # in which JSON is asked for
    length_field: str = "max_tokens"
    length: int = 2000  # tokens that an answer may have, thinking included
    temperature: bool = True
    system: bool = True  # it takes system messages

    def simpler(self) -> "Habits":
        """Return habits with the next form, which asks less of the endpoint; the same if there is none."""
        return replace(self, form=FORMS[min(FORMS.index(self.form) + 1, len(FORMS) - 1)])

    def longer(self) -> "Habits":
        """Return habits with room for longer answers."""
        return replace(self, length=min(4 * self.length, MOST))


class Memory:
    """Habits by endpoint and model.  A file that cannot be read or written is as good as none."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._path = path or log.directory() / "endpoints.json"
        self._clock = clock
        self._known = self._load()

    def get(self, base_url: str, model: str) -> Habits | None:
        """Return the remembered habits; None if there are none, or if they were learnt too long ago."""
        raw = self._known.get(_name_endpoint(base_url, model))
        if not isinstance(raw, dict) or not self._is_fresh(raw.get("since")) or raw.get("form") not in FORMS:
            return None
        usual = asdict(Habits())
        known = {name: it for name, it in raw.items() if name in usual and type(it) is type(usual[name])}
        habits = Habits(**known)
        return replace(habits, length=min(max(habits.length, LEAST), MOST))

    def put(self, base_url: str, model: str, habits: Habits) -> None:
        if self.get(base_url, model) != habits:
            self._known = {**self._load(), _name_endpoint(base_url, model): asdict(habits) | {"since": self._clock()}}
            self._save()

    def _is_fresh(self, since: object) -> bool:
        return isinstance(since, int | float) and 0 <= self._clock() - since <= _LASTING

    def _load(self) -> dict[str, Any]:
        try:
            raw = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return raw if isinstance(raw, dict) else {}

    def _save(self) -> None:
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            atomic.write(self._path, json.dumps(self._known, indent=1).encode())


def _name_endpoint(base_url: str, model: str) -> str:
    """Name an endpoint and model by host and path, without anything secret in the address."""
    parts = urlsplit(base_url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.hostname or ''}{port}{parts.path.rstrip('/')} {model}"
