"""One module for each kind of request or command: from the editor's words to a feature and back."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what `methods` names, so that a name that is not there is found before it is asked for
    from citelsp.server.answers import adding_to_zotero as adding_to_zotero
    from citelsp.server.answers import citation_dialog as citation_dialog
    from citelsp.server.answers import code_action_requests as code_action_requests
    from citelsp.server.answers import commands as commands
    from citelsp.server.answers import completion_items as completion_items
    from citelsp.server.answers import diagnostics as diagnostics
    from citelsp.server.answers import feature_handlers as feature_handlers
    from citelsp.server.answers import file_changes as file_changes
    from citelsp.server.answers import find_evidence as find_evidence
    from citelsp.server.answers import ghost_text as ghost_text
    from citelsp.server.answers import insert_works as insert_works
    from citelsp.server.answers import lifecycle as lifecycle
    from citelsp.server.answers import overview as overview
    from citelsp.server.answers import pick_candidates as pick_candidates
    from citelsp.server.answers import settings_changes as settings_changes
    from citelsp.server.answers import verify_entries as verify_entries


def __getattr__(name: str) -> ModuleType:
    """A module at its first use: before an editor asks, none of them is needed."""
    if name.startswith("__"):  # Python looks for some names of its own
        raise AttributeError(name)
    return import_module(f"{__name__}.{name}")
