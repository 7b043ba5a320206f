"""Parts of a pattern, by where they are in it: what the steps from part to part are, from the outermost."""

from __future__ import annotations

from collections.abc import Iterator

from ...ir import Pattern, PatternConstructor, PatternTuple

__all__ = ["Path", "all_parts", "parts_in", "with_part"]

Path = tuple[int, ...]


def parts_in(pattern: Pattern) -> tuple[Pattern, ...]:
    """The parts that a pattern consists of."""
    return pattern.patterns if isinstance(pattern, (PatternConstructor, PatternTuple)) else ()


def all_parts(pattern: Pattern) -> Iterator[tuple[Path, Pattern]]:
    """A pattern, its parts, and theirs, with where they are."""
    agenda: list[tuple[Path, Pattern]] = [((), pattern)]
    while agenda:
        path, part = agenda.pop()
        yield path, part
        agenda += [((*path, i), inner) for i, inner in reversed(list(enumerate(parts_in(part))))]


def with_part(pattern: Pattern, path: Path, part: Pattern) -> Pattern:
    """A pattern with another part in the place of one."""
    outer = [pattern]
    for step in path:
        outer.append(parts_in(outer[-1])[step])
    made = part
    for step, whole in zip(reversed(path), reversed(outer[:-1]), strict=True):
        parts = (*parts_in(whole)[:step], made, *parts_in(whole)[step + 1 :])
        if isinstance(whole, PatternConstructor):
            made = PatternConstructor(whole.constructor, parts, whole.span)
        else:
            made = PatternTuple(parts, whole.span)
    return made
