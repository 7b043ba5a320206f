"""Random relations as a program of SWI-Prolog with CLP(FD), which says what they mean in words that are not ours.

Every name has a finite domain: lists are chosen first, then all comparisons are stated of the numbers, which are
labelled; calls, `;` and what is said of lists are looked at when all is known. Relations are tabled.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .random_relations import Goals, Relation, Rules, is_list, names_of

__all__ = ["Question", "answers_of_prolog"]

Question = tuple[Rules, Goals, Mapping[str, list[Any]]]
"""Relations, a question about them, and the values of its names."""

PRELUDE = """\
:- use_module(library(clpfd)).

prod_list(L, P) :- foldl([X, A, B]>>(B is A * X), L, 1, P).
natural(L) :- forall(member(X, L), X >= 0).
distinct(L) :- sort(L, S), same_length(L, S).
rest(L, N, R) :- length(F, N), append(F, R, L).
at(L, N, X) :- N >= 0 -> nth0(N, L, X) ; reverse(L, R), M is -N - 1, nth0(M, R, X).
say(Names, Goal) :- (setof(Names, Goal, Rows) -> true ; Rows = []), print(Rows), nl.
"""
OPERATIONS = {"//": "div", "%": "mod"}
COMPARISONS = {"<=": "#=<", "<": "#<", ">": "#>", ">=": "#>=", "=": "#=", "!=": r"#\="}


class _Program:
    """What is written for one question: its relations have a number in their names."""

    def __init__(self, number: int, most: int) -> None:
        self.number, self.most = number, most
        self.made = 0

    def new(self) -> str:
        self.made += 1
        return f"X{self.made}"

    def number_of(self, term: Any, before: list[str]) -> str:
        """A number as an expression of CLP(FD); what it needs is put on `before`."""
        if not isinstance(term, tuple):
            return term.upper() if isinstance(term, str) else str(term)
        head, *parts = term
        if head in ("prod", "sum", "len", "at"):
            found, items = self.new(), self.list_of(parts[0], before)
            word = {"prod": "prod_list", "sum": "sum_list", "len": "length", "at": "at"}[head]
            before.append(f"{word}({', '.join([items, *map(str, parts[1:]), found])})")
            return found
        left, right = (self.number_of(part, before) for part in parts)
        if head in ("//", "%"):
            divisor = self.new()
            before += [f"{divisor} #= {right}", rf"{divisor} #\= 0"]
            right = divisor
        if head in ("max", "min"):
            return f"{head}({left}, {right})"
        return f"({left} {OPERATIONS.get(head, head)} {right})"

    def list_of(self, term: Any, before: list[str]) -> str:
        """A list of which all is known; what it needs is put on `before`."""
        if isinstance(term, str):
            return term.upper()
        head, *parts = term
        if head == "from":
            found = self.new()
            before.append(f"rest({parts[0].upper()}, {parts[1]}, {found})")
            return found
        items = []
        for part in parts if head == "list" else parts[1:]:
            found = self.new()
            before.append(f"{found} #= {self.number_of(part, before)}")
            items.append(found)
        return f"[{', '.join(items)}{f' | {parts[0].upper()}' if head == 'open' else ''}]"

    def argument(self, term: Any, before: list[str]) -> str:
        """What is given to a relation or a word."""
        if is_list_term(term):
            found = self.list_of(term, before)
            before.append(f"natural({found})")
            return found
        found = self.new()
        before.append(f"{found} #= {self.number_of(term, before)}")
        return found

    def called(self, name: str) -> str:
        return f"c{self.number}_{name.lower()}"

    def goal(self, goal: Any) -> str:
        """A goal of which all is known."""
        head, *parts = goal
        before: list[str] = []
        if head == "or":
            return f"({' ; '.join(', '.join(map(self.goal, way)) for way in parts)})"
        if head == "compare":
            return ", ".join(self.comparison(parts))
        if head in ("call", "map"):
            given = [self.argument(part, before) for part in parts[1:]]
            numbers = [f"{g} >= 0" for g, part in zip(given, parts[1:], strict=True) if not is_list_term(part)]
            name = self.called(parts[0])
            called = f"maplist({name}, {', '.join(given)})" if head == "map" else f"{name}({', '.join(given)})"
            return ", ".join([*before, *numbers, called])
        given = [self.argument(part, before) for part in parts]
        if head == "member":
            return ", ".join([*before, f"memberchk({given[0]}, {given[1]})"])
        if head in ("same", "differ"):
            return ", ".join([*before, f"{given[0]} {'==' if head == 'same' else chr(92) + '=='} {given[1]}"])
        return ", ".join([*before, f"once({head}({', '.join(given)}))"])

    def comparison(self, parts: list[Any]) -> list[str]:
        """A chain of comparisons, with what it needs before."""
        goals: list[str] = []
        numbers = [self.number_of(part, goals) for part in parts[::2]]
        pairs = zip(parts[1::2], numbers, numbers[1:], strict=False)
        return [*goals, *(f"{a} {COMPARISONS[word]} {b}" for word, a, b in pairs)]

    def body(self, goals: Goals, known: set[str], domains: Mapping[str, list[Any]]) -> str:
        """Goals, with values for the names that are not known before."""
        names = [name for name in dict.fromkeys([*names_of(goals), *domains]) if name not in known]
        made = [self.domain(name, domains) for name in names]
        made += [part for goal in goals if goal[0] == "compare" for part in self.comparison(list(goal[1:]))]
        made.append(f"label([{', '.join(name.upper() for name in names if not is_list(name))}])")
        made += [self.goal(goal) for goal in goals if goal[0] != "compare"]
        return ", ".join(made)

    def domain(self, name: str, domains: Mapping[str, list[Any]]) -> str:
        if is_list(name):
            known = domains.get(name)
            return f"tried({name.upper()})" if known is None else f"member({name.upper()}, {json.dumps(known)})"
        most = max(domains[name]) if name in domains else self.most
        return f"{name.upper()} in 0..{most}"

    def relation(self, relation: Relation) -> str:
        """A relation, tabled."""
        name = self.called(relation.name)
        lines = [f":- table {name}/{len(relation.kinds)}."]
        for clause in relation.clauses:
            given = [f"{'sgiven' if kind == 'S' else 'ngiven'}{i}" for i, kind in enumerate(relation.kinds)]
            equal = tuple(
                ("same", g, term) if kind == "S" else ("compare", g, "=", term)
                for g, term, kind in zip(given, clause.head, relation.kinds, strict=True)
            )
            body = self.body((*equal, *clause.body), set(given), {})
            lines.append(f"{name}({', '.join(g.upper() for g in given)}) :- {body}.")
        return "\n".join(lines)


def is_list_term(term: Any) -> bool:
    """Whether a term is a list."""
    return term[0] in ("list", "open", "from") if isinstance(term, tuple) else isinstance(term, str) and is_list(term)


def answers_of_prolog(
    questions: list[Question], lists: list[tuple[int, ...]], most: int, seconds: float
) -> list[set[tuple[Any, ...]]]:
    """The answers to questions, whose further names are tried in `lists` and up to `most`."""
    written, asked = [PRELUDE, f"tried(L) :- member(L, {json.dumps(lists)})."], []
    for number, (rules, goals, domains) in enumerate(questions):
        program = _Program(number, most)
        written += [program.relation(relation) for relation in rules]
        body = program.body(goals, set(), domains)
        written.append(f"q{number}([{', '.join(name.upper() for name in domains)}]) :- {body}.")
        asked.append(f"say(R{number}, q{number}(R{number}))")
    text = "\n".join([*written, f":- initialization(({', '.join(asked)}, halt(0))).", ""])
    with TemporaryDirectory() as folder:
        path = Path(folder, "questions.pl")
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(["swipl", "-q", path], capture_output=True, text=True, check=True, timeout=seconds)
    return [{_row(row) for row in json.loads(line)} for line in done.stdout.splitlines()]


def _row(row: list[Any]) -> tuple[Any, ...]:
    return tuple(tuple(each) if isinstance(each, list) else each for each in row)
