"""A reference engine on one page: unification as microKanren has it, and goals by generate and test.

Slow and plain on purpose; the engine of relaylogic must agree with it. Goals are descriptions: `("all", goals)`,
`("any", goals)`, or a name of `MEANING` with terms. A term is an int, a string ("?" is the number nobody knows), a
variable `("var", name)`, a list `("list", *terms)`, an operator of `ARITHMETIC` with terms, or "sum" or "prod"
with a list. To test a goal is to look up what its words mean once every variable has a value; values are ints, strings
and tuples.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod


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


class Fails(Exception):
    """A term that has no value: the goal in which it stands does not hold."""


def numbers(*values):
    """The values, which must be numbers."""
    if not all(type(v) is int or v == "?" for v in values):
        raise Fails
    return values


def lists(*values):
    """The values, which must be lists."""
    if not all(type(v) is tuple for v in values):
        raise Fails
    return values


def divided(divide):
    def total(a, b):
        if b == 0:
            raise Fails
        return divide(a, b)

    return total


ARITHMETIC = {
    "+": lambda *xs: sum(xs),
    "-": lambda a, b: a - b,
    "*": lambda *xs: prod(xs),
    "//": divided(lambda a, b: a // b),
    "%": divided(lambda a, b: a % b),
    "min": min,
    "max": max,
}


def value(term, env):
    """The value of a term. Raises Fails if it has none."""
    if type(term) is not tuple:
        return term
    kind, *parts = term
    if kind == "var":
        return env[parts[0]]
    values = [value(part, env) for part in parts]
    if kind == "list":
        return tuple(values)
    if kind in ("sum", "prod"):
        (values,), kind = lists(*values), "+" if kind == "sum" else "*"
    numbers(*values)
    return "?" if "?" in values else ARITHMETIC[kind](*values)


def agree(a, b):
    numbers(a, b)
    return a == b or "?" in (a, b)


def placed(s, i):
    """Whether the list `s` has a place `i`."""
    return -len(s) <= i < len(s)


MEANING = {
    "eq": lambda a, b: a == b,
    "differ": lambda a, b: a != b,
    "=": lambda a, b: numbers(a, b) and a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: numbers(a, b) and ("?" in (a, b) or a <= b),
    "<": lambda a, b: numbers(a, b) and ("?" in (a, b) or a < b),
    "length": lambda s, n: lists(s) and len(s) == n,
    "same_length": lambda *ss: all(len(a) == len(b) for a, b in pairwise(lists(*ss))),
    "append": lambda a, b, c: lists(a, b, c) and a + b == c,
    "reverse": lambda a, b: lists(a, b) and a[::-1] == b,
    "nth": lambda s, i, x: lists(s) and placed(s, i) and s[i] == x,
    "replace": lambda s, i, x, r: lists(s, r) and placed(s, i) and (*s[: i % len(s)], x, *s[i % len(s) + 1 :]) == r,
    "insert": lambda s, i, x, r: lists(s, r) and i <= len(s) and (*s[:i], x, *s[i:]) == r,
    "member": lambda x, s: lists(s) and x in s,
    "distinct": lambda s: lists(s) and len(set(s)) == len(s),
    "known": lambda n: n != "?",
    "unknown": lambda n: n == "?",
    "agree": agree,
    "widest": lambda a, b, c: agree(a, b) and c == ("?" if "?" in (a, b) else a),
    "sharpest": lambda a, b, c: agree(a, b) and c == (b if a == "?" else a),
    "follows": agree,
    "default": lambda a, b: True,
    "map": lambda name, *ss: len({len(s) for s in lists(*ss)}) == 1 and all(of_row(name, row) for row in zip(*ss)),
    # Of the last elements of lists: `unroll`.
    "last is": lambda a, b, x: lists(a, b) and len(a) == len(b) > 0 and a[-1] == b[-1] == x,
    "one more": lambda a, b: lists(a, b) and len(a) + 1 == len(b) and b[-1] == (a[-1] if a else 0),
}

A, B = ("var", 0), ("var", 1)
ROWS = {
    "doubled": ("=", ("*", 2, A), B),
    "below": ("<=", A, B),
    "equal or 0": ("any", [("eq", A, B), ("eq", B, 0)]),
    "1 more": ("=", ("+", A, 1), B),
    "2 more": ("=", ("+", A, 2), B),
    "agree": ("agree", A, B),
    "odd": ("=", ("%", A, 2), 1),
}
"""What `map` says of elements."""


def of_row(name, row):
    """Whether what `map` says of elements holds of these."""
    return holds(ROWS[name], dict(enumerate(row)))


def holds(goal, env):
    """Whether a goal holds when the variables have the values of `env`."""
    kind, *parts = goal
    if kind in ("all", "any"):
        return (all if kind == "all" else any)(holds(part, env) for part in parts[0])
    try:
        return bool(MEANING[kind](*(value(part, env) for part in parts)))
    except Fails:
        return False
