"""How citelsp came to a verdict: who was asked, what was taken for the work, and field by field which rule spoke."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from citelsp.base.text import enumerate_names, write_count
from citelsp.bibliography.identifiers import CALLED
from citelsp.bibliography.record import Record
from citelsp.bibliography.write_entry import format_work
from citelsp.checks.verdicts import name_services, title, who_lacks
from citelsp.knowledge import Effect, Ruling, Traced, Verdict

_NEAR = "is_near_enough"  # a rule whose sentence says no more than “nearly”
_UNREPORTED = ("not compared", "excuses", "weakens", "is not enough")  # effects of rules that speak against a report
_IDENTIFYING = ("title", "authors", "year", "venue")  # fields that say what work it is
_ENDS = {
    "verified": "it is verified",
    "mismatch": "it is not as recorded",
    "conflict": "its identifier is wrong",
    "not-found": "it is not found",
    "unconfirmed": "it is unconfirmed",
    "retracted": "it is retracted",
    "unchecked": "it is unchecked",
}


def story(verdict: Verdict) -> list[str]:
    """Sentences in the order in which things happened."""
    return [
        *_tell_asked(verdict),
        *tell_identifiers(verdict),
        *_tell_record(verdict),
        *_tell_fields(verdict),
        _tell_end(verdict),
    ]


def tell_unreported(verdict: Verdict) -> list[str]:
    """What some source says against the entry and is not reported, with the reason; a sentence for each reason.

    Fields on which another source agrees or that are reported are left out, and so is the work as a whole.
    """
    settled = {ruling.subject for ruling in verdict.rules if ruling.effect in ("agrees", "reports", "decides")}
    excluded = {*settled, "work"}
    silent = [it for it in verdict.rules if it.effect in _UNREPORTED and it.subject not in excluded]
    return [_tell_silence(group) for group in _group_alike(silent)]


def tell_uncompared(verdict: Verdict) -> str:
    """Which of the fields that say what work it is were compared with nothing, as a sentence; "" if all were."""
    open_fields = [ruling.subject for ruling in verdict.rules if ruling.effect == "leaves open"]
    identifying = [subject for subject in open_fields if subject in _IDENTIFYING]
    return f"Not compared: {enumerate_names(identifying)}." if identifying else ""


def _tell_asked(verdict: Verdict) -> Iterator[str]:
    """Yield sentences on the services that answered all questions, those that answered some, and those that none."""
    whole = tuple(it for it in verdict.asked if it not in verdict.unavailable)
    partly = tuple(it for it in verdict.asked if it in verdict.unavailable)
    silent = tuple(it for it in verdict.unavailable if it not in verdict.asked)
    if whole:
        yield f"Asked {verdict.date}: {name_services(whole)} answered."
    if partly:
        yield f"Asked {verdict.date}: {name_services(partly)} did not answer every question."
    if silent:
        yield f"No answer from {name_services(silent)}."
    if not (verdict.asked or verdict.unavailable):
        yield "No service was asked."


def tell_identifiers(verdict: Verdict) -> Iterator[str]:
    """Where each identifier leads; services that say the same of one in one sentence."""
    groups: dict[tuple[str, str], list[Traced]] = {}
    for traced in verdict.traced:
        groups.setdefault((traced.name, traced.leads), []).append(traced)
    for group in groups.values():
        yield _tell_where_led(verdict, group[0], name_services(tuple(dict.fromkeys(it.source for it in group))))


def _tell_where_led(verdict: Verdict, traced: Traced, who: str) -> str:
    """Where one identifier leads, according to `who`, in a sentence."""
    identifier = f"The {CALLED[traced.name]} {traced.value}"
    if traced.leads == "nowhere":  # by the word of its registrar, whom `who_lacks` names
        return f"{identifier} does not exist: {who_lacks(traced)}."
    if traced.leads == "here":
        return f"{identifier} leads to the work according to {who}."
    other = f": {format_work(traced.record).rstrip('.')}" if traced.record else ""
    return f"{identifier} leads to {verdict.call_other(traced)} according to {who}{other}."


def _tell_record(verdict: Verdict) -> Iterator[str]:
    """Yield sentences on the record taken for the work, or else on the nearest one, with the rules that decided it.

    A rule that decided it “binds” the record to the entry or “keeps apart” the two.  None if no service was asked.  If
    no service has the work, the last sentence says how many works of the journal's year a registry has, if that was
    counted.
    """
    if verdict.record:
        yield f"Taken for the work: {format_work(verdict.record)}"
        yield from _own_identifiers(verdict, verdict.record)
        if len(verdict.record.years) > 1:
            yield f"It is dated {enumerate_names(map(str, sorted(verdict.record.years)))}."
        for ruling in _select_by_effect(verdict, "binds"):
            yield f"{name_services(ruling.sources)}: {ruling.sentence}."
    elif verdict.asked:
        yield "No record that came back is this work."
        if verdict.alternatives:
            yield f"The nearest one: {format_work(verdict.alternatives[0])}"
            for ruling in _select_by_effect(verdict, "keeps apart"):
                yield f"It is not taken for the work: {_fit_behind_colon(ruling.sentence)}."
    holding = verdict.holding
    if holding:
        works = write_count(holding.count, "work") if holding.count else "no works"
        service = name_services((holding.service,))
        yield f"{service} has {works} of {holding.year} from {holding.title.rstrip('.')}."


def _own_identifiers(verdict: Verdict, record: Record) -> Iterator[str]:
    """Yield the work's own identifier for each of the entry's that leads elsewhere or nowhere: `Its DOI is 10.…`."""
    astray = [traced.name for traced in verdict.traced if traced.leads != "here"]
    for name in dict.fromkeys(astray):
        value = getattr(record.identifiers, name)
        if value:
            yield f"Its {CALLED[name]} is {value}."


def _tell_fields(verdict: Verdict) -> Iterator[str]:
    """Yield a sentence on each field that rules judged, one for all fields with the same ruling; then on the work.

    A ruling is what a rule of verification said of one subject: a field, the identifier, or the work.  Its effect tells
    what came of that: a difference may be reported, left open, or excused.
    """
    reported = {difference.field for difference in verdict.differences}
    rulings = [ruling for ruling in verdict.rules if ruling.subject != "work"]  # of a field or the identifier
    for group in _group_alike(rulings):
        ruling = group[0]
        if ruling.subject == "identifier":
            yield _tell_of_identifier(ruling)
        else:
            is_reported = any(it.subject in reported for it in group)
            described = _describe(ruling, _name_sources(group, rulings), is_reported=is_reported)
            yield f"{_name_subjects(group).capitalize()}: {described}"
    for ruling in _select_by_effect(verdict, "excuses"):
        if ruling.subject == "work":
            yield f"{ruling.sentence}."


def _tell_of_identifier(ruling: Ruling) -> str:
    """Say that an entry's identifier was not looked up, or that it leads astray and why that does not count."""
    if ruling.effect == "leaves open":
        return f"{ruling.sentence}."
    # The only other effect that such a rule has is “excuses”.
    leads = f"According to {name_services(ruling.sources)}, the identifier does not lead to this work"
    return f"{leads}, which is not held against the entry. {ruling.sentence}."


