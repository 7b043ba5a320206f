"""The logic engine: kanren's goals over interned terms, with arithmetic and lists in every direction.

It knows nothing of Relay. `eq`, `lall`, `conde` ... are kanren's,
in a faster make; kanren's own serve as well.
"""

from __future__ import annotations

from . import kanren_states as _registered  # noqa: F401
from .comparisons import (
    addo,
    divmodo,
    equals,
    geo,
    gto,
    leo,
    lto,
    maxo,
    mino,
    mulo,
    naturalo,
    neq,
    producto,
    sumo,
)
from .control import Budget, Search, StepLimit
from .different import differ, distincto
from .elementwise import agree_lists, forallo, mapo
from .goals import conde, eq, fail, lall, lany, succeed
from .gradual import (
    agree,
    default,
    follows,
    is_known,
    is_rigid,
    is_unknown,
    sharpest,
    widest,
)
from .lengths import at_leasto, lengtho, same_lengtho
from .lists import appendo, conso, inserto, membero, ntho, permuteo, pluck, replaceo, reverseo
from .moved import movedo
from .numbers import (
    UNKNOWN,
    ceildiv,
    difference,
    floordiv,
    maximum,
    minimum,
    mod,
    plus,
    prod,
    times,
    total,
)
from .postponed import as_soon, later, lazily, unroll
from .premise import stating
from .state import Constraint, State
from .suspended import Primitive, primitive, word
from .terms import Cons, Slot, Symbol, Term, cons, copies
from .unseen import is_positive, is_seen, is_whole
from .variables import fresh, fresh_list

__all__ = [
    "UNKNOWN",
    "Budget",
    "Cons",
    "Constraint",
    "Primitive",
    "Search",
    "Slot",
    "State",
    "StepLimit",
    "Symbol",
    "Term",
    "addo",
    "agree",
    "agree_lists",
    "appendo",
    "as_soon",
    "at_leasto",
    "ceildiv",
    "conde",
    "cons",
    "conso",
    "copies",
    "default",
    "differ",
    "difference",
    "distincto",
    "divmodo",
    "eq",
    "equals",
    "fail",
    "floordiv",
    "follows",
    "forallo",
    "fresh",
    "fresh_list",
    "geo",
    "gto",
    "inserto",
    "is_known",
    "is_positive",
    "is_rigid",
    "is_seen",
    "is_unknown",
    "is_whole",
    "lall",
    "lany",
    "later",
    "lazily",
    "lengtho",
    "leo",
    "lto",
    "mapo",
    "maximum",
    "maxo",
    "membero",
    "minimum",
    "mino",
    "mod",
    "movedo",
    "mulo",
    "naturalo",
    "neq",
    "ntho",
    "permuteo",
    "pluck",
    "plus",
    "primitive",
    "prod",
    "producto",
    "replaceo",
    "reverseo",
    "same_lengtho",
    "sharpest",
    "stating",
    "succeed",
    "sumo",
    "times",
    "total",
    "unroll",
    "widest",
    "word",
]
