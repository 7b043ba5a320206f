"""The logic engine: kanren's goals over interned terms, with arithmetic and lists in every direction.

It knows nothing of Relay. `eq`, `lall`, `conde` ... are kanren's,
in a faster make; kanren's own serve as well.
"""

from __future__ import annotations

from ..host.above import register
from .constraints.comparisons import (
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
from .constraints.different import differ, distincto
from .constraints.gradual import (
    agree,
    default,
    follows,
    is_known,
    is_rigid,
    is_unknown,
    sharpest,
    widest,
)
from .constraints.lengths import at_leasto, lengtho, same_lengtho
from .constraints.lists import appendo, conso, inserto, membero, ntho, permuteo, pluck, replaceo, reverseo
from .constraints.moved import movedo
from .constraints.postponed import as_soon, later, lazily, unroll
from .constraints.premise import stating
from .constraints.unseen import is_positive, is_seen, is_whole
from .control import Budget, Search, StepLimit
from .search import kanren_states as _registered  # noqa: F401
from .search.elementwise import agree_lists, forallo, mapo
from .states.goals import conde, eq, fail, lall, lany, succeed
from .states.state import Constraint, State
from .states.suspended import Primitive, primitive, word
from .terms.numbers import (
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
from .terms.terms import Cons, Slot, Symbol, Term, cons, copies
from .terms.variables import fresh, fresh_list

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

register(
    {
        "attention to kanren": "relaylogic.logic.search.kanren_states:attend",
        "comparison": "relaylogic.logic.constraints.compare:Compare",
        "equal numbers": "relaylogic.logic.constraints.comparisons:equals",
        "flat list": "relaylogic.logic.terms.flat:pickled",
        "infix arithmetic": "relaylogic.logic.terms.numbers:infix",
        "number as text": "relaylogic.logic.terms.notation:show_number",
        "refuted together": "relaylogic.logic.constraints.together:refuted_together",
        "state of a mapping": "relaylogic.logic.search.kanren_states:from_mapping",
        "state of kanren's": "relaylogic.logic.search.kanren_states:from_constrained",
    }
)
