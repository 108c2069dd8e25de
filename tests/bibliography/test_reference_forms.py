"""Where people, title and the rest part in the forms that styles give references."""

import pytest

from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN
from citelsp.bibliography.reference_reading import forms
from citelsp.bibliography.reference_reading.marked import strip_signs

TWO = "A. Byron and D. Knuth"
TURNED = "Byron, A. and Knuth, D."


def marked(text):
    """As it is written here: | begins a block, <…> is in italics, *…* is bold."""
    signs = {"|": BLOCK, "<": ITALIC, ">": ROMAN}
    bold = iter((BOLD, LIGHT) * text.count("*"))
    return "".join(next(bold) if it == "*" else signs.get(it, it) for it in text)


def parts(text):
    """People, title, what follows it, and the year, each without the signs around it; () if no form is known."""
    found = forms.part_reference(marked(text))
    if found is None:
        return ()
    assert found.place is None
    title, rest = (strip_signs(it).strip(" .,;/") for it in (found.title, found.rest))
    return str(found.people), title, rest, found.year


# Signs that can only mean one thing stand at both ends of these titles.
SURE = {
    "GB/T 7714": ("Byron A, Knuth D. On engines[J]. Notes, 2003, 43(5).", TURNED, "Notes, 2003, 43(5)", ""),
    "GB/T 7714, online": ("Byron A, Knuth D. On engines[EB/OL]. (2003-01-02).", TURNED, "(2003-01-02)", ""),
    "GB/T 7714, nobody": ("On engines[M]. London: Wiley, 2003.", "", "London: Wiley, 2003", ""),
    "GB/T 7714 in Chinese": ("张三, 李四. On engines［M］. 北京, 2003.", "{张三} and {李四}", "北京, 2003", ""),
    # quotations
    "quoted, IEEE": (f"{TWO}, “On engines,” Notes, 2003.", TWO, "Notes, 2003", ""),
    "quoted, a year before": (f"{TWO} (2003), “On engines,” Notes.", TWO, "Notes", "2003"),
    "quoted, a month before": (f"{TWO} (Mar. 2003). “On engines.” Notes.", TWO, "Notes", "2003"),
    "quoted, a bare year before": (f'{TWO}, 2003a. "On engines". Notes.', TWO, "Notes", "2003"),
    "quoted, in press": (f"{TWO} (in press). “On engines.” Notes.", TWO, "Notes", ""),
    "quoted, German": ("Byron, A.: „On engines“. In: Notes.", "Byron, A.", "In: Notes", ""),
    "quoted, Swedish": ("Byron, A. ”On engines“ Notes.", "Byron, A.", "Notes", ""),
    "quoted, French": ("Byron, A., « On engines », Notes.", "Byron, A.", "Notes", ""),
    "quoted once, a comma within": ("Byron, A. ‘On engines,’ Notes 3.", "Byron, A.", "Notes 3", ""),
    "quoted once, a comma behind": ("Byron, A. ‘On engines’, Notes 3.", "Byron, A.", "Notes 3", ""),
    "quoted once, “in” behind": ("Byron, A. ‘On engines’ in Notes.", "Byron, A.", "in Notes", ""),
    "quoted, nobody": ("“On engines,” Notes, 2003.", "", "Notes, 2003", ""),
    "quoted, nobody but a dash": ("— “On engines,” Notes, 2003.", "", "Notes, 2003", ""),
    "quoted, an organisation": ("Patent Office, “On engines,” Notes.", "{Patent Office}", "Notes", ""),
    # blocks
    "blocks": (f"{TWO}. | On engines. | Notes 3, 2003.", TWO, "Notes 3, 2003", ""),
    "blocks, an empty one": (f"{TWO}. | | On engines. | Notes 3.", TWO, "Notes 3", ""),
    "blocks, a year with the people": (f"{TWO} (2003a). | On engines. | Notes 3.", TWO, "Notes 3", "2003"),
    "blocks, a month with the people": (f"{TWO} (2003, May). | On engines. | Notes 3.", TWO, "Notes 3", "2003"),
    "blocks, in press": (f"{TWO} (in press). | On engines. | Notes.", TWO, "Notes", ""),
    "blocks, no date": (f"{TWO} (n.d.). | On engines. | Notes.", TWO, "Notes", ""),
    "blocks, one of them a year": (f"{TWO}. | 2003a. | On engines. | Notes 3.", TWO, "Notes 3", "2003"),
    "blocks, one of them a year in brackets": (f"{TWO}. | (2003). | On engines. | Notes.", TWO, "Notes", "2003"),
    "blocks, a year before the title": (f"{TWO}. | 2003. On engines. | Notes 3.", TWO, "Notes 3", "2003"),
    "blocks, a title alone": (f"{TWO}. | On engines.", TWO, "", ""),
    "blocks, a book in italics": (f"{TWO}. | <On engines>. | Wiley, 2003.", TWO, "Wiley, 2003", ""),
    "blocks, its publisher in one with it": (f"{TWO}. | <On engines>. Wiley. | 2003.", TWO, "Wiley. 2003", ""),
    # slashes
    "GOST": (
        "Byron A. A., Knuth D. E. On engines // Notes. 2003. Т. 27.",
        "Byron, A. A. and Knuth, D. E.",
        "Notes. 2003. Т. 27",
        "",
    ),
    "GOST, one person": ("Byron A. A. On engines // Notes. 2003.", "Byron, A. A.", "Notes. 2003", ""),
    "GOST, others": ("Byron A. и др. On engines // Notes. 2003.", "Byron, A. and others", "Notes. 2003", ""),
    "GOST, commas behind names": ("Byron, A., Knuth, D. On engines // Notes.", TURNED, "Notes", ""),
    # a year between people and title
    "APA": (f"{TURNED} (2003). On engines. Notes, 3(1), 4.", TURNED, "Notes, 3(1), 4", "2003"),
    "APA, a letter": ("Byron, A., & Knuth, D. (2003b). On engines. Notes, 3(1).", TURNED, "Notes, 3(1)", "2003"),
    "APA, a month": (f"{TURNED} (2003, May). On engines. In Notes.", TURNED, "In Notes", "2003"),
    "APA, a month before": (f"{TURNED} (May 2003). On engines. In Notes.", TURNED, "In Notes", "2003"),
    "APA, a day": (f"{TURNED} (May 2, 2003). On engines. In Notes.", TURNED, "In Notes", "2003"),
    "APA, two years": (f"{TURNED} (2003/1999). On engines. In Notes.", TURNED, "In Notes", "2003"),
    "APA, no date": (f"{TURNED} (n.d.). On engines. Notes, 3(1).", TURNED, "Notes, 3(1)", ""),
    "a year in square brackets": (f"{TURNED} [2003]. On engines. In Notes.", TURNED, "In Notes", "2003"),
    "a year, a book in italics": (f"{TURNED} (2003). <On engines>. Wiley.", TURNED, "Wiley", "2003"),
    "a year, commas behind": (f"{TURNED} (2003) On engines, Notes, 3, 4–9.", TURNED, "Notes, 3, 4–9", "2003"),
    "a year, “in” behind a comma": (
        f"{TURNED} (2003). On engines, in: Notes. Wiley.",
        TURNED,
        "in: Notes. Wiley",
        "2003",
    ),
    "a year, a name behind a comma": (
        f"{TURNED} (2003). On engines, Notes of a life",
        TURNED,
        "Notes of a life",
        "2003",
    ),
    "a bare year": (f"{TURNED} 2003. On engines. Notes 3: 4–9.", TURNED, "Notes 3: 4–9", "2003"),
    "a bare year and a colon": (f"{TURNED} 2003a: On engines. Notes 3: 4–9.", TURNED, "Notes 3: 4–9", "2003"),
    "a bare year between commas": (f"{TURNED}, 2003, On engines, Notes, 3, 4.", TURNED, "Notes, 3, 4", "2003"),
    # semicolons
    "ACS": ("Byron, A.; Knuth, D. On engines. Notes 2003, 3, 4.", TURNED, "Notes 2003, 3, 4", ""),
    "AAAI": ("Byron, A.; and Knuth, D. 2003. On engines. In Notes.", TURNED, "In Notes", "2003"),
    "ACS, others": ("Byron, A.; et al. On engines. Notes 2003, 3, 4.", "Byron, A. and others", "Notes 2003, 3, 4", ""),
    "ACS, a particle behind": (
        "Gogh, V. van; Knuth, D. On engines. Notes 2003, 3, 4.",
        "Gogh, V. van and Knuth, D.",
        "Notes 2003, 3, 4",
        "",
    ),
    # colons
    "LNCS": ("Byron, A., Knuth, D.: On engines. Notes 12(3), 4–9 (2003)", TURNED, "Notes 12(3), 4–9 (2003)", ""),
    "Copernicus": (f"{TURNED}: On engines, Notes Hist., 27, 97, 2003.", TURNED, "Notes Hist., 27, 97, 2003", ""),
    "a year before a colon": ("A. Byron, D. Knuth (2003): On engines. In Notes.", TWO, "In Notes", "2003"),
    # italics
    "a title in italics": ("A. Byron, <On engines>, Notes 1 (2003).", "A. Byron", "Notes 1 (2003)", ""),
    "others in italics": ("A. Byron <et al.>, <On engines>, Notes 1.", "A. Byron and others", "Notes 1", ""),
    # sentences
    "plain": (f"{TWO}. On engines. Notes 3, 4, 2003.", TWO, "Notes 3, 4, 2003", ""),
    "plain, names in full": (
        "Ada Byron and Don Knuth. On engines. In Notes.",
        "Ada Byron and Don Knuth",
        "In Notes",
        "",
    ),
    "plain, others": ("A. Byron et al. On engines. In Notes.", "A. Byron and others", "In Notes", ""),
    "plain, a small title": (
        "Ada Byron and Don Knuth. engines: a tale. Notes 3, 4.",
        "Ada Byron and Don Knuth",
        "Notes 3, 4",
        "",
    ),
    "ICML": ("Byron, A. and Knuth, D. On engines. In Notes, 2003.", TURNED, "In Notes, 2003", ""),
    "ICML, three": (
        "Byron, A., Roe, V., and Knuth, D. On engines. In Notes.",
        "Byron, A. and Roe, V. and Knuth, D.",
        "In Notes",
        "",
    ),
    "Vancouver": ("Byron A, Knuth D. On engines. Notes. 2003;12(3):4-5.", TURNED, "Notes. 2003;12(3):4-5", ""),
    "Vancouver, one person": ("Byron A. On engines. Notes. 2003;12:4-5.", "Byron, A.", "Notes. 2003;12:4-5", ""),
    "Vancouver, two initials": ("Byron AB. On engines. Notes. 2003;12:4-5.", "Byron, A. B.", "Notes. 2003;12:4-5", ""),
    "Vancouver, a book": ("Byron A. On engines. London: Wiley; 2003.", "Byron, A.", "London: Wiley; 2003", ""),
    "AMA, names in full": (
        "Ada P. Byron, Don Knuth. On engines. Notes. 2003;1:4.",
        "Ada P. Byron and Don Knuth",
        "Notes. 2003;1:4",
        "",
    ),
    "a name before an initial": ("John P. Knuth. On engines. Notes. 2003;3:4.", "John P. Knuth", "Notes. 2003;3:4", ""),
    "names in capitals": (
        "BYRON, Ada et KNUTH, Don D. On engines. Notes, 2003, 3.",
        "BYRON, Ada and KNUTH, Don D.",
        "Notes, 2003, 3",
        "",
    ),
    # commas
    "Elsevier": ("A. Byron, D. Knuth, On engines, Notes 12 (2003) 4.", TWO, "Notes 12 (2003) 4", ""),
    "Elsevier, a chapter": ("A. Byron, D. Knuth, On engines, in: Notes, Wiley.", TWO, "in: Notes, Wiley", ""),
    "Elsevier, others": (
        "A. Byron, D. Knuth, et al., On engines, Notes 12 (2003) 4.",
        f"{TWO} and others",
        "Notes 12 (2003) 4",
        "",
    ),
    "Elsevier, a collaboration": (
        "CMS Collaboration, G. Roe, et al., On engines, Notes 12 (2003) 4.",
        "{CMS Collaboration} and G. Roe and others",
        "Notes 12 (2003) 4",
        "",
    ),
    "Elsevier, a journal in italics": (f"{TWO}, On engines <Notes> *12*, 34.", TWO, "Notes 12, 34", ""),
    "Elsevier, a journal cut short": (f"{TWO}, On engines, Phys. Rev. B 59, 12.", TWO, "Phys. Rev. B 59, 12", ""),
    "Elsevier, a sentence": (f"{TWO}, On engines. Notes 12, 34 (1984)", TWO, "Notes 12, 34 (1984)", ""),
    "Elsevier, a quoted journal": (f"{TWO}, On engines, „Memoirs” 13, nr 1", TWO, "„Memoirs” 13, nr 1", ""),
    "Elsevier, a date alone": (f"{TWO}, On engines (2003).", TWO, "(2003)", ""),
    "Elsevier, a year in brackets": (f"{TWO}, On engines, Notes, (1983).", TWO, "Notes, (1983)", ""),
    "Elsevier, a thesis": (f"{TWO}, On engines, PhD thesis, Oxford (2003).", TWO, "PhD thesis, Oxford (2003)", ""),
    "Elsevier, a report": (f"{TWO}, On engines, Tech. Rep. 12, CERN.", TWO, "Tech. Rep. 12, CERN", ""),
    "Elsevier, a preprint": (f"{TWO}, On engines, arXiv:2101.00001 (2021).", TWO, "arXiv:2101.00001 (2021)", ""),
    "Elsevier, a publisher in brackets": (
        f"{TWO}, On engines (Wiley, London, 1843).",
        TWO,
        "(Wiley, London, 1843)",
        "",
    ),
    "Elsevier, a publisher": (f"{TWO}, On engines, Berlin: Springer, 2003.", TWO, "Berlin: Springer, 2003", ""),
    "initials behind the last name": (
        "A.A. Byron, L.P. Knuth, and Roe I.E., On engines, Notes 3, 12 (1963).",
        "A.A. Byron and L.P. Knuth and Roe, I.E.",
        "Notes 3, 12 (1963)",
        "",
    ),
    "given names in brackets": (
        "Byron (Ada), Knuth (Don), On engines, Notes 3.",
        "Byron, Ada and Knuth, Don",
        "Notes 3",
        "",
    ),
    # turned names, and a comma before the title
    "turned names before a digit": (
        "Byron, A., Knuth, D., 3 engines, Notes 12 (2003) 4.",
        TURNED,
        "Notes 12 (2003) 4",
        "",
    ),
    "three turned names that words join": (
        "Byron, A. and Knuth, D. and Roe, V., 3 engines, Notes 12 (2003) 4.",
        f"{TURNED} and Roe, V.",
        "Notes 12 (2003) 4",
        "",
    ),
    "three turned names that signs join": (
        "Byron, A. & Knuth, D. & Roe, V., 3 engines, Notes 12 (2003) 4.",
        f"{TURNED} and Roe, V.",
        "Notes 12 (2003) 4",
        "",
    ),
    "turned names that a word joins": (f"{TURNED}, 3 engines, Notes 12 (2003) 4.", TURNED, "Notes 12 (2003) 4", ""),
    "turned names and others": (
        "Byron, A., Knuth, D., et al., 3 engines, Notes 12 (2003) 4.",
        f"{TURNED} and others",
        "Notes 12 (2003) 4",
        "",
    ),
    "Jr.": (
        "A. Byron, D. Knuth, Jr., On engines, Notes 12 (2003) 4.",
        "A. Byron and Knuth, Jr, D.",
        "Notes 12 (2003) 4",
        "",
    ),
    "one turned name with an initial": (
        "Byron, Ada K. On engines. In Notes, 2003.",
        "Byron, Ada K.",
        "In Notes, 2003",
        "",
    ),
    "a particle before it": ("van Gogh, Ada K. L. On engines. In Notes.", "van Gogh, Ada K. L.", "In Notes", ""),
    # books of chemists
    "ACS, a book": ("Byron, A.; Knuth, D. On engines; Wiley: London, 2003.", TURNED, "Wiley: London, 2003", ""),
    "ACS, a series": (
        "Byron, A.; Knuth, D. On engines; Lectures; Wiley, 2003; pp 3–9.",
        TURNED,
        "Lectures; Wiley, 2003; pp 3–9",
        "",
    ),
    # “in”, and signs that end a sentence
    "a sentence and “In”": (f"{TWO}, On engines. In Memoirs, Wiley.", TWO, "In Memoirs, Wiley", ""),
    "“in” and proceedings": (
        f"{TWO}, On engines in Proceedings of Notes, Wiley.",
        TWO,
        "in Proceedings of Notes, Wiley",
        "",
    ),
    "“in the” and proceedings": (
        f"{TWO}, On engines, in the Proceedings of Notes.",
        TWO,
        "in the Proceedings of Notes",
        "",
    ),
    "“dans”": (f"{TWO}, On engines, dans Memoirs, Wiley.", TWO, "dans Memoirs, Wiley", ""),
    "a stop within italics": (f"{TWO} (2003). <On engines.> Wiley.", TWO, "Wiley", "2003"),
    "no stop behind italics": (f"{TWO} (2003). <On engines> Wiley.", TWO, "Wiley", "2003"),
    "a journal in italics": (f"{TWO} (2003). On engines. <Memoirs>, 12, 3.", TWO, "Memoirs, 12, 3", "2003"),
    "a block behind a year": (f"{TWO} (2003). On engines | Memoirs 3.", TWO, "Memoirs 3", "2003"),
    "a block before the title": (f"{TWO} (2003). | On engines. | Memoirs 3.", TWO, "Memoirs 3", "2003"),
    "a publisher": (f"{TWO}, On engines, Springer, 2003.", TWO, "Springer, 2003", ""),
    # where names end
    "two people with initials behind": (
        "Smith JR, Byron A. On engines. Notes. 2003;3:4.",
        "Smith, J. R. and Byron, A.",
        "Notes. 2003;3:4",
        "",
    ),
    "a small letter behind &": (
        "Ada Byron & Don Knuth. engines: a tale. Notes 3(4).",
        "Ada Byron and Don Knuth",
        "Notes 3(4)",
        "",
    ),
    "three with initials": (
        "A. Byron, D. Knuth, V. Roe. On engines. In Notes.",
        "A. Byron and D. Knuth and V. Roe",
        "In Notes",
        "",
    ),
    "and others": ("A. Byron, D. Knuth, and others. On engines. In Notes.", f"{TWO} and others", "In Notes", ""),
    "the first alone turned": ("Byron, A., V. Roe. On engines. In Notes.", "Byron, A. and V. Roe", "In Notes", ""),
    "a family name and others": (
        "Byron, A., Knuth, D. and Roe et al. On engines. In Notes.",
        f"{TURNED} and {{Roe}} and others",
        "In Notes",
        "",
    ),
    "a colon behind names in full": ("Ada Byron: On engines. In Notes.", "Ada Byron", "In Notes", ""),
    "a colon behind turned names": (
        "Byron, Ada; Knuth, Don: On engines. In Notes.",
        "Byron, Ada and Knuth, Don",
        "In Notes",
        "",
    ),
    # where it appeared
    "proceedings with a long name": (
        f"{TURNED} (2003). On engines. Proceedings of the Third Conference on Engines and All of Their Notes, 3.",
        TURNED,
        "Proceedings of the Third Conference on Engines and All of Their Notes, 3",
        "2003",
    ),
    "a journal by its name": (
        f"{TURNED} (2003). On engines. Journal of Engines, 3.",
        TURNED,
        "Journal of Engines, 3",
        "2003",
    ),
    "a journal cut short behind a comma": (
        f"{TURNED} (2003). On engines, Phys. Rev. B 59, 12. Notes.",
        TURNED,
        "Phys. Rev. B 59, 12. Notes",
        "2003",
    ),
    "a publisher by the word “IEEE”": (f"{TURNED} (2003). On engines. IEEE Trans. 3.", TURNED, "IEEE Trans. 3", "2003"),
    "two people in a label": (f"Byron and Knuth 2003 {TURNED} On engines. In Notes.", TURNED, "In Notes", "2003"),
    "dashes before a comma": ("--, On engines. In Notes, 2003.", "", "In Notes, 2003", ""),
    "dashes, a colon behind the year": ("___. (2003b): On engines. In Notes.", "", "In Notes", "2003"),
    # what stands before the people
    "a label": (f"Byron 2008a {TURNED} On engines. Notes 3(4), 5.", TURNED, "Notes 3(4), 5", "2008"),
    "a label, and the year again": (f"Byron 2008 {TURNED} (2003). On engines. In Notes.", TURNED, "In Notes", "2003"),
    "dashes": ("———. (2003a). On engines. Notes, 3(1).", "", "Notes, 3(1)", "2003"),
    "dashes, a book in italics": ("---. <On engines>. Wiley, 2003.", "", "Wiley, 2003", ""),
}


