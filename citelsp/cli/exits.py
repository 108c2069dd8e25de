"""Exit statuses of all commands."""

from collections.abc import Mapping

OK = 0  # nothing above information
FINDINGS = 1
UNFINISHED = 2  # beats findings
USAGE = 3
INTERRUPTED = 130

_TIDYING = """\
exit status:
  0  done, whether anything changed or not
  1  with --check or --diff: something would change
  2  could not finish: a file that cannot be read, sorted or written
  3  wrong usage

What another program exports is left as it is."""

OF: Mapping[str, str] = {
    "check": """\
exit status:
  0  nothing above information      2  could not finish: a file that cannot be read,
  1  errors or warnings                services that entries still wait for, no git
  3  wrong usage

Services are asked about what is cited, unless --offline; `citelsp doctor` names them.
A line with `% citelsp: ignore[code] reason` silences a finding.""",
    "suggest": """\
exit status:
  0  searched, whether anything fits or not
  2  could not finish: no corpus where one is needed, a file that cannot be read
  3  wrong usage

Nobody is asked without --online, but a model that the settings name.""",
    "add": """\
exit status:
  0  every work was found, and stands in the bibliography
  1  some works were not found, or several may be meant: nothing is guessed
  2  could not finish: services could not be asked, a file that cannot be written
  3  wrong usage""",
    "format": _TIDYING,
    "sort": _TIDYING,
    "export": """\
exit status:
  0  all that is cited was exported
  1  some of it is in no .bib file
  2  could not finish: a file that cannot be read or written
  3  wrong usage

An existing FILE is replaced only if citelsp exported it.""",
}

MEANINGS = """\
exit status:
  0    nothing above information
  1    errors or warnings
  2    could not finish, whatever was found
  3    wrong usage
  130  interrupted; no file is half written

`citelsp COMMAND --help` has examples of each command."""
