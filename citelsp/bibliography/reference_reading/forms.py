"""Where people, title and the rest of a reference part: one function for each form that styles give references.

Each looks for signs that can only mean one thing in its form, and gives None where they are missing.  A title is sure
if signs stand at both its ends that stand nowhere inside titles.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citelsp.bibliography import publishers, venues
from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN
from citelsp.bibliography.reference_reading import people, untitled
from citelsp.bibliography.reference_reading.marked import strip_signs
from citelsp.bibliography.reference_reading.people import NOBODY, People
from citelsp.bibliography.reference_reading.untitled import YEAR, PlaceAlone

_LIST_OF_NAMES = re.compile(r"(?:[^\W\d_a-z][^,.:]{1,60},\s){1,20}and\s[^\W\d_a-z]")  # `CCIT, Patent Office, and Bank`
_KIND_IN_BRACKETS = re.compile(r"\s*[\[［](?:[JMCDRSPNZGAK]|EB|DB|CP|DS)(?:/OL|/CD|/DK|/MT)?[\]］]")  # of GB/T 7714
_STOP = re.compile(r"[.．]\s*")
_QUOTED = (
    # Quotations within one: `“Lines “null” and “t” of engines,”`
    re.compile(r"“(?P<title>[^“”]{0,300}(?:“[^“”]{1,100}”[^“”]{0,300}){1,4})”(?P<rest>.*)$"),
    re.compile(r"[“„‟«](?P<title>[^“„«]{4,600}?)[”»“](?!\w)(?P<rest>.*)$"),
    re.compile(r"(?<!\w)”(?P<title>[^”“]{4,600})“(?P<rest>.*)$"),
    re.compile(r"(?<!\w)\"(?P<title>[^\"]{4,600}?)\"(?!\w)(?P<rest>.*)$"),
    re.compile(r"(?<!\w)‘(?P<title>[^‘]{8,600})(?<=[,.?!])’(?P<rest>.*)$"),
    re.compile(r"(?<!\w)‘(?P<title>[^‘]{8,600}?)’(?=[,.;]\s|\s(?:in\b|\())(?P<rest>.*)$"),
)
# `Erratum: “Engines”`: the quotation is another work's title
ABOUT_ANOTHER = re.compile(
    r"\b(?:Errat(?:um|a)|Corrigend(?:um|a)|Addendum|Retraction|(?:Comments?|Notes?|Reply|Response|Discussion)\s(?:on|to|of))[:\s]*$"
)
_BETWEEN_NAMES = re.compile(r",\s*(?:and\s)?|\s(?:and|&|et|und|y|e|en|och|og)\s")
# Behind a quotation in a title
_TITLE_GOES_ON = re.compile(r"\s*[:–—-]|\s+(?!in\b|vol|pp|no\b|available|accessed)[a-z]{2,}")
# What styles and people put in the place of a year.
_UNDATED = r"\?{4}|n\.\s?d\.?|s\.\s?[fda]\.?|o\.\s?J\.?|in press|forthcoming|to appear|submitted|in preparation"
# `Byron, A. (n.d.).`
_UNDATED_END = re.compile(rf"\s*\((?:{_UNDATED})\)[\s.,:]*$")
_MONTH = r"(?:\d{1,2} )?(?:[A-Z][a-z]{2,8}\.?|\d{2})(?: \d{1,2})?,?"  # before a year: `(March, 2012)`, `(Apr. 2, 2012)`
# `Byron, A. (March, 1843). Title`
_DATED = re.compile(
    rf"^(?P<people>.{{2,2000}}?)[\s,:]*[(\[](?:{_MONTH}\s)?(?P<year>{YEAR}|{_UNDATED})(?P<letter>[a-z]?)(?:[,;:/–-][^()\[\]]{{0,40}})?[)\]]"
    r"\s*[.,:;]?\s*(?P<rest>\S.*)$"
)
# `Byron, A. 1843. Title`
_YEAR_BEHIND = re.compile(
    rf"^(?P<people>.{{2,2000}}?),?\s+(?P<year>{YEAR})(?P<letter>[a-z]?)(?:\s*[.:]|\s*,)\s+(?P<rest>\S.*)$"
)
# `Byron A A 1843 `, with nothing but spaces around the year, as IOP's styles print it
_YEAR_WITHOUT_SIGN = re.compile(rf"(?P<people>[^\d(“]{{4,2000}}?)\s(?P<year>{YEAR})[a-z]?\s(?={ITALIC}|[^\W_a-z])")
# `Byron, A. A & Knuth`, `BYRON, A`: the first name of a list, turned, perhaps without the last full stop
_INITIALS_BEHIND_COMMA = re.compile(r"[^\W\d_][^,]{0,40},\s(?:[^\W\d_a-z]\.?[\s-]?){1,5}(?:,|&|and\s|$)")
_INITIALED_BEHIND = re.compile(r",\s[^\W\d_a-z]\.")
_BOOK_IN_ITALICS = re.compile(rf"{ITALIC}(?P<title>[^{ROMAN}]{{3,400}}){ROMAN}\s(?=\([^()]{{2,120}}\))")
# The volume or the pages may be missing: `<Memoirs> 12(3) `, `<Proceedings> 4–15 `.
_JOURNAL_AND_COUNTS = re.compile(
    rf"{ITALIC}(?P<journal>[^{ROMAN}]{{2,200}}){ROMAN}(?=\s{BOLD}?[A-Za-z]?\d)"
    rf"(?:\s{BOLD}?(?P<volume>[A-Z]?\d{{1,4}}[A-Z]?){LIGHT}?(?=[\s(]|$)(?:\((?P<number>[\d–-]{{1,9}})\))?)?"
    r"(?:\s(?P<pages>[A-Za-z]?\d{1,9}[a-z]{0,3}\d{0,5}(?:[-–]{1,2}[A-Za-z]?\d{1,9}[a-z]{0,3}\d{0,5})?))?(?=\s|$)"
)
_JOURNAL_AND_RANGE = re.compile(
    r"(?P<journal>[^\W\d_a-z][^\d,;“”]{2,200}?)\s(?P<volume>[A-Z]?\d{1,4})(?:\((?P<number>[\d–-]{1,9})\))?"
    r"\s(?P<pages>[A-Za-z]?\d{1,9}[-–]{1,2}[A-Za-z]?\d{1,9})(?=\s|$)"
)
_SERVER_IN_ITALICS = re.compile(rf"{ITALIC}\s?(?:arXiv|bioRxiv|medRxiv)\b[^{ROMAN}]{{0,60}}{ROMAN}\s(?=[^\W_a-z])")
_BEFORE_VENUE_IN_ITALICS = re.compile(
    rf"(?P<title>[^,{ITALIC}{BLOCK}]{{8,400}})\s(?={ITALIC}[^\W_a-z][^{ROMAN}]{{1,200}}{ROMAN}(?:\s{BOLD}?\d|\s\(|\seds?\s|\sURL$|[\s.]*$))"
)
_BEHIND_TITLE_LAST = re.compile(rf"\s(?:ISSN\s[\dXx-]{{8,10}}|[(][\s{ITALIC}]*Preprint\b|URL$).{{0,300}}$")
# `<the> hh → bb <channels with the detector,> Memoirs`: italics that go on behind a formula
_ITALICS_WITH_FORMULA = re.compile(
    rf"{ITALIC}[^{ROMAN}]{{3,400}}(?<![,.?!\s]){ROMAN}"
    rf"(?:\s?[^{ITALIC},.;\s][^{ITALIC}]{{0,80}}{ITALIC}\s?(?=[a-z(→\d])[^{ROMAN}]{{1,400}}{ROMAN}){{1,6}}"
)
_DATE_BEHIND_VENUE = re.compile(rf"\s\((?:accepted\)\s\(|in press\)\s\()?{YEAR}\)")
_YEAR_BEHIND_ITALICS = re.compile(rf"[\s,.]*{YEAR}[\s.]*$")
_VOLUME_BEHIND_ITALICS = re.compile(rf"[\s,.]*(?:[A-Z]\s*)?(?:vol\.?\s*)?{BOLD}?\d")  # `<Memoirs> vol. 12`
_EDITION = re.compile(r"[\s.,]*\d{1,2}(?:\.|st|nd|rd|th)?\s[Ee]d")  # `2. ed.` behind the title of a book
_YEAR_AS_SENTENCE = re.compile(rf"[\s.]*{YEAR}[a-z]?\.(?=\s)")  # behind a title: `<On engines.> 2015. arXiv`
_WORD_BEFORE_COLON = re.compile(r"[,.]\s[^\W\d_][\w-]{2,40}:\s?$")
_WORD_AT_ONCE = re.compile(r"\s?[^\W_]|\s?[√→∼≈±]")
# `, Vol. 4, Engines and`
_BEFORE_VOLUME_AND_MORE = re.compile(r"[\s,]*Vol\.?\s\d+,\s[A-Z][a-z]+\s")
_STOP_AND_COLON = re.compile(r"(?<=[^\W\d_]{3})\.:")  # behind an organisation
# `A. Byron (1843): Title`
_BEFORE_COLON = re.compile(rf"^(?P<people>[^:]{{2,2000}}?)\s*(?:\((?P<year>{YEAR})[a-z]?\))?\s*[:：]\s+(?P<rest>\S.*)$")
_ITALICS_OF_WORDS = re.compile(f"{ITALIC}(?![^{ROMAN}]?{ROMAN})")  # not a letter of a formula
_ITALIC = re.compile(f"{ITALIC}(?P<inner>[^{ROMAN}]*){ROMAN}")
# A sentence ends behind a word of two letters, a digit or a bracket; not behind what is usually cut off.
_END = re.compile(
    r"(?<![A-ZÀ-Þ])(?<!\b[A-Za-z])(?<!\bvs)(?<!\bSt)(?<!\bDr)(?<!\bno)(?<!\bNo)(?<!\bNr)(?<!\bBd)(?<!\b[Vv]ol)(?<!\b[Tt]ech)"
    r"(?<!\bet al)(?<!\bed)(?<!\beds)(?<!\bInc)(?<!, \d)(?<!, \d\d)"
    r"(?:[.．。](?=[\s\ue000-\ue004]+(?:[^\sa-z]|[a-z]+[A-Z]|[a-z]+(?: [a-z]+)?,? \d+[(:,–-])|[\s\ue000-\ue004]*$)"
    r"|[?!](?=[\s\ue000-\ue004]+(?:[^\sa-z]|[a-z]+[A-Z]\w+ \d|[a-z]+ \d+[(:])))"
    r"|(?<=[^\W_][A-Z])\.(?=[\s\ue000-\ue004]+[^\sa-z])"
)
_CUT_MONTH = re.compile(r"\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)$")
_LONGEST_BRACKET = 200  # characters up to where it is closed
# `Title; Wiley: London, 1843`, `Title, 2nd ed.; Series; Wiley, 1843; pp 3–9`: a chemists' book, its signs semicolons
_BEFORE_HOUSE = re.compile(
    rf"(?P<title>[^;]{{3,400}});\s(?!(?:[Oo]r|[Aa]nd|[Oo]der|[Uu]nd|[Oo]u|[Ee]t)\b)(?:[^;]{{2,120}};\s){{0,4}}"
    rf"[^\W\d_a-z][^;]{{1,120}},\s{YEAR}(?=[;.]|$)"
)
# `Title, (PsyArXiv), Preprint.`: where it is to be had, as PNAS prints it
_BRACKETED_SOURCE = re.compile(
    rf"(?P<title>[^,{BLOCK}{ITALIC}]{{3,400}}),\s(?=\([^()]{{2,120}}\),\s(?:Preprint|Tech|[Pp]re-?print))"
)
# `Title in <Memoirs>, eds. Byron A. | (House)`, `<Title>, Series. | (House)`: the house is a block in brackets there.
_BOOK_BEFORE_HOUSE = re.compile(
    rf"(?P<title>[^{BLOCK}{ITALIC}]{{3,400}})\s(?=in\s{ITALIC}(?:[^{BLOCK}]{{2,600}}{BLOCK}\s?\("
    rf"|[^{BLOCK}{ROMAN}]{{2,300}}[.,]{ROMAN}\s(?:eds?\.[^(){BLOCK}]{{2,200}}\s)?\((?!{YEAR})))"
)
_SERIES_BEFORE_HOUSE = re.compile(
    rf"{ITALIC}(?P<title>[^{BLOCK}{ROMAN}]{{3,400}})(?={ROMAN},\s[^{BLOCK}]{{2,200}}{BLOCK}\s?\()"
)
# `Title in 2007 International Conference on Engines, (IEEE, 2007)`, as PNAS prints it
_IN_BEFORE_GATHERING = re.compile(
    r"\sin\s(?=(?:(?:[^\W_a-z][\w’'/-]*|\d+(?:st|nd|rd|th)|of|on|the|and|’\d\d)\s){1,8}(?:Conference|Symposium|Workshop|Congress)\b)"
)
# `. In Proceedings`, `, in: Memoirs`, `, Ed. Wiley`, as Spanish shortens a publisher
_IN_BEFORE_VENUE = re.compile(
    r"[,.][”\"’]?\s+(?:In|in|dans|Dans|en|En|Em|In the)\s*:?\s+(?=[\ue001A-Z“0-9])|[,.]\s+[Ii]n:\s+"
    r"|\s+in\s+(?=(?:the\s+)?Proceedings\s+of\b)|,\s+(?=Ed(?:it)?\.\s[^\W\d_a-z][^\W\d_])"
)
# `, „Memoirs” 13, nr 1`: the name of a journal in quotes, behind which its volume stands
_QUOTED_VENUE = re.compile(r"[,.]\s+(?=[„“«][^“”„«»]{3,120}[”“»],?\s(?:\d|vol|t\.|nr|no|R\.|n[°º]))")
# `, PhD thesis, …`, `, arXiv e-prints …`
_KIND_BEHIND_COMMA = re.compile(
    r",\s+(?=(?:Ph\.?\s?D\.?|[Dd]octoral|[Mm]aster(?:['’]?s)?|[Dd]iploma|[Bb]achelor(?:['’]?s)?)\s+(?:[Tt]hesis|[Dd]issertation)"
    r"|arXiv\b|[Tt]ech(?:nical|\.)\s[Rr]ep)"
)
_IMPRINT = re.compile(rf"\s\((?=[^\W\d_])[^()]{{2,120}},\s*{YEAR}\)")  # `(Clarendon Press, Oxford, 1986)`
# `, vol. 12 (`, ` 12,`: the volume; or `(March 1843)`
_VOLUME_OR_YEAR = re.compile(
    rf"(?:,\s*|\s)(?:vol\.?\s*)?{BOLD}?\d+\w?{LIGHT}?\s*(?:\(|,|:|\.|$)|\(\s*(?:[A-Z][a-z.]+\s+)?{YEAR}\)"
)
# `Ada Byron (1843a),` `Byron, Ada (Apr. 1843).`
_YEAR_AT_END = re.compile(rf"(?:\s*\({_MONTH}\s+|[\s,(]+)({YEAR})[a-z]?\)?[\s.,:]*$")
# `Byron (1843a)`, `Byron, 1843.`, `Byron (in press)`
_YEAR_OR_NONE_AT_END = re.compile(
    rf"[\s,]+(?:[(\[]?({YEAR})[a-z]?(?:[,;][^)]{{0,30}})?[)\]]?|[(\[](?:{_UNDATED})[)\]])[\s.,:]*$"
)
_YEAR_ALONE = re.compile(rf"[(\[]?({YEAR})[a-z]?[)\]]?[.,]?")  # `(1843a).`
_YEAR_BEFORE_TITLE = re.compile(rf"\(?({YEAR})[a-z]?\)?[.,]\s+(?=\S)")  # `1843. Sketch of the engine`
_YEAR_PRINTED = re.compile(rf"[\s,]*\(?(?:[A-Z][a-z.]+\s)?{YEAR}")
_SPACE_AND_NUMBER = re.compile(r"\s\d")
# ` exploring by R. Memoirs`
_SMALL_BEFORE_STOP = re.compile(r"\s[a-zß-ÿ]+\s[^.]{1,200}\.\s+[^\W\d_a-z]")
_PLACE_WORDS = re.compile(r"(?:In|in|arXiv|Proc|IEEE|ACM)\b")
# `Nature 521 (7553)`, `J. Biol. 12: 3`, `Lancet. 2010 Nov;`
_VENUE_AND_VOLUME = re.compile(
    r"[^.]{3,100}?[,.]?\s*(?:\d+\s*\(\d|;\s*\d|\d+\s*[:,]\s*\d|vol\b|Vol\b"
    r"|(?:19|20)\d\d(?: [A-Z][a-z]{2,8})?(?: \d{1,2})?;)"
)
# `Phys. Rev. B 59,`, `J. Biol. Eng. 2012, 27 (3)`: words that are cut short, the first one at least
_CUT_SHORT_AND_VOLUME = re.compile(
    rf"[A-ZÀ-Þ][\w’'-]*\.(?:\s?(?:[A-ZÀ-Þ][\w’'-]*\.?|&)){{1,7}},?\s*(?:{YEAR}[,;]\s*)?\d+\s*[(,:;]"
)
# A word, and behind it, before any number, a name in italics or in a block of its own.
_NAME_SET_APART = re.compile(
    rf"[\s{BLOCK}-{LIGHT}.,“]*[^\W\d_][^\d{ITALIC}{BLOCK}]*[{ITALIC}{BLOCK}][^\w{ROMAN}]*[^\W\d_]{{2}}"
)
# `Byron et al. 2008 Byron A., …`: the label by which a reference is cited, before its people
_LABEL_BEFORE_PEOPLE = re.compile(
    rf"(?P<first>[^\W\d_][\w’'-]{{1,30}})(?:[\s,][^\d;:“«]{{1,60}})?\s(?P<year>{YEAR})[a-z]?\s+(?=(?P=first)\b)"
)
_PART_OF_TITLE = re.compile(r"\s+(?:Part|Teil|Partie|Parte)\s+[IVX\d]+\b")  # of a title
_NUMBER_OF_PART = re.compile(r"\s*[IVXL]+\b")  # of a title's part
# `A. Byron`, `and D. E. Knuth`
_INITIALED = re.compile(r"^\s*(?:and\s+)?(?:[^\W\d_a-z]\.[\s~-]*)+[^\W\d_]")
# `Smith JR, Byron A. `: where names have their initials behind and no full stops, the first one ends them.
_BEHIND_INITIAL = re.compile(
    r"[^.]*(?:,[^.]*[^\W\d_]{2} [A-Z](?:-?[A-Z]){0,2}|[^\W\d_]{2} [A-Z](?:-?[A-Z]){1,2})\.(?=\s)"
)
_NEXT_STOP = re.compile(r"(?<=[^\W\d_]{2})[.?!](?=\s)")
# `Byron A. `
_ONE_INITIAL = re.compile(r"[^\W\d_a-z][\w’'-]{2,30} [A-Z](?:-[A-Z])?\.(?=\s(?![^\W\d_]\.))")
# `Byron, Ada K. Notes`: one person alone, whose given names end in initials
_ONE_TURNED_BEFORE_TITLE = re.compile(
    r"(?:(?:[Vv]an|[Vv]on|[Dd][eiau]|[Dd]er|[Dd]el|[Ll]a)\s){0,2}[^\W\d_a-z][\w’'-]{1,30},\s[^\W\d_a-z][\w’'-]{1,20}(?:\s[^\W\d_a-z][\w’'-]{1,20})?"
    r"(?:\s[^\W\d_a-z]\.){1,3}(?=\s(?![^\W\d_]\.)[^\W_a-z])"
)
_PUBLISHED = re.compile(rf"(?:[^.;]|\.(?=;)){{2,80}};\s{YEAR}\b")  # `New York: Wiley; 2010`, of the same styles
# `2010 Nov;7(11)`, or `2010 Nov.` behind a sentence at the end
_VANCOUVER = re.compile(
    rf"(?:(?P<end>\. )|\b){YEAR}(?: [A-Z][a-z]{{2,8}})?(?: \d{{1,2}})?(?:;\s?(?:p\.\s?)?\d|(?(end)\.?$|(?!)))"
)
_WITH_INITIALS = re.compile(r"[^\W\d_]{2} [A-Z](?:-?[A-Z]){0,2}(?: [a-z]{2,3}){0,2}$")  # `Cunha AS da`
# `and Donald Knuth. literate: a program`: some titles begin with a small letter.
_PAST_LAST = re.compile(r"\s(?:and|&)\s[^,]{2,40},\s*(?!(?:Jr|Sr|I{2,3})\b)[^\W\d_]")
_STOP_BEFORE_SMALL = re.compile(r"(?<=[^\W\d_]{3})\.(?=\s[a-z])")
# `B. da S.`, `F. d. S. M.`: particles may stand among initials
_INITIALS = r"[^\W\d_a-z]\.[\s-]?(?:(?:d[aeo]s?\s|d\.\s?)?[^\W\d_a-z]\.[\s-]?){0,4}"
_NAME = rf"[^\W\d_][\w’'‘-]{{0,40}}(?:\s[^\W\d_][\w’'-]{{0,40}}){{0,2}}(?:\s(?:JR|Jr)\.)?,\s{_INITIALS}(?![^\W\d_]\.)"
# `Byron, A., Knuth, D. E. and Roe, V. Title`: up to the title
_INVERTED = re.compile(rf"(?:(?:and\s|&\s)?{_NAME}(?:,\s|(?=and\s|&\s)|(?=[^\W_])))+")
# `Byron, A. A.; Gogh, V. van; Knuth, D.; et al. Title`, as chemists' styles write it
_TURNED = (
    rf"[^\W\d_][\w’'‘-]{{0,40}}(?:\s[^\W\d_][\w’'-]{{0,40}}){{0,3}}(?:\s(?:JR|Jr)\.)?,"
    rf"\s{_INITIALS}(?:\s?[a-z]{{2,4}}(?=;)){{0,2}}"
)
_ANY_SIGN = f"[\\s{BLOCK}-{LIGHT}]?"
_BETWEEN_SEMICOLONS = re.compile(
    rf"(?:{_TURNED};\s){{1,300}}(?:(?:and\s)?{_TURNED}|et\sal\.)(?={_ANY_SIGN}[^\W_a-z“])(?!\s?[^\W\d_]\.)"
)
# `Rissone P., Corwin E. I. Title`, as Russian styles write it: initials with full stops behind each name
_INITIALS_BEHIND = r"[^\W\d_a-z][\w’'‘-]{1,40}\s(?:[^\W\d_a-z]\.\s?){1,4}"
_BEHIND_EACH = re.compile(rf"(?:{_INITIALS_BEHIND},\s){{1,300}}{_INITIALS_BEHIND}(?:и др\.\s)?(?=[^\W_a-z])")
_ONE_BEFORE_SLASHES = re.compile(rf"{_INITIALS_BEHIND}(?:и др\.\s)?(?=[^\W_a-z])")
_SLASHES = re.compile(r"\s+//\s+")  # between a title and its venue, in the same styles
# `Title, <Journal>, 19`: the italics reach a comma and more, or the end
_TITLE_BEFORE_ITALICS = re.compile(
    rf"(?P<title>[^{ITALIC}]{{8,}}),\s(?P<rest>{ITALIC}[^{ITALIC}{ROMAN}]+{ROMAN}(?:[.,;(\s].*)?)$"
)
# `Ada Byron,`
_WHOLE_NAME_FIRST = re.compile(r"[^\W\d_a-z][\w’'-]+\s[^\W\d_a-z][\w’'-]+,")
_WHOLE_NAME_LAST = re.compile(r"[^\W\d_a-z][\w’'-]+(?:\s[^\W\d_a-z][\w’'-]+)?\.(?=\s)")  # `Don Knuth.`
# `Don Knuth,`, `Knuth and `
_LIST_GOES_ON = re.compile(r"[^\W\d_a-z][\w’'-]+(?:\s[^\W\d_a-z][\w’'-]+){0,2}(?:,|\sand\s)")
_ONE_INVERTED = re.compile(rf"(?:and\s|&\s)?{_NAME}")
_CAPITAL_BEHIND_COMMA = re.compile(r",\s+(?:[^\W\d_a-z]|arXiv)")
# `Notes with R. JOSS`, `Rare sweeps. science`: a capital alone may end a title, a venue begin with a small letter.
_INITIAL_FIRST = re.compile(r"[^\W\d_a-z]\.\s")  # `M. Engines`: of the last person
_LAST_BEFORE_COLON = re.compile(r"[^\W\d_][\w’'-]{1,40},\s[^\W\d_a-z]{1,3}:\s")  # `Byron, A: Engines`, without a stop
_INITIALS_BEFORE_COLON = re.compile(r",\s(?:[^\W\d_a-z]\.[\s-]?){1,4}:\s")  # `The Group, Byron, A., Roe, P.: Engines`
_GOES_PAST_STOP = re.compile(r"\s[A-ZÀ-Þ]\.\s+[^\W\d_a-z]|[^.]{2}\.\s+[^\W\d_]+(?:\.?\s[^\W\d_]+)?$|\d, \d+ \(\d{4}\)")
A_WORD = re.compile(r"[^\W\d_]{2}|[\u2e80-\uffff]")  # which every title has
# `pp. 3–9`, `Vol. 12`
_NO_TITLE = re.compile(r"(?:pages?|pp|vol(?:ume)?)\b\.?\s*\d", re.IGNORECASE)
# `Knuth et al`, `Knuth, and et al`
_AND_OTHERS = re.compile(r"[^\W\d_][\w’'-]*,?\s(?:and\s)?et al\b")
# `Title. [Online]`
_WEB_PAGE = re.compile(r"(?P<title>[^.]{3,200})\.\s*(?=\[Online\])")
# `———. `
_DASHES = re.compile(r"\s*[-‐‑–—―_]{2,}\s*[.,:]?\s*")
_YEAR_FIRST = re.compile(rf"\s*\((?P<year>{YEAR})[a-z]?\)[.,:]?\s*")
# `, March 1843.`
_DATED_END = re.compile(rf"[,.]\s+(?:[A-Za-z]{{3,9}}\.?\s+)?{YEAR}[a-z]?[.,\s]*$")
_SMALL_WORD = re.compile(r"\b(?:of|for|and|the|on|in|de|des?|la|le|les|du|für|der|die|und|et|y|del|e)\b|&")
# All that follows a title: `Wiley, 1843`, `2nd ed., London: Wiley, Nov. 1843`, `Society of Engines; 1843`, `1843`
_IMPRINT_ALONE = re.compile(
    r"(?:(?:\d+(?:st|nd|rd|th|\.)?|[Ss]econd|[Tt]hird|[Rr]ev\.)\s(?:ed\b\.?|edition\b|Aufl\b\.?)[.,;]?\s*)?"
    r"(?:(?:[^\W\d_a-z][^\s.,:;]*|of|for|and|the|de|&|Inc\.|Co\.|Ltd\.)(?:\s|(?=[.,:;])|[,:;]\s(?=[^\W\d_a-z]|\d))){0,12}"
    r"[,;]?\s*"
    r"(?:\d{1,2}\s)?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s)?(?:\d{1,2},\s)?"
    rf"\(?{YEAR}[a-z]?\)?[\s.,;]*(?:Print|Web)?[\s.,;]*$"
)
_CAPITAL_WORD = r"[^\W\d_a-z][\w’'.-]{1,30}"
# `, Wiley, London, 1843.`
_HOUSE_AND_TOWN = re.compile(
    rf",\s{_CAPITAL_WORD}(?:\s(?:&\s|and\s|of\s)?{_CAPITAL_WORD}){{0,4}},\s{_CAPITAL_WORD}(?:\s{_CAPITAL_WORD}){{0,2}}(?:,\s[A-Z]{{2}})?,"
    rf"\s\(?{YEAR}\)?[\s.]*$"
)
_SERIES_LAST = re.compile(
    r",\s(?=[^,]{0,60}\b(?:Series|Monographs|Lecture Notes|Texts|Studies in|Library of)\b[^,]{0,80}$)"
)
_LEGAL_FORM = re.compile(r"[^\W_][^.,;:]{1,50}\s(?:Inc|Ltd|Corp|Co|LLC)\.(?=\s[^\W_])")  # `Looms Inc. Notes`
_ONE_WORD_BEFORE_SMALL = re.compile(r"[^\W\d_a-z][\w-]{2,30}\.(?=\s[a-z])")  # `Apple. ios looms`
_LIST_IN_NAME = re.compile(r",\s(?:and|&)\s")
_VOLUME_AT_ONCE = re.compile(rf"[\s,]*(?:vol\.?\s*)?{BOLD}?\d+\s*[,:({LIGHT}]")  # behind the name of a journal
_UP_TO_COUNTS = re.compile(r"[^.,;(\d]{3,120}(?=[.,;(\d])")
_PROCEEDINGS = re.compile(
    r"(?:in )?(?:the )?(?:proc|journal|transactions|findings of|\d+(?:st|nd|rd|th) )", re.IGNORECASE
)
_VENUE = 7  # words of a venue that does not begin so
_LONGEST_NAME = 6  # words
_MOST_WORDS_OF_ORGANISATION = 8  # words of its name
_LAST_INITIAL = re.compile(r"\s[^\W\d_a-z]\.\s?$")
_DATE_BEFORE_WORDS = re.compile(rf"[\s.,]*\({YEAR}[a-z]?\)\.?\s+[^\W\d_a-z]")
_IN_NAMES = re.compile(r"\s*,?\s*(?:[A-Z]\.){1,3}(?:,|\s|$)")  # what follows a family name
_FULL_NAME = re.compile(r"[^\W\d_a-z][\w’'-]*(?:\s[^\W\d_a-z][\w’'.-]*){1,2}")
# `Byron, Ada`, `ALLEY, Michael P`
_ONE_TURNED = re.compile(r"[^\W\d_a-z][\w’'-]{1,30},\s[^\W\d_a-z][\w’'-]{1,20}(?:\s[^\W\d_a-z][\w’'-]{0,20}){0,2}")
# ` (Sep. 2021).`; not behind a volume, `, 12 (2021)`
_DATED_BEHIND = re.compile(rf"(?<!,\s\d)(?<!,\s\d\d)(?<!,\s\d\d\d)\s\((?:[A-Z][a-z]{{2,8}}\.?\s)?{YEAR}\)[\s.,]*$")
_DATE_IN_BRACKETS = re.compile(rf"\((?:[A-Z][a-z]{{2,8}}\.?\s)?{YEAR}\)[\s.,]*")
_YEAR_AS_BLOCK = re.compile(rf"{BLOCK}\s?{YEAR}[a-z]?[\s.]*$")
# `IEA, Title, Tech. rep. (Sep. 2021)`
_OFFICE_BEFORE_COMMA = re.compile(
    r"(?P<name>(?:[Tt]he\s)?[^\W\d_a-z][\w&’.-]{1,30}(?:\s(?:of|for|and|the|[^\W\d_a-z][\w&’.-]{0,30})){0,6}),\s"
    rf"(?P<rest>[^\W_a-z].{{8,600}}?\((?:[A-Z][a-z]{{2,8}}\.?\s)?{YEAR}\).*)$"
)
# `THRANE, Eric et LASKY, Paul D. When models fail`: family names in capitals tell names from a title.
_CAPITAL_NAME = (
    r"[A-ZÀ-Þ][A-ZÀ-Þ’'-]+(?:\s[A-ZÀ-Þ’'-]{2,20}){0,2},\s"
    r"(?:[^\W\d_a-z][^\W\d_A-Z][\w’'-]{0,20}(?:\s[^\W\d_a-z][^\W\d_A-Z][\w’'-]{0,20}){0,2}(?:\s[A-ZÀ-Þ](?:\.|(?=[.,;]|\s(?:et|and|y|e)\s)|(?=\s[A-ZÀ-Þ]\b))){0,3}"
    r"|(?:[A-ZÀ-Þ]\.[\s-]?){1,4})"
)
_IN_CAPITALS = re.compile(
    rf"(?:{_CAPITAL_NAME}(?:[,;]\s|\s(?:et|and|y|e|&)\s|,\s(?:et|and)\s)){{0,100}}{_CAPITAL_NAME}(?:\.?\s)(?![A-ZÀ-Þ]\.)(?=[^\W_a-z“])"
)
_BEHIND_ET_AL = re.compile(r".{2,600}?\bet al\.(?=\s+(?:[^\W_]|“))")
_ONE_BEHIND = re.compile(r"\s*(?:and\s+|&\s+)?[^\W\d_a-z][\w’'-]+\s(?:[^\W\d_a-z]\.){1,4}")  # `and Knuth D.E.`
_EDITOR = re.compile(r"\s*\(?[Ee]d(?:s|itors?)?\.?\)?")  # behind the names of those who edited
_OTHERS = re.compile(r"\s*(?:and\s+)?(?:et al\.?|others|Jr\.?|III?)\s*")
# Initials behind a family name, and perhaps another person: `, A. and Author`.
_INITIALS_BEHIND_FAMILY = re.compile(r"\s*(?:[^\W\d_a-z]\.[\s~-]*){1,5}(?:\s(?:and|&)\s[^,]{2,40})?$")
_INITIALS_FIRST = re.compile(r"[^\W\d_a-z]{1,3}\.?,\s")  # `E, Knuth, D`: those of a family name before them


class Parts(NamedTuple):
    """What a form tells apart, still with its signs."""

    people: People
    title: str
    rest: str  # behind the title: where and when the work appeared
    year: str = ""
    sure: bool = True  # that the title is whole and alone
    are_people_sure: bool = True  # that what stands before the title is no part of it
    place: PlaceAlone | None = None  # if it stands where a title would


class TitleSplit(NamedTuple):
    """A text cut behind the title with which it begins."""

    title: str
    rest: str
    sure: bool  # that the title can only end there


class DatedNames(NamedTuple):
    names: str
    year: str  # "" without one


class NamesEnd(NamedTuple):
    """Where the names end, and where the title behind them may begin."""

    stop: int
    begin: int


def part_reference(text: str) -> Parts | None:
    """Part a reference into people, title and rest (where it appeared) by the first form that fits; None if none does.

    A form is the order and the signs in which a style prints references.  `sure` says of the parts whether the title
    can only begin and end there.  The title is "" if a journal, volume and pages stand where it would (`place`), as in
    styles that print none, or if there are surely people and a year, and behind them nothing that reads as a title.
    """
    label = _LABEL_BEFORE_PEOPLE.match(text)  # `Byron et al. 2008 Byron A., …`
    if label is None:
        return _part_by_first_form(text)
    behind_label = part_reference(text[label.end() :])
    return behind_label._replace(year=behind_label.year or label["year"]) if behind_label else None


def _part_by_first_form(text: str) -> Parts | None:
    """Part a reference without a label before its people; what is said of `part_reference` holds.

    Forms whose signs can hardly stand in another form come first.
    """
    untitled_parts: Parts | None = None  # people and year before something that is no title
    for form in (
        _part_chinese, _part_at_quotes, _part_behind_dashes, _part_at_blocks, _part_at_slashes, _part_at_bracketed_year,
        _part_behind_semicolons, _part_behind_journal, _part_at_unmarked_year, _part_at_bare_year, _part_at_italics,
        _part_at_sentences, _part_at_colon, _part_at_commas, _part_before_imprint, _part_behind_organisation,
        _part_behind_office,
    ):  # fmt: skip
        parts = form(text)
        if parts is None:
            continue
        if parts.place:  # the form itself found a place and no title
            return parts
        begin = text.find(parts.title)
        behind = text[begin:] if begin >= 0 else f"{parts.title} {parts.rest}"  # title and rest as they were
        without_title = parts._replace(title="", rest=behind, sure=False)
        place = _read_place(parts, behind)
        if place:
            return without_title._replace(place=place)
        if strip_signs(parts.title) and not _has_no_title(parts):
            return parts._replace(sure=parts.sure and not _may_be_cut(parts.title))
        # The next form is tried: what should be the title has no word, or is more names.
        if parts.year and parts.people.sure and untitled_parts is None:
            untitled_parts = without_title
    return untitled_parts


def _read_place(parts: Parts, behind: str) -> PlaceAlone | None:
    """Read journal, volume and pages of a reference that has no title; None if it has one.

    It has none if these follow the people at once, or if they are all that was taken for the title.  `behind` is the
    text behind the people: title and rest.
    """
    place = None
    # If a venue's name is in italics or a block of its own, the words before it are a title.
    if parts.people.listed and not _NAME_SET_APART.match(behind):
        bare = _strip_start(behind)
        place = untitled.read_at_beginning(bare)  # `Phys. Rev. B 59, 12`, whose name is cut short, whatever follows
        # If the form is sure of the title it saw a sign at its end: then only more certain places are looked for.
        if place is None:
            place = untitled.read_alone_behind_year(bare)  # `Memoirs 1843, 12, 5`, to the end of the text
        if place is None and not parts.sure:
            place = untitled.read_alone(bare, parts.year)  # a journal, volume and page in any order, to the end
    return place or untitled.read_alone(_strip_start(parts.title), parts.year)


def _may_be_cut(title: str) -> bool:
    """True for what begins in brackets or within a list of people, ends within brackets, or goes on: `R. Notes`."""
    bare = strip_signs(title).rstrip(" .,;")
    return (
        bare.startswith(("and ", "& ", "[", "("))
        or (_LIST_OF_NAMES.match(bare) is not None and _is_in_capitals(bare))
        or _INITIAL_FIRST.match(bare) is not None
        or bare.count("(") != bare.count(")")
        or _GOES_PAST_STOP.search(bare) is not None
        or _INITIALS_BEFORE_COLON.search(bare) is not None
    )


def _has_no_title(found: Parts) -> bool:
    """True if what should be the title has no word, is a date or pages, or people of a list that was cut too early."""
    title = strip_signs(found.title)
    is_date = _DATE_IN_BRACKETS.fullmatch(title) is not None  # `(Sep. 2021).`
    if is_date or not A_WORD.search(title) or _NO_TITLE.match(title) or people.begins_with_names(title):
        return True
    # `R.G., Byron (1843). Engines`: what stands before the date is a name.
    if len(title.split()) == 1 and _DATE_BEFORE_WORDS.match(strip_signs(found.rest)):
        return True
    is_family_name = _IN_NAMES.match(strip_signs(found.rest)) is not None
    return is_family_name and len(title.split()) < 3


def _part_chinese(text: str) -> Parts | None:
    """Part `Names. Title[J]. Where, when`, as the Chinese standard has it: `[J]` is the kind of the work.

    If the words before it do not begin with a list of names, all of them are the title; None without such a mark.
    """
    plain = strip_signs(text)
    mark = _KIND_IN_BRACKETS.search(plain)
    if mark is None:
        return None
    before = plain[: mark.start()]
    behind = plain[mark.end() :].lstrip("./／ ,，")
    # The last stop at which all before it are names: initials have full stops, too.
    for stop in reversed(list(_STOP.finditer(before))):
        who = people.read(before[: stop.start() + 1])
        if who.sure and stop.end() < len(before):
            return Parts(who, before[stop.end() :], behind)
    return Parts(NOBODY, before, behind)


def _part_at_quotes(text: str) -> Parts | None:
    """Part `Names (year), “Title,” where` at the quoted title; None if the quotation stands within a title.

    Without names before it nobody is named, nor if a year stands behind words that are not surely names.  Without that
    year, or if what is quoted is no title of this work, another kind of quotation marks is tried.
    """
    for pattern in _QUOTED:  # one for each kind of quotation marks
        quotation = pattern.search(text)
        if quotation is None:
            continue
        before = strip_signs(text[: quotation.start()])
        year = _YEAR_AT_END.search(before)
        names = before[: year.start()] if year else _UNDATED_END.sub("", before)
        is_closed = quotation["title"].rstrip().endswith((",", "."))  # `“Title,” memoirs`
        # `“Engines” and their notes`: the title goes on; `Byron, A. Notes. “Engines”`: a sentence ends before it.
        if (not is_closed and _TITLE_GOES_ON.match(quotation["rest"])) or any(_find_ends(names.rstrip(" :.,"), most=1)):
            return None
        if ABOUT_ANOTHER.search(before):
            continue
        # `Byron, A. Defining and Interpreting “Engines” in Notes`: what is quoted is a word of the title, as one word
        # alone stands before it, and no name.
        if before.rstrip()[-1:].isalpha() and not year and len(_BETWEEN_NAMES.split(names.strip())[-1].split()) < 2:
            continue
        has_names = names.strip(" .,-—–") != ""
        who = people.read(names.rstrip(": ")) if has_names else NOBODY
        if not who.sure and has_names:
            who = people.read_group(names)
        if who.sure or not has_names:
            return Parts(who, quotation["title"], quotation["rest"], year[1] if year else "")
        # People whom no sign parts, as in `Byron Ada Knuth Donald, 1843, « Title »`: the year ends them.
        if year:
            return Parts(NOBODY, quotation["title"], quotation["rest"], year[1], sure=False)
    return None


def _part_at_blocks(text: str) -> Parts | None:
    r"""Part a reference at its blocks, `Names (year) \newblock Title \newblock Where`.

    The signs BLOCK and ITALIC stand in the text for TeX's commands.  The year may also be a block of its own, or stand
    at the beginning of the title's.
    """
    blocks = [block.strip() for block in text.split(BLOCK) if strip_signs(block)]
    if len(blocks) < 2:
        return None
    names, year = _split_year(blocks[0])
    if ITALIC in names:  # no style sets people in italics
        return None
    who = people.read(names)
    remaining = blocks[1:]
    # `rust-ml | Linfa: a framework | 2021`: whoever calls himself by one word, with few capitals or none
    is_one_word = not who.sure and len(names.split()) == 1 and len(strip_signs(remaining[0]).split()) > 1
    if is_one_word:
        who = people.read_group(names)
    if not who.sure:
        return None
    year_alone = _YEAR_ALONE.fullmatch(strip_signs(remaining[0]))
    if year_alone:
        year = year_alone[1]
        remaining = remaining[1:]
    if not remaining:
        return None
    parts = _part_titled_blocks(remaining, year)
    return parts._replace(people=who, are_people_sure=not is_one_word)


def _part_titled_blocks(blocks: Sequence[str], year: str) -> Parts:
    """Part the blocks behind the people, of which the first has the title; nobody is named in them.

    That block may begin with the year, looked for if `year` is "", or go on behind the title with a publisher or, if it
    is the only one, with a journal in italics.
    """
    title = blocks[0]
    behind = ""
    # A book's publisher follows in the same block, behind its title in italics.
    italic = _ITALIC.match(title)
    if italic and _ends_title(italic, title) and strip_signs(title[italic.end() :]).strip(" ."):
        behind = title[italic.end() :]
        title = italic["inner"]
    dated = None if year else _YEAR_BEFORE_TITLE.match(title)
    if dated:
        year = dated[1]
        title = title[dated.end() :]
    # Geophysicists' styles end no block behind the title: `Title, {\it Journal\/}, 19`.
    split = _TITLE_BEFORE_ITALICS.match(title) if len(blocks) == 1 and not behind else None
    if split:
        title = split["title"]
        behind = split["rest"]
    return Parts(NOBODY, title, " ".join((behind, *blocks[1:])), year)


def _split_year(block: str) -> DatedNames:
    """Split `A. Byron and C. Babbage (1843a).` into names and year; “(in press)” in its place is cut off."""
    plain = block if ITALIC in block else strip_signs(block)
    dated = _YEAR_OR_NONE_AT_END.search(plain)
    if dated is None:
        return DatedNames(plain, "")
    return DatedNames(plain[: dated.start()], dated[1] or "")


def _part_at_slashes(text: str) -> Parts | None:
    """Part `Rissone P., Corwin E. I. Title // Where. When` at the slashes; None if there are none.

    Without names at the beginning nobody is named, and all before the slashes is the title, which is not sure.
    """
    parted = _SLASHES.split(text, maxsplit=1)
    if len(parted) != 2:
        return None
    before, rest = parted
    names = _BEHIND_EACH.match(before) or _ONE_BEFORE_SLASHES.match(before) or _INVERTED.match(before)
    if names is None:
        return Parts(NOBODY, before, rest, sure=False)
    who = people.read(strip_signs(names[0]))
    return Parts(who, before[names.end() :], rest, sure=who.sure)


def _part_behind_semicolons(text: str) -> Parts | None:
    """Part `Byron, A.; Knuth, D. Title. Where`: the initials of the last name end the list.

    None if no list with semicolons begins the text, or if one of its parts is no name.
    """
    names = _BETWEEN_SEMICOLONS.match(text)
    if names is None:
        return None
    end = _end_before_journal(text, names.end())  # if the last name was a part of a journal's
    who = people.read(strip_signs(text[:end]))
    if not who.sure:
        return None
    behind = text[end:].lstrip()
    dated = _YEAR_BEFORE_TITLE.match(behind)
    title, rest, sure = _split_first_sentence(behind[dated.end() :] if dated else behind)
    return Parts(who, title, rest, dated[1] if dated else "", sure)


def _end_before_journal(text: str, end: int) -> int:
    """Return where names end: at `end`, or before a last initial that is a journal's: `Byron, B. J. Am. Chem. Soc.`"""
    place = untitled.read_at_beginning(_strip_start(text[end:]))
    initial = _LAST_INITIAL.search(text[:end])
    # What stands behind may be a venue's name already, without the initial.
    if place is None or initial is None or venues.form(place.journal):
        return end
    begun_before = untitled.read_at_beginning(text[initial.start() :].lstrip())
    names_journal = begun_before is not None and venues.form(begun_before.journal) == "journal"
    return initial.start() if names_journal else end


