"""Files that no program would write: a clear finding or none, never a crash."""

import json
from hashlib import shake_256

import pytest

from citelsp.cli import main

SOUP = b'@{}",=#\\ \narticle{abc%()'


def noise(size):
    return shake_256(b"citelsp").digest(size)


def soup(size):
    return bytes(SOUP[it % len(SOUP)] for it in noise(size))


@pytest.mark.parametrize(
    ("written", "statuses"),
    [
        (b"", {0}),
        (b"\0" * 100, {2}),
        (noise(200_000), {2}),
        (noise(200_000).replace(b"\0", b"\1"), {0, 1}),
        (soup(50_000), {0, 1}),
        (b"@article{a, title={" * 300, {1}),
        (b"@article{a, title={x\0y}, author={A B}, journal={J}, year=2000}\n" + b" " * 9000 + b"\0", {0, 1, 2}),
        (b"@article{a, title={T}, author={" + b" and ".join([b"Doe, Jane"] * 10_000) + b"}}", {0, 1}),
        (b"@article{\xf0\x9f\x98\x80, title={\xed\xa0\x80}, year={\xff}}", {0, 1}),
    ],
    ids=["empty", "zeros", "noise", "noise without zeros", "soup", "open braces", "late zero", "authors", "surrogate"],
)
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_bibliographies(tmp_path, capsys, written, statuses, form):
    (tmp_path / "bad.bib").write_bytes(written)
    assert main(["check", "--offline", "--format", form, str(tmp_path / "bad.bib")]) in statuses
    told = capsys.readouterr().out
    assert form not in ("json", "sarif") or json.loads(told)


def test_fixes_of_soup_are_whole(tmp_path, capsys):
    path = tmp_path / "bad.bib"
    path.write_bytes(soup(20_000))
    main(["check", "--offline", "--fix", "review", str(path)])
    once = path.read_bytes()
    main(["check", "--offline", "--fix", "review", str(path)])
    assert path.read_bytes() == once
    assert [it.name for it in tmp_path.iterdir()] == ["bad.bib"]


def test_a_bibliography_in_utf_16_is_reported_until_it_is_saved_as_utf_8(tmp_path, capsys):
    (tmp_path / "m.tex").write_text("\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}\\cite{k}", "utf-8")
    bib = "@misc{k, title = {T}, author = {A}, year = 2000}\n"
    for encoding, status in (("utf-16", 1), ("utf-8", 0)):
        (tmp_path / "r.bib").write_bytes(bib.encode(encoding))
        assert main(["check", "--offline", str(tmp_path / "m.tex")]) == status
        assert ("UTF-16" in capsys.readouterr().out) == (status == 1)
