"""The rules in words: what each says, by its name, and all of them as the policy prints them."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from citelsp.bibliography.tolerant_comparison import titles
from citelsp.bibliography.tolerant_comparison.joint_rules import PLACE_RULES, VENUE_RULES
from citelsp.bibliography.tolerant_comparison.people import is_a_broken_list, one_names_a_group
from citelsp.knowledge import Verdict
from citelsp.verification import binding, decide, differences, rules
from citelsp.verification.evidence import Binding
from citelsp.verification.excuses import fitness, identifier, unknown, venue

Rule = Callable[..., Any]
_BOUND: Mapping[Binding, str] = MappingProxyType(
    {
        "same": "The work",
        "reworded": "The work, if no source has it under its very title",
        "other people": "The title by other people, if no source has it by its own",
        "other": "Another work",
    }
)


def sentence(name: str) -> str:
    """Return what the rule of this name says, in one sentence; "" if there is no such rule (any more)."""
    rule = _named().get(name)
    return _words(rule).split(". ")[0].rstrip(".") if rule else ""


def with_sentences(verdict: Verdict) -> Verdict:
    """Return the verdict with a sentence for each of its rules."""
    return replace(verdict, rules=tuple(replace(it, sentence=sentence(it.rule)) for it in verdict.rules))


def page() -> str:
    """Write all rules as Markdown, under headings that say what they decide on."""
    return "\n\n".join(f"### {heading}\n\n{_listed(listed)}" for heading, listed in sections().items())


def sections() -> Mapping[str, Mapping[str, tuple[Rule, ...]]]:
    """Map each heading of the policy to its rules, by what they do ("Enough").

    Those that do the same stand in the order in which they are asked.  Where all rules under a heading do the same,
    they stand under "".
    """
    by_heading: dict[str, Mapping[str, tuple[Rule, ...]]] = {
        "A record is the work, or another one": {
            _BOUND[name]: tuple(it.holds for it in binding.RULES if it.binding == name) for name in _BOUND
        },
        "An identifier that leads elsewhere is not held against the entry": {
            "": identifier.EXCUSES,
            "Not certain": identifier.DOUBTS,
            "Not looked up": identifier.UNASKED,
        },
        "The whole reference, step by step": {"": decide.STEPS},
        "A field is wrong": {
            "Agrees nearly": (rules.is_near_enough,),
            "Enough": (rules.two_sources_say_so, rules.one_knows_this_very_version),
            "Not enough": (rules.no_second_source,),
            "With a wrong venue": (differences.belongs_to_the_wrong_venue,),
            "Says nothing": (differences.are_other_versions,),
        },
    }
    for field, field_rules in differences.RULES.items():
        # These have the rules of pages, under one heading.
        if field in ("volume", "number", "publisher"):
            continue
        heading = "Volume, number, pages and publisher" if field == "pages" else field.capitalize()
        by_heading[heading] = {
            "Says nothing": field_rules.silent,
            "Does not count": field_rules.weak,
            "Enough": tuple(proof.rule for proof in field_rules.proofs if proof.is_enough),
            "Not enough": tuple(proof.rule for proof in field_rules.proofs if not proof.is_enough),
        }
    # Venues are decided by a function of their own, `venue.decide`, and have no FieldRules.
    by_heading["Venue"] = {
        "Does not count": (venue.aggregators_make_up_series,),
        "Counts nevertheless": (venue.has_the_very_pages,),
        "Enough": (*venue.PROOFS, venue.two_indexes_know_the_preprint_alone, venue.its_registry_lacks_it),
    }
    by_heading["Not compared"] = {
        "": (
            one_names_a_group,
            is_a_broken_list,
            *VENUE_RULES,
            *rules.OPEN,
        )
    }
    by_heading["Compared loosely"] = {"": PLACE_RULES}
    by_heading["Titles that agree"] = {"Same": titles.SAME, "Nearly": titles.LOOSER}
    by_heading["A work that was not found: unchecked"] = {
        "": tuple(it.rule for it in (*unknown.UNANSWERED, *fitness.UNJUDGED, *unknown.UNHEARD, *unknown.UNSETTLED))
    }
    by_heading["A work that was not found: unconfirmed"] = {
        "": tuple(it.rule for it in (*fitness.DOUBTFUL, *unknown.UNCOVERED))
    }
    return by_heading


def _listed(groups: Mapping[str, tuple[Rule, ...]]) -> str:
    return "\n".join(line for effect, found in groups.items() for line in _lines(effect, found))


def _lines(effect: str, found: tuple[Rule, ...]) -> Iterator[str]:
    for rule in found:
        yield f"- {f'*{effect}:* ' if effect else ''}{_words(rule)} (`{rule.__name__}`)"


def _words(rule: Rule) -> str:
    return " ".join((inspect.getdoc(rule) or "").split())


@cache
def _named() -> Mapping[str, Rule]:
    every = (rule for groups in sections().values() for found in groups.values() for rule in found)
    return {rule.__name__: rule for rule in every}
