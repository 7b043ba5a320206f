"""What follows from what: which variables have one value only where others are known (functional dependencies).

Each constraint fixes some of its terms once others are known: an equation the only number in it that is not, a call
of a relation that is a function of its inputs its result, a goal that waits what its primitive says (`fixes`). What
follows from given variables is their closure under that (Armstrong, "Dependency structures of data base
relationships", 1974). Of a list it may also follow how long it is, and nothing else.

That a relation is such a function is read off the ways in which its most general call can hold: in each, the result
follows from the inputs; and no two of them agree on these and differ on that, since other values are demanded, or
other lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from ..constraints.compare import Compare
from ..constraints.lengths import Length, SameLength
from ..states.calls import Call
from ..states.state import State
from ..states.suspended import Fixed, Suspended, open_end
from ..terms.numbers import Arith
from ..terms.rebuilding import instantiate, reify_term
from ..terms.terms import open_in, slot, variables_of
from ..terms.variables import VARIABLES, fresh_list
from .options import Option, Options, clash, together

__all__ = ["Following", "Functional", "is_function"]

Functional = Callable[[Call], bool]
"""Whether a call's last argument follows from the others, whatever these are."""


class Following:
    """What follows where some variables of a state are given: `known` are the variables with one value, those among
    them, `counted` the lists, by the variable at their end, with one length."""

    def __init__(self, state: State, given: Iterable[Any], functional: Functional) -> None:
        self.known = set(given)
        self.counted: set[Any] = set()
        self._state = state
        self._functional = functional
        self._new: list[Any] = []
        constraints = [reify_term(constraint, state.bindings) for constraint in state.constraints()]
        about: dict[Any, list[Any]] = {}
        for constraint in constraints:
            for variable in open_in(constraint):
                about.setdefault(variable, []).append(constraint)
        waiting = list(dict.fromkeys(reversed(constraints)))
        while waiting:
            self._look_at(waiting.pop())
            while self._new:
                waiting.extend(about.get(self._new.pop(), ()))

    def is_known(self, term: Any) -> bool:
        """Whether a term has one value."""
        kind = type(term)
        if kind is int or kind in VARIABLES:
            return kind is int or term in self.known
        return self.known.issuperset(variables_of(term))

    def _is_counted(self, items: Any) -> bool:
        end = open_end(items)
        return end is None or end in self.counted or end in self.known

    def _learn(self, term: Any) -> None:
        new = [variable for variable in variables_of(term) if variable not in self.known]
        self.known.update(new)
        self._new += new

    def _count(self, items: Any) -> None:
        end = open_end(items)
        if end is not None and end not in self.counted and end not in self.known:
            self.counted.add(end)
            self._new.append(end)

    def _look_at(self, constraint: Any) -> None:
        """Learn what a constraint fixes, from what is known by now."""
        kind = type(constraint)
        if kind is Compare:
            relation, left, right = constraint.args
            if relation == "=":
                self._solve(left, right)
                self._solve(right, left)
        elif kind is Length:
            if self.is_known(constraint.length):
                self._count(constraint.items)
            elif self._is_counted(constraint.items):
                self._learn(constraint.length)
        elif kind is SameLength:
            self._relate_lengths(constraint.lists)
        elif kind is Call:
            *inputs, result = constraint.arguments[: constraint.relation.arity]
            self._apply(constraint.relation, (*inputs, *constraint.arguments[len(inputs) + 1 :]), result, constraint)
        elif kind is Suspended:
            self._of_primitive(constraint)

    def _solve(self, side: Any, other: Any) -> None:
        """Learn the only number of a side of an equation that is not known, if the other side is."""
        left = [variable for variable in variables_of(side) if variable not in self.known]
        if len(left) == 1 and self.is_known(other) and _invertible(side, left[0], self._state):
            self._learn(left[0])

    def _relate_lengths(self, lists: Sequence[Any]) -> None:
        if any(map(self._is_counted, lists)):
            for items in lists:
                self._count(items)

    def _apply(self, relation: Any, inputs: Sequence[Any], result: Any, call: Call) -> None:
        if all(map(self.is_known, inputs)) and not self.is_known(result) and self._functional(call):
            self._learn(result)

    def _of_primitive(self, waiting: Suspended) -> None:
        primitive, arguments = waiting.primitive, waiting.arguments
        for fixed in primitive.fixes(*arguments):
            self._fix(fixed)
        for left, right, more in primitive.lengths(*arguments):
            if more is not None:
                self._balance(left, right)
        for left, right, is_all in primitive.contents(*arguments):
            if is_all:
                self._balance(left, right)

    def _fix(self, fixed: Fixed) -> None:
        if not (all(map(self.is_known, fixed.known)) and all(map(self._is_counted, fixed.counted))):
            return
        if fixed.relation is None:
            self._learn(fixed.gives)
        elif hasattr(fixed.relation, "clauses"):  # of the functions of rules nobody knows what they are about
            arity = fixed.relation.arity
            if len(fixed.known) == arity - 1 and not self.is_known(fixed.gives):
                if self._functional(Call.draft((fixed.relation, *fresh_list(arity)))):
                    self._learn(fixed.gives)

    def _balance(self, left: Sequence[Any], right: Sequence[Any]) -> None:
        """Some lists together are as long as others, but for a number: count the only one that is not counted."""
        open_ = [items for items in (*left, *right) if not self._is_counted(items)]
        if len(open_) == 1:
            self._count(open_[0])


