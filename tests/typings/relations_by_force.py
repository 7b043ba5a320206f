"""What random relations mean, by brute force: a goal is looked at when all its names have values, and these are tried.

Nothing here is clever but that a name gets its value where an equation, `append`, `reverse` or `member` tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

from .random_relations import OPERATIONS, WORDS, Goals, Rules, is_list, names_of

__all__ = ["Meaning", "TooMuch"]

UNDEFINED = (ZeroDivisionError, IndexError)
Values = dict[str, Any]

CALCULATED = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "max": max,
    "min": min,
    "prod": prod,
    "sum": sum,
    "len": len,
    "list": lambda *items: items,
    "open": lambda rest, *items: (*items, *rest),
    "at": lambda items, place: items[place],
}
COMPARED = {
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
SAID = {
    "append": lambda a, b, c: a + b == c,
    "reverse": lambda a, b: a[::-1] == b,
    "member": lambda n, a: n in a,
    "distinct": lambda a: len(set(a)) == len(a),
    "same_length": lambda a, b: len(a) == len(b),
    "same": lambda a, b: a == b,
    "differ": lambda a, b: a != b,
}
assert set(SAID) == set(WORDS) and set(OPERATIONS) <= set(CALCULATED)


class TooMuch(Exception):
    """More is to be tried than may be."""


def value(term: Any, known: Values) -> Any:
    """What a term stands for. Raises one of UNDEFINED."""
    if not isinstance(term, tuple):
        return known[term] if isinstance(term, str) else term
    head, *parts = term
    if head == "from":
        items, place = known[parts[0]], parts[1]
        if len(items) < place:
            raise IndexError
        return items[place:]
    return CALCULATED[head](*[value(part, known) for part in parts])


def is_natural(found: Any) -> bool:
    """Whether a number, or every element of a list, is a natural number."""
    return all(n >= 0 for n in (found if isinstance(found, tuple) else (found,)))


class Meaning:
    """What relations mean. Names that nothing tells are tried up to `most`, lists up to `longest` elements of at most
    `entries`. What a name is told to be may be greater, unless all is to be `within` these bounds. Raises TooMuch when
    so many values have been tried.
    """

    def __init__(
        self, rules: Rules, most: int = 12, longest: int = 3, entries: int = 4, *, within: bool = False, tries: int = 0
    ) -> None:
        self.relations = {relation.name: relation for relation in rules}
        self.numbers: Iterable[Any] = range(most + 1)
        self.lists = [items for n in range(longest + 1) for items in product(range(entries + 1), repeat=n)]
        self._within, self._tries = within, tries or None
        self._true: set[Any] = set()
        self._seen: dict[Any, bool] = {}  # whether the clauses have been gone through
        self._again = False
        self._work = 0

    def answers(self, goals: Goals, domains: Mapping[str, Iterable[Any]]) -> set[tuple[Any, ...]]:
        """The values of names within their domains for which goals hold: a least fixed point."""
        while True:
            self._seen, self._again, before = {}, False, len(self._true)
            try:
                found = {tuple(row[name] for name in domains) for row in self._ways(goals, {}, domains)}
            except RecursionError:  # a relation that counts down from a great number
                raise TooMuch from None
            if not self._again or len(self._true) == before:
                return found

    def _holds(self, name: str, arguments: tuple[Any, ...]) -> bool:
        """Whether a relation holds of values, as far as that is known yet."""
        key = (name, arguments)
        if key not in self._seen and key not in self._true:
            self._seen[key] = False
            given = {f"given{i}": argument for i, argument in enumerate(arguments)}
            for clause in self.relations[name].clauses:
                equal = tuple(
                    ("same", g, term) if isinstance(given[g], tuple) else ("compare", g, "=", term)
                    for g, term in zip(given, clause.head, strict=True)
                )
                if any(True for _ in self._ways((*equal, *clause.body), given, {})):
                    self._true.add(key)
                    break
            self._seen[key] = True
        self._again |= not self._seen.get(key, True)
        return key in self._true

    def _ways(self, goals: Goals, known: Values, domains: Mapping[str, Iterable[Any]]) -> Iterator[Values]:
        """The values of all names with which goals hold."""
        left = []
        for goal in goals:
            if goal[0] == "or" or not all(name in known for name in names_of(goal)):
                left.append(goal)
            elif not self._is_true(goal, known):
                return
        for goal in left:
            if goal[0] == "or":
                others = [other for other in left if other is not goal]
                for way in goal[1:]:
                    yield from self._ways((*others, *way), known, domains)
                return
        told = next((told for told in (_told(goal, known) for goal in left) if told is not None), None)
        if told is None:
            name = next((n for n in (*names_of(tuple(left)), *domains) if n not in known), None)
            if name is None:
                yield known
                return
            told = [{name: each} for each in domains.get(name, self._tried(name))]
        for more in told:
            self._work += 1
            if self._work == self._tries:
                raise TooMuch
            if all(is_natural(each) and self._may_be(name, each, domains) for name, each in more.items()):
                yield from self._ways(tuple(left), {**known, **more}, domains)

    def _tried(self, name: str) -> Iterable[Any]:
        return self.lists if is_list(name) else self.numbers

    def _may_be(self, name: str, each: Any, domains: Mapping[str, Iterable[Any]]) -> bool:
        if name in domains:
            return each in domains[name]
        return not self._within or each in self._tried(name)

    def _is_true(self, goal: Any, known: Values) -> bool:
        head, *parts = goal
        try:
            if head == "compare":
                numbers = [value(part, known) for part in parts[::2]]
                return all(COMPARED[w](a, b) for w, a, b in zip(parts[1::2], numbers, numbers[1:], strict=False))
            values = [value(part, known) for part in (parts[1:] if head in ("call", "map") else parts)]
        except UNDEFINED:
            return False
        if head == "member":
            return is_natural(values[1]) and SAID[head](*values)
        if not all(map(is_natural, values)):
            return False
        if head == "call":
            return self._holds(parts[0], tuple(values))
        if head == "map":
            same = len(values[0]) == len(values[1])
            return same and all(self._holds(parts[0], pair) for pair in zip(*values, strict=True))
        return bool(SAID[head](*values))


def _told(goal: Any, known: Values) -> list[Values] | None:
    """The values of some names that a goal leaves; None if it tells none."""

    def is_new(term: Any) -> bool:
        return isinstance(term, str) and term not in known

    def found(*terms: Any) -> list[Any] | None:
        if not all(name in known for term in terms for name in names_of(term)):
            return None
        try:
            return [value(term, known) for term in terms]
        except UNDEFINED:
            return []

    head, *parts = goal
    if head == "same" or (head == "compare" and parts[1:-1] == ["="]):
        for a, b in ((parts[0], parts[-1]), (parts[-1], parts[0])):
            values = found(b)
            if values is not None and is_new(a):
                return [{a: each} for each in values]
            if values and a[0] == "open" and is_new(a[1]):
                return [{a[1]: values[0][len(a) - 2 :]}] if len(values[0]) >= len(a) - 2 else []
            if values and a[0] in ("list", "open"):
                items = [(i, name) for i, name in enumerate(a[1 if a[0] == "list" else 2 :]) if is_new(name)]
                if items:
                    place, name = items[0]
                    return [{name: values[0][place]}] if len(values[0]) > place else []
    if head == "append":
        whole = found(parts[2])
        if whole and any(map(is_new, parts[:2])):
            cuts = [(whole[0][:i], whole[0][i:]) for i in range(len(whole[0]) + 1)]
            return [{name: part for name, part in zip(parts, cut, strict=False) if is_new(name)} for cut in cuts]
        both = found(*parts[:2])
        if both and is_new(parts[2]):
            return [{parts[2]: both[0] + both[1]}]
    if head == "reverse":
        for a, b in (parts, parts[::-1]):
            values = found(b)
            if values is not None and is_new(a):
                return [{a: each[::-1]} for each in values]
    if head == "member" and is_new(parts[0]):
        values = found(parts[1])
        return None if values is None else [{parts[0]: n} for items in values for n in dict.fromkeys(items)]
    return None
