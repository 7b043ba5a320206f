"""Arms of a match that take too little: where a value is missed because a pattern is narrower than it was meant.

A value that no arm takes is missed since an arm for it was never written, or since one that was is too narrow. If some
arm takes all of the value but for one part, and another arm names the form that the value has in that part, the form
has not been forgotten: then the first arm would be expected to take it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...infer.checks.coverage import CoverageLimit, Form, missed, unreachable
from ...ir import Clause, IRModule, Match, Pattern, PatternConstructor, PatternTuple, PatternWildcard, post_order
from ...ir import Var as LocalVar
from ...ir.visit import pattern_vars
from .pattern_parts import Path, parts_in, with_part

__all__ = ["too_narrow"]

ROWS = 100_000
"""How many rows of matrices one question about a match may look at."""


def too_narrow(match: Match, module: IRModule) -> tuple[Clause, list[Pattern]] | None:
    """An arm with the parts of its pattern that would make a match exhaustive if they took all values.

    None if no arm is to blame: none that would leave all others something to take.
    """
    try:
        value = missed(match, module, ROWS)
        dead = len(unreachable(match, module, ROWS))
        for i, clause in enumerate(match.clauses if value is not None else ()):
            parts = _too_narrow(match, i, value, dead, module)
            if parts:
                return clause, parts
    except CoverageLimit:
        pass
    return None


def _too_narrow(match: Match, arm: int, value: Form | None, dead: int, module: IRModule) -> list[Pattern]:
    """The parts of one arm's pattern that keep it from taking what is missed: `value`, and more if that is not all."""
    before, clause, after = match.clauses[:arm], match.clauses[arm], match.clauses[arm + 1 :]
    parts: dict[Path, Pattern] = {}
    while value is not None:
        differing = list(_differing(clause.lhs, value))
        if len(differing) != 1 or not differing[0][0]:
            return []
        path, part, form = differing[0]
        named = any(_names(other.lhs, path, value, form) for other in (*before, *after))
        if form.name == "_" or not named or _is_needed(part, clause):
            return []
        parts = {p: inner for p, inner in parts.items() if p[: len(path)] != path} | {path: part}
        clause = Clause(with_part(clause.lhs, path, PatternWildcard()), clause.rhs)
        wider = Match(match.data, [*before, clause, *after], match.complete)
        if len(unreachable(wider, module, ROWS)) > dead:
            return []
        value = missed(wider, module, ROWS)
    return [parts[path] for path in sorted(parts)]


def _name(pattern: Pattern) -> str:
    """The form that a pattern takes, as that of a value is called."""
    if isinstance(pattern, PatternConstructor):
        return pattern.constructor.name_hint
    return "" if isinstance(pattern, PatternTuple) else "_"


def _differing(pattern: Pattern, value: Form) -> Iterator[tuple[Path, Pattern, Form]]:
    """The parts of a pattern that do not take what the value has there, the outermost, with where they are."""
    agenda: list[tuple[Path, Pattern, Form]] = [((), pattern, value)]
    while agenda:
        path, part, form = agenda.pop()
        if _name(part) == "_":
            continue
        if _name(part) != form.name or len(parts_in(part)) != len(form.parts):
            yield path, part, form
        else:
            pairs = zip(parts_in(part), form.parts, strict=True)
            agenda.extend(((*path, i), inner, own) for i, (inner, own) in enumerate(pairs))


def _is_needed(part: Pattern, clause: Clause) -> bool:
    """Whether an arm uses a variable that a part of its pattern binds."""
    bound = {id(variable) for variable in pattern_vars(part)}
    return bool(bound) and any(id(node) in bound for node in post_order(clause.rhs) if isinstance(node, LocalVar))


def _names(pattern: Pattern, path: Path, value: Form, form: Form) -> bool:
    """Whether a pattern that takes a value down to some part names the form that it has there."""
    for step in path:
        if _name(pattern) != value.name or step >= len(parts_in(pattern)):
            return False
        pattern, value = parts_in(pattern)[step], value.parts[step]
    return _name(pattern) == form.name
