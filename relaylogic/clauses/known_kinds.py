"""What is known of the variables of a clause, and what in it may be read in two ways as long as nothing says more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..rulebase.term_kinds import TERM_KINDS
from .syntax import Syntax
from .written import (
    ARITHMETIC_WORDS,
    NUMBERS,
    TwoThings,
    contents,
    is_dtype,
    is_tensor,
    is_type_call,
    is_variable,
    variable_of,
    wrong_number,
)

__all__ = [
    "BRACKETS",
    "ELEMENT",
    "EXTENTS",
    "LIST_OF",
    "NO_LIST",
    "PARENTHESES",
    "READINGS",
    "RESTS",
    "STAGES",
    "TENSORS",
    "TYPE_WORDS",
    "KnownKinds",
]

TYPE_WORDS = {"ref": "type", "shape": "shape"}
"""The words for terms made of a type, and what those are."""
ELEMENT = {"shape": "dim", "types": "type"}
NO_LIST = frozenset({"dim", "number", "dtype"})
EXTENTS = frozenset({"dim", "number"})
LIST_OF = {"dim": "shape", "type": "types"}
PARENTHESES = frozenset({"group", "tuple", "empty"})
READINGS, TENSORS, BRACKETS, RESTS = range(4)
"""What waits, in the order in which it is decided: words and subscripts, what stands in tensor types, `(2)`, and what
lists hold that are the rest of others, or that words speak of."""
STAGES = (READINGS, TENSORS, BRACKETS, RESTS)


class KnownKinds:
    """The kinds of the variables of one clause.

    `positions` says what the arguments of a relation are, `parameters` of which kinds those of a data type are,
    `dtypes` which attributes are dtypes.
    """

    def __init__(
        self,
        positions: Callable[[str], Sequence[str | None] | None],
        parameters: Callable[[str], Sequence[str] | None] = lambda name: None,
        dtypes: Collection[str] = (),
    ) -> None:
        self.of: dict[str, str] = {}
        self.values: set[str] = set()  # the variables that stand in attributes
        self.calculated: set[str] = set()  # the variables that numbers are compared with, or made of
        self.listed: set[str] = set()  # the variables that stand where lists are wanted
        # Those of them that are the rest of a list, or that words and arithmetic speak of, which know no tuple types.
        self.counted: set[str] = set()
        self.positions = positions
        self._parameters = parameters
        self._dtypes = dtypes
        self._noted: Syntax | None = None  # the body whose attributes were noted
        self._learned = 0  # so many things
        self._lists: dict[tuple[object, ...], tuple[int, str | None]] = {}  # what lists are, as of how much
        self.backwards = False
        self._open = False  # whether `(2)` may be a list, whatever was decided of it
        self._applied: set[int] = set()  # the calls of words of arithmetic that are calls of the operator
        self._waiting: tuple[dict[int, Syntax], ...] = ({}, {}, {}, {})  # by stage, what may be read in two ways
        self._decided: set[int] = set()  # what of that is read as it is where nothing says otherwise

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
        return node.kind in PARENTHESES or self._is_open(node)

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
                if is_tensor(item.items[0]) or (self.is_type_call(item) and not self._waits_for_base(item)):
                    return True
            elif kind == "call":
                name = item.value[0]
                if id(item) in self._applied or not (name in ARITHMETIC_WORDS or name == "shape"):
                    return True
        return False

    def mapped(self, name: str, count: int) -> list[str]:
        """What the lists are that a relation is mapped over: of what it speaks of."""
        kinds = (*(self.positions(name) or ()), *(None,) * count)[:count]
        return [LIST_OF.get(kind or "", "list") for kind in kinds]

    def kind_of(self, name: str) -> str | None:
        """What a variable stands for, where nothing says so: a type if its name is capitalised."""
        known = self.of.get(name)
        if known is None and name in self.values:
            return "value"
        return "type" if known is None and name[0].isupper() else known

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
        if name in self.listed and kind in NO_LIST:
            raise TwoThings(node, name, "list", kind)
        if kind in (None, "value", known) or (kind == "number" and known == "dim"):
            return known
        if known is not None and not (known == "number" and kind == "dim"):
            raise TwoThings(node, name, known, kind)
        assert kind is not None
        self.of[name] = kind
        self._learned += 1
        return kind

    def is_dtype_attribute(self, node: Syntax) -> bool:
        """Whether a term is the value of an attribute that is a dtype."""
        return node.kind == "name" and node.value.startswith("attrs.") and node.value[6:] in self._dtypes

    def is_type(self, node: Syntax) -> bool:
        """Whether a term is one type, and no tuple of several: `%x[0]` and `nn.relu(%x)[0]` are extents of that."""
        if node.kind == "call":
            name = node.value[0]
            return self.applies(node) or not (name in ARITHMETIC_WORDS or name == "shape" or self._is_ambiguous(node))
        if node.kind != "name":
            return node.kind == "subscript" and is_tensor(node.items[0])
        return self.of.get(node.value) == "type" and self._parameters(node.value) is None

    def is_extent(self, node: Syntax) -> bool:
        """Whether a term is an extent, rather than a shape, as far as is known."""
        kind = node.kind
        if kind in NUMBERS:
            return True
        if kind == "name":
            return self.of.get(node.value) in EXTENTS and id(node) not in self._decided
        if kind == "call":
            return node.value[0] in ARITHMETIC_WORDS and not self.applies(node)
        return kind == "subscript" and node.items[1].kind == "index"

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
