r"""The commands that name journals in bibliographies from NASA ADS, as astronomers' classes define them: `\mnras`.

ADS exports them instead of names (its help lists them under "journal macros"), so most bibliographies and compiled
lists of astronomy have them, and no package of TeX itself says what they print.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "aap": "Astronomy & Astrophysics",
        "aapr": "The Astronomy and Astrophysics Review",
        "aaps": "Astronomy & Astrophysics Supplement Series",
        "actaa": "Acta Astronomica",
        "aj": "The Astronomical Journal",
        "ao": "Applied Optics",
        "apj": "The Astrophysical Journal",
        "apjl": "The Astrophysical Journal Letters",
        "apjlett": "The Astrophysical Journal Letters",
        "apjs": "The Astrophysical Journal Supplement Series",
        "apjsupp": "The Astrophysical Journal Supplement Series",
        "aplett": "Astrophysical Letters",
        "applopt": "Applied Optics",
        "apss": "Astrophysics and Space Science",
        "araa": "Annual Review of Astronomy and Astrophysics",
        "baas": "Bulletin of the American Astronomical Society",
        "bain": "Bulletin of the Astronomical Institutes of the Netherlands",
        "gca": "Geochimica et Cosmochimica Acta",
        "grl": "Geophysical Research Letters",
        "icarus": "Icarus",
        "jcap": "Journal of Cosmology and Astroparticle Physics",
        "jcp": "The Journal of Chemical Physics",
        "jgr": "Journal of Geophysical Research",
        "jqsrt": "Journal of Quantitative Spectroscopy and Radiative Transfer",
        "jrasc": "Journal of the Royal Astronomical Society of Canada",
        "memras": "Memoirs of the Royal Astronomical Society",
        "memsai": "Memorie della Società Astronomica Italiana",
        "mnras": "Monthly Notices of the Royal Astronomical Society",
        "nar": "New Astronomy Reviews",
        "nat": "Nature",
        "nphysa": "Nuclear Physics A",
        "pasa": "Publications of the Astronomical Society of Australia",
        "pasj": "Publications of the Astronomical Society of Japan",
        "pasp": "Publications of the Astronomical Society of the Pacific",
        "physrep": "Physics Reports",
        "physscr": "Physica Scripta",
        "planss": "Planetary and Space Science",
        "pra": "Physical Review A",
        "prb": "Physical Review B",
        "prc": "Physical Review C",
        "prd": "Physical Review D",
        "pre": "Physical Review E",
        "prl": "Physical Review Letters",
        "procspie": "Proceedings of SPIE",
        "psj": "The Planetary Science Journal",
        "qjras": "Quarterly Journal of the Royal Astronomical Society",
        "rmxaa": "Revista Mexicana de Astronomía y Astrofísica",
        "skytel": "Sky and Telescope",
        "solphys": "Solar Physics",
        "sovast": "Soviet Astronomy",
        "ssr": "Space Science Reviews",
        "zap": "Zeitschrift für Astrophysik",
    }
)
_ALONE = re.compile(r"[\s{]*\\(?P<name>[a-z]{2,8})[\s{}]*")
# In a reference a comma, a bracket or a number follows the name of a journal; in a title the author's own commands
# may be called so.
_IN_REFERENCE = re.compile(
    r"\\(?P<name>[a-z]{2,8})(?![A-Za-z@])(?=[\s~{}/\\]{0,6}(?:[,\]\d]|$|textbf\b|bf\b|bibinfo\b))"
)


def written_out(value: str) -> str:
    """The value of a field that names a journal, with the name instead of a command that stands alone."""
    command = _ALONE.fullmatch(value)
    return NAMES.get(command["name"], value) if command else value


def write_out_all(reference: str) -> str:
    """A printed reference in TeX with names instead of such commands, where it names a journal."""
    if "\\" not in reference:
        return reference
    return _IN_REFERENCE.sub(lambda it: NAMES.get(it["name"], it[0]), reference)
