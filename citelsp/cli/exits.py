"""Exit statuses of all commands."""

from collections.abc import Mapping

OK = 0  # no errors or warnings
FINDINGS = 1
UNFINISHED = 2  # beats findings
USAGE = 3
INTERRUPTED = 130


def choose_status(found: int, *, stopped: bool, unfinished: bool) -> int:
    """Return the exit status of a command that has found what would end it with `found`: OK or FINDINGS.

    It is UNFINISHED if something could not be looked at, as nobody knows what else there is; INTERRUPTED if somebody
    stopped it.
    """
    if stopped:
        return INTERRUPTED
    return UNFINISHED if unfinished else found


_TIDYING = """\
exit status:
  0  done, whether anything changed or not
  1  with --check or --diff: something would change
  2  could not finish: a file that cannot be read, sorted or written
  3  wrong usage

Files that another program exports are left as they are."""

OF: Mapping[str, str] = {
    "check": """\
exit status:
  0  no errors or warnings      2  could not finish: a file that cannot be read,
  1  errors or warnings                a service did not answer, no git
  3  wrong usage

Services are asked about cited entries, unless --offline; `citelsp doctor` lists them.
A line with `% citelsp: ignore[code] reason` silences a finding.""",
    "suggest": """\
exit status:
  0  searched, whether anything fits or not
  2  could not finish: a file cannot be read, or there is no corpus to search
  3  wrong usage

Without --online only a configured model is contacted.""",
    "evidence": """\
exit status:
  0  looked, whether anything is quoted or not
  2  could not finish: a file cannot be read
  3  wrong usage

Without --online no service is contacted.""",
    "add": """\
exit status:
  0  every work was found and is in the bibliography
  1  some works were not found, or are ambiguous
  2  could not finish: a service did not answer, an entry cannot be written
  3  wrong usage""",
    "format": _TIDYING,
    "sort": _TIDYING,
    "export": """\
exit status:
  0  everything cited was exported
  1  some of it is not in any .bib file, or of a list not verified
  2  could not finish: a file that cannot be read or written
  3  wrong usage

An existing FILE is replaced only if citelsp exported it; by a list never.""",
}

MEANINGS = """\
exit status:
  0    no errors or warnings
  1    errors or warnings
  2    could not finish, whatever was found
  3    wrong usage
  130  interrupted; no file is half written

`citelsp COMMAND --help` has examples of each command."""
