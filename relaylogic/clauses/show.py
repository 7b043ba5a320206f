"""Answers and constraints as text in clause notation: what is printed can be read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, pairwise
from typing import Any

from ..logic.constraints.compare import Compare
from ..logic.constraints.different import Different
from ..logic.constraints.gradual import Agree, Follows, Test
from ..logic.constraints.lengths import Length, SameLength
from ..logic.constraints.natural import Natural
from ..logic.constraints.unseen import Kept
from ..logic.large import shown
from ..logic.states.awaited import awaited
from ..logic.states.calls import Call
from ..logic.states.suspended import Primitive, Suspended, Word
from ..logic.terms.numbers import UNKNOWN, Arith, show_number
from ..logic.terms.terms import Cons, Term, is_ground
from ..logic.terms.variables import VARIABLES
from ..rulebase.attrs import Attrs
from ..rulebase.open_attributes import Open
from ..types import TensorType, TupleType, Type, show_dimension, show_shape, show_type
from ..types.show import LONGEST
from ..types.table import TypeTable, types_in, written_size
from .words import WORD_OF, WORDS
from .written import is_dtype

__all__ = ["Namer", "is_written", "show_constraint", "show_term", "show_value"]

SHORT = 64
"""So many pieces of text of a type are written out in any case."""

_LETTERS = {
    "dim": "nmkijl",
    "number": "nmkijl",
    "shape": "su",
    "types": "F",
    "dtype": "t",
    "type": "TU",
}


class Namer:
    """Names for the variables of an answer: those of the query, then letters that tell what a variable stands for.

    `given` and `residue` are what will be shown. If types in them would be very long, parts that occur again and again
    have names too, which `definitions` says: then all that is shown is linear in the number of distinct terms.
    """

    def __init__(self, given: Iterable[tuple[str, Any, Any]], residue: Iterable[Any] = ()) -> None:
        self.names: dict[Any, str] = {}
        self.kinds: dict[Any, str] = {}
        self._candidates: dict[str, Iterator[str]] = {}  # the names that none has been taken of yet, by their letters
        terms = list(given)
        self.taken = {name for name, _, _ in terms}
        for name, term, kind in terms:
            if type(term) in VARIABLES:
                self.names.setdefault(term, name)
            if not is_ground(term):
                self.look(term, kind)
        residue = list(residue)
        for constraint in residue:
            for items in _lists_of(constraint):
                self.look(items, "shape")
        types = types_in([*(term for _, term, _ in terms), *(constraint.args for constraint in residue)])
        # Few types may be long, many may not: all together are not longer than the table, or so many short ones.
        longest = max(SHORT, min(LONGEST, 16 * LONGEST // len(types))) if types else LONGEST
        self.table: TypeTable | None = None
        if written_size(types) > longest // 2:
            self.table = TypeTable(types, self, longest, self._fresh())

    @property
    def definitions(self) -> dict[str, str]:
        """What the names of types stand for that have been shown; names in there are defined there too."""
        return {} if self.table is None else self.table.definitions

    def dtype(self, dtype: str) -> str:
        """A dtype: void has a name, and what is no name is written as a text."""
        shown = dtype or "void"
        return shown if is_dtype(shown) else f'"{shown}"'

    def type_text(self, term: Any) -> tuple[str, bool]:
        """A type as text, or (and true) the name that is defined as the type."""
        if self.table is not None and term in self.table:
            return self.table.reference(term)
        return show_type(term, self), False

    def _fresh(self) -> Iterator[str]:
        """Names for types that nothing else has."""
        for name in map("T{}".format, count(1)):
            if name not in self.taken:
                self.taken.add(name)
                yield name

    def look(self, term: Any, kind: Any) -> None:
        """Note what the variables of a term stand for, which is of a kind (`_LETTERS`)."""
        stack = [(term, kind)]
        seen: set[Any] = set()
        while stack:
            item, kind = stack.pop()
            if type(item) in VARIABLES:
                self.kinds.setdefault(item, kind or "")
                continue
            if isinstance(item, Term):
                if item.ground or item in seen:
                    continue
                if type(item) is not Cons:
                    seen.add(item)
            if type(item) is TensorType:
                stack += [(item.shape, "shape"), (item.dtype, "dtype")]
            elif type(item) is TupleType:
                stack.append((item.fields, "types"))
            elif type(item) is Cons:
                stack += [(item.tail, kind), (item.prefix, kind)]
            elif type(item) is tuple:
                stack += [(part, {"shape": "dim", "types": "type"}.get(kind or "", "")) for part in item]
            elif isinstance(item, Term):
                stack += [(part, "types" if type(part) is tuple else "type") for part in item.args]

    def __call__(self, variable: Any) -> str:
        known = self.names.get(variable)
        if known is None:
            letters = _LETTERS.get(self.kinds.get(variable, "") or "dim", "x")
            candidates = self._candidates.setdefault(letters, _names(letters))
            known = next(name for name in candidates if name not in self.taken)
            self.names[variable] = known
            self.taken.add(known)
        return known


def _names(letters: str) -> Iterator[str]:
    """The letters, then the first one with numbers."""
    yield from letters
    yield from map(f"{letters[0]}{{}}".format, count(1))


_LISTS_AT = {"nth": (0,), "element": (0,), "member": (1,)}
"""Where the lists are that a primitive is about, if not all of its arguments may be lists."""


def _lists_of(constraint: Any) -> tuple[Any, ...]:
    """The lists that a constraint is about."""
    if type(constraint) is Length:
        return (constraint.items,)
    if type(constraint) is SameLength:
        return constraint.lists
    if type(constraint) is Suspended and constraint.primitive.lists:
        places = _LISTS_AT.get(constraint.primitive.name)
        found = constraint.arguments if places is None else [constraint.arguments[place] for place in places]
        return tuple(term for term in found if type(term) in (*VARIABLES, Cons))
    return ()


def show_term(term: Any, name: Namer) -> str:
    """A term as text. Iterative: lists may stand in lists."""
    if type(term) is TensorType:  # most are
        return name.type_text(term)[0]
    out: list[str] = []
    agenda: list[Any] = [(term,)]  # text, or a term in a tuple of one
    while agenda:
        item = agenda.pop()
        if type(item) is str:
            out.append(item)
        elif _is_list_of_terms(item[0]):
            agenda.extend(reversed(_list_pieces(item[0], name)))
        else:
            out.append(_show_single(item[0], name))
    return "".join(out)


def show_value(value: Any, name: Namer) -> str:
    """The value of an attribute as text: texts in quotes, lists in brackets."""
    if type(value) is str:
        return value if is_dtype(value) else f'"{value}"'
    if type(value) is Cons:
        return f"[{', '.join(show_value(part, name) for part in value.prefix)} | {name(value.tail)}]"
    if type(value) is tuple:
        return f"[{', '.join(show_value(part, name) for part in value)}]"
    return show_term(value, name)


def _is_list_of_terms(term: Any) -> bool:
    """Whether a term is a list of types, of lists or of values, some of which are no numbers: it is no shape."""
    parts = term.prefix if type(term) is Cons else term if type(term) is tuple else ()
    return any(type(p) in _NO_EXTENTS or (isinstance(p, Type) and not hasattr(p, "name_hint")) for p in parts)


_NO_EXTENTS = frozenset({tuple, Cons, bool, type(None)})


def _list_pieces(term: Any, name: Namer) -> list[Any]:
    parts = term.prefix if type(term) is Cons else term
    pieces: list[Any] = ["["]
    for index, part in enumerate(parts):
        pieces += [", ", (part,)] if index else [(part,)]
    return [*pieces, f" | {name(term.tail)}]" if type(term) is Cons else "]"]


def _show_single(term: Any, name: Namer) -> str:
    kind = type(term)
    if kind in VARIABLES:
        return name(term)
    if kind in (Word, Primitive) or hasattr(term, "clauses"):
        return str(getattr(term, "name", term))
    if kind is Cons or kind is tuple:
        # Out of a tensor type, (n) would be a number.
        return f"({show_dimension(term[0], name)},)" if kind is tuple and len(term) == 1 else show_shape(term, name)
    if kind is int:
        return shown(term)
    if kind is str:
        return term if is_dtype(term) else f'"{term}"'
    if isinstance(term, (Attrs, Open)):
        return ", ".join(f"{attribute}={show_value(value, name)}" for attribute, value in term.items())
    if not isinstance(term, Term):
        return repr(term).lower() if isinstance(term, bool) or term is None else str(term)
    return name.type_text(term)[0]


def is_written(constraint: Any) -> bool:
    """Whether clause notation has words for a constraint, even if there is nothing to say: a function of a rule's own
    that waits has none, nor has a goal of kanren's."""
    if type(constraint) is not Suspended:
        return type(constraint) in _WORDED
    primitive = constraint.primitive
    if primitive.name == "map":
        return _mapped(constraint.arguments[0]) is not None
    return primitive is awaited or primitive.name in _SUBSCRIPTS or primitive.name in WORDS


