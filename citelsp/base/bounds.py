"""How far citelsp goes on the word of a workspace or a service, neither of which is trusted.

What a bound ends is said to the author in one sentence, the rest is served, no key is undefined and no work unknown
because of it.  The page `limits` names them all.
"""

NAMES = 50_000  # looked at in one scan of a folder, and for all patterns together: half a second on a local disk
SECONDS = 3.0  # for all patterns together, as a folder on a network may take a tenth of a second each
FOUND = 2000  # files or folders that one scan or one pattern gives, and files that one document names
SOURCES = 2000  # documents that one main document leads to
ROOTS = 256  # main documents of one document
NAMERS = 500  # documents looked at on the way up to them
DEPTH = 10  # folders below each other that hold manuscripts
PATTERN_DEPTH = 40  # those that `**` stands for: deeper than trees of dependencies are
PATTERN_LENGTH = 4096  # characters: no system opens a longer path
ALTERNATIVES = 64  # patterns that `{a,b}` may stand for
SEARCHED = 1000  # directories of TEXINPUTS or BIBINPUTS
KEYS = 20_000  # cited in one document; of one with more, and of one that takes too long to read, so many are known
READING = 2.0  # seconds of CPU for one document; then only its keys and the files that it names are read
CHECKING = 20.0  # seconds of CPU for all checks of a project: ten times what 50,000 usual entries take
ENTRIES = 50_000  # of a bibliography; of a longer one
ENTRY_LENGTH = 100  # characters an entry on average, than which no library's are shorter
FIELDS = 5000  # of one entry
LEVELS = 100  # in each other in an item of YAML: the C loader calls itself, and no item has ten
VALUE = 10_000  # characters of a title or a venue that are compared
COMMANDS = 500  # that cite or hold code, and one document defines; each is looked for at every backslash
LETTERS = 100  # of such a command
ACRONYMS = 2000  # abbreviations that one document defines
CACHED = 1000  # sources of closed files


_MB = 1 << 20
BIBLIOGRAPHY = 100 * _MB  # bytes: a library of 100,000 entries with their abstracts
MANUSCRIPT = 10 * _MB  # bytes
CACHED_TEXT = 300 * _MB  # characters of closed files
SETTINGS = 64 << 10  # bytes
STYLE = _MB  # bytes of a CSL file: the longest of the public ones have a fifth

REPORTED = 2000  # findings of one kind in one bibliography, and pairs of entries that may repeat each other
ENTRY = 30.0  # seconds that a question about one entry waits in vain, all services together
SILENCES = 2  # requests in a row to a host that bring nothing, after which it is left alone
PAUSE, LONGEST_PAUSE = 30.0, 120.0  # seconds for which it is
SHUT = 86_400.0  # seconds at most for which a service may ask to be left alone
ANSWER = 30_000_000  # bytes of a service's answer
LINKS = 500  # asked in one run of `check --links`


def are_crowded(entries: int, length: int) -> bool:
    """True if so many entries in so many characters are more than anyone has written."""
    return entries >= ENTRIES and entries * ENTRY_LENGTH > length
