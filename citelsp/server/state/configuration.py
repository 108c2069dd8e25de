"""Settings of each workspace folder: the user's file, the folder's, what the editor said at first and says now."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from citelsp.base import read_settings, user_places
from citelsp.base.read_settings import Layer
from citelsp.base.settings import Settings
from citelsp.workspace.disk import is_inside

SECTION = "citelsp"


class Configuration:
    """The settings that hold for each folder, and for documents outside all of them."""

    def __init__(self) -> None:
        self.folders: list[str] = []
        self.from_editor: Sequence[object] = ()  # what it said of its settings last, as `read` gets it
        self._of_editor: Layer = Layer({})  # what it is found to run, which anything else overrides
        self._initial: Layer = Layer({})
        self._of_folder: dict[str, Settings] = {}
        self._default = Settings()  # for documents outside of all folders

    def start(self, folders: list[str], initialization_options: object, beside: Sequence[str] = ()) -> None:
        """Begin with the workspace's folders and what the editor said at first; `read` makes settings of that.

        `beside`: programs that the editor runs, which hold unless the author sets others.
        """
        self.folders = folders
        self._of_editor = Layer({"beside": list(beside)} if beside else {})
        self._initial = Layer(section(initialization_options), origin="initialization options")

    def settings_of(self, path: str) -> Settings:
        """Those of the innermost folder that holds the document."""
        around = [folder for folder in self._of_folder if is_inside(path, folder)]
        return self._of_folder[max(around, key=len)] if around else self._default

    def all(self) -> list[Settings]:
        return [self._default, *self._of_folder.values()]

    def read(self, from_editor: Sequence[object]) -> list[str]:
        """Read all settings anew; return what is wrong in them, each once.

        They are merged from layers: what the editor says it runs beside, the user's file, the folder's file, what the
        editor sent at the start, and its settings now.  `from_editor`: the latter for no folder, then for each folder;
        only the first if it has the same for all, and empty if it was not asked yet.
        """
        self.from_editor = from_editor
        of_user, problems = read_settings.read_file(user_places.user_file())
        layers = [Layer(section(sent), origin="the editor") for sent in from_editor]
        # An editor that sends its settings unasked sends one set, for all folders.
        for_others = layers[0] if layers else Layer({})
        layers += [for_others] * (1 + len(self.folders) - len(layers))
        for_no_folder, *for_folders = layers
        # Of the layers a later one wins, setting by setting.
        self._default, wrong = read_settings.merge(self._of_editor, of_user, self._initial, for_no_folder)
        problems += wrong
        self._of_folder = {}
        # There are more layers than folders if one was removed while the editor was asked.
        for folder, layer in zip(self.folders, for_folders, strict=False):
            # A folder may be a stranger's: not `trusted`, its file may set no address, key or command.
            of_folder, unread = read_settings.read_file(read_settings.workspace_file(folder), trusted=False)
            self._of_folder[folder], wrong = read_settings.merge(
                self._of_editor, of_user, of_folder, self._initial, layer
            )
            problems += [*unread, *wrong]
        return list(dict.fromkeys(problems))


def section(sent: object) -> Mapping[str, Any]:
    """Our part of what an editor sends: bare, or under the name of the server.  Anything else says nothing."""
    if not isinstance(sent, Mapping):
        return {}
    ours = sent.get(SECTION, sent)
    return ours if isinstance(ours, Mapping) else {}


def is_settings_file(path: str) -> bool:
    return Path(path).name in (".citelsp.toml", "citelsp.toml")
