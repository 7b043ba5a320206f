"""How much two types differ, and whether they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...infer.sites.store import Mismatch, Store
from ...logic.terms.numbers import UNKNOWN
from ...logic.terms.terms import Symbol, Term
from ...logic.terms.variables import VARIABLES
from ...types.terms import GlobalTypeVar, Type, TypeCall

__all__ = ["are_of_other_forms", "are_reordered", "compatible", "denied", "differences", "is_name"]


def compatible(left: Any, right: Any) -> bool:
    """Whether two terms can be one: then neither tells anything that the other denies."""
    try:
        Store().unify(left, right)
    except Mismatch:
        return False
    return True


def differences(left: Any, right: Any, strict: bool = False) -> int:
    """How many parts of two types differ; a part that only one of them has counts as one.

    Unless `strict`, an extent or a dtype that is open on the right does not differ; a whole shape that is open does.
    Two types that stand beside each other in several places are compared once.
    """
    count, stack = 0, [(left, right)]
    compared: set[tuple[int, int]] = set()
    while stack:
        a, b = stack.pop()
        if a is b or a == b or (not strict and type(b) in VARIABLES and type(a) is not tuple):
            continue
        if type(a) is tuple and type(b) is tuple:
            if len(a) == len(b):
                stack.extend(pair for pair in zip(a, b, strict=True) if pair[0] != pair[1])
            else:
                count += max(len(a), len(b)) - _alike(a, b, strict)
        elif _are_of_one_form(a, b):
            if (id(a), id(b)) not in compared:
                compared.add((id(a), id(b)))
                stack.extend(zip(a.args, b.args, strict=True))
        else:
            count += 1
    return count


def _alike(left: tuple[Any, ...], right: tuple[Any, ...], strict: bool) -> int:
    """How many elements two lists have in common at their beginnings, and then at their ends; unless `strict`, what is
    open on the right has anything in common."""

    def differ(i: int) -> bool:
        return left[i] != right[i] and (strict or type(right[i]) not in VARIABLES)

    shorter = min(len(left), len(right))
    begin = next(filter(differ, range(shorter)), shorter)
    return begin + next((i for i in range(shorter - begin) if differ(~i)), shorter - begin)


def denied(left: Any, right: Any) -> int:
    """How many parts of two types differ that are known of both; shapes of different ranks count as one.

    Two types that stand beside each other in several places are compared once.
    """
    return sum(1 for _ in _apart(left, right))


def are_of_other_forms(left: Any, right: Any) -> bool:
    """Whether somewhere a tensor stands in one of two types, say, and a tuple in the other."""
    return any(isinstance(a, Type) and isinstance(b, Type) and type(a) is not type(b) for a, b in _apart(left, right))


def _apart(left: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    """The parts of two types that differ, as far as they are known of both."""
    stack = [(left, right)]
    compared: set[tuple[int, int]] = set()
    while stack:
        a, b = stack.pop()
        if a is b or a == b or type(a) in VARIABLES or type(b) in VARIABLES:
            continue
        if type(a) is tuple and type(b) is tuple and len(a) == len(b):
            stack.extend(zip(a, b, strict=True))
        elif _are_of_one_form(a, b):
            if (id(a), id(b)) not in compared:
                compared.add((id(a), id(b)))
                stack.extend(zip(a.args, b.args, strict=True))
        else:
            yield a, b


def _are_of_one_form(a: Any, b: Any) -> bool:
    """Whether two terms differ at most in their parts. Names have none, and another data type is one part."""
    if type(a) is TypeCall and type(b) is TypeCall and a.func != b.func:
        return False
    return isinstance(a, Term) and type(a) is type(b) and not is_name(a) and 0 < len(a.args) == len(b.args)


def is_name(term: Any) -> bool:
    """Whether a term is a name: of a type parameter, of a data type."""
    return isinstance(term, (Symbol, GlobalTypeVar))


def are_reordered(left: Any, right: Any) -> bool:
    """Whether two types differ by the order of the parts of one whole alone, as by that of the extents of a shape.

    They do not if one has `?` where the other has not: that fits any part.
    """
    while True:
        if not (type(left) is tuple and type(right) is tuple):
            if not _are_of_one_form(left, right):
                return False
            left, right = left.args, right.args
        if len(left) != len(right):
            return False
        apart = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
        if len(apart) != 1:
            return bool(apart) and Counter(left) == Counter(right) and not any(UNKNOWN in pair for pair in apart)
        left, right = apart[0]