def _group_alike(rulings: Iterable[Ruling]) -> list[list[Ruling]]:
    """Rulings that say the same of several fields, together."""
    groups: dict[Ruling, list[Ruling]] = {}
    for ruling in rulings:
        groups.setdefault(replace(ruling, subject=""), []).append(ruling)
    return list(groups.values())


def _name_subjects(group: Sequence[Ruling]) -> str:
    """`title, authors and year`."""
    return enumerate_names(it.subject for it in group)


def _select_by_effect(verdict: Verdict, effect: Effect) -> list[Ruling]:
    return [it for it in verdict.rules if it.effect == effect]


def _name_sources(group: Sequence[Ruling], rulings: Iterable[Ruling]) -> str:
    """Name the sources of a group of alike rulings: `Crossref and another record of DBLP`; "" if it has none.

    A source has several records if this group says that it does not count, while another ruling on these fields counts
    it: then “another record of” it is meant here.  `rulings` are all of the verdict, but for those on the whole work.
    """
    subjects = {ruling.subject for ruling in group}
    counting: set[str] = set()
    for ruling in rulings:
        if ruling.subject in subjects and ruling.effect in ("agrees", "reports"):
            counting.update(ruling.sources)
    does_not_count = group[0].effect in _UNREPORTED
    names = []
    for source in group[0].sources:
        is_other_record = does_not_count and source in counting
        names.append(f"another record of {title(source)}" if is_other_record else title(source))
    return enumerate_names(names) if names else ""


def _describe(ruling: Ruling, who: str, *, is_reported: bool) -> str:
    """Say what a ruling says of a field: the rest of a line that begins with the field's name.

    `who`: the ruling's sources, in words.  `is_reported`: whether the verdict reports the field.  Sources may differ
    enough, and the verdict yet report nothing: then the last line of the story says why.
    """
    sentence = ruling.sentence
    is_one = len(ruling.sources) == 1
    agree = "agrees" if is_one else "agree"
    differ = "differs" if is_one else "differ"
    say = "says" if is_one else "say"
    match ruling.effect:
        case "agrees" if not ruling.rule:  # plain agreement needs no rule
            return f"{who} {agree}."
        case "agrees" if ruling.rule == _NEAR:
            return f"{who} nearly {agree}."
        case "agrees":
            return f"{who} nearly {agree}. {sentence}."
        case "leaves open":
            return f"not compared. {sentence}."
        case "not compared":
            return f"what {who} {say} does not count against the entry. {sentence}."
        case "excuses":
            return f"{who} {differ}, which does not count. {sentence}."
        case "weakens":
            return f"the word of {who} does not count. {sentence}."
        case "is not enough":
            return f"not reported, though {who} {differ}. {sentence}."
        case _ if is_reported:  # “reports”: the effects that are left are of the work as a whole
            return f"reported, as {who} {differ}. {sentence}."
        case _:
            return f"{who} {differ}. {sentence}. Not reported, for the reason below."


def _fit_behind_colon(sentence: str) -> str:
    """The sentence as it stands behind a colon."""
    return sentence[:1].lower() + sentence[1:]


def _tell_silence(group: Sequence[Ruling]) -> str:
    """`Not reported: year (DBLP). …`: which fields of whom are passed over, and why."""
    ruling = group[0]
    head = "Does not count" if ruling.effect == "not compared" else "Not reported"
    return f"{head}: {_name_subjects(group)}{_say_by_whom(ruling)}. {ruling.sentence}."


def _say_by_whom(ruling: Ruling) -> str:
    return f" ({name_services(ruling.sources)})" if ruling.sources else ""


def _tell_end(verdict: Verdict) -> str:
    """What it came to, why, and the step that decided it, unless an excuse of the work was told in its place."""
    reason = f": {verdict.reason}" if verdict.reason else ""
    if ": " in verdict.reason:  # as in `DBLP: 429 Too Many Requests`
        reason = f" ({verdict.reason})"
    end = f"So {_ENDS[verdict.kind]}{reason}."
    is_excused = any(ruling.subject == "work" for ruling in _select_by_effect(verdict, "excuses"))
    if is_excused:
        return end
    deciding = [ruling.sentence for ruling in _select_by_effect(verdict, "decides") if ruling.sentence]
    return " ".join([end, *(f"{sentence}." for sentence in deciding)])
