"""Answers and constraints as text in clause notation: what is printed can be read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from unification import Var

from ..logic.arithmetic import Compare
from ..logic.calls import Call
from ..logic.expressions import Arith, show
from ..logic.lists import Delayed, Different, Length, SameLength
from ..logic.terms import Cons, Term
from ..types import TensorType, TupleType, show_dimension, show_shape, show_type

__all__ = ["Namer", "show_constraint", "show_term"]

_LETTERS = {
    "dim": "nmkijl",
    "number": "nmkijl",
    "shape": "su",
    "types": "F",
    "dtype": "t",
    "type": "TU",
}


class Namer:
    """Names for the variables of an answer: those of the query, then letters that tell what a variable stands for."""

    def __init__(self, given: Iterable[tuple[str, Any, Any]], residue: Iterable[Any] = ()) -> None:
        self.names: dict[Any, str] = {}
        self.kinds: dict[Any, str] = {}
        terms = list(given)
        self.taken = {name for name, _, _ in terms}
        for name, term, kind in terms:
            if type(term) is Var:
                self.names.setdefault(term, name)
            self._look(term, kind)
        for constraint in residue:
            for items in _lists_of(constraint):
                self._look(items, "shape")

    def _look(self, term: Any, kind: Any) -> None:
        stack = [(term, kind)]
        while stack:
            item, kind = stack.pop()
            if type(item) is Var:
                self.kinds.setdefault(item, kind or "")
            elif type(item) is TensorType:
                stack += [(item.shape, "shape"), (item.dtype, "dtype")]
            elif type(item) is TupleType:
                stack.append((item.fields, "types"))
            elif type(item) is Cons:
                stack += [(item.tail, kind), (item.prefix, kind)]
            elif type(item) is tuple:
                stack += [(part, {"shape": "dim", "types": "type"}.get(kind or "", "")) for part in item]
            elif isinstance(item, Term) and not item.ground:
                stack += [(part, "type") for part in item.args]

    def __call__(self, variable: Any) -> str:
        known = self.names.get(variable)
        if known is None:
            known = next(name for name in self._candidates(variable) if name not in self.taken)
            self.names[variable] = known
            self.taken.add(known)
        return known

    def _candidates(self, variable: Any) -> Iterator[str]:
        letters = _LETTERS.get(self.kinds.get(variable, "") or "dim", "x")
        yield from letters
        number = 1
        while True:
            yield f"{letters[0]}{number}"
            number += 1


def _lists_of(constraint: Any) -> tuple[Any, ...]:
    """The lists that a constraint is about."""
    if type(constraint) is Length:
        return (constraint.items,)
    if type(constraint) is SameLength:
        return constraint.lists
    if type(constraint) is Delayed and constraint.name in _ON_LISTS:
        return tuple(term for term in constraint.stated if type(term) in (Var, Cons))
    return ()


_ON_LISTS = frozenset({"append", "map", "reverse", "unroll"})


def show_term(term: Any, name: Namer) -> str:
    """A term as text."""
    kind = type(term)
    if kind is Var:
        return name(term)
    if kind is Cons or kind is tuple:
        parts = term.prefix if kind is Cons else term
        if any(
            isinstance(p, Term) and not hasattr(p, "name_hint") and show_dimension(p, name).startswith("Tensor")
            for p in parts
        ):
            inside = ", ".join(show_type(p, name) for p in parts)
            return f"[{inside} | {name(term.tail)}]" if kind is Cons else f"[{inside}]"
        # Out of a tensor type, (n) would be a number.
        return f"({show_dimension(parts[0], name)},)" if kind is tuple and len(parts) == 1 else show_shape(term, name)
    if kind is int or not isinstance(term, Term):
        return repr(term).lower() if isinstance(term, bool) or term is None else str(term)
    return show_type(term, name)


def show_constraint(constraint: Any, name: Namer) -> str:
    """A constraint as a goal."""
    kind = type(constraint)
    if kind is Compare:
        return _comparison(constraint, name)
    if kind is Call:
        return f"{constraint.relation.name}({_listed(constraint.arguments, name)})"
    if kind is Length:
        return f"len({show_term(constraint.items, name)}) = {show_term(constraint.length, name)}"
    if kind is SameLength:
        shown = [f"len({show_term(items, name)})" for items in constraint.lists]
        return ", ".join(f"{a} = {b}" for a, b in pairwise(shown))
    if kind is Different:
        return f"{show_term(constraint.left, name)} != {show_term(constraint.right, name)}"
    if kind is Delayed:
        return _suspended(constraint, name)
    mode = getattr(constraint, "mode", None) or kind.__name__.lower()
    fields = [
        getattr(constraint, field)
        for field in ("left", "right", "result", "term", "source")
        if hasattr(constraint, field)
    ]
    return f"{mode}({_listed([f for f in fields if f is not None], name)})"


def _suspended(constraint: Delayed, name: Namer) -> str:
    if constraint.name == "nth":
        items, index, element = constraint.stated
        return f"{show_term(items, name)}[{index}] = {show_term(element, name)}"
    return f"{constraint.name}({_listed(constraint.stated, name)})"


def _listed(terms: Iterable[Any], name: Namer) -> str:
    return ", ".join(show_term(term, name) for term in terms)


def _comparison(constraint: Compare, name: Namer) -> str:
    left, right, relation = constraint.left, constraint.right, constraint.relation
    if relation == "<=":
        if type(left) is Arith and left.operator == "+" and left.operands[-1] == 1 and len(left.operands) == 2:
            return f"{_shown(left.operands[0], name)} < {_shown(right, name)}"
        if type(left) is int:
            return f"{_shown(right, name)} >= {left}"
        return f"{_shown(left, name)} <= {_shown(right, name)}"
    if type(left) is int or (type(left) is Var and type(right) is Arith):
        left, right = right, left
    return f"{_shown(left, name)} {relation} {_shown(right, name)}"


def _shown(expression: Any, name: Namer) -> str:
    return show(_plain(expression), name)


def _plain(expression: Any) -> Any:
    """An expression without factors of 1, with the numbers of a sum added up."""
    if type(expression) is not Arith:
        return expression
    operator = expression.operator
    if operator in ("sum", "prod") and type(expression.operands[0]) is tuple:
        return _plain(Arith("+" if operator == "sum" else "*", expression.operands[0]))
    operands = [_plain(operand) for operand in expression.operands]
    if operator == "*":
        kept = [o for o in operands if o != 1]
        return Arith("*", tuple(kept)) if len(kept) > 1 else kept[0] if kept else 1
    if operator == "-" and type(operands[1]) is int:
        operator, operands = "+", [operands[0], -operands[1]]
    if operator == "+":
        flat = [x for o in operands for x in (o.operands if type(o) is Arith and o.operator == "+" else (o,))]
        number = sum(x for x in flat if type(x) is int)
        rest = [x for x in flat if type(x) is not int]
        if number < 0 and rest:
            whole = Arith("+", tuple(rest)) if len(rest) > 1 else rest[0]
            return Arith("-", (whole, -number))
        operands = [*rest, number] if number or not rest else rest
        return Arith("+", tuple(operands)) if len(operands) > 1 else operands[0]
    return Arith(operator, tuple(operands))
