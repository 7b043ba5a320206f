"""What makes our states and terms those of kanren and `unification`: registered where they dispatch, never patched.

Under a `State`, `unify` and `reify` are ours: one loop instead of generators (three to eight times as fast), with the
occurs check and with constraints that propagate. A suspended goal that has become ready runs, as far as it leaves one
outcome. Under a plain dict, our terms unify and reify by kanren's own algorithm.

kanren's own constraints (`neq`, `typeo`, `isinstanceo`) live in a `ConstrainedState`, and its facts (`Relation`) merge
two states into a dict; both are made from whatever mapping came before. Ours carries its store along under a key of its
own, so that nothing is lost on the way there, and `unify` and `reify` look for it there. On the way back
(`from_constrained`, `from_mapping`) each of kanren's constraints becomes one of ours, and all are asked again.

kanren's `neq` writes a disequality of compound terms down as one of each pair of parts, which is too strong. What it
read in a state of ours is known, so there it becomes the one disequality that was meant. What stays wrong is that `neq`
adds to a `ConstrainedState` that the branches of a `conde` share; ours (`neq`, `differ`) do not.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from unification import Var, reify, unify
from unification.core import _reify, _unify, construction_sentinel, stream_eval

from ..constraints.different import Different
from ..constraints.free_choices import without_free_choices
from ..control import Search
from ..states.foreign import as_state, own
from ..states.state import CARRIED, Bounds, Constraint, State
from ..states.suspended import Suspended, primitive, settle
from ..states.work import Work
from ..terms.arith import Arith
from ..terms.rebuilding import rebuild, reify_term
from ..terms.terms import Cons, Term, cons, variables_of, walk
from ..terms.variables import VARIABLES, shown
from .search import residue_of

__all__ = ["Residual", "Typed", "attend", "from_constrained", "from_mapping"]


@unify.register(object, object, State)  # type: ignore[untyped-decorator]
def _unify_in_state(u: Any, v: Any, state: State) -> State | bool:
    state.search.budget.charge()
    work = Work(state)
    if not work.unify(own(u), own(v)):
        work.failure((u, v))
        return False
    new = work.finish()
    if new is None:
        return False
    return _settled(new) if new.search.settles and new.store is not None else new


def _settled(state: State) -> State | bool:
    """The state after what is ready has run, if it leaves no choice; False if it has no outcome."""
    outcomes = settle(state)
    first = next(outcomes, None)
    if first is None:
        return False
    return first if next(outcomes, None) is None else state


@_unify.register(Term, Term, Mapping)  # type: ignore[untyped-decorator]
def _unify_terms_in_mapping(u: Any, v: Any, state: Mapping[Any, Any]) -> Iterator[Any]:
    """Under a plain dict (`kanren.run`), the same algorithm."""
    yield _in_mapping(u, v, state)


@_unify.register(Arith, int, Mapping)  # type: ignore[untyped-decorator]
@_unify.register(int, Arith, Mapping)  # type: ignore[untyped-decorator]
def _unify_numbers_in_mapping(u: Any, v: Any, state: Mapping[Any, Any]) -> Iterator[Any]:
    yield _in_mapping(u, v, state)


@_unify.register(Cons, (tuple, list), Mapping)  # type: ignore[untyped-decorator]
def _unify_open_list(u: Any, v: Any, state: Mapping[Any, Any]) -> Iterator[Any]:
    yield _in_mapping(u, tuple(v), state)


@_unify.register((tuple, list), Cons, Mapping)  # type: ignore[untyped-decorator]
def _unify_list_open(u: Any, v: Any, state: Mapping[Any, Any]) -> Iterator[Any]:
    yield _in_mapping(tuple(u), v, state)


def _in_mapping(u: Any, v: Any, state: Mapping[Any, Any]) -> Any:
    """What becomes of the mapping: an equation that is left between numbers is carried along in it."""
    work = Work(as_state(state))
    new = work.finish() if work.unify(u, v) else None
    if new is None:
        return False
    return new.bindings if new.store is None else dict(new)


@_reify.register(Term, Mapping)  # type: ignore[untyped-decorator]
def _reify_term_in_mapping(term: Any, state: Mapping[Any, Any]) -> Any:
    return rebuild(term, lambda v: walk(v, state))


class Residual:
    """The token of a variable in an answer: it stands for `variable`, and shows what is left of it.

    kanren shows its own constraints in the same way. `pair`: what was read when it was made, if that was two terms.
    """

    __slots__ = ("constraints", "pair", "variable")

    def __init__(self, variable: Any, constraints: tuple[Any, ...], pair: Any) -> None:
        self.variable = variable
        self.constraints = constraints
        self.pair = pair

    def __str__(self) -> str:
        if not self.constraints:
            return str(self.variable.token)
        return f"{self.variable.token}: {{{', '.join(map(str, self.constraints))}}}"

    __repr__ = __str__


class _Reading(Mapping[Any, Any]):
    """The bindings of a state in which `term` is read: variables that stay open show what is left of them, but for what
    a variable that `term` does not show can always be chosen to satisfy.

    Those of two terms do so even if nothing is left, since that is how kanren's `neq` reads what it is to compare.
    """

    __slots__ = ("_shown", "state")

    def __init__(self, term: Any, state: State) -> None:
        self.state = state
        pair = term if type(term) is tuple and len(term) == 2 else None
        left: dict[Any, list[Any]] = {v: [] for v in variables_of(pair, state.bindings)}
        left_over = without_free_choices(state, term)
        for constraint in residue_of(left_over, () if state.store is None else tuple(state.store.bounds)):
            for variable in variables_of(constraint):
                left.setdefault(variable, []).append(constraint)
        self._shown = {variable: shown(Residual(variable, tuple(mine), pair)) for variable, mine in left.items()}

    def __getitem__(self, variable: Any) -> Any:
        return self.state.bindings[variable]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.state.bindings)

    def __len__(self) -> int:
        return len(self.state.bindings)

    def shown(self, variable: Any) -> Any:
        """An open variable, as it is shown."""
        return self._shown.get(variable, variable)

    def shows(self, term: Any) -> bool:
        """Whether `term` is not what it is elsewhere."""
        return bool(self._shown) and any(v in self._shown for v in variables_of(term, self.state.bindings))


@reify.register(object, State)  # type: ignore[untyped-decorator]
def _reify_in_state(term: Any, state: State) -> Any:
    term = own(term)
    if state.search.budget.apart is not None and type(term) is tuple and len(term) == 2:
        # So does `neq`, which says nothing more of two terms that differ: somebody asks whether they do whatever a
        # symbol stands for.
        Different.draft(term).propagate(Work(state))
    return stream_eval(_reify(term, _Reading(term, state)))


@_reify.register(Var, _Reading)  # type: ignore[untyped-decorator]
def _reify_variable_in_state(variable: Any, reading: _Reading) -> Iterator[Any]:
    end = walk(variable, reading.state.bindings)
    yield reading.shown(end) if type(end) in VARIABLES else _reify(end, reading)


@_reify.register(Term, _Reading)  # type: ignore[untyped-decorator]
def _reify_term_in_state(term: Any, reading: _Reading) -> Any:
    if term.ground:
        return term
    # A term with variables that show something is not interned: it would be found in place of the one that it equals.
    return _drafted(term, reading) if reading.shows(term) else reify_term(term, reading.state.bindings)


def _drafted(term: Any, reading: _Reading) -> Generator[Any, Any, None]:
    inside = yield _reify(term.args, reading)
    yield construction_sentinel
    if type(term) is not Cons:
        yield type(term).draft(inside)
        return
    prefix, tail = inside
    if type(tail) is tuple:
        yield cons(prefix, tail)
    else:
        yield Cons.draft((prefix + tail.prefix, tail.tail) if type(tail) is Cons else inside)


class Typed(Constraint):
    """kanren's `typeo` and `isinstanceo`: a term is of a type (exactly, or of a subtype)."""

    __slots__ = ()

    def __repr__(self) -> str:
        exactly, term, kind = self.args
        return f"{'typeo' if exactly else 'isinstanceo'}({term}, {getattr(kind, '__name__', kind)})"

    def propagate(self, work: Work) -> bool | None:
        """Wait for the term (a list: to its end) and the type."""
        exactly, term, kind = self.args
        term, kind = reify_term(term, work.bindings), work.walk(kind)
        if type(term) in (*VARIABLES, Cons) or type(kind) in VARIABLES:
            return None
        if not isinstance(kind, type):
            return False
        return type(term) is kind if exactly else isinstance(term, kind)


