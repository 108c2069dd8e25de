"""`citelsp check --fix`: the fixes of findings applied to files, each written whole or not at all.

Bytes outside the edits stay: encoding, newlines, byte order mark.  Two fixes that overlap never apply together.
"""

import difflib
import re
import sys
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from citelsp.base.text import Edit, Span, apply, still
from citelsp.bibliography import venues
from citelsp.checks.finding import Finding, Fix, Safety
from citelsp.cli import ci_log
from citelsp.cli.named_files import FileProblem, TextFile, read_text, refusal, rewrite
from citelsp.cli.report_parts import Checked, show_on_one_line
from citelsp.features.exports import exporter
from citelsp.workspace.project import Project

# The author picks one, or none; a published version is another publication than the one that is cited, and so is the
# preprint of what no service has where it is cited.
_AUTHORS_CHOICE = frozenset(
    {"missing-bibliography", "published-version", "unknown-work", "undefined-citation", "unused-entry"}
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
Refusal = Callable[[str], str]  # path → why it is not written; "" if it may be


@dataclass
class _Taken:
    """The places in one file that are edited already, in their order."""

    spans: list[Span] = field(default_factory=list)

    def has_room_for(self, span: Span) -> bool:
        """Return True if no taken place shares a character with this one, and none is the same.

        Of two insertions at one place the order would be a guess.
        """
        # Those taken never overlap, so only the neighbours in their order can.
        at = bisect_left(self.spans, span)
        neighbours = self.spans[max(0, at - 1) : at + 1]
        return not any(span == it or (span.start < it.end and it.start < span.end) for it in neighbours)

    def add(self, span: Span) -> None:
        insort(self.spans, span)


@dataclass
class Mending:
    """What `--fix` has done so far: the files that it read, their texts now, and what it would not touch."""

    level: Safety
    originals: dict[str, TextFile] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    fixes: list[Fix] = field(default_factory=list)  # that were applied to the texts
    refused: dict[str, str] = field(default_factory=dict)  # path → why nothing there was changed
    lacking: dict[str, str] = field(default_factory=dict)  # path → why some fixes there were left out

    def apply(self, checked: Sequence[Checked], find_refusal: Refusal) -> list[str]:
        """Apply to `texts` the fixes that can be applied together; return the paths of the files that they edit.

        Nothing is written to the files yet.  `find_refusal` says of a path why it may not be written.  Such files are
        noted in `refused`, and files whose encoding lacks some letter of a fix in `lacking`.  `checked`: the findings
        of each project, as the texts are now.
        """
        fixes = [fix for _, fix in self._choose_fixes(checked, find_refusal)]
        self.fixes += fixes
        edits_by_path: dict[str, list[Edit]] = {}
        for fix in fixes:
            for edit in fix.edits:
                edits_by_path.setdefault(edit.path, []).append(edit)
        for path, edits in edits_by_path.items():  # `_choose_fixes` has read all of them into `originals`
            self.texts[path] = apply(self._read_text(path), edits)
        return list(edits_by_path)

    def count(self, checked: Sequence[Checked], find_refusal: Refusal) -> Counter[tuple[Safety, str]]:
        """Count the fixes that `apply` would apply now, by their safety and the code of their findings."""
        return Counter((fix.safety, code) for code, fix in self._choose_fixes(checked, find_refusal))

    @property
    def applied(self) -> int:
        return len(self.fixes)

    def count_written(self, written: Sequence[str]) -> int:
        """Count the fixes that are in the files now that these are `written`: whole, as one may edit several files."""
        return sum(all(edit.path in written for edit in fix.edits) for fix in self.fixes)

    def changed(self) -> list[str]:
        return [path for path, text in self.texts.items() if text != self.originals[path].text]

    def diff(self) -> str:
        return "".join(diff(self.originals[it], self.texts[it]) for it in self.changed())

    def print_diff(self) -> None:
        for path in self.changed():
            print_diff(self.originals[path], self.texts[path])

    def write(self) -> list[str]:
        """Write the changed files; return the paths of those written.  Notes in `refused` why others could not be."""
        written = []
        for path in self.changed():
            original = self.originals[path]
            try:
                rewrite(path, original.data, original.bytes_of(self.texts[path]))
            except FileProblem as problem:
                self.refused[path] = str(problem)
            else:
                written.append(path)
        return written

    def _choose_fixes(self, checked: Sequence[Checked], find_refusal: Refusal) -> Iterator[tuple[str, Fix]]:
        """Choose the first fix of each finding that the level allows; yield all safe ones, then those to review.

        Each comes with the code of its finding.  Leaves out fixes whose own edits overlap, fixes that touch a place
        which another one has taken, and fixes of which a single edit may not be written; of the last it notes why
        (`_may_be_written`).  `find_refusal` says of a path why it may not be written.
        """
        fixes: list[tuple[Project, str, Fix]] = []
        for of_project in checked:
            for finding in of_project.findings:
                fix = _first_fix(finding, self.level)
                if fix:
                    fixes.append((of_project.project, finding.code, fix))
        fixes.sort(key=lambda chosen: chosen[2].safety != "safe")  # so that none to review takes a safe one's place
        taken: dict[str, _Taken] = defaultdict(_Taken)  # by path
        for project, code, fix in fixes:
            if not _is_sound(fix) or not all(taken[edit.path].has_room_for(edit.span) for edit in fix.edits):
                continue
            # Asked last: it notes what may not be written, of which only fixes that would be applied are told.
            if all(self._may_be_written(project, edit, find_refusal) for edit in fix.edits):
                for edit in fix.edits:
                    taken[edit.path].add(edit.span)
                yield code, fix

    def _may_be_written(self, project: Project, edit: Edit, find_refusal: Refusal) -> bool:
        """Return True if the edit's file may be written and its encoding has the letters of the edit's text.

        Otherwise notes why not, in `refused` (the file) or `lacking` (this text).  Reads the file into `originals` if
        it was not read yet.  `find_refusal` says of a path why it may not be written, "" if it may.
        """
        path = edit.path
        why = self.refused.get(path) or find_refusal(path) or self._read_original(project, path)
        if why:
            self.refused[path] = why
            return False
        why_not = self.originals[path].find_why_not_added(edit.new_text)
        if why_not:
            self.lacking[path] = why_not
        return not why_not

    def _read_original(self, project: Project, path: str) -> str:
        """Read a file into `originals` before it is fixed; return why it may not be written, or "".

        Its text on the disk has to be the one that was checked, in which the edits count characters.
        """
        if path in self.originals:  # read before; since an earlier round `project` may have the text as fixed there
            return ""
        source = project.sources[path]
        why_not = refusal(path)
        if why_not or not source.writable:  # `refusal` is "" for what is outside the workspace, or what a program makes
            return why_not or "it is read-only"
        program = exporter(source)  # such as Better BibTeX; "" for a file that people write
        if program:
            return f"{program} writes it, and would overwrite the change"
        try:
            original = read_text(path)
        except (FileNotFoundError, FileProblem):  # the check could read it
            return "it has changed in the meantime"
        if original.text != source.document.text:
            return "it has changed in the meantime"
        # Written back, bytes that are no text in this encoding would be lost.
        if original.bytes_of(original.text) != original.data:
            return f"it is not valid {original.encoding}"
        self.originals[path] = original
        return ""

    def _read_text(self, path: str) -> str:
        return self.texts.get(path, self.originals[path].text)


def _first_fix(finding: Finding, level: Safety) -> Fix | None:
    """Return the first fix of a finding that may be applied at this level; None if there is none.

    At `review` it may be any, but where the author picks one or none (see _AUTHORS_CHOICE) only a safe one.
    """
    leads_to_preprint = finding.field == "venue" and venues.is_preprint_server(finding.recorded or "")
    is_choice = finding.code in _AUTHORS_CHOICE or leads_to_preprint
    takes_reviewed = level == "review" and not is_choice
    return next((fix for fix in finding.fixes if fix.safety == "safe" or takes_reviewed), None)


def _is_sound(fix: Fix) -> bool:
    """False if its own edits overlap."""
    places = sorted((edit.path, edit.span) for edit in fix.edits)
    for (path, span), (next_path, next_span) in pairwise(places):
        if path == next_path and next_span.start < span.end:
            return False
    return True


def diff(original: TextFile, text: str) -> str:
    """Write as a diff, as git does, what changes from the file to this text."""
    name = show_on_one_line(original.path)
    end = "\t" if " " in name else ""  # as git has it: `patch` takes a name to end at its first space
    # A part of the file's first line, without which git finds another line there.
    mark = "\ufeff" if original.encoding == "utf-8-sig" else ""
    before, after = (_LINE.findall(mark + it) for it in (original.text, text))
    lines = difflib.unified_diff(before, after, f"a/{name}{end}", f"b/{name}{end}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def print_diff(original: TextFile, text: str) -> None:
    """Print the diff: without control characters to a terminal, and to a program in the file's own bytes.

    A program may apply it, which compares bytes.  The names of the file, in its first lines, are in UTF-8; so is all of
    the diff of a file in UTF-16, as no program reads one of such lines.
    """
    changes = diff(original, text)
    if sys.stdout.isatty():
        sys.stdout.write(still(changes))
        return
    encoding = "utf-8" if original.encoding.startswith("utf") else original.encoding
    hunks = changes.find("\n@@ ")  # behind the names
    names = changes[:hunks].encode()
    ci_log.print_bytes(sys.stdout, names + changes[hunks:].encode(encoding, errors="replace"))
