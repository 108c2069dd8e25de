"""Exit statuses of all commands."""

OK = 0  # nothing above information
FINDINGS = 1
UNFINISHED = 2  # beats findings
USAGE = 3
INTERRUPTED = 130

MEANINGS = """\
exit status:
  0    nothing above information
  1    errors or warnings
  2    could not finish, whatever was found
  3    wrong usage
  130  interrupted; no file is half written

`citelsp COMMAND --help` has examples of each command."""
