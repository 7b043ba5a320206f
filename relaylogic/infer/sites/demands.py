"""Demands that no relation states: that types are equal, that a value is called, that parameters stay inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...logic.constraints.compare import Compare
from ...logic.control import Search
from ...logic.states.state import State
from ...logic.states.work import Work
from ...logic.terms.rebuilding import reify_term
from ...logic.terms.terms import variables_of
from ...logic.terms.variables import VARIABLES
from ...types import FuncType, show_type
from .places import Ending
from .schemes import Equation, mentions
from .site import Refusal, Site
from .store import Mismatch

if TYPE_CHECKING:
    from .worklist import Worklist

__all__ = ["ApplySite", "EqualSite", "EquationSite", "ScopeSite", "misfit"]


def misfit(place: str, actual: Any, expected: Any, mismatch: Mismatch, driver: Worklist) -> Refusal:
    """That the type of what stands in some place is not the one that is wanted there."""
    found, wanted = driver.show(actual), driver.show(expected)
    message = f"{place} has type {found}, but {wanted} is wanted"
    left, right = driver.show(mismatch.left), driver.show(mismatch.right)
    if (left, right) != (found, wanted):
        message += f": {left} is not {right}"
    if mismatch.reason:
        message += f" ({mismatch.reason})"
    return Refusal(message)


class EqualSite(Site):
    """The type of a value must be the one that its place wants; `place` says which that is.

    `user` is the node that has that place, where the value may be used in others, too: a variable, a shared node.
    """

    __slots__ = ("actual", "expected", "place", "user")
    relation_name = "Equal"

    def __init__(
        self, actual: Any, expected: Any, place: str, expr: Any, owner: str, span: Any = None, user: Any = None
    ) -> None:
        super().__init__(expr, owner, span)
        self.actual = actual
        self.expected = expected
        self.place = place
        self.user = span.user if type(span) is Ending else user

    @classmethod
    def known_by(cls, expr: Any, place: str, user: Any) -> Any:
        """What is the identity of such a demand."""
        return cls.__name__, cls.relation_name, id(expr), id(user), place

    @property
    def identity(self) -> Any:
        """What this demand is known by in another inference of the same program."""
        return self.known_by(self.expr, self.place, self.user)

    def attempt(self, driver: Worklist) -> list[Any]:
        """Unify; never waits."""
        try:
            driver.fit(self.actual, self.expected)
        except Mismatch as mismatch:
            raise misfit(self.place, self.actual, self.expected, mismatch, driver) from mismatch
        return []


class ApplySite(Site):
    """A call of a value whose type is not known yet."""

    __slots__ = ("arg_types", "callee", "result")
    relation_name = "Call"
    is_application = True

    def __init__(self, callee: Any, arg_types: tuple[Any, ...], result: Any, expr: Any, owner: str) -> None:
        super().__init__(expr, owner)
        self.callee = callee
        self.arg_types = arg_types
        self.result = result

    @property
    def terms(self) -> tuple[Any, ...]:
        """The value that is called, what it is called with, and the result."""
        return (self.callee, *self.arg_types, self.result)

    def attempt(self, driver: Worklist) -> list[Any]:
        """Wait for the callee's type, then call it."""
        known = driver.store.walk(self.callee)
        if type(known) in VARIABLES:
            return [known]
        result = driver.apply(known, self.arg_types, self.expr, self.owner)
        driver.add(EqualSite(result, self.result, "the result", self.expr, self.owner))
        return []

    def default(self, driver: Worklist) -> None:
        """Nothing says what the callee is: then it is a function of one type, as in Relay."""
        function = FuncType(self.arg_types, self.result)
        driver.add(EqualSite(self.callee, function, "the callee", self.expr, self.owner))


class ScopeSite(Site):
    """Type parameters that nothing outside their function may come to know.

    `outside` are the types of what the function uses and does not bind. They may become known later than the function
    is: the driver tries these sites once more when everything that it decides is decided.
    """

    __slots__ = ("outside", "rigid")
    relation_name = "Scope"
    looks_again = True

    def __init__(self, rigid: tuple[Any, ...], outside: tuple[Any, ...], expr: Any, owner: str) -> None:
        super().__init__(expr, owner)
        self.rigid = rigid
        self.outside = outside

    def attempt(self, driver: Worklist) -> list[Any]:
        """Look at what is known outside; never waits."""
        store = driver.store
        for term in self.outside:
            known = store.reify(term)
            if mentions(known, self.rigid):
                names = ", ".join(f"`{parameter}`" for parameter in self.rigid)
                raise Refusal(
                    f"what this function uses has type {show_type(known)}, but its type parameters ({names}) "
                    "differ from call to call"
                )
        return []


class EquationSite(Site):
    """An extent that is arithmetic over other extents."""

    __slots__ = ("equation",)
    relation_name = "Extent"

    def __init__(self, equation: Equation, expr: Any, owner: str) -> None:
        super().__init__(expr, owner)
        self.equation = equation

    @property
    def terms(self) -> tuple[Any, ...]:
        """The extent, and those that it is arithmetic over."""
        return (self.equation.hole, *_leaves(self.equation.expression))

    def numbers(self) -> tuple[tuple[Any, ...], dict[int, Any]] | None:
        """The equation."""
        return (Compare.draft(("=", self.equation.hole, self.equation.expression)),), {}

    def attempt(self, driver: Worklist) -> list[Any]:
        """Propagate the equation over what is known."""
        store = driver.store
        constraint = reify_term(Compare.make(("=", self.equation.hole, self.equation.expression)), store.bindings)
        work = Work(State({}, None, Search(gradual=False)))
        outcome = constraint.propagate(work)
        if outcome is False or not work.run():
            hole, expression = self.equation.hole, self.equation.expression
            raise Refusal(f"the extents do not satisfy {driver.show(hole)} = {driver.show(expression)}")
        for variable, value in work.bindings.items():
            store.unify(variable, value)
        return [] if outcome else variables_of(constraint, store.bindings)


def _leaves(expression: Any) -> list[Any]:
    found, stack = [], [expression]
    while stack:
        item = stack.pop()
        if hasattr(item, "operands"):
            stack.extend(item.operands)
        else:
            found.append(item)
    return found