def _part_at_bracketed_year(text: str) -> Parts | None:
    return _part_at_year(_DATED.match(text))


def _part_at_bare_year(text: str) -> Parts | None:
    return _part_at_year(_YEAR_BEHIND.match(text))


def _part_at_year(match: re.Match[str] | None) -> Parts | None:
    """Part people before a year and a title behind it; None if it does not match, or if these are not surely people.

    What stands before `, Vol. 4, …` may be a series: then the title is not sure.  Words in the place of a year, such as
    “in press”, give no year.
    """
    if match is None:
        return None
    who = people.read(strip_signs(match["people"]))
    if not who.sure:
        return None
    title, rest, sure = _split_where_no_sentence_ends(match["rest"])
    year = match["year"] if match["year"].isdigit() else ""
    return Parts(who, title, rest, year, sure and not _BEFORE_VOLUME_AND_MORE.match(rest))


def _split_where_no_sentence_ends(text: str) -> TitleSplit:
    """Split off the first sentence as title; if none ends (`Title, Journal, 18, 57`), split at a comma.

    So also if a venue that is cut short stands within it, which its first full stop does not end: `Title, Phys. Rev. B
    59, 12`.  Only at a comma behind which journal and volume may stand; without any the first sentence is the title
    anyhow.
    """
    by_sentence = _split_first_sentence(text)
    has_rest = strip_signs(by_sentence.rest).strip(" .,") != ""
    if has_rest and not _has_place_behind_comma(text, len(by_sentence.title)):
        return by_sentence
    by_comma = _split_at_venue(text)
    # A comma within brackets parts nothing: `Engines [Dissertation, University of Notes, Irvine]`.
    title = by_comma.title
    is_in_brackets = title.count("[") > title.count("]") or title.count("(") > title.count(")")
    if is_in_brackets or not _may_be_place(strip_signs(by_comma.rest)):
        return by_sentence
    return by_comma


