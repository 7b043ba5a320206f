"""What calls and other steps come to in a world, where all that they take is known: asked of the rules, once each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...ir import Call, Tuple, TupleGetItem
from ...logic.terms.terms import slot
from ...rulebase import AttributeProblem, Operator, RuleError
from ...rulebase.attrs import Attrs
from ...rulebase.open_attributes import Open
from ...types import TensorType, TupleType
from .alone import Alone
from .changes import dtypes_of
from .work import Work

__all__ = ["Outcomes", "Step"]

_AN_OUTCOME = 5
"""What a call comes to is told in the time of so many sites,"""

_USUAL = 8
"""and once more for so many fields of the tuples that it takes."""

_RESULT = slot(0)


class Step(NamedTuple):
    """What a place says of the node `head`: that it is made of others, or that it is of the type of the only one.

    Of a call, `operator` is that of it.
    """

    at: int
    head: int
    parts: tuple[int, ...]
    node: Any
    is_tie: bool
    operator: Operator | None


class Outcomes:
    """What steps come to, paid for by `work`; `known` are the types of nodes in the program."""

    def __init__(self, alone: Alone, known: Mapping[int, Any], work: Work) -> None:
        self._alone = alone
        self._known = known
        self._work = work
        self._rules = alone.program.rules
        self._outcomes: dict[Any, Any] = {}
        # What calls were heard to say: the names of the attributes that are others, and the types, the result last.
        self._heard: dict[int, list[tuple[frozenset[str], tuple[Any, ...]]]] = {}
        self._attrs: dict[tuple[int, str], Any] = {}  # of calls, by their places and what is another attribute there
        self._dtypes: dict[int, list[Any]] = {}  # of what calls take in the program, by their places

    def of(self, step: Step, parts: list[Any], attrs: dict[str, Any] | None) -> Any:
        """What a step gives its head where its parts have these types; None if it refuses, says not one thing, or takes
        dtypes that are mixed."""
        node = step.node
        if step.operator is not None:
            general = None if self._is_mixed(step, parts) else self.general(step, parts, attrs)
            return None if general is None else general[-1]
        if node is None:
            return parts[0]
        if type(node) is Tuple:
            return TupleType(tuple(parts))
        if type(node) is TupleGetItem:
            fields = getattr(parts[0], "fields", ())
            return fields[node.index] if node.index < len(fields) else None
        return self._known[step.head]

    def general(self, step: Step, parts: list[Any], attrs: dict[str, Any] | None, opened: int = 0) -> Any:
        """What a call says of its types, the result last, if it says all of them; None if not.

        So many slots are `opened` in its parts.
        """
        given = (step.at, repr(sorted(attrs.items()) if len(attrs) > 1 else attrs) if attrs else "")
        key = (given, tuple(parts))
        found = self._outcomes.get(key, self)
        if found is self:  # nobody has asked before
            found = self._outcomes[key] = self._asked(step, key[1], attrs, given, opened)
            if found is not None and not opened:
                self._heard.setdefault(id(step.node), []).append((frozenset(attrs or ()), (*key[1], found[-1])))
        return found

    def told(self, step: Step, asked: tuple[Any, ...], opened: int) -> Any:
        """`general` of what a call takes, as far as a program tells."""
        return self._asked(step, asked, None, (step.at, ""), opened, False)

    def heard(self, call: Call, silent: Collection[str]) -> Iterator[tuple[frozenset[str], tuple[Any, ...]]]:
        """What a call was heard to say where none but some attributes are others: which of them are, and the types of
        what it takes and gives."""
        heard = reversed(self._heard.get(id(call), ()))  # what is tried last is farthest from the program
        return ((names, types) for names, types in heard if names.issubset(silent))

    def _is_mixed(self, step: Step, parts: list[Any]) -> bool:
        """Whether a call takes several dtypes, and others than in the program."""
        for part in parts:
            if type(part) is not TensorType or part.args[1] != parts[0].args[1]:
                break
        else:  # tensors of one dtype, as most
            return False
        own = self._dtypes.get(step.at)
        if own is None:
            own = self._dtypes[step.at] = dtypes_of([self._known[node] for node in step.parts])
        dtypes = dtypes_of(parts)
        return dtypes != own and len(set(dtypes)) > 1

    def _asked(
        self,
        step: Step,
        parts: tuple[Any, ...],
        attrs: dict[str, Any] | None,
        given: tuple[int, str],
        opened: int,
        goals: bool = True,
    ) -> Any:
        """What the rules say of a call, or programs alone without `goals`; its attributes are kept as those that are
        `given`."""
        operator = step.operator
        assert operator is not None
        try:
            told = self._attrs_of(step, attrs, given)
        except AttributeProblem:
            return None
        if type(told) is Open:
            return None
        self._work.pay(_price(parts))
        self._work.check()
        inputs = (TupleType(parts),) if operator.variadic else parts
        arguments = (*inputs, slot(opened) if opened else _RESULT)
        try:
            return self._rules.outcome(operator.relation, arguments, told, goals)
        except RuleError:
            return None

    def _attrs_of(self, step: Step, attrs: dict[str, Any] | None, given: tuple[int, str]) -> Any:
        """The attributes of a call, some of which are others, kept as those that are `given`.

        Raises AttributeProblem.
        """
        try:
            return self._attrs[given]
        except KeyError:
            pass
        driver, call, operator, found = self._alone.program, step.node, step.operator, None
        assert operator is not None
        if attrs is None:
            found = driver.attrs_of(operator, call)
        else:
            own = self._attrs_of(step, None, (step.at, ""))
            if type(own) is Attrs:
                found = operator.attrs_but(own, attrs)
            if found is None:
                found = driver.attrs_of(operator, call, {**call.given, **attrs})
        self._attrs[given] = found
        return found


def _price(parts: Iterable[Any]) -> int:
    """In the time of how many sites a call is told what it comes to that takes some types."""
    fields = 0
    for part in parts:
        if type(part) is TupleType and type(part.fields) is tuple:
            fields += len(part.fields)
    return _AN_OUTCOME * (1 + fields // _USUAL)
