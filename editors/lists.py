"""Writes what editors and pre-commit must know of the languages into their files, from `citelsp.syntax.languages`.

`python editors/lists.py` writes; a test compares.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

from citelsp.syntax import languages

HERE = Path(__file__).parent
DOCS = HERE.parent / "citelsp" / "docs" / "editors"
NOTE = "written by editors/lists.py from the server's languages"
BACKSLASH = "\\"
SHARED = {"json", "yaml", "yml", "xml", "py"}  # endings of files that have nothing to do with citations, too
EDITORS = [(it, it.editors) for it in languages.ALL]


def vscode_ids(*, manuscripts: bool = False) -> list[str]:
    return [name for it, names in EDITORS for name, *_ in names.vscode if it.manuscript or not manuscripts]


def package(text: str) -> str:
    """VS Code's manifest: what starts the extension, the languages, where commands about citations are offered."""
    manifest = json.loads(text)
    notebooks = ["onNotebook:jupyter-notebook"] if _cells() else []
    demonstration = ["workspaceContains:.citelsp-demo"]
    manifest["activationEvents"] = [f"onLanguage:{it}" for it in vscode_ids()] + notebooks + demonstration
    own = [it for it in manifest["contributes"]["languages"] if it["id"].startswith("citelsp-")]  # of its own pages
    manifest["contributes"]["languages"] = [
        {"id": name, "extensions": list(endings), "aliases": [title]}
        for _, names in EDITORS
        for name, title, endings in names.vscode
        if endings
    ] + own
    cited = f"editorLangId =~ /^({'|'.join(vscode_ids(manuscripts=True))})$/"
    for command in manifest["contributes"]["menus"]["commandPalette"]:
        if command["when"].startswith("editorLangId =~"):
            command["when"] = cited
    for key in manifest["contributes"]["keybindings"]:
        running, served, _ = key["when"].partition("editorLangId =~")
        if served:
            key["when"] = running + cited
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def typescript(_text: str) -> str:
    snippets = {
        name: it.manuscript.placeholder("$0") for it, names in EDITORS if it.manuscript for name, *_ in names.vscode
    }
    lines = "".join(f"  {json.dumps(name)}: {json.dumps(it)},\n" for name, it in snippets.items())
    return (
        f"// {NOTE}\n"
        f"export const LANGUAGES = {json.dumps(vscode_ids())};\n\n"
        f"/** Names of files whose language is that of many other files too. */\n"
        f"export const FILES = {json.dumps(_files())};\n\n"
        f"/** Languages of the cells of a notebook that are read. */\n"
        f"export const CELLS = {json.dumps(_cells())};\n\n"
        f"/** An empty placeholder, with the cursor in it, by language. */\n"
        f"export const PLACEHOLDERS: Record<string, string> = {{\n{lines}}};\n"
    )


def _files() -> list[str]:
    return [file for _, names in EDITORS for file in names.files]


def _cells() -> list[str]:
    return [cell for _, names in EDITORS for cell in names.cells]


def _neovim() -> list[str]:
    return [it for _, names in EDITORS for it in names.neovim]


def lua(_text: str) -> str:
    types, files = (", ".join(f"'{it}'" for it in found) for found in (_neovim(), _files()))
    placeholders = "".join(
        f"    {name} = '{it.manuscript.placeholder('').replace(BACKSLASH, 2 * BACKSLASH)}',\n"
        for it, names in EDITORS
        if it.manuscript
        for name in names.neovim
    )
    return (
        f"-- {NOTE}\n"
        "return {\n"
        f"  filetypes = {{ {types} }},\n"
        "  -- names of files whose type is that of many other files too\n"
        f"  files = {{ {files} }},\n"
        "  -- empty ones, by type\n"
        f"  placeholders = {{\n{placeholders}  }},\n"
        "}\n"
    )


def _emacs() -> str:
    return " ".join(it for _, names in EDITORS for it in names.emacs)


def elisp(text: str) -> str:
    return re.sub(r"(?<=\(defconst citelsp-modes\n  '\()[^)]*(?=\))", _wrapped(_emacs(), 4), text)