def _may_be_place(text: str) -> bool:
    """True for what stands behind a comma and begins as a name does; a title goes on with a small letter."""
    first = text.lstrip(" .,")[:1]
    return first.isupper() or re.search(r"\d", text) is not None


def _part_behind_journal(text: str) -> Parts | None:
    """Part `Byron A A 1843 Memoirs 12(3) 4–15 Title`, `Byron A A 1843 Title (House)`, as physicists' styles print them.

    If the journal is not in italics only a range of pages shows where the title behind it begins, so it is not sure.
    """
    dated = _YEAR_WITHOUT_SIGN.match(text)
    if dated is None:
        return None
    who = people.read(strip_signs(dated["people"]))
    if not who.sure or not all(_INITIALED_BEHIND.search(name) for name in who.listed):
        return None
    behind = text[dated.end() :]
    book = _BOOK_IN_ITALICS.match(behind)  # `<Title> (House)`, of which the rest begins behind the sign of the italics
    if book:
        return Parts(who, book["title"], behind[book.end("title") + 1 :], dated["year"])
    server = _SERVER_IN_ITALICS.match(behind)  # `<arXiv:1706.03762> Title`
    if server:
        title = _BEHIND_TITLE_LAST.sub("", behind[server.end() :])
        return Parts(who, title, server[0], dated["year"])
    titled = _BEFORE_VENUE_IN_ITALICS.match(behind)  # `Title <Memoirs> 12`
    if titled:
        return Parts(who, titled["title"], behind[titled.end() :], dated["year"])
    counted = _JOURNAL_AND_COUNTS.match(behind) or _JOURNAL_AND_RANGE.match(behind)
    if counted is None:
        return None
    fields = {name: strip_signs(value or "").strip(" .,") for name, value in counted.groupdict().items()}
    fields["pages"] = re.sub(r"\s*[-–—]+\s*", "--", fields["pages"])
    title = _BEHIND_TITLE_LAST.sub("", behind[counted.end() :]).strip()
    if not A_WORD.search(title):
        return Parts(who, "", "", dated["year"], sure=False, place=PlaceAlone(**fields))
    return Parts(who, title, behind[: counted.end()], dated["year"], sure=counted.re is _JOURNAL_AND_COUNTS)


