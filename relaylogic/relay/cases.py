"""The cases that a match leaves out, all of them, as patterns.

A case starts as `_` and is refined by need: an arm that takes only a part of a case splits it into one case for each
form that the value may have at the first place where the arm looks closer. Cases that no arm takes are what is missing.
"""

from __future__ import annotations

from typing import Any

from ..errors import IllFormed, said
from ..infer.checks.coverage import ROWS, CoverageLimit
from ..ir import Constructor, IRModule, Match, Pattern, PatternConstructor, PatternTuple, PatternWildcard

__all__ = ["unmatched_cases"]

_Path = tuple[int, ...]


def unmatched_cases(match: Match, mod: IRModule | None = None) -> list[Pattern]:
    """The patterns of values that no arm of a match takes; none if it is exhaustive.

    `mod` defines the data types. Raises CoverageLimit if there are too many to tell, IllFormed for what is no match.
    """
    if not isinstance(match, Match):
        raise IllFormed(f"the cases of a match are asked for, which {said(match)} is not")
    module = IRModule() if mod is None else mod
    missing: list[Pattern] = []
    agenda: list[Pattern] = [PatternWildcard()]
    budget = ROWS
    while agenda:
        case = agenda.pop()
        split: list[Pattern] | None = None
        for clause in match.clauses:
            budget -= 1
            if budget < 0:
                raise CoverageLimit("the patterns are too many to tell which cases are missing", match.span)
            outcome = _compare(clause.lhs, case)
            if outcome is True:
                break
            if isinstance(outcome, tuple):
                split = _refined(case, outcome[0], outcome[1], module)
                break
        else:
            missing.append(case)
        agenda.extend(reversed(split or []))
    return missing


def _compare(pattern: Pattern, case: Pattern) -> tuple[_Path, Constructor | int] | bool:
    """Whether a pattern takes a case: True for all of it, False for nothing of it; for a part of it, the place in the
    case where the pattern looks closer, with the form it looks for."""
    closer: tuple[_Path, Constructor | int] | None = None
    agenda: list[tuple[Pattern, Pattern, _Path]] = [(pattern, case, ())]
    while agenda:
        wanted, given, path = agenda.pop()
        if not isinstance(wanted, (PatternConstructor, PatternTuple)):
            continue
        if not isinstance(given, (PatternConstructor, PatternTuple)):
            form = wanted.constructor if isinstance(wanted, PatternConstructor) else len(wanted.patterns)
            closer = closer or (path, form)
            continue
        if isinstance(wanted, PatternConstructor) and isinstance(given, PatternConstructor):
            if wanted.constructor is not given.constructor:
                return False
        pairs = zip(wanted.patterns, given.patterns, strict=False)
        agenda.extend((w, g, (*path, i)) for i, (w, g) in reversed(list(enumerate(pairs))))
    return closer or True


def _refined(case: Pattern, path: _Path, form: Constructor | int, module: IRModule) -> list[Pattern]:
    """The cases that `case` consists of when the value at `path` has one of its possible forms."""
    if isinstance(form, int):
        return [_replaced(case, path, PatternTuple([PatternWildcard()] * form))]
    data = module.get_type_data(form.belong_to)
    constructors = (form,) if data is None else data.constructors
    return [_replaced(case, path, PatternConstructor(c, [PatternWildcard() for _ in c.inputs])) for c in constructors]


def _replaced(case: Pattern, path: _Path, part: Pattern) -> Pattern:
    """The case with another part at `path`."""
    above: list[Any] = []
    node: Any = case
    for index in path:
        above.append(node)
        node = node.patterns[index]
    for index, outer in zip(reversed(path), reversed(above), strict=True):
        patterns = [part if i == index else p for i, p in enumerate(outer.patterns)]
        if isinstance(outer, PatternTuple):
            part = PatternTuple(patterns)
        else:
            part = PatternConstructor(outer.constructor, patterns)
    return part
