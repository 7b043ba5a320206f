"""The elements of a list in another order, while the order is not known yet.

What has become known of an order says which elements are equal; and an index can only be one at which an element stands
that may be the one that is wanted, and that no other index names.
"""

from __future__ import annotations

from typing import Any

from ..states.goals import Step
from ..states.state import Constraint
from ..states.work import Work
from ..terms.rebuilding import reify_term
from ..terms.variables import VARIABLES
from .comparisons import Post

__all__ = ["Moved", "movedo"]


class Moved(Constraint):
    """`result[i]` is `items[order[i]]`, and `order` is a permutation; indices may be counted from the end."""

    __slots__ = ()

    def __repr__(self) -> str:
        items, order, result = self.args
        return f"{result} = {items} in the order {order}"

    def propagate(self, work: Work) -> bool | None:
        """Equate what the known indices name, and find those that can be one only; holds if all are known."""
        lists = [reify_term(part, work.bindings) for part in self.args]
        if not all(type(part) is tuple for part in lists):
            return None
        items, order, result = lists
        count = len(items)
        if len(order) != count or len(result) != count:
            return False
        left = list(range(count))
        free = set(left)
        while True:
            new = [i for i in left if type(work.walk(order[i])) not in VARIABLES]
            left = [i for i in left if i not in new]
            for i in new:
                at = work.walk(order[i])
                at = at + count if type(at) is int and at < 0 else at
                if at not in free or not work.unify(items[at], result[i]):
                    return False
                free.remove(at)
            found = False
            for i in left:
                index = work.walk(order[i])
                if type(index) not in VARIABLES:
                    continue
                wanted = work.walk(result[i])
                ways = [at for at in free if _may_be(work.walk(items[at]), wanted)]
                if len(ways) == 1 and not work.unify(index, ways[0]):
                    return False
                if not ways or not (len(ways) == 1 or work.narrow(index, min(ways), max(ways))):
                    return False
                found = found or len(ways) == 1
            if not found:
                return None if left else True


def _may_be(item: Any, wanted: Any) -> bool:
    """Whether two elements may be equal: known numbers are told apart."""
    return type(item) is not int or type(wanted) is not int or item == wanted


def movedo(items: Any, order: Any, result: Any) -> Step:
    """The goal that `result[i]` is `items[order[i]]` for a permutation `order`, which may be known later."""
    return Post(Moved.draft((items, order, result)))