def _part_at_unmarked_year(text: str) -> Parts | None:
    """Part `Byron, A. A. & Knuth, D 1843 Title. Where`, with nothing but spaces around the year, as JFM prints it.

    None unless the list begins with a turned name, and surely names people.
    """
    dated = _YEAR_WITHOUT_SIGN.match(text)
    if dated is None or not _INITIALS_BEHIND_COMMA.match(dated["people"]):
        return None
    who = people.read(strip_signs(dated["people"]))
    if not who.sure:
        return None
    title, rest, sure = _split_first_sentence(text[dated.end() :])
    return Parts(who, title, rest, dated["year"], sure)


def _part_at_colon(text: str) -> Parts | None:
    """Part `A. Byron, C. Babbage (1843): Title. Where`; None if the colon is one of a title or a journal.

    An organisation of few words may stand before the colon; then nobody is named, as it may also begin the title.
    """
    parted = _BEFORE_COLON.match(_STOP_AND_COLON.sub(":", text, count=1))
    if parted is None:
        return None
    before = parted["people"]
    # A sentence ends before the colon, which stands in the title then.  (A sentence ends only before another word.)
    if any(_find_ends(before + " X", most=1)):
        return None
    # `A. Byron, J. Phys.: Condens. Matter 21, 395502`: the colon is the journal's.
    last = text[before.rfind(",") + 1 :]
    if untitled.read_at_beginning(_strip_start(last)):
        return None
    # `Byron A. Engines past: a history`: the colon is the title's, whose words stand behind the only initial.
    one_initial = _ONE_INITIAL.match(before)
    if one_initial and "," not in before and len(_SMALL_WORD.sub(" ", before[one_initial.end() :]).split()) > 1:
        return None
    # `A. Byron, Engines: a history`: the names end before the colon, which is the title's.
    if _INITIALED.match(before) and 0 < _find_end_of_names(before + ",") < len(before):
        return None
    names = strip_signs(before)
    year = parted["year"] or ""
    if people.are_complete(names):  # surely people, as most names have more than one part
        title, rest, sure = _split_where_no_sentence_ends(parted["rest"])
        return Parts(people.read(names), title, rest, year, sure)
    title, rest, sure = _split_first_sentence(parted["rest"])
    # Before the colon is an organisation, if it has few words, or the title's own beginning; so nobody is named.
    if len(names.split()) > 3 or "." in names:
        return None
    return Parts(NOBODY, title, rest, year, sure=False)