def _counted(items: Any, name: Namer) -> str:
    """A list of which it matters how many elements it has: what they are is not said, unless they are numbers."""
    if type(items) is Cons and not all(type(item) in (int, Arith, *VARIABLES) for item in items.prefix):
        return f"[{', '.join('_' * len(items.prefix))} | {show_term(items.tail, name)}]"
    return show_term(items, name)


def show_constraint(constraint: Any, name: Namer) -> str:
    """A constraint as a goal; "" if it holds of anything. What is not written is as the engine calls it."""
    kind = type(constraint)
    if kind is Compare:
        return _comparison(constraint, name)
    if kind is Call:
        return f"{constraint.relation.name}({_listed(constraint.arguments, name)})"
    if kind is Length:
        return f"len({_counted(constraint.items, name)}) = {show_term(constraint.length, name)}"
    if kind is SameLength:
        shown = [f"len({_counted(items, name)})" for items in constraint.lists]
        return ", ".join(f"{a} = {b}" for a, b in pairwise(shown))
    if kind is Different:
        return _difference(constraint.left, constraint.right, name)
    if kind is Suspended:
        return _suspended(constraint, name)
    if kind is Natural:
        return f"natural({show_term(constraint.args[0], name)})"
    if kind is Test:
        asked, term = constraint.args
        return f"{asked}({show_term(term, name)})"
    if kind is Follows:
        term, source, strict = constraint.args
        return f"{'follows' if strict else 'default'}({_listed((term, source), name)})"
    if kind is Agree:
        mode, *terms = constraint.args
        return f"{mode}({_listed([t for t in terms if t is not None], name)})"
    return str(constraint)


