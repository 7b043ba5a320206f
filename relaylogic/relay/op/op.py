"""The registry of operators: `get`, and `register` for operators of one's own.

    relay.op.register("my_relu", relation="Identity", inputs=["data"], attrs=["alpha: float = 0.1"])

`register(name)` alone, followed by `get(name).add_argument(...)` and `add_type_rel(...)`, is TVM's way; both work.
Operators join the default rule base, for all programs of the process.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ...errors import RelayLogicError
from ...ir import Op
from ...rulebase import Operator, Relation, RuleError, default_rules, parse_attributes
from ...rulebase.relation import Clause
from .forward import computed

__all__ = ["Op", "OpPattern", "entry_attribute", "get", "register", "register_pattern", "register_stateful"]


class OpPattern:
    """How an operator may be fused; of no concern to types."""

    ELEMWISE, BROADCAST, INJECTIVE, COMM_REDUCE, OUT_ELEMWISE_FUSABLE, TUPLE, OPAQUE = 0, 1, 2, 3, 4, 7, 8


class _Entry:
    """What is known of a registered operator; its methods are those of `tvm.ir.Op`."""

    def __init__(self, name: str, description: str = "", known: Operator | None = None) -> None:
        self.name = name
        self.description = description
        self.inputs: list[str] = []
        self.relation: Relation | None = None
        self.declared: Any = {}
        self.support_level = 10
        self.attrs_type_key = ""
        self.attributes: dict[str, Any] = {}
        self.count: int | None = None
        if known is not None:
            self.description = known.doc or known.relation.doc
            self.inputs, self.relation, self.declared = list(known.inputs), known.relation, known.attributes

    @property
    def num_inputs(self) -> int:
        """The number of inputs."""
        return len(self.inputs) if self.count is None else self.count

    @property
    def arguments(self) -> list[str]:
        """The names of the inputs."""
        return list(self.inputs)

    def set_num_inputs(self, n: int) -> None:
        """Say how many inputs there are."""
        self.count = n
        self._publish()

    def add_argument(self, name: str, type: str = "", description: str = "") -> None:
        """Add an input."""
        del type, description
        self.inputs.append(name)
        self._publish()

    def add_type_rel(self, rel_name: str, type_rel_func: Callable[..., Any] | None = None) -> None:
        """Give the relation that types a call: by name, or as a function from the inputs' types and the attributes to
        the result's type (None while that is not known), which then runs forward only."""
        if type_rel_func is None:
            self.relation = default_rules().relation(rel_name)
        else:
            names = self.inputs or [f"input_{i}" for i in range(self.num_inputs)]
            self.relation = computed(rel_name, names, type_rel_func)
        self._publish()

    def set_attrs_type_key(self, key: str) -> None:
        """The name of the class of the attributes."""
        self.attrs_type_key = key

    def set_support_level(self, level: int) -> None:
        """How well the operator is supported."""
        self.support_level = level

    def set_attr(self, attr_name: str, value: Any, plevel: int = 10) -> None:
        """Remember something of the operator."""
        del plevel
        self.attributes[attr_name] = value

    def get_attr(self, attr_name: str) -> Any:
        """What `set_attr` remembered, or None."""
        return self.attributes.get(attr_name)

    def has_attr(self, attr_name: str) -> bool:
        """Whether `set_attr` remembered something of that name."""
        return attr_name in self.attributes

    def reset_attr(self, attr_name: str) -> None:
        """Forget what `set_attr` remembered."""
        self.attributes.pop(attr_name, None)

    def _publish(self) -> None:
        """Bring the rule base up to date as soon as the operator has a relation and all of its inputs."""
        if self.relation is None:
            return
        missing = self.num_inputs - len(self.inputs)
        inputs = (*self.inputs, *(f"input_{i}" for i in range(missing)))
        if len(inputs) + 1 != self.relation.arity:
            return
        operator = Operator(self.name, inputs, self.relation, self.declared)
        operator.doc, operator.family = self.description, "registered"
        default_rules().operators[self.name] = operator
        from .rooms import functions, lookup

        functions.cache_clear()
        lookup.cache_clear()


_entries: dict[str, _Entry] = {}


def get(op_name: str) -> Op:
    """The operator of that name. Raises RuleError, with the nearest names, if there is none."""
    if not isinstance(op_name, str) or op_name not in _entries:
        default_rules().operator(op_name)
    return Op(op_name)


def register(
    op_name: str,
    describe: str = "",
    *,
    relation: str | Relation | Callable[..., Any] | None = None,
    inputs: Sequence[str] | None = None,
    attrs: Sequence[str] | str = (),
) -> Op:
    """Register an operator.

    `relation` is a relation, the name of one, or a function of the inputs, the result and (if its last parameter is
    named `attrs`) the attributes that returns a goal: the one clause of a new relation. `inputs` are the names of the
    inputs, by default those of the relation; `attrs` are declarations such as "alpha: float = 0.1".
    Raises RelayLogicError if there is an operator of that name.
    """
    if op_name in _entries or op_name in default_rules().operators:
        raise RelayLogicError(f"Operator {op_name} is registered before")
    entry = _entries[op_name] = _Entry(op_name, describe)
    if relation is not None:
        try:
            entry.relation = _relation(op_name, relation)
            entry.inputs = list(entry.relation.parameters[:-1] if inputs is None else inputs)
            entry.declared = parse_attributes(attrs if isinstance(attrs, str) else "; ".join(attrs))
            if len(entry.inputs) + 1 != entry.relation.arity:
                raise RuleError(
                    f"operator `{op_name}` has {len(entry.inputs)} inputs, but {entry.relation} relates "
                    f"{entry.relation.arity} types"
                )
        except Exception:
            del _entries[op_name]
            raise
        entry._publish()
    return Op(op_name)


def _relation(op_name: str, given: str | Relation | Callable[..., Any]) -> Relation:
    if isinstance(given, Relation):
        return given
    if isinstance(given, str):
        return default_rules().relation(given)
    parameters = tuple(inspect.signature(given).parameters)
    name = given.__name__ if given.__name__.isidentifier() else op_name
    code = given.__code__
    found = Relation(name, parameters, inspect.getdoc(given) or "", code.co_filename, code.co_firstlineno)
    found.add(Clause(found, given, name))
    default_rules().relations.setdefault(name, found)
    return found


def register_pattern(op_name: str, pattern: int, level: int = 10) -> None:
    """Remember how an operator may be fused."""
    entry_of(op_name).set_attr("TOpPattern", pattern, level)


def register_stateful(op_name: str, stateful: bool, level: int = 10) -> None:
    """Remember whether an operator has state."""
    entry_of(op_name).set_attr("TOpIsStateful", stateful, level)


def entry_of(op_name: str) -> _Entry:
    """What is known of an operator. Raises RuleError."""
    found = _entries.get(op_name) if isinstance(op_name, str) else None
    if found is None:
        found = _entries.setdefault(op_name, _Entry(op_name, known=default_rules().operator(op_name)))
    return found


def entry_attribute(op: Op, name: str) -> Any:
    """An attribute of an `Op` that the node itself has not. Raises AttributeError."""
    known = hasattr(_Entry, name) or name in ("description", "support_level", "attrs_type_key")
    if name.startswith("_") or not known:
        raise AttributeError(f"an operator has no `{name}`")
    return getattr(entry_of(op.name), name)