def _part_at_italics(text: str) -> Parts | None:
    """Part `A. Author, {\\em Title}, Journal 1 (2000)` at its first italics, if they are the title.

    None if they are a journal's, which a volume follows, or a part of the title, or if what stands before them is not
    surely people.  Nobody need stand before a title that ends with a full stop or comma within its italics.
    """
    for match in _ITALIC.finditer(text):
        if _OTHERS.fullmatch(match["inner"].strip()):  # an “et al.” in italics
            continue
        before = strip_signs(text[: match.start()])
        after = text[match.end() :]
        # `<Title.> House, 1843`: nobody is named.
        if not before and match["inner"].rstrip().endswith((".", ",")) and not people.read(match["inner"]).sure:
            return None if _VOLUME_AT_ONCE.match(after) else Parts(NOBODY, match["inner"], after, sure=False)
        # `A. Byron, Loom: <a tool for notes>`: the title begins before its colon.
        if _INITIALED.match(before) and _WORD_BEFORE_COLON.search(before):
            return None
        # `A. Byron, <Notes on looms and engines,> 1843`: nothing but the year follows what reads as a sentence.
        if _YEAR_BEHIND_ITALICS.match(after) and _is_sentence(match["inner"]):
            who = people.read(before)
            are_whole_names = who.sure and all(" " in name for name in who.listed)  # one word may be the title's
            return Parts(who, match["inner"], after, sure=False) if are_whole_names else None
        is_dated_title = _YEAR_AS_SENTENCE.match(after) is not None and _is_sentence(match["inner"])
        is_edition = _EDITION.match(after) is not None
        if _VOLUME_BEHIND_ITALICS.match(after) and not is_dated_title and not is_edition:
            return None
        who = people.read(before)
        # A few letters in italics are a formula's, and what follows “in” is a book.
        if who.sure and len(match["inner"].strip()) > 3 and not before.rstrip().endswith(" in"):
            title, rest, sure = _read_italics(text[match.start() :])
            return Parts(who, title, rest, sure=sure)
        return None
    return None


def _is_sentence(text: str) -> bool:
    """True for several words of which some begin small, unless they show that they name a venue."""
    words = text.split()
    has_small = any(word[0].islower() and len(word) > 3 for word in words)
    return len(words) > 4 and has_small and not venues.form(text.strip(" .,"))


