import json

import pytest

from citelsp.base.settings import LanguageModel
from lab import claims

ENGINE = "The engine weaves patterns. It might compose music of any complexity. Nobody has built one so far."
PAIRS = (  # id, source, claim, label, title
    ("a", "old", "Engines could compose music.", "supported", "Notes"),
    ("b", "old", "Engines could never compose music.", "unsupported", "Notes"),
    ("c", "new", "Many have built an engine.", "partially", "Notes"),
    ("d", "new", "Bees dance for their sisters.", "supported", "Bees"),
)


@pytest.fixture
def pairs(tmp_path):
    lines = []
    for id_, source, claim, label, title in PAIRS:
        cited = {"title": title, "abstract": ENGINE if title == "Notes" else None}
        lines.append(json.dumps({"id": id_, "source": source, "claim": claim, "label": label, "cited": cited}))
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return claims.read(path)


async def test_a_script_that_says_the_labels_is_believed_where_a_text_is_there(pairs):
    judged = await claims.measure(pairs)
    assert judged.verdicts == {"a": "supported", "b": "unsupported", "c": "partially"}
    assert (judged.judging.asked, judged.judging.unread) == (3, 1)
    [table] = claims.section(pairs, judged, "").tables
    assert table.rows == (
        ("all", "4", "3", "100.0 %", "100.0 %", "100.0 %", "0.0 %"),
        ("new", "2", "1", "100.0 %", "100.0 %", "–", "–"),
        ("old", "2", "2", "100.0 %", "100.0 %", "100.0 %", "0.0 %"),
    )


async def test_the_model_of_the_settings_judges(pairs, tmp_path):
    config = tmp_path / "own.toml"
    async with claims.scripted(pairs[::-1]) as model:  # says what belongs to each sentence
        _write(config, model)
        assert (await claims.measure(pairs[:1], config)).verdicts == {"a": "supported"}
    config.write_text("offline = true\n", encoding="utf-8")
    with pytest.raises(ValueError, match="names no model"):
        await claims.measure(pairs, config)


def _write(config, model: LanguageModel):
    asked = f'[model]\nbase_url = "{model.base_url}"\nname = "{model.name}"\n'
    config.write_text(f'{asked}[online]\nverify = "off"\nsuggest = "off"\n', encoding="utf-8")
