"""A reference engine: microKanren with occurs check, strict equality and natural-number sums, on one page.

Slow and plain on purpose; the engine of relaylogic must agree with it. A state is a dict, a goal a function from a
state to a list of states. Terms are variables, ints, strings and tuples; numbers are searched in 0..LIMIT.
"""

from __future__ import annotations

LIMIT = 6


class V:
    """A logic variable."""


def walk(t, s):
    while isinstance(t, V) and t in s:
        t = s[t]
    return t


def occurs(v, t, s):
    t = walk(t, s)
    return t is v or (isinstance(t, tuple) and any(occurs(v, i, s) for i in t))


def unify(a, b, s):
    a, b = walk(a, s), walk(b, s)
    if a is b:
        return s
    if isinstance(a, V):
        return None if occurs(a, b, s) else {**s, a: b}
    if isinstance(b, V):
        return unify(b, a, s)
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        for x, y in zip(a, b):
            s = unify(x, y, s)
            if s is None:
                return None
        return s
    return s if type(a) is type(b) and a == b else None


def eq(a, b):
    return lambda s: [t for t in [unify(a, b, s)] if t is not None]


def conj(*goals):
    def run(s):
        states = [s]
        for goal in goals:
            states = [t for state in states for t in goal(state)]
        return states

    return run


def disj(*goals):
    return lambda s: [t for goal in goals for t in goal(s)]


def number(v):
    """`v` is a natural number up to LIMIT."""
    return disj(*(eq(v, n) for n in range(LIMIT + 1)))


def relate(check, *operands):
    """`check` holds of the operands, which are tried out."""

    def run(s):
        states = conj(*(number(o) for o in operands))(s)
        return [t for t in states if check(*(walk(o, t) for o in operands))]

    return run


def reify(t, s):
    t = walk(t, s)
    return tuple(reify(i, s) for i in t) if isinstance(t, tuple) else t


def answers(query, goal):
    """The distinct ground answers for `query`; open ones are left out."""

    def ground(t):
        return not isinstance(t, V) and (not isinstance(t, tuple) or all(map(ground, t)))

    return {r for r in (reify(query, s) for s in goal({})) if ground(r)}