def _read_italics(text: str) -> TitleSplit:
    """Split off the title that begins with italics: a formula may part these, and a venue may follow within them.

    Not sure if words follow the italics at once: only a part of the title may be set so.
    """
    formula = _ITALICS_WITH_FORMULA.match(text)
    if formula:
        return TitleSplit(formula[0], text[formula.end() :], sure=formula[0].rstrip(f" {ROMAN}").endswith((",", ".")))
    italic = _ITALIC.match(text)
    if italic is None:
        return TitleSplit(text, "", sure=False)
    inner = italic["inner"].rstrip()
    after = text[italic.end() :]
    comma = inner.rfind(", ")
    venue = inner[comma + 2 :]
    if comma > 0 and not inner.endswith((",", ".")) and _DATE_BEHIND_VENUE.match(after):
        # `Engines, arXiv e-prints (2014)`: only a venue has its year behind it at once.
        is_venue = venues.is_preprint_server(venue) or venues.form(venue) != ""
        end = comma if is_venue else len(inner)
        return TitleSplit(inner[:end], f"{inner[end:]}{after}", sure=is_venue)
    goes_on = not inner.endswith((",", ".", "?", "!")) and _WORD_AT_ONCE.match(after) is not None
    return TitleSplit(italic["inner"], after, sure=not goes_on)


def _part_at_sentences(text: str) -> Parts | None:
    """Part `Names. Title. Where, when.` at a place up to which there are only names.

    Places are tried by kind, the more telling ones first: the end of a list of names that are turned, if a title seems
    to begin there; other ends of names, in the order of `_find_ends_of_names`; the first ends of sentences.  If none
    will do, a single name without initials is tried.
    """
    ends = list(_find_ends_of_names(text))
    inverted = _INVERTED.match(text)  # `Byron, A., Knuth, D. `
    if inverted:
        behind = text[inverted.end() :]
        # Whether the list of names goes on there, as with `Knuth et al.`
        goes_on = (
            _goes_on_unturned(text, behind)
            or _ONE_INVERTED.match(behind)
            or _AND_OTHERS.match(behind)
            or _INITIALED.match(behind)
            or _LAST_BEFORE_COLON.match(behind)
        )
        # Behind the last name of a whole list a title may begin small, or with a number: `& Roe, V. edgeR: looms`.
        is_whole = ("&" in inverted[0] or " and " in inverted[0]) and not inverted[0].rstrip().endswith(",")
        if (behind[:1].isupper() or (is_whole and behind[:1].isalnum())) and not goes_on:
            ends.insert(0, NamesEnd(inverted.end(), inverted.end()))
    ends += [NamesEnd(sentence.end() - 1, sentence.end()) for sentence in _find_ends(text, most=6)]
    for stop, begin in ends:
        names = strip_signs(text[:stop])
        behind = text[begin:].lstrip()
        # Likely are several names, or one with initials or “et al.”, if all look like names.
        if people.are_likely(names) and behind and not _goes_past_last(names):
            title, rest, sure = _split_first_sentence(behind)
            return Parts(people.read(names), title, rest, sure=sure)
    return _part_behind_one_name(text)


def _goes_on_unturned(text: str, behind: str) -> bool:
    """True if a whole name stands before the first comma, and another behind the initial: `Ada Byron, E. Don Knuth,`"""
    if not _WHOLE_NAME_FIRST.match(text):
        return False
    # `Leon Ojeda, L. Deep Looms. Wiley, 1990` is one person and a title: a place follows.
    last = _WHOLE_NAME_LAST.match(behind)
    is_last = last is not None and not _is_imprint_or_place(behind[last.end() :])
    return is_last or _LIST_GOES_ON.match(behind) is not None


def _is_imprint_or_place(text: str) -> bool:
    return _begins_with_place(text) or _IMPRINT_ALONE.match(_strip_start(text)) is not None


def _goes_past_last(names: str) -> bool:
    """True if more follows the last name of a list with initials: `A. Byron and D. Knuth, Engines`."""
    if _INITIALED.match(names) is None:
        return False
    *before, last = names.split(",")
    is_listed = " and " in names or "&" in names or "et al" in names or names.endswith("others")
    return _PAST_LAST.search(names) is not None or (bool(before) and not is_listed and not _INITIALED.match(last))


def _find_ends_of_names(text: str) -> Iterator[NamesEnd]:
    """Yield the places where names may end although no sentence does; each is only a guess, which the caller checks."""
    initials = _BEHIND_INITIAL.match(text)  # `Smith JR, Byron A. `
    if initials and all(_WITH_INITIALS.search(name) for name in initials[0].rstrip(".").split(",")):
        yield NamesEnd(initials.end() - 1, initials.end())
    one_initial = _ONE_INITIAL.match(text)  # `Byron A. `
    # Not `John P. Knuth. Engines`, where the family name follows.
    if one_initial and not _names_go_on(text, one_initial.end()):
        has_date = _VANCOUVER.search(text) or _PUBLISHED.search(text)
        if has_date or _is_prose(text, one_initial.end()):
            yield NamesEnd(one_initial.end() - 1, one_initial.end())
    one_turned = _ONE_TURNED_BEFORE_TITLE.match(text)  # `Byron, Ada K. Notes`
    if one_turned:
        yield NamesEnd(one_turned.end(), one_turned.end())
    in_capitals = _IN_CAPITALS.match(text)  # `THRANE, Eric et LASKY, Paul D. When`
    if in_capitals:
        yield NamesEnd(in_capitals.end(), in_capitals.end())
    others = _BEHIND_ET_AL.match(text)  # `A. Byron et al. Title`
    if others:
        yield NamesEnd(others.end() - 1, others.end())
    small = _STOP_BEFORE_SMALL.search(text)  # `A. Byron and Donald Knuth. literate: a program`
    if small and (" and " in text[: small.start()] or "&" in text[: small.start()]):
        yield NamesEnd(small.start(), small.end())


def _is_prose(text: str, at: int) -> bool:
    """True if the sentence that begins there has a small word that is in no name, or more words than a name has."""
    end = _NEXT_STOP.search(text, at)
    sentence_words = _SMALL_WORD.sub(" ", strip_signs(text[at : end.start() if end else len(text)])).split()
    return len(sentence_words) >= _LONGEST_NAME or any(word[0].islower() and len(word) > 2 for word in sentence_words)


def _names_go_on(text: str, at: int) -> bool:
    """True if behind an initial names go on, up to a full stop or a bracket: ` Knuth, Ada Byron. Engines`."""
    stop = _NEXT_STOP.search(text, at)
    if stop is None:
        return False
    end = stop.start()
    bracket = text.find(" (", at, end)  # `John P. Knuth, Ada Byron (eds.)`
    if bracket > 0:
        end = bracket
    behind = strip_signs(text[at:end])
    return len(behind.split()) == 1 or ("," in behind and people.read(text[:end]).sure)


def _part_behind_one_name(text: str) -> Parts | None:
    """Part `Byron, Ada. Title. Where, when.`; never sure, since the two words may also be the title.

    None if the first sentence is not one whole name, or if nothing behind it shows that a title follows.
    Nobody is named for `Title. [Online]`.
    """
    page = _WEB_PAGE.match(text)  # `Title. [Online] …`
    if page:
        return Parts(NOBODY, page["title"], text[page.end() :], sure=False)
    ends = list(_find_ends(text, most=3))
    small = _STOP_BEFORE_SMALL.search(text)
    first = min(filter(None, (small, *ends)), key=lambda end: end.start(), default=None)
    if first is None:
        return None
    name = strip_signs(text[: first.start()])
    behind = text[first.end() :].lstrip()
    is_turned = _ONE_TURNED.fullmatch(name) is not None
    if not is_turned and not _FULL_NAME.fullmatch(name):
        return None
    # `Ada Byron. Title.` alone may be a title and its subtitle: another sentence or the date must follow, or the title
    # begin with a small letter.
    if not (len(ends) > 2 or first is small or _DATED_END.search(text)):
        return None
    # `Lucid Lamas. Aardvark Press, 1971`: a title, and who published it
    if not is_turned and _IMPRINT_ALONE.match(behind) and _names_publisher(behind):
        return None
    title, rest, _ = _split_first_sentence(behind)
    return Parts(people.read(name), title, rest, sure=False)


def _part_behind_dashes(text: str) -> Parts | None:
    """Part `———. Title. Where, when.`: the people are those of the reference before it, and nobody is named here."""
    dashes = _DASHES.match(text)
    if dashes is None:
        return None
    dated = _YEAR_FIRST.match(text, dashes.end())
    title, rest, sure = _split_first_sentence(text[dated.end() if dated else dashes.end() :])
    return Parts(NOBODY, title, rest, dated["year"] if dated else "", sure)


def _part_before_imprint(text: str) -> Parts | None:
    """Part `Title. Publisher, when.` or `Title. (when). Publisher.`, where nobody is named.

    None if an organisation stands where the title would, and words that may be the title follow.
    """
    first = next(_find_ends(text, most=1), None)
    if first is None or _LEGAL_FORM.match(text):
        return None
    title = text[: first.start()]
    behind = text[first.end() :].lstrip(" .")
    if len(strip_signs(title).split()) < 2 and _has_words(behind):  # a single word is rather a name than a title
        return None
    dated = _YEAR_FIRST.match(behind)
    behind_year = behind[dated.end() :] if dated else behind
    # `Bank of England. (1843). Report on engines.`: the title follows.
    may_be_organisation = _is_name_of_organisation(strip_signs(title))
    is_organisation = may_be_organisation and (dated or people.is_group(strip_signs(title)))
    if is_organisation and _has_words(behind_year):
        return None
    if dated or _IMPRINT_ALONE.match(behind):
        return Parts(NOBODY, title, behind, dated["year"] if dated else "", sure=False)
    return None


def _names_publisher(imprint: str) -> bool:
    """True if a house, or an organisation, stands before the year of an imprint."""
    names = [name.strip() for name in re.split(r"[,:;]", strip_signs(imprint))]
    return any(publishers.is_house(name) or people.is_group(name) for name in names if name)


def _has_words(text: str) -> bool:
    return A_WORD.search(strip_signs(text)) is not None


def _is_name_of_organisation(text: str) -> bool:
    """True for few words that all begin with a capital, besides those that only join: `Bank of England`."""
    return len(_SMALL_WORD.sub(" ", text).split()) <= _MOST_WORDS_OF_ORGANISATION and _is_in_capitals(text)


def _is_in_capitals(text: str) -> bool:
    """True if no word begins with a small letter, besides those that only join."""
    return not any(word[0].islower() for word in _SMALL_WORD.sub(" ", text).split())


def _part_behind_organisation(text: str) -> Parts | None:
    """Part `Institute of Engines. Title. Where, when.`; never sure, since the first sentence may be the title.

    None if that sentence has too many words, or if a venue follows it.  Nobody is named if it cannot be a group's name.
    """
    first = _LEGAL_FORM.match(text) or _ONE_WORD_BEFORE_SMALL.match(text) or next(_find_ends(text, most=1), None)
    name = strip_signs(text[: first.end() - len(".")]) if first else ""
    if first is None or not 1 <= len(name.split()) <= _MOST_WORDS_OF_ORGANISATION:
        return None
    dated = _YEAR_FIRST.match(text, first.end())
    title, rest, _ = _split_first_sentence(text[dated.end() if dated else first.end() :])
    if venues.form(strip_signs(title)):  # a journal or conference: what stands before it is the title
        return None
    is_group = people.is_group(name)
    may_be_group = is_group or len(name.split()) == 1 or _is_name_of_organisation(name)
    # `Engines Past. Wiley, 1843`: a title before its publisher.  `read_group` gives NOBODY for what looks like people.
    who = people.read_group(name) if may_be_group and not _IMPRINT_ALONE.match(_strip_start(title)) else NOBODY
    return Parts(who, title, rest, dated["year"] if dated else "", sure=False, are_people_sure=is_group)


