"""What one node of an expression is made of: checked to be what it must be, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...errors import IllFormed, said
from ...ir import (
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    Op,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefWrite,
    Span,
    Tuple,
    TupleGetItem,
    TypeData,
    Var,
    parts,
    pattern_vars,
)
from ...logic.terms.variables import VARIABLES
from ...text.attribute_builder import MOST_NESTED
from ...text.names import is_bare, is_global, is_scalar
from ...types import Type, TypeVar, has_value, show_type

__all__ = [
    "LEAVES",
    "NODES",
    "are_plain",
    "bound_by",
    "check_all",
    "check_attributes",
    "check_data",
    "check_global_name",
    "check_leaf",
    "check_name",
    "check_span",
    "check_type_name",
    "checked_parts",
    "expression",
    "is_type",
    "named",
    "place_of",
    "refuse_let",
    "sequence",
]

LEAVES = {GlobalVar: "a function", Constant: "a constant", Op: "an operator", Constructor: "a constructor"}
NODES = frozenset({Call, Function, If, Let, Match, RefCreate, RefRead, RefWrite, Tuple, TupleGetItem, Var, *LEAVES})

_ATOMS = frozenset({str, bool, float, type(None)})
_LARGE = 2**63 - 1

_NAMES = "a name is made of letters, digits, `_` and `/`, in parts with `.` between them, and is no keyword"
_FURTHER_SPANS: dict[type, str] = {Var: "type_span", Function: "ret_span"}


def check_attributes(attrs: Mapping[str, Any], at: Any = None) -> None:
    """Check attributes. Raises IllFormed for what is no mapping from names, lists in lists in lists ..., and enormous
    numbers."""
    if not isinstance(attrs, Mapping):
        raise IllFormed(f"attributes are a mapping from names to values, which {named(attrs)} is not", place_of(at))
    for name, value in attrs.items():
        check_bare_name(name, "an attribute", at)
        agenda = [(value, 0)]
        while agenda:
            item, depth = agenda.pop()
            if isinstance(item, (list, tuple)):
                if depth == MOST_NESTED:
                    message = f"the attribute `{name}` has more than {MOST_NESTED} lists in each other"
                    raise IllFormed(message, place_of(at))
                agenda.extend((inner, depth + 1) for inner in item)
            elif type(item) is int and not -(2**63) <= item < 2**63:
                raise IllFormed(f"the attribute `{name}` holds a number of more than 64 bits", place_of(at))


def are_plain(given: dict[Any, Any]) -> bool:
    """Whether attributes are seen at a glance to be right, and hold no expressions: most are."""
    for name, value in given.items():
        if type(name) is not str or not is_bare(name):
            return False
        kind = type(value)
        if kind is int:
            if not -_LARGE <= value <= _LARGE:
                return False
        elif kind is tuple or kind is list:
            for item in value:
                if type(item) is not int or item > _LARGE or item < -_LARGE:
                    return False
        elif kind not in _ATOMS:
            return False
    return True


def refuse_let(node: Let) -> None:
    check_all([node.var], Var, "what a let binds")
    expression(node.value, "the value of a let")
    expression(node.body, "the body of a let")


def bound_by(root: Any) -> Sequence[Var]:
    """The variables that a pattern binds. Raises IllFormed if it is none."""
    found: list[Var] = []
    if type(root) is PatternConstructor and type(root.constructor) is Constructor and type(root.patterns) is tuple:
        for inner in root.patterns:  # most are that simple
            if type(inner) is PatternVar and type(inner.var) is Var:
                found.append(inner.var)
            elif type(inner) is not PatternWildcard:
                break
        else:
            return found
    _check_pattern(root)
    return pattern_vars(root)


def _check_pattern(root: Any) -> None:
    """Check that a pattern is a tree of patterns. One may occur in several places, but not in itself."""
    agenda: list[Any] = [root]
    entered: set[int] = set()
    done: set[int] = set()
    while agenda:
        item = agenda.pop()
        if type(item) is tuple:
            done.add(id(item[0]))
        elif id(item) in entered:
            if id(item) not in done:
                raise IllFormed(f"a {type(item).__name__} contains itself", item.span)
        else:
            check_all([item], Pattern, "a pattern")
            if type(item) is PatternVar:
                check_all([item.var], Var, "what a pattern binds")
            elif type(item) in (PatternConstructor, PatternTuple):
                if type(item) is PatternConstructor:
                    check_all([item.constructor], Constructor, "what a pattern takes apart")
                entered.add(id(item))
                agenda.append((item,))
                agenda.extend(reversed(sequence(item.patterns, "the patterns in a pattern", item)))


def check_span(node: Any) -> None:
    """Check the places of a node in a text."""
    kind = type(node)
    name = _FURTHER_SPANS.get(kind)
    further = None if name is None else getattr(node, name)
    if not node.has_good_span:
        name, further = "span", node.span
    if further is not None and type(further) is not Span:
        raise IllFormed(f"the {name} of a {kind.__name__} is {named(further)}, which is no Span")


def place_of(node: Any) -> Span | None:
    """The place of a node, or of none."""
    return None if node is None else node.span


def check_leaf(node: Any, kind: type) -> None:
    check_span(node)
    if kind is Constant:
        if node.tensor_type is not None and not is_type(node.tensor_type):
            raise IllFormed(f"the type of a constant is {named(node.tensor_type)}, which is no type", node.span)
        if not has_value(node.tensor_type, node.value):
            of = "a type that is not known" if node.tensor_type is None else f"`{show_type(node.tensor_type)}`"
            raise IllFormed(f"the value of a constant is {named(node.value)}, which is none of {of}", node.span)
    elif kind is GlobalVar:
        check_global_name(node)
    else:
        check_bare_name(node.name if kind is Op else node.name_hint, LEAVES[kind], node)


def checked_parts(node: Any) -> tuple[Expr, ...]:
    """The parts of a node that binds nothing. Raises IllFormed if some are no expressions."""
    if type(node) is TupleGetItem and type(node.index) is int and 0 <= node.index <= _LARGE:
        if type(node.tuple_value) in NODES:
            return (node.tuple_value,)
    if type(node) is Call:
        sequence(node.args, "the arguments of a call", node)
    elif type(node) is Tuple:
        sequence(node.fields, "the fields of a tuple", node)
    found = parts(node)
    for index, part in enumerate(() if NODES.issuperset(map(type, found)) else found):
        if type(part) not in NODES:
            role = f"a part of a {type(node).__name__}"
            if type(node) is Call:
                role = "an argument of a call" if index else "what is called"
            expression(part, role)
    if type(node) is TupleGetItem and type(node.index) is not int:
        raise IllFormed(f"the index of a field is {named(node.index)}, which is no int", node.span)
    if type(node) is TupleGetItem and node.index.bit_length() > 64:
        raise IllFormed("no tuple has so many fields", node.span)
    return found


def expression(item: Any, role: str) -> Any:
    if type(item) not in NODES:
        raise IllFormed(f"{role} is {named(item)}, which is no expression")
    return item


def check_all(items: Iterable[Any], kind: type, role: str) -> None:
    for item in sequence(items, f"the list of what is {role}"):
        if not isinstance(item, kind):
            raise IllFormed(f"{role} is {named(item)}, which is no {kind.__name__}")


def sequence(items: Any, role: str, at: Any = None) -> Sequence[Any]:
    if not isinstance(items, (tuple, list)):
        raise IllFormed(f"{role}: {named(items)} is no list", place_of(at))
    return items


def check_name(name: Any, role: str, at: Any = None) -> None:
    if not isinstance(name, str):
        raise IllFormed(f"the name of {role} is {named(name)}, which is no str", place_of(at))


def check_bare_name(name: Any, role: str, at: Any = None) -> None:
    """Check a name that stands in text as it is."""
    check_name(name, role, at)
    if not is_bare(name):
        raise IllFormed(f"no text can write `{name[:60]}` as the name of {role}", place_of(at), (_NAMES,))


def check_type_name(name: Any, role: str, at: Any = None) -> None:
    """Check the name of a data type or a type parameter."""
    check_bare_name(name, role, at)
    if is_scalar(name) or name == "Tensor":
        raise IllFormed(f"`{name}` cannot be the name of {role}: it is that of a type", place_of(at))


def check_global_name(function: GlobalVar) -> None:
    check_name(function.name_hint, "a function", function)
    if not is_global(function.name_hint):
        message = "no text can write the name of a function with a quotation mark or the end of a line in it"
        raise IllFormed(f"{message}: `{function.name_hint[:60]}`", function.span)


def is_type(term: Any) -> bool:
    # The class of variables asks a set whether it knows their values: what cannot be hashed is no type either.
    return isinstance(term, Type) or type(term) in VARIABLES


def named(item: Any) -> str:
    kind = type(item).__name__
    return (
        "None"
        if item is None
        else f"a {kind}"
        if isinstance(item, Expr)
        else f"`{item[:60] if isinstance(item, str) else said(item)}` ({kind})"
    )


def check_data(data: Any) -> None:
    """Check that a definition of a data type is one; that its types are well-kinded is for `kinds`."""
    check_all([data], TypeData, "a definition of a data type")
    check_type_name(data.header.name_hint, "a data type")
    of = f"of the data type `{data}`"
    check_all(data.type_vars, TypeVar, f"a type parameter {of}")
    check_all(data.constructors, Constructor, f"a constructor {of}")
    for parameter in data.type_vars:
        check_type_name(parameter.name_hint, f"a type parameter {of}")
    for constructor in data.constructors:
        check_bare_name(constructor.name_hint, "a constructor")
        for field in sequence(constructor.inputs, f"the fields of the constructor `{constructor.name_hint}`"):
            if not is_type(field):
                raise IllFormed(f"a field of the constructor `{constructor.name_hint}` is {named(field)}, no type")
