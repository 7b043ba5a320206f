"""What is usual in a program: its dtypes, its numbers, and how like calls are written.

A slip is often the only one of its kind. So what stands nowhere else speaks against a place, and what stands there as
everywhere speaks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING, Any

from ...ir import Call, Constant, Function, IRModule, Let, Op, post_order
from ...ir import Var as LocalVar
from ...logic.terms.terms import Term
from ...types import TensorType
from ..places.place import Place
from ..refusals.differences import denied, is_name
from .edits import Edit

if TYPE_CHECKING:
    from ...infer.program import Inference
    from ...infer.sites.site import Site

__all__ = ["Common"]

USUAL = "float32"
"""The dtype that most tensors of networks have."""

OTHERS = ("int32", "bool")
"""Those of what tells where, and whether."""

FEW = 2
"""So many other calls of an operator show how it is called here."""


class Common:
    """Counts, over the text of one module: the dtypes of annotations, all numbers, and the calls of each operator."""

    def __init__(self, module: IRModule) -> None:
        self._dtypes: Counter[str] = Counter()
        self._numbers: Counter[int] = Counter()
        self._calls: dict[str, list[Call]] = {}
        self._parameters: set[int] = set()
        self._shapes: list[Any] = []
        self._axes: Counter[tuple[int, int]] = Counter()
        self._words: Counter[Any] = Counter()
        self._words_at: dict[int, Counter[Any]] = {}
        # By their names, since the order of functions in the text does not matter.
        for _, function in sorted(module.functions.items(), key=lambda item: item[0].name_hint):
            self._parameters.update(map(id, function.params))
            for node in post_order(function):
                annotated = [node.var] if type(node) is Let else list(node.params) if type(node) is Function else []
                types = {id(v): v.type_annotation for v in annotated}
                if type(node) is Function:
                    types[id(node)] = node.ret_type
                for at, type_ in types.items():
                    self._says(at, type_)
                    self._dtypes.update(set(_dtypes(type_)))
                    self._numbers.update(_numbers(type_))
                    self._axes.update(_extents(type_))
                    self._shapes += [part.shape for part in _parts(type_) if type(part) is TensorType]
                if type(node) is Constant and node.tensor_type is not None:
                    self._says(id(node), node.tensor_type.dtype)
                if type(node) is Call and type(node.op) is Op:
                    self._says(id(node), tuple((node.given or {}).values()))
                    self._calls.setdefault(node.op.name, []).append(node)
                    self._numbers.update(_numbers(tuple((node.given or {}).values())))

    def _says(self, at: int, said: Any) -> None:
        """Count the numbers and words of a type, or of attributes, which stand at the node of an identity."""
        words = Counter(part for part in _parts(said) if type(part) in (int, str))
        self._words.update(words)
        self._words_at.setdefault(at, Counter()).update(words)

    def features(
        self, place: Place, needed: Any, edit: Edit | None, meant: Any, whole: Inference, elsewhere: Counter[Any]
    ) -> dict[str, float]:
        """What is unusual at a place, or as usual, as named features; `elsewhere` counts what others say."""
        found: dict[str, float] = {}
        node = place.node
        found.update(self._of_words(list(_said_otherwise(place, needed, edit, meant)), elsewhere))
        if place.kind in ("annotation", "result"):
            written = place.written
            meant = needed if meant is None else meant
            found.update(self._of_dtype(written, meant))
            if not _other_dtype(written, meant):
                found.update(self._of_numbers(_numbers_changed(written, meant)))
                found.update(self._of_axes(written, meant))
        elif place.kind == "call" and type(node.op) is Op:
            if edit is not None:
                found.update(self._of_numbers(_numbers_changed(edit.present, edit.value)))
                found.update(self._of_equals(node, edit))
            if self._is_turned(node):
                found["arguments in another order than in like calls"] = 1.0
            if "" in _dtypes(whole.type_of(node)) and not any("" in _dtypes(whole.type_of(a)) for a in node.args):
                found["of no dtype"] = 1.0
        return found

    def around(self, site: Site) -> tuple[list[tuple[Any, ...]], list[str]]:
        """The shapes that a refused demand speaks of, and those of annotations; the dtypes that annotations have, the
        usual first."""
        asked = [part.shape for part in _parts(getattr(site, "key", None) or ()) if type(part) is TensorType]
        shapes = [shape for shape in (*asked, *self._shapes) if type(shape) is tuple]
        return list(dict.fromkeys(shapes)), [dtype for dtype, _ in self._dtypes.most_common()]

    def says_size(self, known: Any) -> bool:
        """Whether the number of elements of each part of a batch is said somewhere: a product seldom is by chance."""
        extents = [extent for axis, extent in _extents(known) if axis]
        return len(extents) > 1 and prod(extents) > 1 and prod(extents) in self._numbers

    def is_odd(self, call: Any) -> bool:
        """Whether a call of an operator has an attribute that all calls of it that are alike otherwise have not."""
        if type(call.op) is not Op:
            return False
        others = [other.given or {} for other in self._calls.get(call.op.name, []) if other is not call]
        own = call.given or {}
        for name in {*own, *(name for attrs in others for name in attrs)}:
            alike = [attrs.get(name) for attrs in others if _rest(attrs, name) == _rest(own, name)]
            if len(alike) >= FEW and own.get(name) not in alike:
                return True
        return False

    def _of_dtype(self, written: Any, needed: Any) -> Iterator[tuple[str, float]]:
        if type(written) is not TensorType or type(written.dtype) is not str:
            return
        # Only where the dtype is all that may be wrong.
        wanted = getattr(needed, "dtype", None)
        if written.dtype == wanted or denied(written, needed) > (type(wanted) is str):
            return
        yield "not of the usual dtype", float(written.dtype != USUAL)
        yield "of a rare dtype", float(written.dtype not in (USUAL, *OTHERS))
        own, every = self._dtypes[written.dtype], sum(self._dtypes.values())
        if own == 1 < every:
            yield "no other annotation has its dtype", 1.0
        elif own == every > 1:
            yield "all annotations have its dtype", 1.0

    def _of_numbers(self, changed: list[tuple[int, Any]]) -> Iterator[tuple[str, float]]:
        if any(self._numbers[own] <= 1 for own, _ in changed if own > 1):
            yield "its number is nowhere else", 1.0
        known = [other for _, other in changed if type(other) is int and other > 1]
        if known:
            yield "the other number is elsewhere", float(all(self._numbers[other] for other in known))

    def elsewhere(self, conflict: Iterable[Any]) -> Counter[Any]:
        """How often numbers and words are said, but for some nodes: in a conflict, each says it of itself."""
        found = Counter(self._words)
        for node in dict.fromkeys(map(id, conflict)):
            found.subtract(self._words_at.get(node, ()))
        return found

    def _of_words(self, changed: list[tuple[Any, Any]], elsewhere: Counter[Any]) -> Iterator[tuple[str, float]]:
        """Whether what would change is said elsewhere, and what it would be."""
        if changed:
            yield "it is said nowhere else", float(not any(elsewhere[own] for own, _ in changed))
            yield "what is meant is said elsewhere", float(all(elsewhere[other] for _, other in changed))

    def _of_equals(self, call: Call, edit: Edit) -> Iterator[tuple[str, float]]:
        """Whether an edit makes two attributes equal that are equal in other calls, or unequal."""
        own = call.given or {}
        for name in own:
            if name == edit.what or type(own[name]) is not int or own[name] == edit.value == edit.present:
                continue
            others = [other.given or {} for other in self._calls.get(call.op.name, []) if other is not call]  # type: ignore[attr-defined]
            if any(edit.what in attrs and attrs[edit.what] == attrs.get(name) for attrs in others):
                if own[name] == edit.value:
                    yield "makes attributes equal that are", 1.0
                elif own[name] == edit.present:
                    yield "makes attributes unequal that are not", 1.0

    def _of_axes(self, written: Any, meant: Any) -> Iterator[tuple[str, float]]:
        own, other = set(_extents(written)), set(_extents(meant))
        if len(own) == len(other) and own != other:
            yield "others have the other extent there", float(all(self._axes[extent] for extent in other - own))
            yield "others have its extent there", float(all(self._axes[extent] > 1 for extent in own - other))

    def _is_turned(self, call: Call) -> bool:
        """Whether two arguments stand where other calls of the operator have them the other way round."""
        own = self._roles(call)
        others = [self._roles(other) for other in self._calls.get(call.op.name, []) if other is not call]  # type: ignore[attr-defined]
        others = [roles for roles in others if len(roles) == len(own)]
        if own in others:
            return False
        for i in range(len(own)):
            for j in range(i):
                turned = list(own)
                turned[i], turned[j] = own[j], own[i]
                if tuple(turned) in others:
                    return True
        return False

    def _roles(self, call: Call) -> tuple[str, ...]:
        """What the arguments of a call are: parameters, constants, or what is computed."""
        return tuple(
            "parameter"
            if isinstance(a, LocalVar) and id(a) in self._parameters
            else "constant"
            if type(a) is Constant
            else "value"
            for a in call.args
        )


def _other_dtype(written: Any, needed: Any) -> bool:
    """Whether a tensor of another dtype is needed, whatever its shape is."""
    dtype = getattr(needed, "dtype", None)
    return type(written) is TensorType and type(dtype) is str and dtype != written.dtype


def _rest(attrs: dict[str, Any], name: str) -> dict[str, Any]:
    """Attributes but for one, and for numbers such as a count of channels."""
    return {n: v for n, v in attrs.items() if n != name and type(v) is not int}


def _parts(type_: Any) -> Iterator[Any]:
    """All that a type, or a list of attributes, is made of; what is shared once."""
    stack = [type_]
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if isinstance(item, Term):
            if id(item) in seen:
                continue
            seen.add(id(item))
            stack.extend(() if is_name(item) else item.args)
        elif type(item) in (tuple, list):
            stack.extend(item)
        yield item


def _dtypes(type_: Any) -> list[str]:
    return [part.dtype for part in _parts(type_) if type(part) is TensorType and type(part.dtype) is str]


def _extents(type_: Any) -> list[tuple[int, int]]:
    """The known extents of a tensor type, with their axes."""
    shape = type_.shape if type(type_) is TensorType and type(type_.shape) is tuple else ()
    return [(axis, extent) for axis, extent in enumerate(shape) if type(extent) is int]


def _numbers(items: Any) -> Iterator[int]:
    return (part for part in _parts(items) if type(part) is int)


def _said_otherwise(place: Place, needed: Any, edit: Edit | None, meant: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers and words that would change at a place, with what they would be: what is not written is not said."""
    if place.kind in ("annotation", "result"):
        return _changed(place.written, needed if meant is None else meant)
    if edit is not None and edit.written and type(place.node) is Call:
        return _changed(edit.present, edit.value)
    if edit is not None and type(place.node) is Constant:
        return _changed(place.node.tensor_type.dtype, edit.value.dtype)
    return iter(())


def _numbers_changed(own: Any, other: Any) -> list[tuple[int, Any]]:
    """The numbers of a type or an attribute that another has not, with what it has there."""
    return [(a, b) for a, b in _changed(own, other) if type(a) is int]


def _changed(own: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The numbers and words of a type or an attribute that another has not, with what it has there: None where nothing
    is."""
    stack = [(own, other)]
    while stack:
        a, b = stack.pop()
        if a is b or (type(a) is type(b) and a == b):
            continue
        if type(a) in (int, str):
            yield a, b if type(b) is type(a) else None
        elif type(a) in (tuple, list):
            same = type(b) in (tuple, list) and len(a) == len(b)
            stack.extend(zip(a, b if same else [None] * len(a), strict=True))
        elif isinstance(a, Term) and not is_name(a):
            same = type(a) is type(b) and len(a.args) == len(b.args)
            stack.extend(zip(a.args, b.args if same else [None] * len(a.args), strict=True))