def _part_behind_office(text: str) -> Parts | None:
    """Part `IEA, Title, Tech. rep. (Sep. 2021)`: an organisation of few words stands before a comma; never sure.

    None without a year in brackets, or if initials follow the comma, as behind a family name.
    """
    named = _OFFICE_BEFORE_COMMA.match(text)
    if named is None or _INITIALS_FIRST.match(named["rest"]):
        return None
    title, rest, _ = _split_at_venue(named["rest"])
    if not strip_signs(rest).strip(" .,"):  # nothing but the date follows the title
        dated = _DATED_BEHIND.search(named["rest"])
        if dated is None:
            return None
        title = named["rest"][: dated.start()]
        rest = named["rest"][dated.start() :]
    return Parts(people.read_group(named["name"]), title, rest, sure=False)


def part_before_address(text: str) -> Parts | None:
    """Read a title that only an address or its year followed; None unless it is one sentence without a comma."""
    undated = _YEAR_AS_BLOCK.sub("", _DATED_END.sub("", _DATED_BEHIND.sub("", text)))
    title = strip_signs(undated).rstrip(" .,")
    is_alone = "," not in title and not any(_find_ends(title, most=1)) and len(title.split()) > 1
    if not title[:1].isupper() or people.are_likely(strip_signs(title)):
        return None
    return Parts(NOBODY, title, "", sure=False) if is_alone else None


def _part_at_commas(text: str) -> Parts | None:
    """Part `A. Author, B. Author, Title, Journal 1 (2000) 2–3` behind the last name; None without names before."""
    end = _find_end_of_names(text)
    if not 0 < end < len(text):
        return None
    who = people.read(strip_signs(text[:end]))
    rest = text[end:].lstrip()
    if not who.sure:
        return None
    title, after, sure = _split_at_venue(rest)
    return Parts(who, title, after, sure=sure)


def _find_end_of_names(text: str) -> int:
    """Return where a list of names ends whose initials stand before, `A. Byron, D. Knuth,`, or behind, `Byron, A.,`.

    The place is behind the comma after the last name.  0 if no name stands at the beginning, or if a family name is not
    followed by its initials.
    """
    parts = text.split(",")
    # `Byron, A.,`: the family name comes first.
    are_turned = len(parts) > 1 and _INITIALS_BEHIND_FAMILY.fullmatch(strip_signs(parts[1])) is not None
    ends_in_family = False  # whether the part before ends in a family name: `Byron`, or ` A. and Knuth` before ` D.`
    for index, part in enumerate(map(strip_signs, parts)):
        if ends_in_family:
            if _INITIALS_BEHIND_FAMILY.fullmatch(part) is None:
                return 0
            ends_in_family = " and " in part or " & " in part
        elif _is_whole_name(part, index) or _is_group_within(parts, index):
            continue
        elif are_turned:
            following = strip_signs(parts[index + 1]) if index + 1 < len(parts) else ""
            ends_in_family = _INITIALS_BEHIND_FAMILY.fullmatch(following) is not None and people.read(part).sure
            if not ends_in_family:
                return _count_characters(parts[:index])
        elif not (_INITIALED.match(part) and people.read(part).sure):
            return _count_characters(parts[:index])
    return _count_characters(parts)


def _count_characters(parts: Sequence[str]) -> int:
    """Count the characters of parts of a text, each with the comma behind it."""
    return sum(len(part) + 1 for part in parts)


def _is_group_within(parts: Sequence[str], index: int) -> bool:
    """True for an organisation behind which the list of people goes on: `A. Byron, The Consortium, D. Knuth`.

    Also for the collaboration that others wrote for: `A. Byron et al., ATLAS collaboration, Engines`.  `parts`: the
    text between the commas; `index`: of the one that is asked about.
    """
    if not people.is_group(strip_signs(parts[index])):
        return False
    before = strip_signs(parts[index - 1]) if index else ""
    # Behind “et al.” it is in whose name they wrote; behind `C. Collaboration` its own name, which BibTeX cut short.
    if before.endswith("et al.") or people.is_shortened_group(before):
        return parts[index].rstrip().lower().endswith("collaboration")
    if index + 1 >= len(parts):
        return False
    return _INITIALED.match(strip_signs(parts[index + 1])) is not None


def _is_whole_name(part: str, index: int) -> bool:
    """Whether a part between commas needs no initials behind: a group at the beginning, `et al.`, `and Knuth D.E.`"""
    if index == 0:
        return people.is_group(part) or people.are_bracketed(part)
    return (
        _OTHERS.fullmatch(part) or _EDITOR.fullmatch(part) or _ONE_BEHIND.fullmatch(part)
    ) is not None or people.are_bracketed(part)


def _split_at_venue(rest: str) -> TitleSplit:
    """Split what commas part: the first sign found here ends the title, from “in:” and italics to the last comma.

    The whole is the title, which is not sure, if there is none of them.
    """
    into = _IN_BEFORE_VENUE.search(rest) or _QUOTED_VENUE.search(rest)
    if into:
        return TitleSplit(rest[: into.start()], rest[into.start() + 1 :], sure=True)
    before_italics = _split_before_italics(rest)
    if before_italics:
        return before_italics
    # `Title in 2007 International Conference on Engines, …`; without a comma before it “in” may also be the title's.
    gathering = _IN_BEFORE_GATHERING.search(rest)
    if gathering:
        return TitleSplit(rest[: gathering.start()], rest[gathering.start() :], sure=False)

    sentence_stop = _find_stop_before_place(rest)
    if sentence_stop:
        return TitleSplit(rest[:sentence_stop], rest[sentence_stop:], sure=True)
    printed = _VOLUME_OR_YEAR.search(rest)  # the volume, `, 12 (`, or the year, `(1843)`
    stop = next(_find_ends(rest, most=1), None)
    # `Title (1843)`: nothing stands between title and year.
    if printed and printed[0].startswith("(") and "," not in rest[: printed.start()]:
        ends_before_year = stop is not None and stop.start() < printed.start()
        if not ends_before_year:
            return TitleSplit(rest[: printed.start()], rest[printed.start() :], sure=True)
    kind = _KIND_BEHIND_COMMA.search(rest)  # `Title, PhD thesis, …`
    if kind and (printed is None or kind.start() < printed.start()):
        return TitleSplit(rest[: kind.start()], rest[kind.start() + 1 :], sure=True)
    imprint = _IMPRINT.search(rest)  # `(Clarendon Press, Oxford, 1986)`
    # `A reply (Byron, & Knuth, 1999), Memoirs 45`: a volume behind the bracket is that of a journal.
    is_cited = imprint is not None and _VOLUME_OR_YEAR.search(rest, imprint.end()) is not None
    if imprint and not is_cited and (printed is None or imprint.start() <= printed.start()):
        # A series may stand between a book's title and who printed it.
        title = rest[: imprint.start()]
        return TitleSplit(title, rest[imprint.start() :], sure="," not in title)
    by_sentence = _split_at_sentence(rest, stop, printed) if stop else None
    return by_sentence or _split_before_house(rest, printed) or _split_at_last_comma(rest, printed)


def _split_at_sentence(rest: str, stop: re.Match[str], printed: re.Match[str] | None) -> TitleSplit | None:
    """Split what commas part at the end of its first sentence, `stop`, or at a comma behind the second; never sure.

    All of it is the title if a question, and one sentence that nothing follows, are all.  None if a comma stands within
    the first sentence, or if the number of a part follows it: `Engines. II, Memoirs 45`.  `printed`: volume or year.
    """
    if stop[0] in "?!" and _is_sentence_alone(rest[stop.end() :]):
        return TitleSplit(rest, "", sure=False)
    if "," in rest[: stop.start()] or _NUMBER_OF_PART.match(rest, stop.end()):
        return None
    # `Primes in sequences. A trichotomy, Memoirs 45 (1) (2007)`: the comma ends the title.
    volume_start = printed.start() if printed and _SPACE_AND_NUMBER.match(printed[0]) else 0
    comma_behind = rest.rfind(",", stop.end(), volume_start)
    added = rest[stop.end() : max(comma_behind, 0)]
    if len(added.split()) > 1 and "," not in added:
        return TitleSplit(rest[:comma_behind], rest[comma_behind + 1 :], sure=False)
    return TitleSplit(rest[: stop.start()], rest[stop.end() :], sure=False)


def _split_before_house(rest: str, printed: re.Match[str] | None) -> TitleSplit | None:
    """Split what commas part before a publisher, or before what stands where one would; None if nothing does.

    A known publisher counts only if `printed` is the year or None; if it is a volume, the venue is no book.
    """
    is_volume = printed is not None and _YEAR_PRINTED.match(printed[0]) is None
    house = 0 if is_volume else _find_comma_before_house(rest)
    if house:
        return TitleSplit(rest[:house], rest[house + 1 :], sure=printed is not None and "," not in rest[:house])
    unknown_house = _find_comma_before_town(rest)
    return TitleSplit(rest[:unknown_house], rest[unknown_house + 1 :], sure=False) if unknown_house else None


def _split_at_last_comma(rest: str, printed: re.Match[str] | None) -> TitleSplit:
    """Split what commas part at the last one before the volume or the year, `printed`; the whole is the title without.

    Sure if it is the only comma, and what stands behind it can be no more of the title: it begins with no small letter,
    and no sentence ends in it.
    """
    # `Title, Journal, (1983)`: the last comma parts nothing from the year.
    end = len(rest[: printed.start()].rstrip(" ,")) if printed else len(rest)
    comma = rest.rfind(",", 0, end)
    if comma <= 0:
        return TitleSplit(rest, "", sure=False)
    if printed and _LIST_IN_NAME.match(rest, comma):  # `Title, Transactions on Looms, Notes, and Engines 12`
        comma_before = max(rest.rfind(",", 0, comma), 0)
        before_list_of_three = rest.rfind(",", 0, comma_before)
        if before_list_of_three > 0:
            return TitleSplit(rest[:before_list_of_three], rest[before_list_of_three + 1 :], sure=False)
    # Several commas: some of them may be the title's, or parts of where it appeared.
    # A small letter behind the only one may go on with the title.
    begins_name = not rest[comma + 1 :].lstrip()[:1].islower()
    # `Extracting, computing and exploring by R. Memoirs, 5(53)`: the title goes on up to the full stop.
    goes_on = _SMALL_BEFORE_STOP.search(rest, comma, end) is not None
    return TitleSplit(rest[:comma], rest[comma + 1 :], sure=begins_name and not goes_on and "," not in rest[:comma])


def _split_before_italics(rest: str) -> TitleSplit | None:
    """Split off the title before italics, which begin a venue; None if the text has none behind its beginning.

    `GoSam: <a tool for engines,> Memoirs`: behind a colon they go on with the title.  `rest`: what follows the people.
    """
    begun = _ITALICS_OF_WORDS.search(rest)
    if begun is None or begun.start() == 0:
        return None
    italic = begun.start()
    title = rest[:italic].rstrip(" ,")
    subtitle = _ITALIC.match(rest, italic) if title.endswith(":") else None
    if subtitle:
        return TitleSplit(rest[: subtitle.end()], rest[subtitle.end() :], sure=False)
    return TitleSplit(title, rest[italic:], sure=True)


