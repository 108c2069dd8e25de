"""Settings of each workspace folder: the user's file, the folder's, what the editor said at first and says now."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from citelsp import settings
from citelsp.roots import inside
from citelsp.server import diagnostics
from citelsp.server.uris import path_of, uri_of
from citelsp.settings import Layer, Settings

if TYPE_CHECKING:
    from citelsp.server.server import Server

_SECTION = "citelsp"


class Configuration:
    """The settings that hold for each folder, and for documents outside all of them."""

    def __init__(self) -> None:
        self.folders: list[str] = []
        self._initial: Layer = Layer({})
        self._of_folder: dict[str, Settings] = {}
        self._default = Settings()

    def start(self, folders: list[str], initialization_options: object) -> None:
        self.folders = folders
        self._initial = Layer(section(initialization_options), origin="initialization options")

    def of(self, path: str) -> Settings:
        """Those of the innermost folder that holds the document."""
        holding = [it for it in self._of_folder if inside(path, it)]
        return self._of_folder[max(holding, key=len)] if holding else self._default

    def all(self) -> list[Settings]:
        return [self._default, *self._of_folder.values()]

    def read(self, from_editor: Sequence[object]) -> list[str]:
        """Read everything anew; `from_editor` is said for no folder, then for each.  Returns what was wrong."""
        user, problems = settings.read_file(settings.user_file())
        said = [Layer(section(it), origin="the editor") for it in from_editor]
        said += [said[0] if said else Layer({})] * (1 + len(self.folders) - len(said))
        self._default, wrong = settings.merged(user, self._initial, said[0])
        problems += wrong
        self._of_folder = {}
        for folder, layer in zip(self.folders, said[1:], strict=False):
            own, unread = settings.read_file(settings.workspace_file(folder), trusted=False)
            self._of_folder[folder], wrong = settings.merged(user, own, self._initial, layer)
            problems += [*unread, *wrong]
        return list(dict.fromkeys(problems))


def section(said: object) -> Mapping[str, Any]:
    """Our part of what an editor sends: bare, or under the name of the server.  Anything else says nothing."""
    if not isinstance(said, Mapping):
        return {}
    ours = said.get(_SECTION, said)
    return ours if isinstance(ours, Mapping) else {}


def start(ls: "Server") -> None:
    """What is known before the editor is asked for its settings."""
    initial = ls.initial
    ls.configuration.start(_folder_paths(initial), initial.initialization_options)
    ls.configuration.read(())
    _set_up(ls)


async def load(ls: "Server", said: object = None) -> None:
    """Ask the editor for its settings, or take what it `said` unasked; tell the author what is wrong in them."""
    folders = ls.configuration.folders
    answers: Sequence[object] = [said]
    if ls.client.configuration:
        items = [types.ConfigurationItem(section=_SECTION)]
        items += [types.ConfigurationItem(scope_uri=uri_of(it), section=_SECTION) for it in folders]
        answer = await ls.workspace_configuration_async(types.ConfigurationParams(items))
        answers = answer if isinstance(answer, Sequence) and not isinstance(answer, str) else [answer]
    problems = ls.configuration.read(answers)
    _set_up(ls)
    diagnostics.refresh(ls)
    if ls.client.refresh_hints:  # an editor that asked for them before knew none
        ls.workspace_inlay_hint_refresh(None)
    await ls.endpoints.keep(ls.configuration.all())
    if problems:
        shown = types.ShowMessageParams(types.MessageType.Warning, "citelsp settings: " + " ".join(problems))
        ls.window_show_message(shown)


def _set_up(ls: "Server") -> None:
    """Read below the folders, knowing the commands of all settings."""
    every = ls.configuration.all()
    commands = dict.fromkeys(name for it in every for name in it.syntax.cite_commands)
    written = dict.fromkeys(it.writing.write_to for it in every if it.writing.write_to)
    ls.projects.set_up(ls.configuration.folders, commands, written)


def is_settings_file(path: str) -> bool:
    return Path(path).name in (".citelsp.toml", "citelsp.toml")


def _folder_paths(params: types.InitializeParams) -> list[str]:
    """The workspace folders, or the one root that older editors send."""
    if params.workspace_folders:
        return [path_of(it.uri) for it in params.workspace_folders]
    if params.root_uri:
        return [path_of(params.root_uri)]
    return [params.root_path] if params.root_path else []
