"""What each variable of a clause stands for: a type, a shape, an extent, a dtype.

Inferred from how it is used, so that `(a, b)` is read as a shape or as a tuple type, `float32` as a dtype or as the
type of a scalar. Kinds: "type", "shape" (a list of extents), "types" (a list of types), "dim" (an extent), "number"
(one that is no extent, as far as is known: a rank, say), "dtype", "value" (an attribute); None where nothing says. A
word may want a "list", whatever it is of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..rulebase.term_kinds import TERM_KINDS
from ..types.dtypes import CUSTOM
from .syntax import ClauseError, Syntax

__all__ = [
    "ARITHMETIC_WORDS",
    "COMPARISONS",
    "Kinds",
    "contents",
    "is_dtype",
    "is_type_call",
    "is_variable",
    "names_type",
    "split_tensor",
    "wrong_number",
]

COMPARISONS = frozenset({"<", "<=", ">", ">="})
ARITHMETIC_WORDS = {
    "prod": "prod(shape)",
    "sum": "sum(shape)",
    "len": "len(list)",
    "min": "min(n, m)",
    "max": "max(n, m)",
    "elements": "elements(T)",
}
"""The words of arithmetic, and how each is written. Operators may have the names, too: see `Kinds.applies`."""
TYPE_WORDS = {"ref": "type", "shape": "shape"}
"""The words for terms made of a type, and what those are."""
CONSTANTS = frozenset({"true", "false", "fail", "none", "True", "False", "None"})
_DTYPE = re.compile(
    rf"(?:(?:bool|handle|void|e4m3_float8|e5m2_float8|(?:int|uint|float|bfloat)[0-9]+)(?:x[0-9]+)?|{CUSTOM})\Z"
)
A_KIND = {
    "type": "a type",
    "shape": "a shape",
    "types": "a list of types",
    "dim": "an extent",
    "number": "a number",
    "dtype": "a dtype",
    "list": "a list",
}
_ELEMENT = {"shape": "dim", "types": "type"}
_NO_LIST = frozenset({"dim", "number", "dtype"})
_LIST_OF = {"dim": "shape", "type": "types"}


def is_dtype(name: str) -> bool:
    """Whether a name is a dtype."""
    return _DTYPE.match(name) is not None


def is_variable(name: str) -> bool:
    """Whether a name that stands for itself is a variable: it is no dtype, no constant and no attribute."""
    if name[0] in "%@":
        return True
    return "." not in name and name not in CONSTANTS and name not in ("attrs", "_") and not is_dtype(name)


class Kinds:
    """The kinds of the variables of one clause.

    `positions` says what the arguments of a relation are, `parameters` of which kinds those of a data type are.
    """

    def __init__(
        self,
        positions: Callable[[str], Sequence[str | None] | None],
        parameters: Callable[[str], Sequence[str] | None] = lambda name: None,
    ) -> None:
        self.of: dict[str, str] = {}
        self.values: set[str] = set()  # the variables that stand in attributes
        self.listed: set[str] = set()  # the variables that stand where lists are wanted
        self.positions = positions
        self._parameters = parameters
        self._learned = 0  # so many things
        self._lists: dict[tuple[object, ...], tuple[int, str | None]] = {}  # what lists are, as of how much
        self.backwards = False
        self._waiting = False  # whether a word of arithmetic may still turn out to be the operator of its name
        self._open = False  # whether `(2)` may still turn out to be a list
        self._applied: set[int] = set()  # the calls of such words that are calls of the operator

    def infer(
        self, head: Sequence[Syntax], expected: Sequence[str | None], body: Syntax | None, closed: bool = True
    ) -> None:
        """Look at a clause until nothing new is learned. Raises ClauseError if a variable stands for two things.

        Every other time from its end: what is learned of the last goal of a long chain reaches the first at once.
        Where it is not `closed`, others may still say that `(2)` is a list.
        """
        self._waiting = self._open = True
        self._learn(head, expected, body)
        self._waiting = False
        self._learn(head, expected, body)
        if closed:
            self._open = False
            self._learn(head, expected, body)

    def _learn(self, head: Sequence[Syntax], expected: Sequence[str | None], body: Syntax | None) -> None:
        learned, self.backwards = -1, True
        while learned != self._learned:
            learned, self.backwards = self._learned, not self.backwards
            for argument, kind in zip(head, expected, strict=True):
                self.term(argument, kind)
            if body is not None:
                self.goal(body)

    def applies(self, node: Syntax) -> bool:
        """Whether a call of a word of arithmetic is one of the operator of that name.

        It is, if there is such an operator, and attributes are given, or types as arguments or for the result.
        """
        if id(node) in self._applied:
            return True
        if not self._is_ambiguous(node):
            return False
        if any(item.kind == "equation" or self._is_surely_type(item) for item in node.items):
            self._apply(node)
            return True
        return False

    def _apply(self, node: Syntax) -> None:
        self._applied.add(id(node))
        self._learned += 1

    def _is_ambiguous(self, node: Syntax) -> bool:
        if node.kind != "call" or id(node) in self._applied:
            return False
        name = node.value[0]
        return (name in TYPE_WORDS or name in ARITHMETIC_WORDS) and self.positions(name) is not None

    def _is_surely_type(self, node: Syntax) -> bool:
        """Whether a term is a type, or several, as far as was learned; it is not looked into what others decide."""
        stack = [node]
        while stack:
            item = stack.pop()
            kind = item.kind
            if kind in ("group", "tuple", "conjunction", "list"):
                stack.extend(item.items)
            elif kind == "function" or (kind == "name" and self.of.get(item.value) in ("type", "types")):
                return True
            elif kind == "subscript":
                base = item.items[0]
                if (base.kind == "name" and base.value == "Tensor") or self.is_type_call(item):
                    return True
            elif kind == "call":
                name = item.value[0]
                if id(item) in self._applied or not (name in ARITHMETIC_WORDS or name == "shape"):
                    return True
        return False

    def goal(self, node: Syntax) -> None:
        """Learn from a goal."""
        kind = node.kind
        if kind in ("conjunction", "disjunction", "group", "premise"):
            for item in reversed(node.items) if self.backwards else node.items:
                self.goal(item)
        elif kind == "equation" or (kind == "comparison" and node.value not in COMPARISONS):
            left, right = self.sides(node)
            if left in _ELEMENT and right in _NO_LIST:
                raise ClauseError(f"{A_KIND[left]} is no {A_KIND[right].split()[-1]}", node.span)
            for side, other in zip(node.items, (right, left), strict=True):
                if other == "type" and self._is_ambiguous(side):
                    self._apply(side)
        elif kind == "comparison":
            for item in node.items:
                self.term(item, "number")
        elif kind == "call":
            self.arguments(node)

    def sides(self, node: Syntax) -> tuple[str | None, str | None]:
        """What the sides of an equation are: each as the other is, before `(2)` is taken for a number."""
        is_open, self._open = self._open, True
        left, right = self._each(node)
        self._open = is_open
        return (left, right) if is_open or left is not None or right is not None else self._each(node)

    def _each(self, node: Syntax) -> tuple[str | None, str | None]:
        left = self.term(node.items[0], None)
        right = self.term(node.items[1], left)
        if left is None and right is not None:
            left = self.term(node.items[0], right)
        return left, right

    def arguments(self, node: Syntax) -> None:
        """Learn from the arguments of a call."""
        positions = self.positions(node.value[0])
        for index, item in enumerate(node.items):
            if item.kind != "equation":
                self.term(item, positions[index] if positions and index < len(positions) else None)
            elif item.items[0].kind == "name":
                self._attribute(item.items[1])

    def _attribute(self, value: Syntax) -> None:
        """Note the variables in an attribute: where nothing else says what they stand for, they are its value."""
        stack = [value]
        while stack:
            node = stack.pop()
            if node.kind in ("name", "spread") and is_variable(node.value):
                self.values.add(node.value)
            stack.extend(node.items)

    def kind_of(self, name: str) -> str | None:
        """What a variable stands for, where nothing says so: a type if its name is capitalised."""
        known = self.of.get(name)
        if known is None and name in self.values:
            return "value"
        return "type" if known is None and name[0].isupper() else known

    def term(self, node: Syntax, expected: str | None) -> str | None:
        """Learn from a term where `expected` is wanted; what it is."""
        kind = node.kind
        if kind == "name":
            return self._name(node, expected)
        if expected == "list":
            expected = None
        if kind in ("number", "unknown"):
            return "number" if kind == "number" else "dim"
        if kind == "string":
            return "value"
        if kind in ("operation", "negative"):
            for item in node.items:
                self.term(item, "number")
            return "number"
        if kind == "call":
            return self._call(node)
        if kind == "subscript":
            return self._subscript(node, expected)
        if kind == "group":
            inner = node.items[0]
            if inner.kind != "conjunction" and expected not in _ELEMENT:
                found = self.term(inner, expected)
                return None if self._open and expected is None else found
            return self._listed(node, inner.items if inner.kind == "conjunction" else (inner,), expected)
        if kind in ("tuple", "list", "open_list", "empty", "conjunction"):
            return self._listed(node, node.items, expected, node.kind)
        if kind == "function":
            for item in node.items:
                self.term(item, "type")
            return "type"
        if kind == "spread":
            return self._meet(node, node.value, _LIST_OF.get(expected or ""))
        return None

    def _name(self, node: Syntax, expected: str | None) -> str | None:
        name = node.value
        if is_variable(name):
            return self._meet(node, name, expected)
        if is_dtype(name):
            return expected if expected in ("dtype", "value") else "type" if expected == "type" else None
        return None if name == "_" else "value"

    def _meet(self, node: Syntax, name: str, kind: str | None) -> str | None:
        known = self.of.get(name)
        if kind == "list":
            self.listed.add(name)
            kind = known
        if name in self.listed and kind in _NO_LIST:
            raise ClauseError(f"`{name}` stands for a list and for {A_KIND[kind]}", node.span)
        if kind in (None, "value", known) or (kind == "number" and known == "dim"):
            return known
        if known is not None and not (known == "number" and kind == "dim"):
            raise ClauseError(f"`{name}` stands for {A_KIND[known]} and for {A_KIND[kind]}", node.span)
        assert kind is not None
        self.of[name] = kind
        self._learned += 1
        return kind

    def _call(self, node: Syntax) -> str | None:
        name = node.value[0]
        if name == "Tensor":
            self.tensor(node.items)
            return "type"
        if self.applies(node):
            self.arguments(node)
            return "type"
        if self._waiting and self._is_ambiguous(node):
            return None
        if name in TYPE_WORDS:
            for item in node.items:
                self.term(item, "type")
            return TYPE_WORDS[name]
        if name in ARITHMETIC_WORDS:
            wanted = {"prod": "shape", "sum": "shape", "len": "list", "elements": "type"}.get(name, "number")
            for item in node.items:
                self.term(item, wanted)
            return "number"
        self.arguments(node)
        return "type"

    def tensor(self, items: Sequence[Syntax]) -> None:
        """Learn from the arguments of a tensor type."""
        shape, dtype = split_tensor(items, self)
        if len(shape) == 1 and shape[0] is not None:
            self.term(shape[0], "shape" if not self.is_extent(shape[0]) else "dim")
        else:
            for item in shape:
                self.term(item, "dim")
        if dtype is not None:
            self.term(dtype, "dtype")

    def is_type(self, node: Syntax) -> bool:
        """Whether a term is a variable that stands for a type: `%x[0]` is an extent of that."""
        return node.kind == "name" and self.of.get(node.value) == "type"

    def is_extent(self, node: Syntax) -> bool:
        """Whether a term is an extent, rather than a shape, as far as is known."""
        kind = node.kind
        if kind in ("number", "unknown", "operation", "negative"):
            return True
        if kind == "name":
            return self.of.get(node.value) in ("dim", "number")
        if kind == "call":
            return node.value[0] in ARITHMETIC_WORDS and not self.applies(node)
        return kind == "subscript" and node.items[1].kind == "index"

    def _subscript(self, node: Syntax, expected: str | None) -> str | None:
        base, index = node.items
        if base.kind == "name" and base.value == "Tensor":
            self.tensor(contents(index))
            return "type"
        if self.is_type(base):
            for item in () if index.kind == "slice" else contents(index):
                self.term(item, "number")
            if index.kind == "slice" and expected in _NO_LIST:
                raise ClauseError(f"{A_KIND[expected]} is wanted here, not `{node.text}`", node.span)
            return "shape" if index.kind == "slice" else "dim"
        if self.is_type_call(node):
            for item, kind in self.applied(node):
                # Lists that are wanted nowhere here are refused where the type is built, from the left.
                self.term(item, None if kind in _NO_LIST and item.items else kind)
            return "type"
        if index.kind == "slice":
            if expected in _NO_LIST:
                raise ClauseError(f"{A_KIND[expected]} is wanted here, not `{node.text}`", node.span)
            found = self.term(base, expected if expected in _ELEMENT else None)
            if found is None and not self._waiting and base.kind == "name" and is_variable(base.value):
                found = self._meet(base, base.value, "shape")
            elif found in _NO_LIST:
                raise _no_list(base, found)
            return found if found in _ELEMENT else None
        found = self.term(base, _LIST_OF.get(expected or ""))
        for item in contents(index):
            self.term(item, "number")
        if found is None and base.kind == "name" and is_variable(base.value):
            found = self._meet(base, base.value, "shape")
        elif found in _NO_LIST:
            raise _no_list(base, found)
        return _ELEMENT.get(found or "")

    def is_type_call(self, node: Syntax) -> bool:
        """Whether a subscript applies a data type: one that is declared, or what looks like it."""
        base, index = node.items
        declared = base.kind == "name" and index.kind != "slice" and self._parameters(base.value) is not None
        return declared or is_type_call(node)

    def applied(self, node: Syntax) -> list[tuple[Syntax, str]]:
        """What a data type is applied to, with what each is there: types, unless its declaration says otherwise.

        Raises ClauseError for another number of arguments than the data type has parameters.
        """
        base, index = node.items
        given = contents(index)
        declared = self._parameters(base.value)
        if declared is None:
            return [(item, "type") for item in given]
        if len(given) != len(declared):
            raise wrong_number(base.value, len(declared), len(given), node)
        return [(item, TERM_KINDS[kind]) for item, kind in zip(given, declared, strict=True)]

    def _listed(self, node: Syntax, items: Sequence[Syntax], expected: str | None, form: str = "") -> str | None:
        """What a list or a tuple is. Lists in lists are looked at again only if something was learned since: each level
        looks twice at its elements, so that would be exponential.
        """
        key = (id(node), expected, self._open, self._waiting)
        learned, result = self._lists.get(key, (-1, None))
        if learned != self._learned:
            result = self._look_at_list(node, items, expected, form)
            self._lists[key] = self._learned, result
        return result

    def _look_at_list(self, node: Syntax, items: Sequence[Syntax], expected: str | None, form: str) -> str | None:
        if expected in _NO_LIST:
            raise ClauseError(f"{A_KIND[expected]} is wanted here, not `{node.text}`", node.span)
        bracketed = form in ("list", "open_list")
        element = _ELEMENT.get(expected or "") or ("type" if expected == "type" and not bracketed else None)
        heads = items[:-1] if form == "open_list" else items
        found = {self.term(item, element) for item in heads}
        result = expected
        if expected not in ("shape", "types", "type"):
            if "dim" in found or "number" in found:
                result = "shape"
            elif "type" in found or "types" in found:
                result = "types" if bracketed else "type"
        if form == "open_list":
            tail = self.term(items[-1], result)
            if _is_no_list(items[-1]) or (result is None and tail in _NO_LIST):
                last = f", not with {A_KIND[tail]}" if tail in _NO_LIST else ""
                raise ClauseError(f"a list ends with a list{last}", items[-1].span)
            result = result or tail
        if element is None and result in _ELEMENT:
            for item in heads:
                self.term(item, _ELEMENT[result])
        return result


def _no_list(node: Syntax, kind: str) -> ClauseError:
    return ClauseError(f"`{node.text}` stands for {A_KIND[kind]} and for {A_KIND['shape']}", node.span)


def _is_no_list(node: Syntax) -> bool:
    """Whether a term is none, whatever its variables stand for."""
    if node.kind == "subscript":
        return node.items[0].kind == "name" and node.items[0].value == "Tensor"
    literals = ("number", "unknown", "operation", "negative", "string", "function")
    return node.kind in literals or (node.kind == "name" and (is_dtype(node.value) or node.value in CONSTANTS))


def wrong_number(name: str, wanted: int, given: int, node: Syntax) -> ClauseError:
    """The error for a data type that is applied to more or fewer arguments than it has parameters."""
    takes = "1 type argument" if wanted == 1 else f"{wanted or 'no'} type arguments"
    found = f"{given or 'none'} {'are' if given > 1 else 'is'} given"
    return ClauseError(f"`{name}` takes {takes}, but {found}", node.span)


def contents(index: Syntax) -> tuple[Syntax, ...]:
    """What stands between the brackets of a subscript, split at its commas."""
    if index.kind == "slice":
        raise ClauseError("a slice cannot stand here", index.span)
    inner = index.items[0]
    return inner.items if inner.kind == "conjunction" else (inner,)


def is_type_call(node: Syntax) -> bool:
    """Whether a subscript applies a data type, as in `List[a]`: its name is capitalised and it is no index."""
    base, index = node.items
    if base.kind != "name" or not names_type(base.value) or index.kind == "slice":
        return False
    arguments = contents(index)
    if not arguments:
        return True
    first = arguments[0]
    return len(arguments) > 1 or (
        first.kind not in ("number", "negative") and not (first.kind == "name" and first.value.startswith("attrs."))
    )


def names_type(name: str) -> bool:
    """Whether a name may be that of a data type: it is capitalised, whatever says where it is defined."""
    return name.rpartition(".")[2][0].isupper() and not name.startswith("attrs.")


def split_tensor(items: Sequence[Syntax], kinds: Kinds) -> tuple[tuple[Syntax, ...], Syntax | None]:
    """Shape (one term, or several extents) and dtype of a tensor type as written; no dtype if it was left out."""
    last = items[-1] if items else None
    if last is not None and len(items) > 1 and not kinds.is_extent(last):
        return tuple(items[:-1]), last
    return tuple(items), None
