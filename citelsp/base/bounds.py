"""How much of a disk is looked at on the word of a workspace, which is not trusted: it may name the whole machine.

What a bound ends is said to the author in one sentence, the rest is served, and no key is undefined because of it.
"""

NAMES = 50_000  # looked at in one scan of a folder, and for all patterns together: half a second on a local disk
SECONDS = 3.0  # for all patterns together, as a folder on a network may take a tenth of a second each
FOUND = 2000  # files or folders that one scan or one pattern gives
DEPTH = 10  # folders below each other that hold manuscripts
PATTERN_DEPTH = 40  # those that `**` stands for: deeper than trees of dependencies are
PATTERN_LENGTH = 4096  # characters: no system opens a longer path
ALTERNATIVES = 64  # patterns that `{a,b}` may stand for
SEARCHED = 1000  # directories of TEXINPUTS or BIBINPUTS
CACHED = 1000  # sources of closed files

_MB = 1 << 20
BIBLIOGRAPHY = 100 * _MB  # bytes: a library of 100,000 entries with their abstracts
MANUSCRIPT = 10 * _MB  # bytes
SETTINGS = _MB  # bytes
