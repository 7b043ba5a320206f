"""Types as text, the way TVM's Relay printer writes them.

What TVM has no syntax for is written in the extended syntax of `relaylogic.text`: a hole is `_`, an open list of
dimensions ends in `...`. A large type whose parts occur again and again is written with names for them, since written
out it might never end: `(T1, T1) where T1 = (T2, T2), ...`. Iterative, so that a type nested 10,000 deep prints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..logic.large import shown
from ..logic.terms.numbers import Arith, is_number, show_number
from ..logic.terms.terms import Cons, Slot
from ..logic.terms.variables import VARIABLES
from .apart import told_apart
from .attributes import attribute_text
from .terms import (
    FuncType,
    GlobalTypeVar,
    RefType,
    TensorType,
    TupleType,
    TypeCall,
    TypeRelation,
    TypeVar,
)

__all__ = [
    "LONGEST",
    "Namer",
    "hole_text",
    "is_bare",
    "leaf_text",
    "pieces",
    "show_dimension",
    "show_shape",
    "written_out",
]

Namer = Callable[[Any], str]
"""How a variable is written; with a method `dtype`, also how a dtype is."""
Piece = Any  # text, or a part of the type in a tuple of one

_INTEGERS = frozenset({int})
LONGEST = 4_000
"""So many pieces of text make a type that is written out, whatever occurs in it twice."""
_SOME = 250
"""Where it may be many times as many, no type of more pieces is written out before it is known that there are not too
many: of parts that occur again and again, they are soon counted."""


def hole_text(variable: Any) -> str:
    """How a hole is written that has no name: `_`, unless it has constraints of its own."""
    return str(variable) if getattr(getattr(variable, "token", None), "constraints", ()) else "_"


def show_dimension(dim: Any, name: Namer = hole_text) -> str:
    """A dimension as text: `3`, `?`, `n`, `2 * n + 1`, or the name of a hole."""
    kind = type(dim)
    if kind is int:
        return shown(dim)
    if kind in VARIABLES or kind is Slot:
        return name(dim)
    if kind is TypeVar:
        return dim.name_hint  # type: ignore[no-any-return]
    if kind is str:
        return _dtype(dim, name)  # a dtype that a data type is applied to
    return show_number(dim, name) if is_number(dim) or type(dim) is Arith else str(dim)


def show_shape(shape: Any, name: Namer = hole_text) -> str:
    """A shape as text: `(2, 3)`, `(3)` for rank 1 as TVM writes it, `()` for rank 0."""
    kind = type(shape)
    if kind is tuple:
        if _INTEGERS.issuperset(map(type, shape)):
            return f"({', '.join(map(shown, shape))})"
        return f"({', '.join([show_dimension(d, name) for d in shape])})"
    if kind is Cons:
        return f"({', '.join(show_dimension(d, name) for d in shape.prefix)}, ...{_tail(shape.tail, name)})"
    if kind in VARIABLES or kind is Slot:
        return name(shape)
    return shape.name_hint if kind is TypeVar else str(shape)


def _tail(tail: Any, name: Namer) -> str:
    """What the rest of an open list is called: that of a type parameter, once the type is generalised."""
    return tail.name_hint if type(tail) is TypeVar else name(tail)


def _dtype(dtype: Any, name: Namer) -> str:
    if type(dtype) is str:
        return getattr(name, "dtype", str)(dtype) or "void"
    return dtype.name_hint if type(dtype) is TypeVar else name(dtype)


def written_out(term: Any, name: Namer = hole_text, longest: int = LONGEST) -> str | None:
    """A type as text without names for its parts; None if that takes more than `longest` pieces."""
    if type(term) is TensorType:
        return leaf_text(term, name)
    out: list[str] = []
    agenda: list[Piece] = [(term,)]
    binds = False
    most = _SOME if longest > 4 * _SOME else longest
    while agenda:
        item = agenda.pop()
        if type(item) is str:
            out.append(item)
            continue
        if type(item[0]) is FuncType and item[0].type_params and not binds:
            binds = True
            out.clear()
            term = told_apart(term)
            agenda = [(term,)]
            continue
        text = leaf_text(item[0], name)
        if text is not None:
            out.append(text)
        else:
            agenda.extend(reversed(pieces(item[0], name)))
        if len(out) + len(agenda) > most:  # what is left takes a piece each, or more
            if most == longest or _count(term, name, longest) > longest:
                return None
            most = longest
    return "".join(out)


def _count(term: Any, name: Namer, most: int) -> int:
    """The number of pieces of a type that is written out; some number above `most` if there are more."""
    blank = name if name is hole_text else _unnamed  # no variable is named for this
    counts: dict[int, int] = {}
    agenda: list[tuple[Any, list[Any] | None]] = [(term, None)]
    while agenda:
        node, parts = agenda.pop()
        if parts is not None:
            counts[id(node)] = min(most + 1, counts[id(node)] + sum(counts[id(part)] for part in parts))
        elif id(node) not in counts:
            counts[id(node)] = 1
            if len(counts) > most:  # each takes a piece
                return len(counts)
            if leaf_text(node, blank) is None:
                written = pieces(node, blank)
                parts = [piece[0] for piece in written if type(piece) is tuple]
                counts[id(node)] = len(written) - len(parts)
                agenda.append((node, parts))
                agenda.extend((part, None) for part in parts)
    return counts[id(term)]


def _unnamed(_: Any) -> str:
    return "_"


def leaf_text(node: Any, name: Namer) -> str | None:
    """The text of a type that has no types as parts; None for one that has."""
    kind = type(node)
    if kind is TensorType:
        shape, known = node.args
        dtype = _dtype(known, name)
        if shape == () and type(known) is str and dtype[0] != '"':
            return dtype
        return f"Tensor[{show_shape(shape, name)}, {dtype}]"
    if kind in VARIABLES or kind is Slot:
        return name(node)
    if kind in (TypeVar, GlobalTypeVar):
        return node.name_hint  # type: ignore[no-any-return]
    if kind in (TupleType, FuncType, TypeCall, RefType, TypeRelation):
        return None
    return show_shape(node, name) if kind in (tuple, Cons) else show_dimension(node, name)


def is_bare(relation: Any, whole: Any) -> bool:
    """Whether a constraint speaks of all types of its function, `whole`, in order, and of holes in them.

    It is written without them then: a second `_` would be another hole.
    """
    return not relation.ground and not relation.attrs and relation.arguments == whole


def _separated(items: Any, name: Namer) -> list[Piece]:
    open_end = ""
    if type(items) is Cons:
        open_end = f", ...{_tail(items.tail, name)}"
        items = items.prefix
    elif type(items) in (Slot, TypeVar, *VARIABLES):
        return [f"...{_tail(items, name)}"]
    parts: list[Piece] = []
    for index, item in enumerate(items):
        if index:
            parts.append(", ")
        parts.append((item,))
    return [*parts, open_end] if open_end else parts


def pieces(node: Any, name: Namer) -> list[Piece]:
    """The text of a type that has types as parts: each part stands in a tuple of one."""
    kind = type(node)
    if kind is TupleType:
        if type(node.fields) is tuple:
            last = ",)" if len(node.fields) == 1 else ")"
        else:
            last = ")" if type(node.fields) is Cons else ",)"  # `(...t)` would be a list of dimensions in clauses
        return ["(", *_separated(node.fields, name), last]
    if kind is FuncType:
        head = "fn "
        if node.type_params:
            head += f"[{', '.join(show_parameter(p) for p in node.type_params)}]"
        where: list[Piece] = []
        if node.type_constraints:
            whole = (*node.arg_types, node.ret_type) if type(node.arg_types) is tuple and name is hole_text else None
            shown = [r.name if is_bare(r, whole) else (r,) for r in node.type_constraints]
            where = [" where ", *[piece for item in shown for piece in (", ", item)][1:]]
        # At the end of a function that it gives, a `where` would be that one's.
        before, behind = (where, []) if type(node.ret_type) is FuncType else ([], where)
        return [head, "(", *_separated(node.arg_types, name), ")", *before, " -> ", (node.ret_type,), *behind]
    if kind is TypeCall:
        return [(node.func,), "[", *_separated(node.type_args, name), "]"]
    if kind is RefType:
        return ["ref(", (node.value,), ")"]
    return [f"{node.name}(", *_separated(node.arguments, name), *_attributes(node.attrs), ")"]


def _attributes(attrs: Any) -> list[str]:
    """The attributes of a constraint, as they are written."""
    given = attrs if type(attrs) is tuple else () if attrs is None else attrs.items()
    return [f", {attribute}={attribute_text(value)}" for attribute, value in given]


def show_parameter(parameter: Any) -> str:
    """A type parameter as it is declared: its name, with its kind unless that is Type."""
    if parameter.kind == "Type":
        return parameter.name_hint  # type: ignore[no-any-return]
    return f"{parameter.name_hint}: {parameter.kind}"
