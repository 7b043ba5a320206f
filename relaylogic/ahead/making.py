"""Makes ahead what takes long to make, so that the first use of an installed package is as fast as the second.

`python -m relaylogic.ahead` is run when the package is installed (`.hatch/ahead.py`). It makes the tables of the
parsers and the programs of usual calls, and puts them into the folder `made` of the package (see `cache`). They are
used for the sources that they were made of and no others: nothing is wrong where they are old, or missing. It has
Python compile all sources, too: each process would do so anew where Python is told to write no bytecode.
"""

from __future__ import annotations

import compileall
import shutil
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ..api import infer
from ..infer.program import Inference
from ..ir import post_order
from ..rulebase import RuleBase, load_rules
from ..rulebase.recipe import rules_folder
from ..rulebase.specialised.dtypes import programs_of_dtypes
from ..rulebase.specialised.log import Log
from ..rulebase.specialised.made import Made
from ..rulebase.specialised.store import FILE, MET, content_of, origin_of
from ..rulebase.specialised.way_programs import program_of_profile, program_of_ways
from ..rulebase.specialised.ways import PROFILES, Asked, name_of
from ..text import parse
from ..types import TensorType
from ..typings.program import typings
from ..typings.query import query
from .programs import explained_programs, usual_programs
from .questions import LARGEST, LARGEST_RANK, is_program, usual_questions

__all__ = ["compile_sources", "make"]

ROUNDS = 5
"""A mode is tried in four ways; before a program is made of each, it is met."""
TOGETHER = 100
"""So many programs are explained before what is kept is taken, of which there is not room for more."""
ANSWERS = 200
"""After so many answers to a usual question, no new calls are made."""


def make(kept: Path, folder: Path) -> None:
    """Fill the folder; what is kept goes to another one, which is empty. Raises OSError if that cannot be done."""
    shutil.rmtree(folder, ignore_errors=True)
    next(iter(query("Identity(a, a)")))
    rules = rules_folder()
    programs: list[tuple[str, str, str]] = []
    for text in usual_programs():
        module = parse(text)
        for _ in range(ROUNDS):
            Inference(module, load_rules())
        programs += _taken(kept)
    programs += _ways(load_rules())
    programs += programs_of_dtypes(load_rules())
    folder.mkdir()
    for tables in kept.glob("*.json"):
        shutil.copy(tables, folder)
    made = Made(folder, content_of(rules))
    made.write(programs)
    made.write([*programs, *_explained(kept)])  # which use the others


def _explained(kept: Path) -> Iterator[tuple[str, str, str]]:
    """The programs that usual explanations ask for, and those of calls that came up in them before these were there."""
    calls: list[Asked] = []
    texts = iter(explained_programs())
    while left := list(islice(texts, TOGETHER)):
        for n in range(ROUNDS):
            rules = load_rules()
            asked = rules.kept_ways.noted = {}
            left = [text for text in left if _tells_more(text, rules, kept / FILE)]
            calls += [] if n else asked.values()
        yield from _taken(kept)
    rules = load_rules()
    for call in calls:
        call = call._replace(relation=rules.relations[call.relation.name])
        is_told = rules.compiled.solution(call.relation, call.arguments, call.attrs, True) is not None
        if not (is_told or call.relation.takes_attrs):
            yield _program_of_ways(rules, call)
    rules.keep()
    yield from _taken(kept)


def _tells_more(text: str, rules: RuleBase, kept: Path) -> bool:
    """Ask what forces the types in the functions of a program, and the dtypes of tensors; whether that was kept for
    which there was no program."""
    before = kept.stat().st_size if kept.exists() else 0
    result = infer(text, rules=rules)
    for function in result.module.functions.values():
        for expr in post_order(function):
            known = result.type_of(expr)
            if known is not None and getattr(expr, "type_annotation", None) is None:
                result.why(expr)
                if type(known) is TensorType:
                    result.why(expr, "dtype")
    return kept.exists() and kept.stat().st_size != before


def _ways(rules: RuleBase) -> Iterator[tuple[str, str, str]]:
    """The programs that say the ways of the calls that come up in usual questions, and the profiles of relations."""
    asked: dict[Any, Asked] = {}
    rules.kept_ways.noted = asked
    for text in usual_questions():
        ask = typings if is_program(text) else query
        deque(islice(ask(text, rules=rules, max_dim=LARGEST, max_rank=LARGEST_RANK), ANSWERS), 0)
    rules.kept_ways.noted = None
    for call in asked.values():
        yield _program_of_ways(rules, call)
    for relation in rules.relations.values():
        text = program_of_profile(rules, relation)
        yield PROFILES, repr((relation.name, None)), f"# what calls of {relation.name} may do\n{text}"


def _program_of_ways(rules: RuleBase, call: Asked) -> tuple[str, str, str]:
    """The program that says the ways of a call, as it is kept."""
    relation, form = call.relation, call.form([])
    return name_of(relation), repr(form), f"# {relation.name}: {call.arguments}\n{program_of_ways(rules, call)}"


def _taken(kept: Path) -> list[tuple[str, str, str]]:
    """The programs that are kept, which are so no more: not so many are in one file as there are in all."""
    found = [entry for entry in Log(kept / FILE, origin_of(rules_folder())) if entry[0] and entry[2] != MET]
    (kept / FILE).unlink(missing_ok=True)
    return found


def compile_sources(folders: Iterable[Path]) -> None:
    """Keep the bytecode of what is written in Python in some folders. Where nothing can be written, nothing is."""
    for folder in folders:
        compileall.compile_dir(folder, quiet=2)
