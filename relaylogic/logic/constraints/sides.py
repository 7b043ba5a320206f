"""Two expressions that are compared: what they are made of, and how far they are apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..states.state import Constraint
from ..states.work import Work
from ..terms.numbers import FOLDS, Arith, show_number
from ..terms.poly import Poly
from ..terms.rebuilding import reify_term
from ..terms.terms import open_in, variables_of, walk
from ..terms.variables import VARIABLES
from .equations import (
    gap_of,
    is_defined,
    occurrences,
)

__all__ = ["Sides"]


class Sides(Constraint):
    """A relation, `=`, `!=` or `<=`, and the expressions on its left and on its right."""

    __slots__ = ("_gap",)
    _gap: tuple[list[Any], Poly]

    @property
    def relation(self) -> str:
        """How the sides compare."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def left(self) -> Any:
        """The left side."""
        return self.args[1]

    @property
    def right(self) -> Any:
        """The right side."""
        return self.args[2]

    def __repr__(self) -> str:
        return f"{show_number(self.left)} {self.relation} {show_number(self.right)}"

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound variables. An expression that was written down remembers its own."""
        found: dict[Any, None] = {}
        for side in self.args[1:]:
            if type(side) is Arith:
                ends = [walk(v, bindings) for v in open_in(side)]
            else:
                ends = [walk(side, bindings)]
            for end in ends:
                if type(end) in VARIABLES:
                    found[end] = None
                elif type(end) is not int:
                    found.update(dict.fromkeys(variables_of(end, bindings)))
        return list(found)

    def gap(self, work: Work) -> Poly:
        """The gap of its sides, in which no list is added up or multiplied. It is kept while its variables are as they
        were: bounds change more often, and others ask for it, too."""
        ends = [walk(v, work.bindings) for v in open_in(self)]
        try:
            known, gap = self._gap
            if known == ends:
                return gap
        except AttributeError:  # nobody has asked before
            pass
        gap = gap_of(self.left, self.right, work)
        self._gap = ends, gap
        return gap

    def linear_length(self, bindings: Mapping[Any, Any]) -> int | None:
        """The bits of its constants and operators, if nothing is multiplied or divided by a variable.

        Minima, maxima, quotients and remainders are linear by cases: each is a variable more, of which two rows are.
        A row has as many bits as its terms together, where a sum has no more than the product of its terms, doubled.
        """
        bits, rows = 3, 1
        stack = [*self.args[1:]]
        while stack:
            item = walk(stack.pop(), bindings)
            if type(item) is int:
                bits += 1 + item.bit_length()
            elif type(item) is Arith:
                operator, operands = item.args
                if operator in FOLDS:
                    operands = reify_term(operands[0], bindings)
                    if type(operands) is not tuple:
                        return None
                    operator = "*" if operator == "prod" else "+"
                known = [walk(operand, bindings) for operand in operands]
                if operator == "*" and sum(type(operand) is not int for operand in known) > 1:
                    return None
                if operator in ("//", "%"):
                    if type(known[1]) is not int:
                        return None
                    rows = 2  # both are about what is divided
                bits += 1 if operator in ("+", "-", "*") else 8
                stack.extend(known)
            elif type(item) in VARIABLES:
                bits += 3
            else:
                return None
        return rows * bits

    def _is_defined(self, work: Work) -> bool:
        return is_defined(self.left, work) and is_defined(self.right, work)

    def _names(self) -> bool:
        """Whether an equation says that a number, a natural, is the value of an expression."""
        _, left, right = self.args
        name, expression = (left, right) if type(left) in VARIABLES else (right, left)
        return type(name) in VARIABLES and type(expression) is Arith and not expression.ground

    def _shares(self, work: Work) -> bool:
        """Whether the sides have an unbound variable in common."""
        return not set(occurrences(self.left, work)).isdisjoint(occurrences(self.right, work))

    def beside(self, variables: Iterable[Any], work: Work) -> list[Sides]:
        """Other comparisons that are about one of some variables: that which the fewest are about; the last of many."""
        watch = {} if work.store is None else work.store.watch
        fewest = min(variables, key=lambda variable: len(watch.get(variable, ())), default=None)
        return [other for other in work.beside(fewest) if isinstance(other, Sides)]