def _difference(left: Any, right: Any, name: Namer) -> str:
    """That two terms differ; of lists of which the elements may be of several kinds, that some elements do: a list of
    the language holds extents, or dtypes, or types, and where names begin it, it is not told which."""
    if type(left) is type(right) is tuple and len(left) == len(right):
        pairs = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
        if {_kind_of(pair) for pair in pairs} not in ({"number"}, {"dtype"}):
            parts = [_difference(*pair, name) for pair in pairs]
            return f"({'; '.join(parts)})" if len(parts) > 1 else "".join(parts)
    return f"{show_term(left, name)} != {show_term(right, name)}"


def _kind_of(pair: tuple[Any, Any]) -> str | None:
    """What two terms are, numbers or dtypes, if one of them tells."""
    told = next((term for term in pair if type(term) not in VARIABLES), None)
    if type(told) is str:
        return "dtype" if is_dtype(told) else None
    return "number" if type(told) in (int, Arith, type(UNKNOWN)) else None


_WORDED = frozenset({Agree, Call, Compare, Different, Follows, Length, Natural, SameLength, Test})
"""The constraints, but suspended goals, that `show_constraint` has words for."""

_SUBSCRIPTS = frozenset({"nth", "element", "part"})
"""The primitives that are written `s[i] = n`."""

