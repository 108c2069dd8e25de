"""What `--help` shows of each command at work."""

from collections.abc import Mapping

OF: Mapping[str, str] = {
    "serve": """\
examples:
  citelsp serve                           what an editor starts
  citelsp serve --tcp 127.0.0.1:7777      for an editor that connects""",
    "check": """\
examples:
  citelsp check paper.tex                 the project of a manuscript: what it cites
  citelsp check refs.bib --fix review --diff
  citelsp check paper.pdf main.bbl arXiv:2401.01234
  citelsp check paper.tex --claims        with your model: do cited works contradict it?
  citelsp check --zotero --collection Thesis
  citelsp check refs.bib --links          do its links still lead to pages?
  citelsp check . --since main --format github
  citelsp check . --baseline known.json --write-baseline""",
    "suggest": """\
examples:
  citelsp suggest paper.tex               every placeholder of a manuscript
  citelsp suggest paper.tex:120 --online --explain
  citelsp suggest --text 'Ranks are fused by their reciprocals \\cite<>.'""",
    "evidence": """\
examples:
  citelsp evidence paper.tex              every citation of a manuscript
  citelsp evidence paper.tex:120 --online
  citelsp evidence --text 'Attention alone suffices.' --work 1706.03762""",
    "add": """\
examples:
  citelsp add 10.1145/3571730 --bib refs.bib
  citelsp add arXiv:1706.03762 'Attention Is All You Need' --bib refs.bib
  citelsp add paper.pdf export.ris --bib refs.bib
  citelsp add 10.1145/3571730 --bib -""",
    "format": """\
examples:
  citelsp format refs.bib
  citelsp format . --check                name what would change, for a CI job
  citelsp format refs.bib --diff""",
    "sort": """\
examples:
  citelsp sort refs.bib
  citelsp sort refs.bib --by year --diff""",
    "export": """\
examples:
  citelsp export paper.tex --bib submission.bib
  citelsp export book.qmd --bib cited.bib --by author
  citelsp export paper.tex --bib -         print the entries
  citelsp export main.bbl --bib refs.bib   the verified works of a compiled list""",
    "corpus": """\
examples:
  citelsp corpus add library.bib ~/papers
  citelsp corpus add 1706.03762 10.1145/3571730
  citelsp corpus search dense passage retrieval
  citelsp corpus info""",
    "cache": """\
examples:
  citelsp cache info
  citelsp cache clear""",
    "eval": """\
examples:
  citelsp eval positions questions.jsonl --out report
  citelsp eval positions questions.jsonl --out report --ablation
  citelsp eval positions questions.jsonl --out report --endpoints
  citelsp eval lists manuscripts.jsonl --out report --versus other/predictions.jsonl
  citelsp eval citeme CiteME.csv --out report
  citelsp eval model questions.jsonl --out report""",
    "demo": """\
examples:
  citelsp demo""",
    "doctor": """\
examples:
  citelsp doctor                          versions, settings, folders, services
  citelsp doctor --online                 and whether the services can be reached""",
    "help": """\
examples:
  citelsp help                            all topics
  citelsp help zotero
  citelsp help wrong-year                 what a finding means""",
    "mcp": """\
examples:
  citelsp mcp --folder ~/thesis           what an agent's settings start""",
    "completion": """\
examples:
  citelsp completion bash > ~/.local/share/bash-completion/completions/citelsp
  citelsp completion zsh >> ~/.zshrc""",
}
