"""What a rule's own Python is shown of what is not known, and what happens when it looks.

A rule may be asked about a value that is not known yet, and passes it on to goals: then it is a term like any other.
But where the rule *looks* at it - compares it, counts with it, takes it for an index - the search must know. So the
rule is shown a stand-in (`Shown`), which raises `Look` when it is looked at. Whoever called the rule catches that, goes
on from each of the states that the look may lead to, and calls the rule again. (Needed narrowing, as in Curry; for
Python's own code: lazy initialisation, Boyapati, Khurshid and Marinov, "Korat: automated testing based on Java
predicates", ISSTA 2002.)

The engine does not look: what is made for it of a stand-in is made of the term that it stands for (`closed`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

__all__ = ["Drafted", "Keeps", "Look", "Shown", "closed", "has", "kept", "looking", "shown", "written"]


class Look(Exception):
    """A rule has looked at what is not known. `states` are those that it may lead to; no two of them hold together."""

    def __init__(self, states: Iterable[Any] = (), what: str = "") -> None:
        super().__init__(what or "a rule has looked at what is not known")
        self.states = states


class Shown:
    """A stand-in for something that is not known, as a rule is shown it."""

    __slots__ = ()

    def closed(self, named: list[Any] | None = None) -> Any:
        """The term that it stands for. Of one that is no term, but equal to one by a constraint, that joins `named`.

        Raises Look where nothing can be `named`.
        """
        raise NotImplementedError

    def written(self) -> Any:
        """What stands for it in arithmetic."""
        return self.closed()

    def kept(self) -> Keeps:
        """The term for a goal that waits, of which the stand-in can be made again when it runs."""
        raise NotImplementedError


class Keeps:
    """A term for a goal that waits, of which a stand-in can be made again."""

    __slots__ = ()

    def shown(self, state: Any) -> Any:
        """What a rule is shown in this state: the stand-in, or what has become known."""
        raise NotImplementedError


class Drafted:
    """A term that may have a stand-in among its arguments until it is interned: a draft."""

    __slots__ = ()

    @classmethod
    def draft(cls, args: tuple[Any, ...]) -> Any:
        """The term that is not interned."""
        raise NotImplementedError


ASKING = 4
"""How many steps it takes to ask a rule again."""


def closed(item: Any, named: list[Any] | None = None) -> Any:
    """`item` with the term of each stand-in in it; constraints that name some of them join `named`. Raises Look."""
    kind = type(item)
    if kind is tuple or kind is list:
        return tuple([closed(part, named) for part in item])
    if issubclass(kind, Shown):
        return item.closed(named)
    if issubclass(kind, Drafted) and not item.ground:
        return kind.draft(closed(item.args, named))
    return item


def written(item: Any) -> Any:
    """`item`, which is arithmetic or compares numbers, with the expression of each stand-in in it. Raises Look."""
    kind = type(item)
    if kind is tuple:
        return tuple([written(part) for part in item])
    if issubclass(kind, Shown):
        return item.written()
    if issubclass(kind, Drafted) and not item.ground:
        return kind.draft(written(item.args))
    return item


def kept(item: Any) -> Any:
    """`item` with each stand-in as a term of which it can be made again."""
    kind = type(item)
    if kind is tuple:
        return tuple([kept(part) for part in item])
    return item.kept() if issubclass(kind, Shown) else item


def shown(item: Any, state: Any) -> Any:
    """`item` as a rule is shown it in `state`: what `kept` made, with stand-ins for what is not known there."""
    kind = type(item)
    if kind is tuple:
        return tuple([shown(part, state) for part in item])
    return item.shown(state) if issubclass(kind, Keeps) else item


def looking(ask: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], state: Any) -> Iterator[Any]:
    """What `ask(state, *arguments)` gives, whatever it looks at; the arguments are as `kept` makes them."""
    stack = [iter((state,))]
    while stack:
        current = next(stack[-1], None)
        if current is None:
            stack.pop()
            continue
        search = current.search
        search.look = None
        search.budget.charge(ASKING)
        try:
            found = ask(current, *shown(arguments, current))
        except Look as look:
            stack.append(iter(look.states))
            continue
        except Exception:
            # Some of Python's own functions (`islice`) raise another error when they fail to get a number.
            if search.look is None:
                raise
            stack.append(iter(search.look.states))
            continue
        given = False
        try:
            for answer in found:
                given = True
                yield answer
        except Look as look:
            if given:
                raise RuntimeError("a goal has looked at an attribute after its first answer") from look
            stack.append(iter(look.states))


def has(items: Any, sort: type) -> bool:
    """Whether one of some items, or of the tuples in them, is of this class: `Shown`, or `Keeps`.

    Classes are told apart without an attribute that most do not have: to raise and forget its AttributeError takes the
    longer the more generators run within each other.
    """
    stack, seen = [items], set()
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            if id(item) not in seen:
                seen.add(id(item))
                stack.extend(item)
        elif issubclass(type(item), sort):
            return True
    return False
