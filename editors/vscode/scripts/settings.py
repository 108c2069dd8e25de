"""Writes the settings of the server into package.json, with its version and the address of the project."""

import json
import re
from pathlib import Path

import citelsp
from citelsp.base import address, settings, settings_page

PACKAGE = Path(__file__).parent.parent / "package.json"
LOCK = PACKAGE.parent / "package-lock.json"
NAMED = {"services", "corpus.servers"}  # tables by names of one's own, each written whole, as in the settings file
OWN = {
    "citelsp.server.path": {
        "type": "string",
        "default": "",
        "scope": "machine",
        "order": 0,
        "markdownDescription": "The server's program. Empty: the workspace's, yours, or the extension's own.",
    },
    "citelsp.server.logLevel": {
        "type": "string",
        "enum": ["debug", "info", "warning", "error"],
        "default": "warning",
        "scope": "machine",
        "order": 1,
        "markdownDescription": "What goes to the server's log file.",
    },
    "citelsp.inline.enabled": {
        "type": "boolean",
        "default": False,
        "scope": "resource",
        "order": 2,
        "markdownDescription": "Show the best work for the placeholder at the cursor as ghost text; Tab accepts it.",
    },
}


def properties() -> dict[str, object]:
    """The whole `contributes.configuration.properties`."""
    found: dict[str, dict[str, object]] = {**OWN}
    for order, row in enumerate(settings_page.list_rows(), len(OWN)):
        name = row.name
        table_name, named, _ = name.partition(".NAME.")
        head, _, rest = (table_name, "", name) if named else name.partition(".")
        scope = "resource" if row.shared else "machine"
        if name.endswith(".key"):  # the keychain's
            continue
        if head not in NAMED:
            described = {**_typed(row), "scope": scope, "order": order}
            found[f"citelsp.{camel(name)}"] = described | _said(row.meaning)
            continue
        table = found.setdefault(f"citelsp.{head}", _table(head, scope, order))
        members = table["additionalProperties"]["properties"]
        members[rest.rpartition(".")[2]] = _typed(row) | _said(row.meaning)
    for head in NAMED:
        members = ", ".join(f"`{it}`" for it in found[f"citelsp.{head}"]["additionalProperties"]["properties"])
        found[f"citelsp.{head}"]["markdownDescription"] += f" Each may have {members}."
    return found


def camel(name: str) -> str:
    """As VS Code spells names of settings, which it shows as words: `inlayHints` is “Inlay Hints”."""
    return re.sub(r"_([a-z])", lambda it: it[1].upper(), name)


def _typed(row: settings_page.Row) -> dict[str, object]:
    kind = row.kind
    match kind:
        case "text":
            return {"type": "string", "default": row.default}
        case "number":
            least = {} if row.least is None else {"minimum": row.least}
            kind_of_number = "integer" if row.whole else "number"
            return {"type": kind_of_number, "default": json.loads(row.default or "0"), **least}
        case "true, false":
            return {"type": "boolean"} | ({"default": row.default == "true"} if row.default else {})
        case "list":
            return {"type": "array", "items": {"type": "string"}, "default": []}
        case "table":
            levels = ["error", "warning", "information", "hint", "off"]
            return {"type": "object", "additionalProperties": {"type": "string", "enum": levels}, "default": {}}
    if kind.startswith("list of "):
        choices = {"type": "string", "enum": kind.removeprefix("list of ").split(", ")}
        return {"type": "array", "items": choices, "uniqueItems": True, "default": []}
    return {"type": "string", "enum": re.split(r", ", kind), "default": row.default}


def _table(head: str, scope: str, order: int) -> dict[str, object]:
    meaning = {
        "services": 'The scholarly services, such as `{"dblp": {"enabled": true}}`, by name: '
        + ", ".join(f"`{it}`" for it in settings.SERVICES)
        + ".",
        "corpus.servers": "Corpora of your institution on servers that speak as OpenSearch, by names of your own, such "
        'as `{"library": {"base_url": "https://search.example.org", "index": "papers"}}`.',
    }[head] + " Keys belong in the keychain: run *citelsp: Store an API Key*."
    table: dict[str, object] = {"type": "object", "default": {}, "scope": scope, "order": order}
    table |= {"additionalProperties": {"type": "object", "properties": {}}}
    if head == "services":
        table["propertyNames"] = {"enum": list(settings.SERVICES)}
    return table | _said(meaning)


def _said(meaning: str) -> dict[str, object]:
    return {"markdownDescription": meaning}


def main() -> None:
    package = json.loads(PACKAGE.read_text(encoding="utf-8"))
    package["version"] = citelsp.__version__
    package.pop("homepage", None)
    if address.HOME:
        package["homepage"] = address.HOME
    package["contributes"]["configuration"]["properties"] = properties()
    lock = json.loads(LOCK.read_text(encoding="utf-8"))
    lock["version"] = lock["packages"][""]["version"] = citelsp.__version__
    for path, written in ((PACKAGE, package), (LOCK, lock)):
        path.write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
