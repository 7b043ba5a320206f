"""The solver on its own: relations over types, without a program.

    solver = TypeSolver()
    result = IncompleteType()
    solver.add_constraint("Broadcast", [TensorType((3, 1)), TensorType((4,)), result])
    solver.solve()
    solver.resolve(result)  # Tensor[(3, 4), float32]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import RelayLogicError
from ..infer.sites.driver import Driver
from ..infer.sites.relation_site import RelationSite
from ..infer.sites.schemes import instantiate
from ..infer.sites.site import Site
from ..infer.sites.store import Mismatch
from ..logic.terms.variables import VARIABLES
from ..rulebase import Attrs, Relation, RuleBase
from ..types import FuncType, IncompleteType, TypeRelation, TypeVar, show_type

__all__ = ["TypeSolver", "UnificationError"]


class UnificationError(RelayLogicError):
    """Two types that cannot be one, or a relation that cannot hold."""


class TypeSolver:
    """A store of what is known of holes, and the relations that are still to be decided."""

    def __init__(self, rules: RuleBase | None = None) -> None:
        self._driver = Driver(rules)

    def add_constraint(
        self, relation: Relation | TypeRelation | str, args: Sequence[Any] = (), attrs: Mapping[str, Any] | None = None
    ) -> None:
        """Demand that a relation holds of types, the result last. What follows at once is concluded at once.

        A `TypeRelation` brings its arguments and attributes along. Raises RuleError for an unknown relation,
        UnificationError for a wrong number of arguments.
        """
        if isinstance(relation, TypeRelation):
            name, args, given = relation.name, relation.arguments, relation.attrs
        else:
            name, given = relation if isinstance(relation, str) else relation.name, attrs
        known = relation if isinstance(relation, Relation) else self._driver.rules.relation(name)
        if len(args) != known.arity:
            raise UnificationError(f"`{name}` relates {known.arity} types, but {len(args)} are given")
        record = given if given is None or isinstance(given, Attrs) else Attrs(given)
        if record is None and known.takes_attrs:
            record = Attrs({})
        self._driver.add(RelationSite(known, tuple(args), record, None, ""))

    def unify(self, a: Any, b: Any) -> Any:
        """Make two types one; the type they are now. Raises UnificationError if they cannot be.

        Of two quantified function types, one must be an instance of the other, which is the result, or they differ in
        the names and the order of their type parameters.
        """
        reasons = []
        for actual, expected in ((a, b), (b, a)):
            try:
                return self._unified(actual, expected)
            except Mismatch as mismatch:
                reasons.append(mismatch)
        left, right = reasons[0].left, reasons[0].right
        why = f": {reasons[0]}" if str(reasons[0]) else f": {show_type(left)} is not {show_type(right)}"
        raise UnificationError(f"{show_type(self.resolve(a))} and {show_type(self.resolve(b))} cannot be one type{why}")

    def _unified(self, actual: Any, expected: Any) -> Any:
        store = self._driver.store
        actual, expected = store.walk(actual), store.walk(expected)
        if type(actual) is FuncType is type(expected) and len(actual.type_params) == len(expected.type_params) > 0:
            self._renamed(actual, expected)
            return self.resolve(actual)
        store.unify(actual, expected)
        self._driver.adopt(Site(None, ""))
        return self.resolve(expected)

    def _renamed(self, actual: Any, expected: Any) -> None:
        """Unify two function types with as many parameters: these correspond to each other in some order."""
        store = self._driver.store
        equations: list[Any] = []
        holes = [IncompleteType(p.kind) for p in expected.type_params]
        mark = store.checkpoint()
        try:
            body = FuncType(actual.arg_types, actual.ret_type, (), actual.type_constraints)
            store.unify(instantiate(expected, holes, equations), body)
            images = [store.reify(hole) for hole in holes]
            rigid = [i for i in images if type(i) not in VARIABLES]
            renaming = all(type(i) is TypeVar and i in actual.type_params for i in rigid)
            if not renaming or len(set(rigid)) != len(rigid):
                raise Mismatch(actual, expected, "their type parameters do not correspond to each other")
        except Mismatch:
            store.undo(mark)
            raise
        store.release()

    def solve(self) -> bool:
        """Conclude what can be concluded; whether nothing is left open.

        Raises UnificationError if a relation cannot hold.
        """
        self._driver.run(final=False)
        for site in self._driver.failed:
            shown = ", ".join(self._driver.show(a) for a in getattr(site, "arguments", ()))
            why = site.error.message if site.error is not None else ""
            raise UnificationError(why or f"{site.relation_name}({shown}) does not hold")
        return not self._driver.waiting

    def resolve(self, type_: Any) -> Any:
        """A type with all that is known of its holes."""
        return self._driver.store.reify(type_)

    def open_constraints(self) -> list[str]:
        """The relations that are not decided, as text."""
        show = self._driver.show
        return [
            f"{site.relation_name}({', '.join(show(a) for a in getattr(site, 'arguments', ()))})"
            for site in self._driver.waiting
        ]
