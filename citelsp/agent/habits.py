"""What worked with a model at an endpoint, remembered between runs in one small file."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from citelsp import log

Dialect = Literal["tools", "schema", "object", "plain"]
DIALECTS: tuple[Dialect, ...] = ("tools", "schema", "object", "plain")  # each needs less of the endpoint


@dataclass(frozen=True, slots=True)
class Habits:
    """How a model at an endpoint is asked."""

    dialect: Dialect = "tools"  # for actions
    form: Dialect = "schema"  # for one object
    length_field: str = "max_tokens"
    temperature: bool = True
    system: bool = True  # it takes system messages


class Memory:
    """Habits by endpoint and model.  A file that cannot be read or written is as good as none."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or log.directory() / "endpoints.json"
        self._known = self._load()

    def get(self, base_url: str, model: str) -> Habits | None:
        raw = self._known.get(_name(base_url, model))
        if not isinstance(raw, dict) or not {raw.get("dialect"), raw.get("form")} <= {*DIALECTS}:
            return None
        usual = asdict(Habits())
        known = {name: it for name, it in raw.items() if name in usual and type(it) is type(usual[name])}
        return Habits(**known)

    def put(self, base_url: str, model: str, habits: Habits) -> None:
        name = _name(base_url, model)
        if self._known.get(name) != asdict(habits):
            self._known = {**self._load(), name: asdict(habits)}
            self._save()

    def _load(self) -> dict[str, Any]:
        try:
            raw = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return raw if isinstance(raw, dict) else {}

    def _save(self) -> None:
        draft = self._path.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_text(json.dumps(self._known, indent=1), encoding="utf-8")
            draft.replace(self._path)
        except OSError:
            draft.unlink(missing_ok=True)


def _name(base_url: str, model: str) -> str:
    """Host and path without anything secret in the address."""
    parts = urlsplit(base_url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.hostname or ''}{port}{parts.path.rstrip('/')} {model}"
