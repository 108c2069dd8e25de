"""Everything that citelsp is installed with may be used and passed on freely."""

import re
from importlib.metadata import PackageNotFoundError, distribution

import pytest

PERMISSIVE = re.compile(
    r"\b(MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|CC0|Unlicense)\b", re.IGNORECASE
)
FILES_ALONE = {
    "certifi"
}  # Mozilla's list of authorities under its MPL-2.0: changes to that file stay open, nothing else
EXTRAS = {"fit", "mcp", "meaning", "model"}


def installed(name):
    try:
        return bool(distribution(name))
    except PackageNotFoundError:
        return False


pytestmark = pytest.mark.skipif(not installed("citelsp"), reason="citelsp is run from its source, not installed")


def needed(name, extras=()):
    """The distributions installed for it, by name."""
    found, waiting = {}, [(name, extras)]
    while waiting:
        wanted, its_extras = waiting.pop()
        try:
            its = distribution(wanted)
        except PackageNotFoundError:  # for another system or Python
            continue
        for line in its.requires or ():
            requirement, _, marker = line.partition(";")
            extra = re.search(r"extra\s*==\s*['\"]([\w.-]+)", marker)
            if extra and extra[1] not in its_extras:
                continue
            one = re.match(r"([\w.-]+)(?:\[([\w,.-]+)\])?", requirement.strip())
            if one and one[1].lower() not in found:
                found[one[1].lower()] = one[1]
                waiting.append((one[1], set((one[2] or "").split(","))))
    return sorted(found.values())


def licence(name):
    its = distribution(name).metadata
    classified = [it.rpartition("::")[2] for it in its.get_all("Classifier") or () if it.startswith("License")]
    return its.get("License-Expression") or " ".join((its.get("License") or "", *classified))


@pytest.mark.parametrize("name", [it for it in needed("citelsp", EXTRAS) if installed(it)])
def test_licences_are_permissive(name):
    assert name.lower() in FILES_ALONE or PERMISSIVE.search(licence(name)), licence(name)


def test_the_walk_goes_through_what_is_needed():
    assert {"pygls", "lsprotocol", "httpcore", "pypdfium2", "h2"} <= {it.lower() for it in needed("citelsp", EXTRAS)}