def titled(text):
    return next((it for it in ("engines: a tale", "3 engines") if it in text), "On engines")


@pytest.mark.parametrize(("text", "people", "rest", "year"), SURE.values(), ids=SURE)
def test_a_form_with_signs_at_both_ends_of_the_title(text, people, rest, year):
    assert parts(text) == (people, titled(text), rest, year)
    assert forms.part_reference(marked(text)).sure


# What looks like a title may be more or less of it: it is looked for, and nobody is accused of it.
UNSURE = {
    "a stop within GB/T 7714": (
        "Byron A. On engines. A tale[M]. London.",
        "Byron, A.",
        "On engines. A tale",
        "London",
        "",
    ),
    "GOST, nobody": ("On engines // Notes. 2003.", "", "On engines", "Notes. 2003", ""),
    "dashes": ("———. On engines. Notes, 2003.", "", "On engines", "Notes, 2003", ""),
    "a sentence may go on": (f"{TURNED} (2003). On engines. A tale", TURNED, "On engines", "A tale", "2003"),
    "a title alone": (f"{TURNED} (2003). On engines", TURNED, "On engines", "", "2003"),
    "two sentences": (
        f"{TURNED} (2003). Do engines think? A diary of their lives. Memoirs of Notes 3(4), 5.",
        TURNED,
        "Do engines think? A diary of their lives",
        "Memoirs of Notes 3(4), 5",
        "2003",
    ),
    "two sentences before no place": (
        f"{TURNED} (2003). Do engines think at all? A diary of their lives. And more of it",
        TURNED,
        "Do engines think at all?",
        "A diary of their lives. And more of it",
        "2003",
    ),
    "a name of few words behind the first": (
        f"{TURNED} (2003). Do engines think. The long notes. Series B 3(4), 5.",
        TURNED,
        "Do engines think",
        "The long notes. Series B 3(4), 5",
        "2003",
    ),
    "a question before a comma": (
        f"{TWO}, Not bust! Why they are none, The British Notes 58 (2007) 709.",
        TWO,
        "Not bust! Why they are none",
        "The British Notes 58 (2007) 709",
        "",
    ),
    "several commas": (
        f"{TWO}, On engines, their history, Notes 12 (2003).",
        TWO,
        "On engines, their history",
        "Notes 12 (2003)",
        "",
    ),
    "a series": (
        f"{TWO}, On engines, Lectures (Wiley, London, 1843).",
        TWO,
        "On engines, Lectures",
        "(Wiley, London, 1843)",
        "",
    ),
    "a small letter behind the comma": (
        f"{TWO}, On engines, and notes 12 (1983).",
        TWO,
        "On engines",
        "and notes 12 (1983)",
        "",
    ),
    "brackets around a comma": (
        f"{TURNED} (2003). On engines [Thesis, University of Notes, Irvine].",
        TURNED,
        "On engines [Thesis, University of Notes, Irvine]",
        "",
        "2003",
    ),
    "a year of a title in brackets": (
        f"{TWO}, A reply (Doe, & Coe, 1999), Notes 45 (2014) 199.",
        TWO,
        "A reply (Doe, & Coe, 1999)",
        "Notes 45 (2014) 199",
        "",
    ),
    "a colon behind an organisation": ("World Bank: On engines. Paris.", "", "On engines", "Paris", ""),
    "an organisation": ("Institute of Engines. Their notes. Accessed 2003.", "", "Their notes", "Accessed 2003", ""),
    "an organisation of one word": (
        "Engines. On their notes. Accessed 2003.",
        "",
        "On their notes",
        "Accessed 2003",
        "",
    ),
    "a book of nobody": ("On engines and notes. Wiley, 2003.", "", "On engines and notes", "Wiley, 2003", ""),
    "a book of nobody, a town": (
        "On engines and notes. London: Wiley, Nov. 2003.",
        "",
        "On engines and notes",
        "London: Wiley, Nov. 2003",
        "",
    ),
    "a book of nobody, an edition": (
        "On engines and notes. 2nd ed., Wiley, 2003. Print.",
        "",
        "On engines and notes",
        "2nd ed., Wiley, 2003. Print",
        "",
    ),
    "a book of nobody, a year": (
        "On engines and notes. (2003). Wiley.",
        "",
        "On engines and notes",
        "(2003). Wiley",
        "2003",
    ),
    "a title and a year": ("On engines and notes. 2003.", "", "On engines and notes", "2003", ""),
    "a title like an organisation": ("Bank of England. Wiley, 2003.", "", "Bank of England", "Wiley, 2003", ""),
    "an organisation, a year": ("Bank of England. (2003). Their notes. Paris.", "", "Their notes", "Paris", "2003"),
    "a title like a name": ("Lucid Lamas. Aardvark Press, 1971.", "", "Lucid Lamas", "Aardvark Press, 1971", ""),
    "a name, and a press": ("Byron, Ada. Aardvark Press, 1971.", "Byron, Ada", "Aardvark Press, 1971", "", ""),
    "a family name alone": (
        "A. Byron, Knuth, On engines, Notes 12 (2003).",
        "A. Byron",
        "Knuth, On engines",
        "Notes 12 (2003)",
        "",
    ),
    "a stop before a semicolon": (
        "Byron, A.; Knuth, D. On engines. A tale; Wiley: London, 2003.",
        TURNED,
        "On engines",
        "A tale; Wiley: London, 2003",
        "",
    ),
    "words behind a semicolon": (
        "Byron, A.; Knuth, D. On engines; or the notes, 2003.",
        TURNED,
        "On engines; or the notes, 2003",
        "",
        "",
    ),
    "an institution before a semicolon": (
        "Byron, A.; Knuth, D. On engines, Keele University; Durham University, 2007.",
        TURNED,
        "On engines, Keele University",
        "Durham University, 2007",
        "",
    ),
    "a bracket that is never closed": (
        f"{TWO}. On engines (1. Notes. In Memoirs, 2003.",
        TWO,
        "On engines (1",
        "Notes. In Memoirs, 2003",
        "",
    ),
    "a house before its town": (
        f"{TWO}, On engines, their notes, Springer: Berlin, 2003.",
        TWO,
        "On engines, their notes",
        "Springer: Berlin, 2003",
        "",
    ),
    "commas alone": (f"{TWO}, On engines of Rome, 2003", TWO, "On engines of Rome, 2003", "", ""),
    "one person before a colon": ("Byron, A.: On engines and notes", "Byron, A.", "On engines and notes", "", ""),
    "one name before a colon": ("Plato: On engines. Athens.", "", "On engines", "Athens", ""),
    "a question, a comma and a volume": (
        f"{TWO}. Do engines think? Why not, Memoirs 3(4), 5.",
        TWO,
        "Do engines think?",
        "Why not, Memoirs 3(4), 5",
        "",
    ),
    "an office and a town": (
        "The Bank of Rome, On engines, London (May 2021).",
        "{The Bank of Rome}",
        "On engines",
        "London (May 2021)",
        "",
    ),
    "no volume behind a venue": (
        f"{TURNED} (2003). On engines. Journal of Engines",
        TURNED,
        "On engines",
        "Journal of Engines",
        "2003",
    ),
    "a long sentence with the words of a venue": (
        f"{TURNED} (2003). On engines. The sentence of a long title which names a journal of all works in it, 3.",
        TURNED,
        "On engines",
        "The sentence of a long title which names a journal of all works in it, 3",
        "2003",
    ),
    "a small letter behind a comma": (f"{TURNED} (2003). On engines, notes.", TURNED, "On engines, notes", "", "2003"),
    "a small letter and a volume": (
        f"{TURNED} (2003). On engines, notes 12, 3–4.",
        TURNED,
        "On engines",
        "notes 12, 3–4",
        "2003",
    ),
    "two words behind a question": (
        f"{TURNED} (2003). Do engines? The notes. Memoirs 3(4), 5.",
        TURNED,
        "Do engines?",
        "The notes. Memoirs 3(4), 5",
        "2003",
    ),
    "three words behind a question": (
        f"{TURNED} (2003). Do engines? The notes of. Memoirs 3(4), 5.",
        TURNED,
        "Do engines? The notes of",
        "Memoirs 3(4), 5",
        "2003",
    ),
    "a number behind two sentences": (
        f"{TURNED} (2003). On engines. The notes of all the works. 3 Memoirs 3(4), 5.",
        TURNED,
        "On engines",
        "The notes of all the works. 3 Memoirs 3(4), 5",
        "2003",
    ),
    "brackets before a title": (
        f"{TWO}. [Online] engines of it. In Notes.",
        TWO,
        "[Online] engines of it",
        "In Notes",
        "",
    ),
    "a joining sign before a title": (f"{TWO}. & engines of it. In Notes.", TWO, "& engines of it", "In Notes", ""),
    "an office": (
        "IEA, On engines, Tech. rep., Paris (Sep. 2021).",
        "{IEA}",
        "On engines",
        "Tech. rep., Paris (Sep. 2021)",
        "",
    ),
    "an office whose report has no place": (
        "IEA, On engines, Tech. rep. (Sep. 2021).",
        "{IEA}",
        "On engines",
        "Tech. rep. (Sep. 2021)",
        "",
    ),
    "an office with an article": (
        "The White House, On engines (Apr. 2021).",
        "{The White House}",
        "On engines",
        "(Apr. 2021)",
        "",
    ),
    "one name": ("Ada Byron. On engines. Notes, 2003. More.", "Ada Byron", "On engines", "Notes, 2003. More", ""),
    "one name and a date": ("Ada Byron. On engines, 2003.", "Ada Byron", "On engines, 2003", "", ""),
    "one name turned": ("Byron, Ada. On engines. Notes. 2003.", "Byron, Ada", "On engines", "Notes. 2003", ""),
    "one name, and a small title": ("Ada Byron. engines: a tale, 2003.", "Ada Byron", "engines: a tale, 2003", "", ""),
    "a page": ("Initial access. [Online]. Available", "", "Initial access", "[Online]. Available", ""),
    "people whom no sign parts": (
        "Byron Ada Knuth Donald et al Roe Vera 2003, 2003, « On engines », n° 5",
        "",
        "On engines",
        "n° 5",
        "2003",
    ),
}