def _find_comma_before_house(text: str) -> int:
    """Return where the first comma stands that a publisher follows, with or without its town; 0 if there is none."""
    parts = strip_signs(text).split(",")
    for index, part in enumerate(parts[1:], start=1):
        if any(publishers.is_house(name.strip(" .")) for name in re.split(r"[:(]", part)):
            return len(",".join(text.split(",")[:index]))
    return 0


def _find_comma_before_town(text: str) -> int:
    """Return where the comma stands that a publisher, a town and the year follow to the end; 0 if there is none.

    0 also if the text has signs of italics or blocks, which tell more.  A series that is called so may stand before the
    publisher: `Engines, Lecture Notes in Looms, Wiley, London, 1843`.
    """
    imprint = _HOUSE_AND_TOWN.search(text) if text == strip_signs(text) else None
    if imprint is None:
        return 0
    title = text[: imprint.start()]
    if len(title.split()) < 2:
        return 0
    series = _SERIES_LAST.search(title)
    return series.start() if series else len(title)


def _has_place_behind_comma(text: str, end: int) -> bool:
    """True if a venue that is cut short, with its volume, stands behind a comma before `end`."""
    commas = _CAPITAL_BEHIND_COMMA.finditer(text, 0, end)
    return any(_CUT_SHORT_AND_VOLUME.match(text, comma.end() - 1) for comma in commas)


def _find_stop_before_place(rest: str) -> int:
    """Return the place behind the sentence that only a venue with its volume follows; 0 if there is none.

    Also 0 if a capital stands behind a comma before it, which may begin the venue: `Coupled dots, Phys. Rev. B 59`.
    """
    for sentence in _find_ends(rest, most=3):
        stop = sentence.start() + 1
        if _CAPITAL_BEHIND_COMMA.search(rest, 0, stop):
            return 0
        # `Not bust! Why it is no problem, Memoirs 58`: the title goes on up to a comma.
        if not _is_place_without_comma(rest[stop:]):
            return 0
        if _begins_with_place(rest[stop:]) or _names_venue(_strip_start(rest[stop:])):
            return stop
    return 0


def _split_first_sentence(text: str) -> TitleSplit:
    """Split off the title at the beginning of a text: a block, italics, or a sentence up to where the work appeared.

    Signs that only end a title come first.  BLOCK and italics are signs in the text that stand for TeX's commands.
    """
    text = text.lstrip(f"{BLOCK} ")
    by_sign = _split_at_sign(text)
    if by_sign:
        return by_sign
    # `Engines. Part II. Memoirs`: the part belongs to the title.
    sentence = next((end for end in _find_ends(text, most=3) if not _PART_OF_TITLE.match(text, end.end())), None)
    into = _IN_BEFORE_VENUE.search(text)
    # Places behind the sign that may end the title; -1 if it is not there.
    sentence_stop = sentence.start() + 1 if sentence else -1
    into_stop = into.start() + 1 if into else -1
    italic_stop = _venue_in_italics(text)
    stops = [stop for stop in (sentence_stop, into_stop, italic_stop) if stop > 0]
    if not stops:
        return TitleSplit(text, "", sure=False)
    stop = min(stops)
    is_before_venue = stop in (into_stop, italic_stop)
    if sentence and stop == sentence_stop:
        return _split_at_first_end(text, sentence, into_stop, is_before_venue=is_before_venue)
    return TitleSplit(text[:stop], text[stop:], sure=True)


def _split_at_first_end(text: str, first: re.Match[str], into_stop: int, *, is_before_venue: bool) -> TitleSplit:
    """Split off the title at the end of its first sentence, `first`, or further on if what follows belongs to it.

    `into_stop` is the place where “In” begins a venue, -1 without; `is_before_venue`: this or italics follow at once.
    """
    stop = first.start() + 1
    rest = text[stop:]
    is_question = text[stop - 1] in "?!"
    # `May I have your attention? On engines. In Memoirs`: the place begins at “In” only, so the title goes on to there.
    if is_question and into_stop > stop and _find_second_stop(text, first) == into_stop:
        return TitleSplit(text[:into_stop], text[into_stop:], sure=True)
    # A single sentence before italics or “In” is whole; otherwise the next one may belong to the title.
    is_whole = is_before_venue or _begins_with_place(rest)
    # `Not bust! Why it is no problem, Memoirs, 58`: a question goes on up to a comma.
    if is_question and not _is_place_without_comma(rest):
        is_whole = False
    # `Is it bust? It may well be, as we show.`: an address or nothing follows the second sentence.
    if not is_whole and is_question and _is_sentence_alone(rest):
        return TitleSplit(text, "", sure=False)
    second_stop = 0 if is_whole else _find_second_end(text, first)
    if second_stop:
        return TitleSplit(text[:second_stop], text[second_stop:], sure=False)
    comma = _find_comma_before_house(text[:stop])
    if comma:  # `Sketch of the engine, Addison-Wesley Pub. Co., 1843`
        return TitleSplit(text[:comma], text[comma + 1 :], sure=False)
    behind = _strip_start(rest)
    is_published = _IMPRINT_ALONE.match(behind) is not None and _names_publisher(behind)
    return TitleSplit(text[:stop], rest, is_whole or is_published or _names_venue(behind))


def _split_at_sign(text: str) -> TitleSplit | None:
    """Split off the title before a sign that only ends one: a block, the brackets or semicolons of a style, italics.

    None if the text has no such sign.
    """
    source = _BRACKETED_SOURCE.match(text)
    if source:
        return TitleSplit(source["title"], text[source.end("title") + 1 :], sure=True)
    book = _BOOK_BEFORE_HOUSE.match(text) or _SERIES_BEFORE_HOUSE.match(text)
    if book and not any(_find_ends(book["title"], most=1)):
        return TitleSplit(book["title"], text[book.end("title") + 1 :], sure=True)
    block = text.find(BLOCK)
    if block > 0:
        return TitleSplit(text[:block], text[block + 1 :], sure=True)
    house = _BEFORE_HOUSE.match(text)
    if house and not any(_find_ends(house["title"], most=1)):
        # A comma may part a title from an institution: `Engines, Keele University; Durham University, 2007`.
        return TitleSplit(house["title"], text[house.end("title") + 1 :], sure="," not in house["title"])
    italic = _ITALIC.match(text)
    if italic and _ends_title(italic, text):
        return TitleSplit(italic["inner"], text[italic.end() :], sure=True)
    return None


def _begins_with_place(rest: str) -> bool:
    """True if what follows a sentence can only say where the work appeared."""
    following = _strip_start(rest)
    return rest.lstrip().startswith(ITALIC) or _PLACE_WORDS.match(following) is not None or _is_place(following)


def _is_place_without_comma(rest: str) -> bool:
    """False if a venue's name is only read with a comma in it: `Why it is no problem, Memoirs 58`."""
    venue = _VENUE_AND_VOLUME.match(_strip_start(rest))
    return venue is None or re.search(r",\s*[^\W\d_]", venue[0]) is None


def _strip_start(text: str) -> str:
    return strip_signs(text).lstrip(" .,")


def _names_venue(text: str) -> bool:
    """True if a name that is recognisably a journal's or a conference's stands at the beginning."""
    name = _UP_TO_COUNTS.match(text)
    return name is not None and len(name[0].split()) > 1 and _is_venue(name[0].strip())


def _is_venue(text: str) -> bool:
    """True for the name of a venue; long sentences have the words of such names, too."""
    is_short = len(text.split()) <= _VENUE or _PROCEEDINGS.match(text) is not None
    return is_short and venues.form(text) != ""


def _ends_title(italic: re.Match[str], text: str) -> bool:
    """True for italics that are a title: neither its first words, as the name of a species, nor a journal's name."""
    inner = italic["inner"].rstrip()
    behind = text[italic.end() :].lstrip()
    if _VOLUME_AT_ONCE.match(behind):
        return False
    return inner.endswith((".", ",", "?", "!")) or re.match(r"[a-zà-þ]", behind) is None


def _find_second_end(text: str, first: re.Match[str]) -> int:
    """Return where a title of two sentences ends, if a venue with its volume follows the second and the title is whole.

    0 if no second sentence ends, or if that is perhaps no part of the title, but a venue itself.  `first` is the end of
    the first sentence.
    """
    second = next((end for end in _find_ends(text, most=4) if end.start() > first.end()), None)
    if second is None:
        return 0
    second_sentence = text[first.end() : second.start()]
    # A few words between two full stops may be a venue that is cut short; hardly so behind a question.
    most_words_of_venue = 2 if first[0].startswith(("?", "!")) else 4
    is_short = len(second_sentence.split()) <= most_words_of_venue
    may_be_venue = is_short or "." in second_sentence or _is_venue(strip_signs(second_sentence))
    behind = _strip_start(text[second.end() :])
    is_before_place = behind[:1].isalpha() and _is_place(behind)
    return second.start() + 1 if is_before_place and not may_be_venue else 0


def _is_sentence_alone(text: str) -> bool:
    """True for one sentence of words, without the commas or brackets of a venue, that nothing follows."""
    first = next(_find_ends(text, most=1), None)
    is_last = first is None or not _strip_start(text[first.end() :])
    return is_last and _is_prose(text, 0) and not re.search(r"[,(:]|\d\s*$", text)


def _find_second_stop(text: str, first: re.Match[str]) -> int:
    """Return the place behind the sign that ends the second sentence; -1 if there is none."""
    later = (end for end in _find_ends(text, most=3) if end.start() > first.start())
    second = next(later, None)
    return second.start() + 1 if second else -1


def _venue_in_italics(text: str) -> int:
    """Return where italics begin behind a sign that may end a title; -1 if there are none."""
    for match in _ITALIC.finditer(text):
        if text[: match.start()].rstrip(f" {BLOCK}")[-1:] in tuple('.,?!;:”"’'):
            return match.start()
    return -1


def _is_place(text: str) -> bool:
    """True if a venue with its volume stands at the beginning: no part of a title goes on so."""
    return (_VENUE_AND_VOLUME.match(text) or _CUT_SHORT_AND_VOLUME.match(text)) is not None


def _find_ends(text: str, most: int) -> Iterator[re.Match[str]]:
    """Yield the first `most` ends of sentences; none stands behind a month that is cut short, or within brackets."""
    number = 0
    for found in _END.finditer(text):
        if number >= most:
            return
        if not _CUT_MONTH.search(text, max(0, found.start() - 5), found.start()) and not _is_bracketed(
            text, found.start()
        ):
            number += 1
            yield found


def _is_bracketed(text: str, at: int) -> bool:
    """True between a bracket and its other half: `(1; Vol. 2, pp. 1–16)`; one that is never closed says nothing."""
    for opening, closing in ("()", "[]"):
        if text.count(opening, 0, at) > text.count(closing, 0, at) and closing in text[at : at + _LONGEST_BRACKET]:
            return True
    return False
