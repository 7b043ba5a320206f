"""One pass over functions with an explicit agenda: the types of nodes, and what is demanded of them or refused.

A node that is reached twice is typed once. Types of nodes live in the `types` table, by identity of the node; nothing
is written into the program.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar

from ..ir import Call, Constructor, Function, GlobalVar, If, IRModule, Match, Op, children
from ..ir import Var as LocalVar
from ..logic.terms.terms import Term
from ..types import IncompleteType
from ..types.glance import glance
from .checks.kinds import definition_problems, kind_problems
from .open.beliefs import Beliefs
from .sites.demands import EqualSite
from .sites.driver import Driver
from .sites.relaxation import Relaxation
from .sites.site import Site

__all__ = ["Visit", "Visitor"]

_NO_HOLES: Mapping[int, Any] = {}
_NOTHING_LEFT_OUT = Relaxation()


class Visitor:
    """Visits the functions of one module; how expressions of each class are, those that stand on it say.

    `holes` stand where annotations of a variable, or the result type of a function, are not to be read.
    """

    visits: ClassVar[Mapping[type, Visit]] = {}

    def __init__(
        self,
        module: IRModule,
        driver: Driver,
        globals_: dict[GlobalVar, Any],
        generalise: Any,
        holes: Mapping[int, Any] = _NO_HOLES,
        beliefs: Beliefs | None = None,
    ) -> None:
        self.module = module
        self.holes = holes
        self.beliefs = beliefs or Beliefs({})
        self.driver = driver
        self._operators = driver.rules.operators
        self._declarations = module.declarations
        self.globals = globals_
        self.types: dict[int, Any] = {}
        self.owner = ""
        self.warnings: list[tuple[Any, str]] = []
        self._generalise = generalise
        self._agenda: list[Any] = []
        self._root: Function | None = None  # the function of the module that is visited: what it demands is said later
        self._constructors: dict[Constructor, tuple[Any, Any, Any]] = {}
        self._well_kinded: set[Term] = set()  # annotations of which that is not seen at a glance, without the module
        self.used: set[GlobalVar] = set()
        self.met: dict[GlobalVar, set[int]] = {}  # where functions were used before their types were known
        relaxation = driver.relaxation
        self._relaxation = relaxation or _NOTHING_LEFT_OUT
        self.silent: Collection[int] = () if relaxation is None else relaxation.silent
        self._omitted = relaxation is not None and relaxation.omitted
        self._sound: Collection[int] = () if relaxation is None else relaxation.sound
        self._unbound: Collection[int] = () if relaxation is None else relaxation.unbound

    def function(self, name: str, function: Function) -> Any:
        """The type of a function of the module."""
        self.owner = name
        self._root = function
        agenda = self._agenda
        agenda.append(function)
        types = self.types
        visits, silent = self.visits, bool(self.silent)
        while agenda:
            item = agenda.pop()
            visit = visits.get(type(item))
            if visit is None:
                item()
            elif id(item) not in types:
                if silent:
                    self._unless_silent(visit, item)
                else:
                    visit(self, item)
        return types[id(function)]

    def _unless_silent(self, visit: Visit, expr: Any) -> None:
        """Visit an expression; if it is silent, what is inside of it, unless that is dead."""
        if self._relaxation.is_dead(expr):
            self.types[id(expr)] = IncompleteType()
        elif id(expr) not in self.silent or type(expr) in (If, Match):
            visit(self, expr)
        elif type(expr) is Function:
            self._agenda.append(lambda: self.types.update({id(expr): IncompleteType()}))
            visit(self, expr)
        else:
            inside = expr.args if type(expr) is Call and type(expr.op) is Op else children(expr)
            if not self._postponed(expr, inside):
                self.types[id(expr)] = IncompleteType()

    def _then(self, action: Callable[[], None], *children: Any) -> None:
        """Visit the children in order, then act."""
        self._agenda.append(action)
        types = self.types
        self._agenda.extend(child for child in reversed(children) if id(child) not in types)

    def _postponed(self, expr: Any, children: tuple[Any, ...]) -> bool:
        """Whether `expr` must be visited again because some children have no type yet; they are visited first."""
        types, agenda = self.types, self._agenda
        postponed = False
        for child in reversed(children):
            if id(child) not in types:
                if not postponed:
                    agenda.append(expr)
                    postponed = True
                agenda.append(child)
        return postponed

    def refuse(self, expr: Any, message: str, span: Any = None, malformed: bool = False) -> None:
        """Record that an expression is wrong; with `malformed`, it is so whatever the types are."""
        if not self.silent or id(expr) not in self.silent:
            self.driver.refuse(Site(expr, self.owner, span), message, malformed)

    def equal(self, actual: Any, expected: Any, place: str, expr: Any, span: Any = None, user: Any = None) -> None:
        """Demand that the type of a value is the one that its place wants."""
        if actual is not expected:
            site = EqualSite(actual, expected, place, expr, self.owner, span, user)
            site.given = self.driver.store.given
            self.driver.add(site)

    def _is_supposed(self, expr: Any) -> bool:
        """Whether a what-if question says which type an expression has, which it then has."""
        hole = self.holes.get(id(expr))
        if hole is None:
            return False
        self.types[id(expr)] = hole
        return True

    def annotation(self, annotation: Any, expr: Any) -> Any:
        """The type that is written at a variable, a constant or a function, checked; a hole if it is left out or
        ill-kinded."""
        if annotation is None:
            return IncompleteType()
        if self.holes and id(expr) in self.holes:
            return self.holes[id(expr)]
        if self._sound and id(expr) in self._sound:
            return annotation
        seen = glance(annotation)
        if (seen is not None and not seen.calls) or (isinstance(annotation, Term) and annotation in self._well_kinded):
            return annotation
        problems = kind_problems(annotation, self.module)
        for problem in problems:
            self.refuse(expr, problem.message, _written_at(expr))
        if problems:
            return IncompleteType()
        if isinstance(annotation, Term):
            self._well_kinded.add(annotation)
        return annotation

    def definitions(self) -> None:
        """Check the data types that the module defines."""
        for data in self.module.type_definitions.values():
            for problem in definition_problems(data, self.module):
                self.refuse(data, problem.message)

    def settle(self, function: GlobalVar, scheme: Any) -> None:
        """Take note of the type of a function that was used before it was known: a node may be shared by all uses."""
        self.types.update(dict.fromkeys(self.met.pop(function, ()), scheme))


def _written_at(expr: Any) -> Any:
    """Where the type of a variable stands, or that of the result of a function; None if that is nowhere else."""
    if type(expr) is Function:
        return expr.ret_span
    return expr.type_span or expr.span if type(expr) is LocalVar else None


Visit = Callable[[Any, Any], None]
"""Gives an expression its type, or has what it needs visited first."""
