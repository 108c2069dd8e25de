"""Sites that Jekyll makes: its plug-in jekyll-scholar prints bibliographies as HTML, by CSL, and no TeX reads them."""

import os
import re

from citelsp.workspace import roots
from citelsp.workspace.disk import is_inside
from citelsp.workspace.roots import Files

_CONFIGURATION = "_config.yml"
_USUAL_FOLDER = "_bibliography"  # of the bibliographies, if the configuration names no other
_SCHOLAR = re.compile(r"^scholar[ \t]*:[ \t\r]*\n(?P<settings>(?>(?:[ \t][^\n]*(?:\n|\Z)|\r?\n)*))", re.MULTILINE)
_SOURCE = re.compile(r"^[ \t]+source[ \t]*:[ \t]*[\"']?(?P<folder>[^\s\"'#]+)", re.MULTILINE)


def prints(files: Files, bibliography: str) -> bool:
    """True if the bibliography lies where the plug-in of a site takes bibliographies from, or below.

    The nearest `_config.yml` above tells which folder that is, `_bibliography` if it names none; whether it is really
    Jekyll's is not looked at.  False without one.
    """
    for folder in roots.folders_above(bibliography):
        configuration = files.read(os.path.join(folder, _CONFIGURATION))
        if configuration is not None:
            scholar = _SCHOLAR.search(configuration.document.text)
            source = _SOURCE.search(scholar["settings"]) if scholar else None
            # The folder counts from the site's: a slash before it does not make it one of the system.
            named = source["folder"].strip("/") if source else _USUAL_FOLDER
            return is_inside(bibliography, os.path.normpath(os.path.join(folder, named)))
    return False