def from_constrained(state: Any) -> State:
    """Our state of one of kanren's that holds constraints. Raises TypeError for constraints that are not known here."""
    from kanren.constraints import ConstrainedState

    if not isinstance(state, ConstrainedState):
        raise TypeError(f"a {type(state).__name__} is no state of a search that is known here")
    return from_mapping(state.data, _constraints_of(state))


def _constraints_of(state: Any) -> list[Constraint]:
    """What kanren has written down in a state, as constraints of ours."""
    from kanren.constraints import DisequalityStore, IsinstanceStore, TypeStore

    held: list[Constraint] = []
    for kind, kept in state.constraints.items():
        if kind not in (DisequalityStore, TypeStore, IsinstanceStore):
            raise TypeError(f"constraints of a {kind.__name__} are not known here")
        for term, against in kept.lvar_constraints.items():
            if kind is DisequalityStore:
                held += [Different.draft(pair) for pair in _compared(term, against)]
            else:
                held += [Typed.draft((kind is TypeStore, own(term), own(other))) for other in against]
    return list(dict.fromkeys(reify_term(constraint, {}) for constraint in held))


def _compared(term: Any, against: Any) -> list[tuple[Any, Any]]:
    """The pairs of terms that a `neq` was about, as far as that is known; else each pair that it has written down."""
    pair = getattr(getattr(term, "token", None), "pair", None)
    return [(own(term), own(other)) for other in against] if pair is None else [pair]


