"""What the labels of a reference's words add to the parts that a form told apart: a second reader beside the rules."""

from citelsp.bibliography.fold import bare_letters
from citelsp.bibliography.reference_reading import people, word_labels
from citelsp.bibliography.reference_reading.forms import ABOUT_ANOTHER, Parts
from citelsp.bibliography.reference_reading.marked import strip_signs
from citelsp.bibliography.reference_reading.word_labels import Span

# How likely a part must be to be taken if the form has none, and instead of what the form is unsure of; how likely the
# title on which both agree must be to be sure, and another one to put a sure title in doubt.  `tests/lab
# reference_labels` prints what others win and lose in styles that nothing was fitted on.
_FILLS, _REPLACES = 0.4, 0.8
_CONFIRMS, _CONTRADICTS = 0.95, 0.9
_AROUND_TITLES = " .,;:“”"


def complete(parts: Parts, text: str) -> Parts:
    """Return the parts of the reference `text`, with what its labels say where the form knows nothing or is unsure.

    People that the form did not find are taken, and a title that it did not find, or not surely, too; a title stays
    unsure then.  Where they are likely enough, a title on which both agree is sure, and one that the labels contradict
    is not.  Parts of a reference without a title (`place`) stay as they are.
    """
    if parts.place:
        return parts
    labelled = word_labels.read_labels(text)
    title_by_form = parts.title
    if labelled.title:
        parts = _weigh_title(parts, text, labelled.title)
    # A form that took other words for the title took people up to there: `Roe, J.` of `Roe, J. R & Byron, H 1965`.
    are_people_open = not parts.people.listed or parts.title != title_by_form
    if labelled.people and are_people_open and labelled.people.chance >= _FILLS:
        parts = _add_people(parts, text, labelled.people)
    return parts


def _add_people(parts: Parts, text: str, span: Span) -> Parts:
    """Return the parts with the people of the span, unless these words are the title's: `World Report of Engines`.

    One word alone may as well be a title, unless the labels are sure of it.  The people are sure if the labels are, and
    if all look like names.
    """
    with_stop = text[span.start : span.end + 1]  # which the last initial keeps: `Byron, A.`
    words = strip_signs(with_stop if with_stop.endswith(".") else span.text)
    listed = people.read(words)
    is_in_title = bare_letters(words) in bare_letters(strip_signs(parts.title))
    is_sure = span.chance >= _CONFIRMS
    if is_in_title or not listed.listed or (" " not in words and not is_sure):
        return parts
    return parts._replace(people=listed, are_people_sure=listed.sure and is_sure)


def _weigh_title(parts: Parts, text: str, title: Span) -> Parts:
    """Return the parts with the form's title or the labels' one, `title`, and whether that is sure.

    A title on which both agree becomes sure if it is likely enough.  Else a sure one of the form stays, but not as sure
    beside a likely one of the labels; an unsure one is replaced by a likely one, and beside one that is only fairly
    likely stays, with its people unsure, too.  If the form has none, a fairly likely one is taken.
    """
    words = strip_signs(title.text).strip(_AROUND_TITLES)
    before = text[: title.start].rstrip(_AROUND_TITLES)
    if not words or ABOUT_ANOTHER.search(before):  # `Erratum: “Engines”`
        return parts
    by_form = bare_letters(strip_signs(parts.title))
    if bare_letters(words) == by_form:
        return parts._replace(sure=parts.sure or title.chance >= _CONFIRMS)
    # Two titles: the form's stays if it is sure, though it may be put in doubt.
    if by_form and parts.sure:
        return parts._replace(sure=title.chance < _CONTRADICTS)
    if title.chance < _FILLS:
        return parts
    # `Roe, R., in 't Veld, D., Looms`: whoever doubts the title doubts its people.
    if by_form and title.chance < _REPLACES:
        return parts._replace(are_people_sure=False)
    return parts._replace(title=words, rest=text[title.end :], sure=False)