def _wrapped(words: str, indent: int) -> str:
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) > 110 - indent:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return f"\n{' ' * indent}".join(lines)


def emacs_page(text: str) -> str:
    return re.sub(r"(?<='\(\()[^()]*(?=\) \. \(\"citelsp\" \"serve\"\)\)\))", _wrapped(_emacs(), 15), text)


def neovim_page(text: str) -> str:
    types = ", ".join(f'"{it}"' for it in _neovim())
    return re.sub(r"\b(ft|filetypes) = \{[^}]*\}", lambda it: f"{it[1]} = {{ {types} }}", text)


def helix_page(text: str) -> str:
    rows = "\n\n".join(
        f'[[language]]\nname = "{name}"\nlanguage-servers = {json.dumps([*filter(None, (server, "citelsp"))])}'
        for _, names in EDITORS
        for name, server in names.helix
    )
    return re.sub(r"\[\[language\]\].*?(?=\n```)", rows, text, flags=re.DOTALL)


def sublime_page(text: str) -> str:
    scopes = " | ".join(it for _, names in EDITORS for it in names.sublime)
    text = re.sub(r'"selector": "[^"]*",\n      "settings"', f'"selector": "{scopes}",\n      "settings"', text)
    rows = ",\n".join(
        f'    {{ "selector": "{" | ".join(names.sublime)}", "characters": "{names.triggers}" }}'
        for _, names in EDITORS
        if names.triggers
    )
    return re.sub(r'(?<="auto_complete_triggers": \[\n).*?(?=\n  \])', rows, text, flags=re.DOTALL)


def kate_page(text: str) -> str:
    first, *others = [(it.name, names.kate) for it, names in EDITORS if names.kate]
    text = re.sub(r'(?<="highlightingModeRegex": ")[^"]*(?=",\n)', _modes(first[1]), text)
    rows = ",\n".join(
        f'    "{it}": {{ "use": "{first[0]}", "highlightingModeRegex": "{_modes(modes)}" }}' for it, modes in others
    )
    return re.sub(r'    "\w+": \{ "use".*?(?=\n  \})', lambda _: rows, text, flags=re.DOTALL)


def _modes(modes: tuple[str, ...]) -> str:
    return f"^({'|'.join(modes)})$" if len(modes) > 1 else f"^{modes[0]}$"


def hooks(text: str) -> str:
    """The files that pre-commit passes on: by ending, or by name if the ending says too little."""
    endings = "|".join(ending for it in languages.ALL for ending in it.endings if ending not in SHARED)
    names = [re.escape(it.removeprefix("*")) if it.startswith("*") else f"(^|/){re.escape(it)}" for it in _files()]
    every = "|".join([rf"\.({endings})", *names])
    pattern = f"(?i)({every})$"
    return re.sub(r"(?<=files: &files ')[^']*(?=')", lambda _: pattern, text)


def agents(_text: str) -> str:
    """The language server of the agents' plugin, with the files that it is started for."""
    types = {f".{ending}": it.ids[0] for it in languages.ALL for ending in it.endings if ending not in SHARED}
    server = {"citelsp": {"command": "citelsp", "args": ["serve"], "extensionToLanguage": types}}
    return json.dumps(server, indent=2) + "\n"


FILES: dict[Path, Callable[[str], str]] = {
    HERE.parent / ".pre-commit-hooks.yaml": hooks,
    HERE / "agents" / "citelsp" / ".lsp.json": agents,
    HERE / "vscode" / "package.json": package,
    HERE / "vscode" / "src" / "languages.ts": typescript,
    HERE / "neovim" / "lua" / "citelsp" / "languages.lua": lua,
    HERE / "emacs" / "citelsp.el": elisp,
    DOCS / "emacs.md": emacs_page,
    DOCS / "neovim.md": neovim_page,
    DOCS / "helix.md": helix_page,
    DOCS / "sublime.md": sublime_page,
    DOCS / "kate.md": kate_page,
}


def main() -> None:
    for path, write in FILES.items():
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(write(before), encoding="utf-8")


if __name__ == "__main__":
    main()