def from_mapping(mapping: Mapping[Any, Any], constraints: list[Constraint] | None = None) -> State:
    """Our state of the bindings that kanren made of one of ours, with what was suspended then and `constraints`.

    kanren has bound variables without asking what was suspended, so everything is asked again.
    """
    bindings = {variable: own(term) for variable, term in mapping.items() if variable != CARRIED}
    store, search = mapping.get(CARRIED, (None, None))
    work = Work(State(bindings, None if store is None else store.copy(), search or Search(settles=True)))
    if not (_bounded(work) and _asked(work, constraints or [])):
        return _nowhere(work.search)
    new = work.finish()
    if new is None:
        return _nowhere(work.search)
    settled = _settled(new) if new.search.settles and new.store is not None else new
    return settled if isinstance(settled, State) else _nowhere(work.search)


def _bounded(work: Work) -> bool:
    """Whether the variables that have been bound lie within their bounds, which are then dropped."""
    if work.store is None:
        return True
    bound: list[tuple[Any, Bounds]] = [item for item in work.store.bounds.items() if item[0] in work.bindings]
    if not bound:
        return True
    store = work.own_store()
    for variable, _ in bound:
        del store.bounds[variable]
    for variable, (low, high) in bound:
        value = work.walk(variable)
        if type(value) in VARIABLES:
            if not work.narrow(value, low, high):
                return False
        elif type(value) is int and (value < low or (high is not None and value > high)):
            return False
    return True


def _asked(work: Work, constraints: list[Constraint]) -> bool:
    """Ask all that is suspended again, and the `constraints` that are new; False if one fails."""
    kept = {} if work.store is None else work.store.constraints
    waiting = [number for number in kept if number not in work.queued]
    work.queue.extend(waiting)
    work.queued.update(waiting)
    known = {reify_term(c, work.bindings) for c in kept.values()}
    return all(work.post(c) for c in constraints if reify_term(c, work.bindings) not in known)


@primitive("never", 0)
def _never(state: State, _: Any) -> Iterator[Any]:
    """A goal that does not hold."""
    return iter(())


def _nowhere(search: Search) -> State:
    """A state in which nothing holds: whoever goes on from it, fails."""
    work = Work(State({}, None, search))
    work.suspend(Suspended.draft((_never, 0)))
    new = work.finish()
    assert new is not None
    return new


def attend() -> None:
    """Let kanren's own goals ask what is suspended in a state of ours that became one of kanren's."""
    if unify.dispatch(object, object, dict) is not _unify_in_dict:
        unify.register(object, object, dict)(_unify_in_dict)
        reify.register(object, dict)(_reify_in_dict)
    constraints = sys.modules.get("kanren.constraints")
    if constraints and unify.dispatch(object, object, constraints.ConstrainedState) is not _unify_constrained:
        unify.register(object, object, constraints.ConstrainedState)(_unify_constrained)
        reify.register(object, constraints.ConstrainedState)(_reify_constrained)


_stock_unify = unify.dispatch(object, object, Mapping)
_stock_reify = reify.dispatch(object, Mapping)


@unify.register((tuple, list), (tuple, list), dict)  # type: ignore[untyped-decorator]
def _unify_in_dict(u: Any, v: Any, state: dict[Any, Any]) -> Any:
    """Where kanren's algorithm has met an equation between numbers, and went on, that is asked of the rest, too."""
    if CARRIED not in state:
        made = _stock_unify(u, v, state)
        if made is False or CARRIED not in made:
            return made
        u, v, state = True, True, made  # these are equal
    return _unify_in_state(u, v, from_mapping(state))


def _reify_in_dict(term: Any, state: dict[Any, Any]) -> Any:
    return _reify_in_state(term, from_mapping(state)) if CARRIED in state else _stock_reify(term, state)


def _unify_constrained(u: Any, v: Any, state: Any) -> Any:
    if CARRIED in state.data:
        return _unify_in_state(u, v, _moved(state))
    return sys.modules["kanren.constraints"].unify_ConstrainedState(u, v, state)


def _reify_constrained(term: Any, state: Any) -> Any:
    return _reify_in_state(term, _moved(state)) if CARRIED in state.data else _stock_reify(term, state)


def _moved(state: Any) -> State:
    """`from_constrained`, which moves kanren's constraints to the store that `state` carries.

    It says the same then. Whoever copies its bindings only (kanren's facts do) loses nothing, and what kanren writes
    down next is not mixed with what it wrote before.
    """
    mine = from_constrained(state)
    state.data[CARRIED] = (mine.store, mine.search)
    state.constraints.clear()
    return mine
