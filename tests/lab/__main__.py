"""`python tests/lab MEASUREMENT …` makes one of the measurements; each explains itself with `--help`."""

import sys
from importlib import import_module
from pathlib import Path

MEASUREMENTS = (
    "aligned",
    "answering",
    "bibliographies",
    "certainties",
    "claims",
    "corpus_nearness",
    "entries_and_corpus",
    "fitting",
    "masking",
    "nearness",
    "online_lists",
    "overhead",
    "printed_references",
    "printed_styles",
    "received_papers",
    "received_verdicts",
    "reference_labels",
    "report",
    "seeded_values",
    "small_corpora",
    "typed_words",
    "verification",
    "withheld",
)


def main() -> None:
    tests = Path(__file__).parent.parent
    sys.path[:1] = [str(tests), str(tests / "support")]  # where `lab` lies; its modules go by that name
    name = sys.argv[1] if sys.argv[1:] else ""
    if name not in MEASUREMENTS:
        sys.exit(f"usage: python tests/lab MEASUREMENT …, which is one of {', '.join(MEASUREMENTS)}")
    sys.argv[:2] = [f"python tests/lab {name}"]
    import_module(f"lab.{name}").main()


if __name__ == "__main__":
    main()
