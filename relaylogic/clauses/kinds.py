"""What each variable of a clause stands for: a type, a shape, an extent, a dtype.

Inferred from how it is used, so that `(a, b)` is read as a shape or as a tuple type, `float32` as a dtype or as the
type of a scalar. What may be read in two ways waits until all that is certain was learned of all clauses, and is then
decided together with all that waits: so the order of clauses and of goals does not matter.

Kinds: "type", "shape" (a list of extents), "types" (a list of types), "dim" (an extent), "number" (one that is no
extent, as far as is known: a rank, say), "dtype", "value" (an attribute); None where nothing says. A word or a relation
may want a "list", whatever it is of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..rulebase.term_kinds import TERM_KINDS
from .syntax import ClauseError, Syntax
from .written import (
    A_KIND,
    ARITHMETIC_WORDS,
    COMPARISONS,
    NUMBERS,
    TwoThings,
    contents,
    in_words,
    is_dtype,
    is_no_list,
    is_text_or_truth,
    is_type_call,
    is_variable,
    variable_of,
    wrong_number,
)

__all__ = ["STAGES", "TENSORS", "Kinds", "split_tensor"]

TYPE_WORDS = {"ref": "type", "shape": "shape"}
"""The words for terms made of a type, and what those are."""
LISTS_OF_ONE: dict[str, tuple[str | None, ...]] = {"append": ("list", "list", "list"), "reverse": ("list", "list")}
"""The words that speak of lists whose elements are of one kind."""
_ELEMENT = {"shape": "dim", "types": "type"}
_NO_LIST = frozenset({"dim", "number", "dtype"})
_NO_VALUE = frozenset({"dim", "shape", "type", "types"})
_EXTENTS = frozenset({"dim", "number"})
_LIST_OF = {"dim": "shape", "type": "types"}
_LISTS = frozenset({"tuple", "list", "open_list", "empty"})
_PARENTHESES = frozenset({"group", "tuple", "empty"})
READINGS, TENSORS, BRACKETS = range(3)
"""What waits, in the order in which it is decided: words and subscripts, what stands in tensor types, `(2)`."""
STAGES = (READINGS, TENSORS, BRACKETS)


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
        self.calculated: set[str] = set()  # the variables that numbers are compared with, or made of
        self.listed: set[str] = set()  # the variables that stand where lists are wanted
        self.counted: set[str] = set()  # those of them that words and arithmetic speak of, which know no tuple types
        self.positions = positions
        self._parameters = parameters
        self._noted: Syntax | None = None  # the body whose attributes were noted
        self._learned = 0  # so many things
        self._lists: dict[tuple[object, ...], tuple[int, str | None]] = {}  # what lists are, as of how much
        self.backwards = False
        self._open = False  # whether `(2)` may be a list, whatever was decided of it
        self._applied: set[int] = set()  # the calls of words of arithmetic that are calls of the operator
        self._waiting: tuple[dict[int, Syntax], ...] = ({}, {}, {})  # by stage, what may be read in two ways
        self._decided: set[int] = set()  # what of that is read as it is where nothing says otherwise

    def infer(self, head: Sequence[Syntax], expected: Sequence[str | None], body: Syntax | None) -> None:
        """Look at a clause until nothing new is learned, and all is decided. Raises ClauseError if a variable stands
        for two things.
        """
        self.learn(head, expected, body)
        while any(self.decide(stage) for stage in STAGES):
            self.learn(head, expected, body)

    def learn(self, head: Sequence[Syntax], expected: Sequence[str | None], body: Syntax | None) -> None:
        """Look at a clause until nothing new is learned, without a decision. Raises ClauseError like `infer`.

        Every other time from its end: what is learned of the last goal of a long chain reaches the first at once.
        """
        if body is not None and body is not self._noted:
            self._note_attributes(body)
        learned, self.backwards = -1, True
        while learned != self._learned:
            learned, self.backwards = self._learned, not self.backwards
            for argument, kind in zip(head, expected, strict=True):
                self.term(argument, kind)
            if body is not None:
                self.goal(body)

    def decide(self, stage: int) -> bool:
        """Decide what waits for a stage, and may still be read in two ways; whether there was any."""
        waiting = self._waiting[stage]
        undecided = [key for key, node in waiting.items() if self._may_be_either(node)]
        waiting.clear()
        self._decided.update(undecided)
        self._learned += bool(undecided)
        return bool(undecided)

    def _may_be_either(self, node: Syntax) -> bool:
        if node.kind == "call":
            return self._is_ambiguous(node)
        if node.kind == "subscript":
            return variable_of(node.items[0]) not in self.of
        return node.kind in _PARENTHESES or self._is_open(node)

    def _is_open(self, node: Syntax) -> bool:
        """Whether nothing is known yet of a variable: neither what it stands for nor that it is a list."""
        if node.kind != "name" or not is_variable(node.value):
            return False
        return node.value not in self.of and node.value not in self.listed

    def _waits(self, node: Syntax, stage: int) -> bool:
        """Whether a node that may be read in two ways waits to be decided."""
        if id(node) in self._decided:
            return False
        self._waiting[stage][id(node)] = node
        return True

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
        if node.kind != "call" or id(node) in self._applied or id(node) in self._decided:
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
                if (base.kind == "name" and base.value == "Tensor") or (
                    self.is_type_call(item) and not self._waits_for_base(item)
                ):
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
            if left in A_KIND and right in A_KIND and left != right and {left, right} != _EXTENTS:
                for side in node.items:
                    if side.kind == "name":
                        raise TwoThings(side, side.value, left, right)
                first, second = in_words(left, right)
                raise ClauseError(f"{first} is no {second.partition(' ')[2]}", node.span)
            kinds = ((left, right), (right, left))
            for side, opposite, (own, other) in zip(node.items, reversed(node.items), kinds, strict=True):
                if own in _NO_VALUE and is_text_or_truth(opposite):
                    raise TwoThings(side, side.text, own, "value")
                if other == "type" and self._is_ambiguous(side):
                    self._apply(side)
                if side.kind == "name" and is_variable(side.value) and self.is_one_list(side.value, opposite):
                    self.term(side, "list")
                if side.kind == "name" and is_variable(side.value) and opposite.kind in _PARENTHESES:
                    self._is_written(side, opposite)
        elif kind == "comparison":
            for item in node.items:
                self._calculate(item)
        elif kind == "call":
            self.arguments(node)

    def is_one_list(self, name: str, literal: Syntax) -> bool:
        """Whether what is written is a list and no number; one of an attribute is no tuple of types either."""
        if literal.kind == "group" and name in self.values:
            return literal.items[0].kind in ("conjunction", "spread")
        return literal.kind in _LISTS

    def _is_written(self, name: Syntax, literal: Syntax) -> None:
        """Learn what it is that is written in parentheses, where nothing else says that: the type of a tuple. If words
        speak of it, it is a list of extents, unless they are written like types."""
        is_counted = name.value in self.counted
        if not (is_counted or _is_tuple(literal)) or name.value in self.of or name.value in self.values:
            return
        if self._waits(literal, BRACKETS):
            return
        if not is_counted:
            self.term(name, "type")
            return
        held = literal.items[0].items if literal.kind == "group" else literal.items
        is_typed = any(i.kind in _PARENTHESES or (i.kind == "name" and is_dtype(i.value)) for i in held)
        self.term(name, "types" if is_typed else "shape")

    def sides(self, node: Syntax) -> tuple[str | None, str | None]:
        """What the sides of an equation are: each as the other is, before `(2)` is taken for a number.

        What is not some number may be one or a list: nothing is learned of an attribute by that.
        """
        if node.kind == "comparison" and any(side.kind in ("number", "negative") for side in node.items):
            if any(self.kind_of(name) == "value" for name in _names(node)):
                return "value", "value"
        self._open = True
        left, right = self._each(node)
        self._open = False
        return (left, right) if left is not None or right is not None else self._each(node)

    def _each(self, node: Syntax) -> tuple[str | None, str | None]:
        first, second = node.items
        left = self.term(first, self._as_list(first, second))
        right = self.term(second, self._as_list(second, first) or self._taught(second, first, left))
        taught = self._taught(first, second, right)
        if (left is None and taught is not None) or (left == "number" and right == "dim"):
            left = self.term(first, taught)
        return left, right

    def _taught(self, name: Syntax, literal: Syntax, kind: str | None) -> str | None:
        """What a side of an equation is, as the other one is of a kind: a list of numbers that is the value of an
        attribute is none of extents, for it is no shape, and may hold negative ones."""
        is_written = literal.kind in _LISTS or literal.kind == "group"
        is_attribute = name.kind == "name" and name.value in self.values and name.value not in self.of
        return None if kind == "shape" and is_written and is_attribute else kind

    def _as_list(self, literal: Syntax, name: Syntax) -> str | None:
        """What is written in parentheses, if it is a list since words speak of what it is equal to; else None."""
        if literal.kind not in _PARENTHESES or name.kind != "name" or name.value not in self.counted:
            return None
        known = self.of.get(name.value)
        if known is None:
            found = self.term(literal, None)
            known = "types" if found == "type" else "shape" if found in _EXTENTS else None
        return known if known in _ELEMENT else None

    def arguments(self, node: Syntax) -> None:
        """Learn from the arguments of a call."""
        positions = self.positions(node.value[0])
        if node.value[0] == "map" and node.items and node.items[0].kind == "name":
            positions = (None, *self.mapped(node.items[0].value, len(node.items) - 1))
        for index, item in enumerate(node.items):
            if item.kind != "equation":
                self._argument(item, positions[index] if positions and index < len(positions) else None)
        if positions is not None and positions == LISTS_OF_ONE.get(node.value[0]):
            self._of_one_kind(node.items)

    def _argument(self, item: Syntax, wanted: str | None) -> None:
        self.term(item, wanted)
        if wanted == "list" and item.kind == "name" and is_variable(item.value):
            self._learned += item.value not in self.counted
            self.counted.add(item.value)

    def _of_one_kind(self, lists: Sequence[Syntax]) -> None:
        """Learn that the elements of some lists are of one kind, if it is known of one list what it is of."""
        kinds = [self.term(item, "list") for item in lists]
        known = next((kind for kind in kinds if kind in _ELEMENT), None)
        for item, kind in zip(lists, kinds, strict=True):
            if known is not None and kind != known and (item.items or item.kind == "name"):
                self.term(item, known)

    def mapped(self, name: str, count: int) -> list[str]:
        """What the lists are that a relation is mapped over: of what it speaks of."""
        kinds = (*(self.positions(name) or ()), *(None,) * count)[:count]
        return [_LIST_OF.get(kind or "", "list") for kind in kinds]

    def _note_attributes(self, body: Syntax) -> None:
        """Note the variables in attributes, and what is equal to those: where nothing else says what they stand for,
        they are its value."""
        self._noted = body
        equal, stack = [], [(body, False)]
        while stack:
            node, is_attribute = stack.pop()
            if is_attribute and node.kind in ("name", "spread") and is_variable(node.value):
                self.values.add(node.value)
            elif node.kind in ("equation", "comparison") and len(names := _names(node)) == 2:
                equal.append(names)
            given = node.kind == "call"
            for item in node.items:
                stack.append((item.items[1], True) if given and item.kind == "equation" else (item, is_attribute))
        known = -1
        while known != len(self.values):
            known = len(self.values)
            for names in equal:
                if not self.values.isdisjoint(names):
                    self.values.update(names)

    def kind_of(self, name: str) -> str | None:
        """What a variable stands for, where nothing says so: a type if its name is capitalised."""
        known = self.of.get(name)
        if known is None and name in self.values:
            return "value"
        return "type" if known is None and name[0].isupper() else known

    def read_as(self, node: Syntax, expected: str | None) -> str | None:
        """What a term is read as where `expected` is wanted: a list of anything as what it is a list of."""
        return expected if expected not in (None, "list") else self.term(node, expected)

    def term(self, node: Syntax, expected: str | None) -> str | None:
        """Learn from a term where `expected` is wanted; what it is."""
        kind = node.kind
        if kind == "name":
            return self._name(node, expected)
        if expected == "list":
            expected = "shape" if kind == "group" and self.term(node.items[0], None) in _EXTENTS else None
        if kind in ("number", "unknown"):
            return "number" if kind == "number" else "dim"
        if kind == "string":
            return "value"
        if kind in ("operation", "negative"):
            for item in node.items:
                self._calculate(item)
            return "number"
        if kind == "call":
            return self._call(node)
        if kind == "subscript":
            return self._subscript(node, expected)
        if kind == "group":
            inner = node.items[0]
            if inner.kind != "conjunction" and expected not in _ELEMENT:
                found = self.term(inner, expected)
                return None if expected is None and (self._open or self._waits(node, BRACKETS)) else found
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

    def _calculate(self, node: Syntax) -> None:
        """Learn from a term that numbers are compared with, or made of."""
        if node.kind == "name":
            self.calculated.add(node.value)
        self.term(node, "number")

    def stands_for_natural(self, name: str) -> bool:
        """Whether a variable that is given for an attribute, of which numbers may be negative, is a natural."""
        return name in self.values and (name in self.calculated or self.of.get(name) == "dim")

    def _name(self, node: Syntax, expected: str | None) -> str | None:
        name = node.value
        if is_variable(name):
            return self._meet(node, name, expected)
        if is_dtype(name):
            return expected if expected in ("dtype", "value") else "type" if expected == "type" else None
        return self.of.get(variable_of(node) or "") if name == "_" else "value"

    def _meet(self, node: Syntax, name: str, kind: str | None) -> str | None:
        known = self.of.get(name)
        if kind == "list":
            self._learned += name not in self.listed
            self.listed.add(name)
            kind = known
        if name in self.listed and kind in _NO_LIST:
            raise TwoThings(node, name, "list", kind)
        if kind in (None, "value", known) or (kind == "number" and known == "dim"):
            return known
        if known is not None and not (known == "number" and kind == "dim"):
            raise TwoThings(node, name, known, kind)
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
        if self._is_ambiguous(node) and self._waits(node, READINGS):
            return None
        if name in TYPE_WORDS:
            for item in node.items:
                self.term(item, "type")
            return TYPE_WORDS[name]
        if name in ARITHMETIC_WORDS:
            wanted = {"prod": "shape", "sum": "shape", "len": "list", "elements": "type"}.get(name, "number")
            for item in node.items:
                self._calculate(item) if wanted == "number" else self._argument(item, wanted)
            return "number"
        self.arguments(node)
        return "type"

    def tensor(self, items: Sequence[Syntax]) -> None:
        """Learn from the arguments of a tensor type."""
        first, last = (items[0], items[-1]) if items else (None, None)
        if first is not None and last is not None and first is not last and not self._is_list(first):
            for item in items[:-1] if len(items) > 2 else ():
                self.term(item, "dim")
            if self._is_unsure(last):
                self._is_unsure(first)
                return
        shape, dtype = split_tensor(items, self)
        if len(shape) > 1:
            for item in shape:
                self.term(item, "dim")
        elif shape and not self._is_unsure(shape[0]):
            self.term(shape[0], "shape" if not self.is_extent(shape[0]) else "dim")
        if dtype is not None:
            self.term(dtype, "dtype")

    def _is_list(self, node: Syntax) -> bool:
        """Whether a term in a tensor type is a shape, rather than an extent, as far as is known."""
        return not (self.is_extent(node) or self._is_open(node))

    def _is_unsure(self, node: Syntax) -> bool:
        """Whether a term in a tensor type may still turn out to be an extent, or to be none."""
        if self._is_open(node):
            return self._waits(node, TENSORS)
        if node.kind == "call" and not self.applies(node) and self._is_ambiguous(node):
            self.term(node, None)
            return self._is_ambiguous(node)
        return False

    def is_type(self, node: Syntax) -> bool:
        """Whether a term is one type, and no tuple of several: `%x[0]` and `nn.relu(%x)[0]` are extents of that."""
        if node.kind == "call":
            name = node.value[0]
            return self.applies(node) or not (name in ARITHMETIC_WORDS or name == "shape" or self._is_ambiguous(node))
        if node.kind != "name":
            return node.kind == "subscript" and node.items[0].kind == "name" and node.items[0].value == "Tensor"
        return self.of.get(node.value) == "type" and self._parameters(node.value) is None

    def is_extent(self, node: Syntax) -> bool:
        """Whether a term is an extent, rather than a shape, as far as is known."""
        kind = node.kind
        if kind in NUMBERS:
            return True
        if kind == "name":
            return self.of.get(node.value) in _EXTENTS and id(node) not in self._decided
        if kind == "call":
            return node.value[0] in ARITHMETIC_WORDS and not self.applies(node)
        return kind == "subscript" and node.items[1].kind == "index"

    def _subscript(self, node: Syntax, expected: str | None) -> str | None:
        base, index = node.items
        if base.kind == "name" and base.value == "Tensor":
            self.tensor(contents(index))
            return "type"
        if index.kind == "slice" and expected in _NO_LIST:
            raise ClauseError(f"{A_KIND[expected]} is wanted here, not `{node.text}`", node.span)
        decided = id(node) in self._decided
        if self.is_type(base) and not decided:
            if base.kind != "name":
                self.term(base, "type")
            for item in () if index.kind == "slice" else contents(index):
                self.term(item, "number")
            return "shape" if index.kind == "slice" else "dim"
        if expected != ("types" if index.kind == "slice" else "type") and self._waits_for_base(node):
            return None
        variable = variable_of(base)
        if self.is_type_call(node):
            for item, kind in self.applied(node):
                # Lists that are wanted nowhere here are refused where the type is built, from the left.
                self.term(item, None if kind in _NO_LIST and item.items else kind)
            return "type"
        if index.kind == "slice":
            found = self._taken_apart(base, expected if expected in _ELEMENT else None)
            if found is None and variable is not None:
                found = self._meet(base, variable, "shape")
            elif found in _NO_LIST:
                raise _no_list(base, found)
            return found if found in _ELEMENT else None
        found = self._taken_apart(base, _LIST_OF.get(expected or ""))
        for item in contents(index):
            self.term(item, "number")
        if found is None and variable is not None:
            found = self._meet(base, variable, "shape")
        elif found in _NO_LIST:
            raise _no_list(base, found)
        return _ELEMENT.get(found or "")

    def _taken_apart(self, base: Syntax, expected: str | None) -> str | None:
        """What it is of which an element or a part is taken, if it is learned to be `expected`."""
        anonymous = variable_of(base) if base.value == "_" else None
        return self.term(base, expected) if anonymous is None else self._meet(base, anonymous, expected)

    def _waits_for_base(self, node: Syntax) -> bool:
        """Whether a subscript waits until it is known of what: `x[0]` is an extent of a type, or is in a list."""
        base = node.items[0]
        variable = variable_of(base)
        if variable is None or variable in self.of:
            return False
        return self._parameters(base.value) is None and self._waits(node, READINGS)

    def is_type_call(self, node: Syntax) -> bool:
        """Whether a subscript applies a data type: one that is declared, or what looks like it."""
        base, index = node.items
        declared = base.kind == "name" and index.kind != "slice" and self._parameters(base.value) is not None
        return declared or (is_type_call(node) and not self.is_type(base))

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
        key = (id(node), expected, self._open)
        learned, result = self._lists.get(key, (-1, None))
        if learned != self._learned:
            result = self._look_at_list(node, items, expected, form)
            self._lists[key] = self._learned, result
        return result

    def _look_at_list(self, node: Syntax, items: Sequence[Syntax], expected: str | None, form: str) -> str | None:
        bracketed = form in ("list", "open_list")
        if expected in _NO_LIST or (bracketed and expected == "type"):
            raise ClauseError(f"{A_KIND[expected]} is wanted here, not `{node.text}`", node.span)
        element = _ELEMENT.get(expected or "") or ("type" if expected == "type" and not bracketed else None)
        heads = items[:-1] if form == "open_list" else items
        found = {self._held(item, element) for item in heads}
        held = found | {element}
        if held & _EXTENTS and held & {"type", "types"}:
            raise ClauseError(f"`{node.text}` would hold extents and types", node.span)
        result = expected
        if expected not in ("shape", "types", "type"):
            if "dim" in found or "number" in found:
                result = "shape"
            elif "type" in found or "types" in found:
                result = "types" if bracketed else "type"
        if form == "open_list":
            tail = self.term(items[-1], result)
            if is_no_list(items[-1]) or (result is None and tail in _NO_LIST):
                last = f", not with {A_KIND[tail]}" if tail in _NO_LIST else ""
                raise ClauseError(f"a list ends with a list{last}", items[-1].span)
            result = result or tail
        if element is None and result in _ELEMENT:
            for item in heads:
                self.term(item, _ELEMENT[result])
        return result

    def _held(self, item: Syntax, element: str | None) -> str | None:
        """What a list holds that an item is written in: where that is the rest of it, what this rest holds."""
        kind = self.term(item, element)
        return _ELEMENT.get(kind or "") if item.kind == "spread" else kind


def _is_tuple(literal: Syntax) -> bool:
    """Whether what stands in parentheses is no single thing."""
    if literal.kind == "group":
        return literal.items[0].kind == "conjunction"
    return literal.kind == "tuple" or not literal.text.startswith("[")


def _names(equation: Syntax) -> list[str]:
    """The sides of an equation that are variables."""
    return [side.value for side in equation.items if side.kind == "name" and is_variable(side.value)]


def _no_list(node: Syntax, kind: str) -> ClauseError:
    return TwoThings(node, node.text, kind, "shape")


def split_tensor(items: Sequence[Syntax], kinds: Kinds) -> tuple[tuple[Syntax, ...], Syntax | None]:
    """Shape (one term, or several extents) and dtype of a tensor type as written; no dtype if it was left out."""
    last = items[-1] if items else None
    if last is not None and len(items) > 1 and not kinds.is_extent(last):
        return tuple(items[:-1]), last
    return tuple(items), None
