"""OpenAlex's snapshot: what is read of it, what is left out, and that a second run adds nothing."""

import gzip
import json

import pytest

from citelsp.cli import main
from citelsp.corpus import openalex_snapshot
from citelsp.corpus.index import Corpus
from citelsp.corpus.openalex_snapshot import Selection
from imitated_opensearch import Index, serving


def line(number, **more):
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.1234/{number}",
        "title": f"Glaciers of valley {number}",
        "publication_year": 2000 + number % 20,
        "publication_date": f"{2000 + number % 20}-03-01",
        "language": "en" if number % 2 else "de",
        "authorships": [{"author": {"display_name": "Ada Lovelace"}}, {"author": {"display_name": None}}],
        "concepts": [{"id": "https://openalex.org/C1", "display_name": "Glaciology"}] if number % 3 else [],
        "abstract_inverted_index": {"Ice": [0], "flows": [1, 3], "and": [2]},
        "referenced_works": [f"https://openalex.org/W{number + 1}", "https://openalex.org/W900"],
    } | more


@pytest.fixture
def folder(tmp_path):
    """Forty works in two partitions; W7 was merged into W8, W9 deleted, and W900 is W8 too."""
    base = tmp_path / "openalex" / "data"
    for day, numbers in (("2024-01-01", range(1, 21)), ("2024-02-01", range(21, 41))):
        part = base / "works" / f"updated_date={day}" / "part_000.gz"
        part.parent.mkdir(parents=True)
        lines = [json.dumps(line(it)) for it in numbers]
        if day == "2024-02-01":
            lines += [
                json.dumps(line(5, title="A newer title of the fifth")),
                "{broken",
                json.dumps(line(41, title=None)),
            ]
        part.write_bytes(gzip.compress("\n".join(lines).encode()))
    merged = base / "merged_ids" / "works" / "2024-02-01.csv.gz"
    merged.parent.mkdir(parents=True)
    rows = ("W7,W8", "W9,W4285719527", "W900,W901", "W901,W8")
    text = "merge_date,id,merge_into_id\n" + "".join(f"2024-02-01,{it}\n" for it in rows)
    merged.write_bytes(gzip.compress(text.encode()))
    return tmp_path / "openalex"


def read(folder, **selection):
    problems = []
    merged = openalex_snapshot.merged_ids(folder, problems.append)
    return {
        it.id: it for it in openalex_snapshot.works(folder, Selection(**selection), merged, problems.append)
    }, problems


def test_works_are_read_with_abstracts_and_references(folder):
    works, problems = read(folder)
    assert works.keys() == {f"W{it}" for it in range(1, 41)} - {"W7", "W9"}
    assert works["W5"].title == "A newer title of the fifth"
    assert (works["W1"].abstract, works["W1"].doi, works["W1"].year) == ("Ice flows and flows", "10.1234/1", 2001)
    assert len(problems) == 1
    assert "23: not JSON" not in problems[0]
    assert "22: not JSON" in problems[0]


def test_what_stands_before_damage_in_a_list_of_mergers_counts(folder):
    """A quotation mark that nothing closes makes a field of the rest of the file."""
    file = folder / "data" / "merged_ids" / "works" / "2024-02-01.csv"
    file.write_text(
        'merge_date,id,merge_into_id\n2024-02-01,W6,W8\n2024-02-01,"W1,W2\n' + "2024-02-01,W3,W4\n" * 10_000
    )
    works, problems = read(folder)
    assert "W6" not in works
    assert any("2024-02-01.csv" in it and "field larger" in it for it in problems)


def test_references_lead_to_what_works_were_merged_into(folder):
    works, _ = read(folder)
    assert works["W6"].references == ("W8",)
    assert works["W8"].references == ("W8",)


@pytest.mark.parametrize(
    ("selection", "admitted"),
    [
        ({"concept": "glaciology"}, lambda it: it % 3),
        ({"concept": "C1"}, lambda it: it % 3),
        ({"since": 2005, "until": 2006}, lambda it: 5 <= it % 20 <= 6),
        ({"language": "DE"}, lambda it: not it % 2),
    ],
)
def test_a_part_can_be_chosen(folder, selection, admitted):
    works, _ = read(folder, **selection)
    assert works.keys() == {f"W{it}" for it in range(1, 41) if admitted(it)} - {"W7", "W9"}


def test_a_second_run_adds_nothing_and_what_was_merged_since_is_removed(folder, tmp_path, capsys):
    there = tmp_path / "corpus"
    command = ["corpus", "add", "--openalex", str(folder), "--corpus", str(there)]
    with Corpus(there, create=True) as corpus:
        corpus.add([openalex_snapshot.Work("W7", "What was merged since")])
    main(command)
    assert "38 new, 0 changed, 1 unchanged, 1 removed" in capsys.readouterr().out
    main(command)
    assert "0 new, 0 changed, 39 unchanged, 0 removed" in capsys.readouterr().out
    with Corpus(there) as corpus:
        assert corpus.info().works == 38


def test_a_server_gets_the_same_works_and_loses_the_same_ones(folder, tmp_path, capsys):
    config, index = tmp_path / "config.toml", Index()
    with serving(index) as url:
        config.write_text(f'[corpus.servers.lab]\nbase_url = "{url}"\n', encoding="utf-8")
        command = ["corpus", "add", "--to", "lab", "--config", str(config)]
        merged = tmp_path / "merged.jsonl"
        merged.write_text('{"id": "W7", "title": "What was merged since"}\n', encoding="utf-8")
        main([*command, str(merged)])
        main([*command, "--openalex", str(folder)])
        assert "38 new, 0 changed, 1 unchanged, 1 removed" in capsys.readouterr().out
        main([*command, "--openalex", str(folder)])
        assert "0 new, 0 changed, 39 unchanged, 0 removed" in capsys.readouterr().out
    works, _ = read(folder)
    assert {it["id"] for it in index.works.values()} == works.keys()
