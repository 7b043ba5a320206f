"""Kinds: whether a type, as it was written, makes sense.

A type parameter may stand only where its kind permits (a `Type` is no shape), a data type takes as many
arguments as its definition has parameters, dtypes exist and extents are naturals. Whoever reads an annotation
asks here before using it; what values the types classify is no concern of this room. The kinds are those of
Relay's documentation ("Type Parameter"): Type, BaseType, Shape, ShapeVar.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from ...errors import enumerated
from ...ir import IRModule, TypeData
from ...logic.terms.numbers import is_number, lists_of, symbols_of
from ...logic.terms.terms import Cons, is_ground
from ...logic.terms.variables import VARIABLES
from ...types import (
    ANY,
    KINDS,
    STORAGE,
    FuncType,
    GlobalTypeVar,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeRelation,
    TypeVar,
    kind_of_hole,
    normal_dtype,
)
from ...types.attributes import attribute_text
from ...types.glance import glance

__all__ = [
    "SIZES",
    "KindProblem",
    "argument_kinds",
    "definition_problems",
    "is_well_kinded",
    "kind_of",
    "kind_problems",
    "loose",
    "open_kinds",
    "parameter_problems",
]

SIZES = frozenset({"Shape", "ShapeVar"})
"""The kinds of type parameters that extents are made of."""

_NOUNS = {"Type": "a type", "BaseType": "a dtype", "Shape": "a shape", "ShapeVar": "an extent"}

_ANY_KIND = ""
"""What an argument of a relation must be: the relation says which kinds it takes."""

_Place = tuple[Any, str, Any]
"""A term, the kind that it must have, and its role: the subject of "... must be a shape", or an extent that is computed
from the term, which is put into words where that is wrong."""


class KindProblem(NamedTuple):
    """Why a type is refused, and the part of it that is to blame."""

    message: str
    term: Any


def kind_problems(type_: Any, module: IRModule, expected: str = "Type") -> list[KindProblem]:
    """What is wrong with `type_` as a term of kind `expected`, from left to right; [] if it is well-kinded.

    A sub-term that occurs several times in places of one kind is reported once.
    """
    if expected == "Type" and is_well_kinded(type_, module):
        return []
    problems: list[KindProblem] = []
    seen: set[tuple[Any, str]] = set()
    agenda: list[_Place] = [(type_, expected, "")]
    while agenda:
        term, kind, where = agenda.pop()
        if isinstance(term, Hashable):  # what is not is no type either
            if (term, kind) in seen:
                continue
            seen.add((term, kind))
        problem = _mismatch(term, kind, where)
        if problem is not None:
            problems.append(KindProblem(problem, term))
            continue
        if isinstance(term, TypeCall):
            problem = _wrong_call(term, module)
            if problem is not None:
                problems.append(KindProblem(problem, term))
        elif isinstance(term, FuncType):
            problems += parameter_problems(term.type_params)
        elif isinstance(term, TypeRelation):
            problems += _attribute_problems(term)
        agenda.extend(reversed(list(_places(term, kind, module))))
    return problems


def is_well_kinded(type_: Any, module: IRModule) -> bool:
    """Whether a type is seen at a glance to be well-kinded; what is not may be, too."""
    seen = glance(type_)
    return seen is not None and all(argument_kinds(c, module) == ("Type",) * len(c.args[1]) for c in seen.calls)


def parameter_problems(type_params: Sequence[Any], owner: str = "a function type") -> list[KindProblem]:
    """The type parameters that bear a name which an earlier one of the same list bears."""
    names: set[str] = set()
    problems: list[KindProblem] = []
    for parameter in type_params:
        if parameter.name_hint in names:
            problems.append(KindProblem(f"the type parameter `{parameter}` is declared twice in {owner}", parameter))
        names.add(parameter.name_hint)
    return problems


def definition_problems(data: TypeData, module: IRModule) -> list[KindProblem]:
    """What is wrong with the definition of a data type: its parameters, the types of its fields."""
    name = data.header.name_hint
    problems = parameter_problems(data.type_vars, f"the definition of `{name}`")
    for parameter in data.type_vars:
        if parameter.kind not in KINDS:
            wanted = f"parameters of data types have kind {enumerated(KINDS)}"
            message = f"{wanted}, but `{parameter}` is of kind {parameter.kind}"
            problems.append(KindProblem(message, parameter))
    for constructor in data.constructors:
        for field in constructor.inputs:
            problems += kind_problems(field, module)
            problems += [_foreign(term, constructor.name_hint, name) for term in loose(field, data.type_vars)]
    return problems


def _foreign(term: Any, constructor: str, data: str) -> KindProblem:
    if type(term) is TypeVar:
        return KindProblem(f"the type parameter `{term}` in a field of `{constructor}` is none of `{data}`", term)
    return KindProblem(f"the fields of `{constructor}` need complete types, without `_`", term)


def loose(type_: Any, own: Sequence[Any]) -> list[Any]:
    """The holes of a type, and its type parameters that neither `own` nor a function type binds."""
    simple = glance(type_)
    if simple is not None and not (simple.parameters and simple.holes):  # else their order is to be found out
        return [*simple.holes, *(parameter for parameter in simple.parameters if parameter not in own)]
    found: dict[Any, None] = {}
    agenda: list[tuple[Any, frozenset[Any]]] = [(type_, frozenset(own))]
    seen: set[tuple[Any, frozenset[Any]]] = set()
    while agenda:
        item = agenda.pop()
        if item in seen:
            continue
        seen.add(item)
        term, bound = item
        if type(term) in VARIABLES or (type(term) is TypeVar and term not in bound):
            found[term] = None
        elif isinstance(term, FuncType):
            bound = bound | set(term.type_params)
        agenda.extend((part, bound) for part, _, _ in reversed(list(_places(term, _ANY_KIND, None))))
    return list(found)


def open_kinds(terms: Sequence[Any], module: IRModule | None) -> dict[Any, str]:
    """The holes of some types, in order, with the kinds that their first places ask for; `Type` if none does.

    `module` defines the data types.
    """
    found: dict[Any, str] = {}
    agenda: list[tuple[Any, str]] = [(term, _ANY_KIND) for term in reversed(terms)]
    while agenda:
        term, kind = agenda.pop()
        if type(term) in VARIABLES:
            found.setdefault(term, kind or kind_of_hole(term))
            continue
        agenda.extend((part, inner) for part, inner, _ in reversed(list(_places(term, kind, module))))
    return found


def argument_kinds(call: Any, module: IRModule | None) -> tuple[str, ...] | None:
    """The kinds of what the data type of a type call takes; None if `module` does not define it."""
    known = type(call.func) is GlobalTypeVar and module is not None
    data = module.get_type_data(call.func) if known else None  # type: ignore[union-attr]
    return None if data is None else data.kinds


def _places(term: Any, kind: str, module: IRModule | None) -> Iterator[_Place]:
    """The parts of a term that has the kind it should have; without a module, arguments of data types have any."""
    form = type(term)
    if form is TensorType:
        yield term.shape, "Shape", "the shape of a tensor type"
        yield term.dtype, "BaseType", "the dtype of a tensor type"
    elif form is TupleType:
        yield from _listed(term.fields, "Type", "a field of a tuple type")
    elif form is FuncType:
        yield from _listed(term.arg_types, "Type", "a parameter of a function type")
        yield term.ret_type, "Type", "the result of a function type"
        yield from _listed(term.type_constraints, "Constraint", "what stands behind `where`")
    elif form is TypeCall:
        given = term.type_args if type(term.type_args) is tuple else ()
        kinds = argument_kinds(term, module) or ()
        for i, argument in enumerate(given):
            wanted = kinds[i] if i < len(kinds) else "Type" if module is not None else _ANY_KIND
            yield argument, wanted, f"an argument of `{_callee(term)}`"
    elif form is RefType:
        yield term.value, "Type", "the content of a reference type"
    elif form is TypeRelation:
        yield from _listed(term.arguments, _ANY_KIND, f"an argument of `{term.name}`")
    elif form is tuple or form is Cons:
        yield from _listed(term, "ShapeVar", "an extent of a shape")
        if form is Cons:
            yield term.tail, "Shape", "the rest of a shape"
    elif kind in ("ShapeVar", _ANY_KIND) and is_number(term) and form is not TypeVar:
        lists = lists_of(term)
        for symbol in symbols_of(term):
            yield symbol, "Shape" if symbol in lists else "ShapeVar", term


def _listed(items: Any, kind: str, where: str) -> Iterator[_Place]:
    """The elements of a list, without the end of an open one."""
    if type(items) is Cons:
        items = items.prefix
    if type(items) is tuple:
        for item in items:
            yield item, kind, where


def _callee(call: Any) -> str:
    return call.func.name_hint if isinstance(call.func, (GlobalTypeVar, TypeVar)) else "_"


def _mismatch(term: Any, expected: str, where: Any) -> str | None:
    """Why `term` itself, whatever its parts are, cannot stand where a term of kind `expected` must."""
    actual = kind_of(term)
    if type(term) is GlobalTypeVar or actual is None or expected not in (actual, _ANY_KIND):
        if type(where) is not str:
            where = f"what the extent `{_shortened(where)}` is computed from"
        place = f"{where or 'what stands here'} must be {_NOUNS.get(expected, 'a relation')}"
        if type(term) is GlobalTypeVar:
            return f"`{term}` names a data type and is no type without its arguments (`{term}[...]`); {place}"
        if actual is None:
            return f"`{_shortened(term)}` is no part of a type; {place}"
        what = f"the type parameter `{term}`" if type(term) is TypeVar else _described(term)
        return f"{what} is of kind {actual}, but {place} (kind {expected})"
    if actual == "BaseType" and type(term) is str:
        try:
            normal_dtype(term)
        except ValueError as problem:
            return str(problem)
    if type(term) is int and term < 0:
        return f"an extent is a natural number, which {_shortened(term)} is not"
    return None


def kind_of(term: Any) -> str | None:
    """The kind that a term has by its outermost form; None for what is no term at all."""
    form = type(term)
    if form is TypeVar:
        return term.kind  # type: ignore[no-any-return]
    if form in VARIABLES:
        return kind_of_hole(term)
    if form is TypeRelation:
        return "Constraint"
    if form is tuple or form is Cons:
        return "Shape"
    if form is str:
        return "BaseType"
    if term is ANY or is_number(term):
        return "ShapeVar"
    return "Type" if isinstance(term, Type) else None


def _attribute_problems(relation: Any) -> Iterator[KindProblem]:
    """What is not known of the attributes of a constraint, which are given as they are where it is asked."""
    given = relation.attrs
    for name, value in () if given is None else given if type(given) is tuple else given.items():
        try:
            problem = "" if is_ground(value) and attribute_text(value) else "is left open"
        except ValueError as reason:
            problem = f"is none: {reason}"
        if problem:
            yield KindProblem(f"the attribute `{name}` of a constraint, `{relation.name}`, {problem}", relation)


def _wrong_call(call: Any, module: IRModule) -> str | None:
    """Why a type call is refused, its arguments aside."""
    handle = call.func
    if type(handle) is not GlobalTypeVar:
        what = f"the type parameter `{handle}`" if type(handle) is TypeVar else _described(handle)
        return f"only a data type takes type arguments, which {what} is not"
    data = module.get_type_data(handle)
    if data is None and handle is not STORAGE:
        return f"there is no definition of the data type `{handle}`"
    wanted, given = 0 if data is None else len(data.type_vars), call.type_args
    if type(given) is not tuple or len(given) == wanted:
        return None
    arguments = "1 type argument" if wanted == 1 else f"{wanted or 'no'} type arguments"
    return f"`{handle}` takes {arguments}, but {len(given) or 'none'} {'are' if len(given) > 1 else 'is'} given"


_FORMS = {
    TensorType: "a tensor type",
    TupleType: "a tuple type",
    FuncType: "a function type",
    RefType: "a reference type",
}


def _described(term: Any) -> str:
    """A term in a few words, however large it is."""
    form = type(term)
    if form is TypeCall:
        return f"a type `{_callee(term)}[...]`"
    if form is TypeRelation:
        return f"the relation `{term.name}`"
    if form is tuple or form is Cons:
        return "a shape"
    if form in VARIABLES:
        return "the hole `_`"
    return _FORMS.get(form, f"`{_shortened(term)}`")


def _shortened(term: Any) -> str:
    if type(term) is int and term.bit_length() > 200:
        return f"{hex(term)[:20]}..."
    text = str(term)
    return text if len(text) <= 60 else f"{text[:57]}..."