_WRITTEN = {"append": (0, 2, 1)}
"""Where a goal in clause notation has its arguments elsewhere than the primitive."""


def _mapped(relate: Any) -> str | None:
    """What is written for what is mapped over lists: the name of a relation, or a word; None if there is none."""
    if hasattr(relate, "clauses"):
        return str(relate.name)
    return WORD_OF.get(getattr(relate, "function", relate))


def _suspended(constraint: Suspended, name: Namer) -> str:
    arguments, word = _unkept(constraint.arguments), constraint.primitive.name
    if word in ("nth", "element"):
        items, index, element = arguments
        return f"{show_term(items, name)}[{show_term(index, name)}] = {show_term(element, name)}"
    if word == "part":
        items, start, stop, result = arguments
        ends = ":".join("" if end is None else str(end) for end in (start, stop))
        return f"{show_term(items, name)}[{ends}] = {show_term(result, name)}"
    if word == "map":
        relate, *lists = arguments
        return f"map({_mapped(relate) or relate}, {_listed(lists, name)})"
    if constraint.primitive is awaited:
        return ""
    if word == "unroll":
        relate, given, _, _, *lists = arguments
        return f"unroll({relate}, {_listed((*lists, *given), name)})"
    arguments = tuple(arguments[i] for i in _WRITTEN.get(word, range(len(arguments))))
    return f"{word}({_listed(arguments, name)})"


def _unkept(term: Any) -> Any:
    """A term with the numbers themselves in place of what a waiting goal keeps of them."""
    if type(term) is tuple:
        return tuple(map(_unkept, term))
    return term.args[0] if isinstance(term, Kept) else term


def _listed(terms: Iterable[Any], name: Namer) -> str:
    return ", ".join(show_term(term, name) for term in terms)


def _comparison(constraint: Compare, name: Namer) -> str:
    relation, left, right = constraint.args
    left, right = _plain(left), _plain(right)
    if relation == "<=":
        if type(left) is Arith and left.operator == "+" and left.operands[-1] == 1 and len(left.operands) == 2:
            return f"{show_number(left.operands[0], name)} < {show_number(right, name)}"
        if type(left) is int:
            return f"{show_number(right, name)} >= {left}"
    elif type(left) is int or (type(left) in VARIABLES and type(right) is Arith):
        left, right = right, left
    return f"{show_number(left, name)} {relation} {show_number(right, name)}"


def _plain(expression: Any) -> Any:
    """An expression without factors of 1, with the numbers of a sum added up."""
    if type(expression) is not Arith:
        return expression
    operator, operands = expression.args
    if operator in ("sum", "prod") and type(operands[0]) is tuple:
        return _plain(Arith.make(("+" if operator == "sum" else "*", operands[0])))
    operands = tuple(_plain(operand) for operand in operands)
    if operator == "*":
        kept = tuple(o for o in operands if o != 1)
        return Arith.make(("*", kept)) if len(kept) > 1 else kept[0] if kept else 1
    if operator == "-" and type(operands[1]) is int:
        operator, operands = "+", (operands[0], -operands[1])
    if operator == "+":
        flat = [x for o in operands for x in (o.operands if type(o) is Arith and o.operator == "+" else (o,))]
        number = sum(x for x in flat if type(x) is int)
        rest = tuple(x for x in flat if type(x) is not int)
        if number < 0 and rest:
            return Arith.make(("-", (Arith.make(("+", rest)) if len(rest) > 1 else rest[0], -number)))
        operands = (*rest, number) if number or not rest else rest
        return Arith.make(("+", operands)) if len(operands) > 1 else operands[0]
    return Arith.make((operator, operands))
