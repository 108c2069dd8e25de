"""Writes `citelsp/bibliography/styles.txt` from the styles of the TeX distribution that `kpsewhich` finds."""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from citelsp.bibliography import bst

STYLES = """abbrv abbrvnat abbrvurl acm ACM-Reference-Format agsm alpha alphaurl amsalpha amsplain apalike apalike2
apsrev4-1 apsrev4-2 chicago elsarticle-harv elsarticle-num ieeetr IEEEtran IEEEtranN naturemag plain plainnat plainurl
siam splncs04 unsrt unsrtnat unsrturl vancouver""".split()
KINDS = """article book booklet conference inbook incollection inproceedings manual mastersthesis misc phdthesis
proceedings techreport unpublished online electronic www thesis report software dataset patent periodical standard
collection reference""".split()
HEAD = """# What styles of BibTeX may print of each type | what they print only one of | what they want beside a number.
# Written by tests/bst_table.py.
# Names of styles begin a line; a type that is not listed is unknown to them, and printed as @misc is.  \\url says
# that they write this command around URLs; \\misc, of what they warn where an @misc lacks it.
"""


def main() -> None:
    same = defaultdict(list)
    for name in STYLES:
        found = subprocess.run(["kpsewhich", f"{name}.bst"], capture_output=True, text=True).stdout.strip()
        style = bst.parse(Path(found).read_text(encoding="latin-1")) if found else None
        if style is None or style.default != "misc":
            sys.stderr.write(f"left out: {name}\n")
            continue
        same[described(style)].append(name)
    text = HEAD + "".join(f"\n{' '.join(names)}\n{rows}" for rows, names in same.items())
    Path(bst.__file__).with_name("styles.txt").write_text(text, encoding="utf-8")


def described(style: bst.Bst) -> str:
    alike = defaultdict(list)
    for kind in KINDS:
        if treatment := style.of(kind):
            excluding = " ".join("/".join(it) for it in treatment.excluding)
            said = " | ".join((" ".join(sorted(treatment.fields)), excluding, " ".join(treatment.beside_number)))
            alike[said.rstrip(" |")].append(kind)
    rows = "".join(f" {' '.join(kinds)}: {said}\n" for said, kinds in alike.items())
    needs = " ".join(("", *sorted(style.misc_needs)))
    return rows + (" \\url\n" if style.wraps_urls else "") + (f" \\misc{needs}\n" if style.misc_needs else "")


if __name__ == "__main__":
    main()
