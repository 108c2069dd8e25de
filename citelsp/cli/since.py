"""What changed since a git revision: entries by what they say, lines of a manuscript by their text.

A revision is turned into a commit's name before git is asked for anything else.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from citelsp import syntax
from citelsp.base import git, programs
from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.checks.finding import Finding
from citelsp.workspace.disk import decode, limit_of
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

_NO_COMMIT = ""  # what HEAD means where nothing is committed yet
_MOST_OUTPUT = 1 << 20  # bytes, of what git says besides a file
_Content = tuple[str, str, frozenset[tuple[str, str]]]  # key, kind, fields


class GitError(Exception):
    """git is missing, knows no such revision or cannot read it; says which."""


@dataclass(frozen=True, slots=True)
class _Version:
    """A document as it was; empty if it was not there."""

    lines: frozenset[str] = frozenset()  # without spaces around them
    contents: frozenset[_Content] = frozenset()  # of its entries


@dataclass
class Before:
    """The documents as they were at a revision, read as they are needed."""

    revision: str
    _commits: dict[str, str] = field(default_factory=dict)  # folder → the commit that the revision means there
    _versions: dict[str, _Version] = field(default_factory=dict)  # by the path of the document

    def changed(self, place: Place) -> bool:
        """Return True unless an entry of the same file said the same under the same key, wherever in it."""
        own = Entry(place.node, place.source.syntax.strings)
        return _read_content(own) not in self._version(place.source).contents

    def brings(self, project: Project, finding: Finding) -> bool:
        """Return True if the finding comes from what changed since the revision.

        Within an entry that is so if the entry changed; elsewhere, if the line is new, or if the finding is about a key
        whose entry is gone since: the line that cites that key need not have changed.  Also True of a finding in a file
        that was not read, as nobody knows.  GitError if git cannot tell.
        """
        source = project.sources.get(finding.path)
        if source is None:
            return True
        entries = source.syntax.entries
        index = entries.entry_at(finding.span.start) if entries is not None else None
        if index is not None:
            return self.changed(Place(source, index, project))
        is_of_new_line = _read_line(source, finding) not in self._version(source).lines
        return is_of_new_line or self._is_gone(project, finding)

    def _is_gone(self, project: Project, finding: Finding) -> bool:
        """Return True if the finding's key has no entry, and had one in one of these bibliographies at the revision."""
        if finding.key is None or project.defines(finding.key):
            return False
        missing = project.canonical(finding.key)  # for BibTeX, keys that differ in letter case are one
        for source in project.defining:
            keys_before = (key for key, _, _ in self._version(source).contents)
            if any(project.canonical(key) == missing for key in keys_before):
                return True
        return False

    def _version(self, source: Source) -> _Version:
        """Return the document as it was at the revision, read once; an empty one if it was not there or is no text.

        GitError if git cannot tell.
        """
        path = source.document.path
        if path not in self._versions:
            # git knows a file by its real place, not by a link to it.
            folder, name = os.path.split(os.path.realpath(path))
            if not os.path.isdir(folder):  # noqa: PTH112  of what is no file: a library of Zotero, a text in an archive
                self._versions[path] = _Version()  # nothing of it was there, so all of it counts as changed
                return self._versions[path]
            if folder not in self._commits:
                self._commits[folder] = _read_commit(self.revision, folder)
            data = _read_blob(self._commits[folder], folder, name)
            decoded = decode(data) if data is not None else None
            if decoded:
                text, _ = decoded
                self._versions[path] = _make_version(Document(path, text, source.document.language))
            else:
                self._versions[path] = _Version()
        return self._versions[path]


def _make_version(document: Document) -> _Version:
    return _Version(frozenset(it.strip() for it in document.text.split("\n")), frozenset(_list_contents(document)))


def _list_contents(document: Document) -> Iterator[_Content]:
    """Yield what each entry of the document says."""
    parsed = syntax.parse(document)
    if parsed.entries is None:
        return
    for index in range(len(parsed.entries)):
        yield _read_content(Entry(parsed.entries.node(index), parsed.strings))


def _read_content(entry: Entry) -> _Content:
    """Return what the entry says, whatever its layout."""
    return entry.key, entry.kind, frozenset((name, " ".join(value.split())) for name, value in entry.own.items())


def _read_line(source: Source, finding: Finding) -> str:
    """Return the line in which the finding begins, without spaces around it."""
    text = source.document.text
    start = text.rfind("\n", 0, finding.span.start) + 1
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)].strip()


def _read_commit(revision: str, folder: str) -> str:
    """Return the name of the commit that a revision means in the repository around a folder.

    Before the first commit of a branch HEAD means _NO_COMMIT, so that everything is new.  GitError says why any other
    revision means no commit.
    """
    verify = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    done = _run_git(folder, *verify)
    if done.status == 0:
        return done.out.decode("ascii").strip()
    if _run_git(folder, "rev-parse", "--git-dir").status:  # 0 in a repository
        raise GitError(f"{folder} is not in a readable git repository")
    has_branch = _run_git(folder, "symbolic-ref", "--quiet", "HEAD").status == 0
    if revision in ("HEAD", "@") and has_branch:
        return _NO_COMMIT
    raise GitError(f"git does not know the revision {revision}")


def _read_blob(commit: str, folder: str, name: str) -> bytes | None:
    """Return the bytes of the file in that commit; None if it was not there.

    GitError if git cannot tell, or if the file was larger than its kind may be.  `commit` may be _NO_COMMIT, in which
    nothing is.
    """
    if commit == _NO_COMMIT:
        return None
    # Asked first, as it succeeds without output if there is no such file, while `cat-file` fails as for other reasons.
    listed = _run_git(folder, "ls-tree", "-z", commit, "--", name)
    if listed.status:
        raise GitError(_read_complaint(listed))
    if not listed.out:
        return None
    done = _run_git(folder, "cat-file", "blob", f"{commit}:./{name}", most=limit_of(name))
    if done.status:
        raise GitError(_read_complaint(done))
    return done.out


def _read_complaint(done: programs.Done) -> str:
    """Return the first line of what git says of why it failed."""
    problem = done.err.decode(errors="replace").strip()
    if git.is_partial(problem):
        return "this partial clone lacks what is compared with; `git fetch --refetch --no-filter` brings it"
    return problem.partition("\n")[0] or "git failed"


def _run_git(folder: str, *arguments: str, most: int = _MOST_OUTPUT) -> programs.Done:
    """Run git and return what it answered, whatever its exit status; GitError if it could not be run."""
    try:
        done = git.ask(folder, *arguments, most=most)
    except FileNotFoundError:
        raise GitError("--since needs git, which is not installed") from None
    except OSError as problem:
        raise GitError(f"git could not be run: {problem}") from problem
    if done.status is None:
        raise GitError("git could not be run: it took too long, or a file is too large")
    return done
