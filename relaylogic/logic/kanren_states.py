"""What makes our states and terms those of kanren and `unification`: registered at their dispatch points, never patched.

Under a `State`, `unify` and `reify` are ours: one loop instead of generators (three to eight times as fast), with the
occurs check and with constraints that propagate. A suspended goal that has become ready runs, as far as it leaves one
outcome. Under a plain dict, our terms unify and reify by kanren's own algorithm.

kanren's own constraints (`neq`, `typeo`, `isinstanceo`) live in a `ConstrainedState`, which is made from whatever
mapping came before. Ours carries its store along under a key of its own, so that nothing is lost on the way there; on
the way back (`from_constrained`) each of kanren's constraints becomes one of ours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from unification import Var, reify, unify
from unification.core import _reify, _unify, stream_eval

from .control import Search
from .lists import Different
from .search import residue_of
from .state import CARRIED, Constraint, State, Work
from .suspended import Suspended, primitive, settle
from .terms import Cons, Term, rebuild, reify_term, variables_of, walk

__all__ = ["Residual", "Typed", "attend", "from_constrained"]


@unify.register(object, object, State)  # type: ignore[untyped-decorator]
def _unify_in_state(u: Any, v: Any, state: State) -> State | bool:
    state.search.budget.charge()
    work = Work(state)
    if not work.unify(u, v):
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


@reify.register(object, State)  # type: ignore[untyped-decorator]
def _reify_in_state(term: Any, state: State) -> Any:
    known = reify_term(term, state.bindings)
    if state.store is None:
        return known
    return rebuild(known, lambda v: _shown(v, state) if type(v) is Var else v)


@_unify.register(Term, Term, Mapping)  # type: ignore[untyped-decorator]
def _unify_terms_in_mapping(u: Any, v: Any, state: Mapping[Any, Any]) -> Iterator[Any]:
    """Under a plain dict (`kanren.run`), the same algorithm, without constraints."""
    yield _in_mapping(u, v, state)


@_unify.register(Cons, (tuple, list), Mapping)  # type: ignore[untyped-decorator]
def _unify_open_list(u: Any, v: Any, state: Mapping[Any, Any]) -> Iterator[Any]:
    yield _in_mapping(u, tuple(v), state)


@_unify.register((tuple, list), Cons, Mapping)  # type: ignore[untyped-decorator]
def _unify_list_open(u: Any, v: Any, state: Mapping[Any, Any]) -> Iterator[Any]:
    yield _in_mapping(tuple(u), v, state)


def _in_mapping(u: Any, v: Any, state: Mapping[Any, Any]) -> Any:
    work = Work(State(dict(state)))
    return work.bindings if work.unify(u, v) else False


@_reify.register(Term, Mapping)  # type: ignore[untyped-decorator]
def _reify_term_in_mapping(term: Any, state: Mapping[Any, Any]) -> Any:
    return rebuild(term, lambda v: walk(v, state))


class Residual(Var):
    """A variable of an answer, with the constraints that are left of it; kanren shows its own in the same way."""

    __slots__ = ("constraints",)
    constraints: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"~{self.token}: {{{', '.join(map(str, self.constraints))}}}"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Var) and self.token == other.token

    def __hash__(self) -> int:
        return hash((Var, self.token))


def _shown(variable: Any, state: State) -> Any:
    """A variable that stays open, with what is left of it."""
    mine = tuple(c for c in residue_of(state, variable) if variable in variables_of(c))
    if not mine:
        return variable
    shown = object.__new__(Residual)
    shown.token = variable.token
    shown.constraints = mine
    return shown


class Typed(Constraint):
    """kanren's `typeo` and `isinstanceo`: a term is of a type (exactly, or one of a subtype)."""

    __slots__ = ()

    def __repr__(self) -> str:
        exactly, term, kinds = self.args
        names = " or ".join(kind.__name__ for kind in kinds)
        return f"{'typeo' if exactly else 'isinstanceo'}({term}, {names})"

    def propagate(self, work: Work) -> bool | None:
        """Wait for the term and the types."""
        exactly, term, kinds = self.args
        term = work.walk(term)
        kinds = reify_term(kinds, work.bindings)
        if type(term) is Var or any(type(kind) is Var for kind in kinds):
            return None
        if not all(isinstance(kind, type) for kind in kinds):
            return False
        return all(type(term) is kind for kind in kinds) if exactly else any(isinstance(term, kind) for kind in kinds)


def from_constrained(state: Any) -> State:
    """Our state of one of kanren's that holds constraints. Raises TypeError for constraints that are not known here."""
    from kanren.constraints import ConstrainedState, DisequalityStore, IsinstanceStore, TypeStore

    if not isinstance(state, ConstrainedState):
        raise TypeError(f"a {type(state).__name__} is no state of a search that is known here")
    bindings = dict(state.data)
    store, search = bindings.pop(CARRIED, (None, None))
    work = Work(State(bindings, None if store is None else store.copy(), search or Search(settles=True)))
    # kanren has bound variables without asking what was suspended.
    work.queue.extend(() if store is None else store.constraints)
    work.queued.update(work.queue)
    holds = True
    for kind, kept in state.constraints.items():
        for term, against in kept.lvar_constraints.items():
            if kind is DisequalityStore:
                held = [Different.draft((term, other)) for other in against]
            elif kind in (TypeStore, IsinstanceStore):
                held = [Typed.draft((kind is TypeStore, term, tuple(against)))]
            else:
                raise TypeError(f"constraints of a {kind.__name__} are not known here")
            holds = holds and all(work.post(constraint) for constraint in held)
    new = work.finish() if holds else None
    if new is None:
        work = Work(State(bindings, None, Search(settles=True)))
        work.suspend(Suspended.draft((_never, 0)))
        new = work.finish()
        assert new is not None
    return new


@primitive("never", 0)
def _never(state: State, _: Any) -> Iterator[Any]:
    """A state in which nothing holds: whoever goes on from it, fails."""
    return iter(())


def attend() -> None:
    """Let kanren's own goals ask what is suspended in a state of ours that became one of kanren's."""
    constraints = sys.modules.get("kanren.constraints")
    if constraints is None or unify.dispatch(object, object, constraints.ConstrainedState) is _unify_constrained:
        return
    unify.register(object, object, constraints.ConstrainedState)(_unify_constrained)
    reify.register(object, constraints.ConstrainedState)(_reify_constrained)


def _unify_constrained(u: Any, v: Any, state: Any) -> Any:
    if CARRIED in state.data:
        return _unify_in_state(u, v, from_constrained(state))
    return sys.modules["kanren.constraints"].unify_ConstrainedState(u, v, state)


def _reify_constrained(term: Any, state: Any) -> Any:
    if CARRIED in state.data:
        return _reify_in_state(term, from_constrained(state))
    return stream_eval(_reify(term, state))
