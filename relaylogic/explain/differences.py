"""How much two types differ, and whether they do."""

from __future__ import annotations

from typing import Any

from ..infer.store import Mismatch, Store
from ..logic.terms import Term
from ..logic.variables import VARIABLES

__all__ = ["compatible", "denied", "differences"]


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
            same = 0
            while same < min(len(a), len(b)) and a[same] == b[same]:
                same += 1
            if len(a) == len(b):
                stack.extend(zip(a[same:], b[same:], strict=True))
            else:
                count += abs(len(a) - len(b)) + min(len(a), len(b)) - same
        elif isinstance(a, Term) and type(a) is type(b) and len(a.args) == len(b.args) and a.args:
            if (id(a), id(b)) not in compared:
                compared.add((id(a), id(b)))
                stack.extend(zip(a.args, b.args, strict=True))
        else:
            count += 1
    return count


def denied(left: Any, right: Any) -> int:
    """How many parts of two types differ that are known of both; shapes of different ranks count as one.

    Two types that stand beside each other in several places are compared once.
    """
    count, stack = 0, [(left, right)]
    compared: set[tuple[int, int]] = set()
    while stack:
        a, b = stack.pop()
        if a is b or a == b or type(a) in VARIABLES or type(b) in VARIABLES:
            continue
        if type(a) is tuple and type(b) is tuple and len(a) == len(b):
            stack.extend(zip(a, b, strict=True))
        elif isinstance(a, Term) and type(a) is type(b) and len(a.args) == len(b.args) and a.args:
            if (id(a), id(b)) not in compared:
                compared.add((id(a), id(b)))
                stack.extend(zip(a.args, b.args, strict=True))
        else:
            count += 1
    return count
