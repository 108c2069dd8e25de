"""The kinds of code actions: what is offered is announced, and nothing else."""

from typing import Literal, get_args

Kind = Literal["quickfix", "source.fixAll.citelsp", "source.citelsp.format", "source.citelsp.sort"]

KINDS: tuple[Kind, ...] = get_args(Kind)