def _invertible(side: Any, variable: Any, state: State) -> bool:
    """Whether a number in an expression follows from what the expression is, if the other numbers in it are known."""
    while type(side) is Arith:
        operator, operands = side.args
        inside = [o for o in operands if variable in variables_of(o)]
        if len(inside) != 1 or operator not in ("+", "-", "*"):
            return False
        if operator == "*" and not all(_positive(o, state) for o in operands if o is not inside[0]):
            return False
        (side,) = inside
    return side is variable


def _positive(operand: Any, state: State) -> bool:
    return (type(operand) is int and operand > 0) or (type(operand) in VARIABLES and state.bounds(operand)[0] > 0)


def is_function(options: Options, place: int, functional: Functional) -> bool:
    """Whether what is open at a place among the arguments of a call follows from the others, by the call's options."""
    states, ways = options.states, options.options
    if states is None or ways is None:
        return False
    if not states:
        return True
    result = options.arguments[place]
    inputs = options.arguments[:place] + options.arguments[place + 1 :]
    if type(result) not in VARIABLES or result in variables_of(inputs):
        return False
    for _, state in states:
        given = variables_of(inputs, state.bindings)
        if not Following(state, given, functional).is_known(reify_term(result, state.bindings)):
            return False
    variables = variables_of(options.arguments)
    number = variables.index(result)
    return not any(
        _may_differ(states[i][1], ways[i], ways[j], variables, number)
        for i, j in combinations(range(len(states)), 2)
    )


def _may_differ(state: State, one: Option, other: Option, variables: list[Any], number: int) -> bool:
    """Whether a call may hold in two ways, of the first of which this is the state, that differ only on the variable of
    this `number`, as far as values and lengths tell."""
    values = dict(other.values)
    another = values.pop(number, slot(number))
    if clash(one.values, values.items()):
        return False
    shared = {i: variable for i, variable in enumerate(variables) if i != number}
    both = together(state, values.items(), other.constraints, shared, (variables[number], another))
    if both is None:
        return False
    found = both.finish()
    if found is None:
        return False
    from ..constraints.together import refuted_together  # that of most relations is kept

    waiting = instantiate(tuple([c for c in other.constraints if type(c) is Suspended]), shared)
    constraints = reify_term((*found.constraints(), *waiting), found.bindings)
    return not refuted_together(found, constraints)