@pytest.mark.parametrize(("text", "people", "title", "rest", "year"), UNSURE.values(), ids=UNSURE)
def test_a_form_in_which_the_title_may_end_elsewhere(text, people, title, rest, year):
    found = parts(text)
    assert (found[0] if people else "", *found[1:]) == (people, title, rest, year)
    assert not forms.part_reference(marked(text)).sure


NONE = {
    "a name alone": "A. Byron.",
    "words": "some small words “On engines” notes",
    "italics in words": "on engines <in the works> of it",
    "an address with slashes": "see http://example.org//notes",
    "people and a year": f"{TWO}. | 2003.",
    "a long organisation": "A very long name of an institute of all engines of it. On engines. Notes.",
    "a journal behind an organisation": "Institute of Engines. Journal of Engines. 2003.",
    "a label of another": "Byron 2003 Roe, V. and Knuth, D. On engines. In Notes.",
    "a label alone": "Byron 2003 Byron",
    "an office and a number": "IEA, On engines and notes, 3 (2021).",
    "nothing": "",
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_what_has_no_form_that_is_known(text):
    assert parts(text) == ()


@pytest.mark.parametrize(
    ("text", "title"),
    {
        "A. Byron. On the “engine”: a history. In Notes, 2003.": "On the “engine”: a history",
        "A. Byron. On the “engine” of notes. In Notes, 2003.": "On the “engine” of notes",
        "A. Byron. | <E. coli> in engines. | Notes 3.": "E. coli in engines",
        "A. Byron (2003). <E. coli> in engines. <Notes> 3.": "E. coli in engines",
        "A. Byron (2003). On <E. coli> in engines. <Notes> 3.": "On E. coli in engines",
        "A. Byron (2003). On engines Part II. Notes, 3, 4.": "On engines Part II",
        "A. Byron (2003). On engines, notes and more. Notes, 3, 4.": "On engines, notes and more",
        "A. Byron (2003). On engines of the U.S. Army. Notes, 3, 4.": "On engines of the U.S. Army",
        "A. Byron (2003). Engines vs. notes. Notes, 3, 4.": "Engines vs. notes",
        "A. Byron (2003). Engines of St. Ives. Notes, 3, 4.": "Engines of St. Ives",
        "A. Byron (2003). Engines by Byron et al. revisited. Notes, 3, 4.": "Engines by Byron et al. revisited",
        "A. Byron (2003). Engines in vol. 3. Notes, 3, 4.": "Engines in vol. 3",
        "A. Byron (2003). On E. coli. Notes, 3, 4.": "On E. coli",
        "A. Byron, Engines: a history, Notes 3, 4 (2003).": "Engines: a history",
        "A. Byron and D. Knuth, Engines. A tale of it. In Notes.": "Engines. A tale of it",
        "A. Byron and D. Knuth. On engines (1. Notes). In Memoirs, 2003.": "On engines (1. Notes)",
        "A. Byron and D. Knuth. On engines [1. Notes]. In Memoirs, 2003.": "On engines [1. Notes]",
        "A. Byron and D. Knuth. On engines of Nov. 1843. In Memoirs, 2003.": "On engines of Nov. 1843",
        "A. Byron and D. Knuth. On engines of May. In Memoirs, 2003.": "On engines of May",
        "A. Byron and D. Knuth. Do engines think? In Memoirs, 2003.": "Do engines think?",
        "A. Byron and D. Knuth. Do engines think? Memoirs 3(4), 5.": "Do engines think?",
        "A. Byron, D. Knuth, Do engines think? Memoirs 3(4), 5.": "Do engines think?",
        "A. Byron (2003). On <engines> and notes, <Memoirs>, 12, 3.": "On engines and notes",
        "A. Byron, GPU 3 engines, J. Notes 3, 12 (2012).": "GPU 3 engines",
    }.items(),
)
def test_signs_within_a_title_do_not_end_it(text, title):
    assert parts(text)[1] == title


JACS = ("J. Am. Chem. Soc", "130", "2008")
PLACES = {
    "behind semicolons": ("Byron, A.; Knuth, D. J. Am. Chem. Soc. 2008, 130, 16504.", TURNED, JACS),
    "behind two initials": (
        "Byron, A.; Knuth, D. E. J. Am. Chem. Soc. 2008, 130, 1.",
        "Byron, A. and Knuth, D. E.",
        JACS,
    ),
    "a journal by its own initial": (
        "Byron, A.; Knuth, D. Phys. Rev. B 2008, 130, 1.",
        TURNED,
        ("Phys. Rev. B", "130", "2008"),
    ),
    "in italics": ("Byron, A.; Knuth, D. <Nano Lett.> 2008, 130, 16", TURNED, ("Nano Lett", "130", "2008")),
    "behind a year": (f"{TURNED} 2003, MNRAS, 499, 3295", TURNED, ("MNRAS", "499", "")),
    "behind commas": (f"{TWO}, Phys. Rev. D 98, 083007 (2018).", TWO, ("Phys. Rev. D", "98", "2018")),
    "with a colon of its own": (
        "A. Byron, J. Phys.: Condens. Matter 21, 3 (2009).",
        "A. Byron",
        ("J. Phys.: Condens. Matter", "21", "2009"),
    ),
    "with its volume in bold": ("A. Byron, <Notes> *12*, 34 (2000).", "A. Byron", ("Notes", "12", "2000")),
    "without a page": (f"{TWO}, Phys. Rev. D 98 (2018).", TWO, ("Phys. Rev. D", "98", "")),
}


@pytest.mark.parametrize(("text", "people", "place"), PLACES.values(), ids=PLACES)
def test_a_place_in_the_stead_of_a_title(text, people, place):
    found = forms.part_reference(marked(text))
    assert (str(found.people), found.title, found.sure) == (people, "", False)
    assert (found.place.journal, found.place.volume, found.place.year) == place
    assert found.rest.strip(), "it can still be read as what follows a title"


@pytest.mark.parametrize(
    ("text", "is_sure"),
    {
        f"{TWO}. Do engines think? Memoirs, 3(4), 5.": True,
        f"{TWO}. Do engines think? Memoirs 3(4), 5.": True,
        f"{TWO}. Do engines think? Not at all, Memoirs 3(4), 5.": False,
        f"{TWO} (2003). <Memoirs of Engines> 12(1).": False,
        f"{TWO} (2003). <Memoirs of Engines>. Wiley.": True,
        f"{TWO}. Notes on R. In Memoirs, 2003.": True,
        f"{TWO}. Notes on R. JOSS. In Memoirs, 2003.": False,
        f"{TWO}. Rare sweeps. science. In Memoirs, 2003.": False,
        f"{TWO}. Notes (on engines. In Memoirs, 2003.": False,
        f"{TWO}, Engines of Rome, Notes 12 (2003) 4.": True,
        f"{TWO}, Engines of Rome, the notes, Notes 12 (2003) 4.": False,
    }.items(),
)
def test_whether_a_title_can_only_end_where_it_does(text, is_sure):
    assert forms.part_reference(marked(text)).sure is is_sure
