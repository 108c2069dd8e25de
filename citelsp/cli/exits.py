"""Exit statuses of all commands."""

OK = 0  # nothing above information
FINDINGS = 1
UNFINISHED = 2  # beats findings
USAGE = 3
INTERRUPTED = 130
