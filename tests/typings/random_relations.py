"""Random relations of naturals and lists of naturals, and random questions about them.

A term or a goal is a tuple: its head, then its parts. Numbers: a name, an `int`, or `(word, number, number)` for `+ - *
// % max min`, `("prod" | "sum" | "len", list)`, `("at", list, place)`. Lists: `("list", number...)`, `("open", name,
number...)`, `("from", name, place)`, or a name: its letter says what it stands for (`LISTS`). Goals: `("compare",
number, word, number, ...)`, the words of `WORDS`, `("map", relation, list, list)`, `("call", relation, term...)` and
`("or", goals, goals)`.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

__all__ = [
    "OPERATIONS",
    "WORDS",
    "Clause",
    "Goals",
    "Maker",
    "Relation",
    "Rules",
    "is_list",
    "names_of",
    "random_question",
    "random_rules",
    "rules_text",
    "text_of",
]

LISTS = "suvwo"
"""The letters of lists; all others are those of numbers."""

WORDS = {
    "append": "SSS",
    "reverse": "SS",
    "member": "NS",
    "distinct": "S",
    "same_length": "SS",
    "same": "SS",
    "differ": "SS",
}
"""The words of clause notation that goals are made of, and what they are of: numbers (N), lists (S)."""

OPERATIONS = ("+", "-", "*", "//", "%", "max", "min")
COMPARISONS = ("<=", "<", ">", ">=", "=", "!=")


class Clause(NamedTuple):
    """One case of a relation: what its parameters are, and the goals that hold then."""

    head: tuple[Any, ...]
    body: tuple[Any, ...]


class Relation(NamedTuple):
    """A relation: what its parameters are (N or S for each), and its clauses."""

    name: str
    kinds: str
    clauses: tuple[Clause, ...]


Rules = tuple[Relation, ...]
Goals = tuple[Any, ...]


# ---- as text


def text_of(part: Any) -> str:
    """A term or a goal in clause notation."""
    if not isinstance(part, tuple):
        return str(part)
    head, *parts = part
    if head == "or":
        return f"({' ; '.join(', '.join(map(text_of, goals)) for goals in parts)})"
    shown = [text_of(each) for each in parts]
    if head == "compare":
        return " ".join(shown)
    if head in ("same", "differ"):
        return f"{shown[0]} {'=' if head == 'same' else '!='} {shown[1]}"
    if head in OPERATIONS[:5]:
        return f"({shown[0]} {head} {shown[1]})"
    if head == "list":
        return f"[{', '.join(shown)}]"
    if head == "open":
        return f"[{', '.join(shown[1:])} | {shown[0]}]"
    if head == "from":
        return f"{shown[0]}[{shown[1]}:]"
    if head == "at":
        return f"{shown[0]}[{shown[1]}]"
    if head == "call":
        return f"{shown[0]}({', '.join(shown[1:])})"
    return f"{head}({', '.join(shown)})"


def clause_text(relation: Relation, clause: Clause) -> str:
    """A clause in clause notation."""
    body = f" :- {', '.join(map(text_of, clause.body))}" if clause.body else ""
    return f"{text_of(('call', relation.name, *clause.head))}{body}."


def rules_text(rules: Rules) -> str:
    """Relations as a file of clauses."""
    return "\n".join(clause_text(relation, clause) for relation in rules for clause in relation.clauses)


@lru_cache(10_000)
def names_of(part: Any) -> tuple[str, ...]:
    """The names in a term or a goal, each as often as it stands there."""
    if isinstance(part, tuple):
        skipped = 0 if not part or isinstance(part[0], tuple) else 2 if part[0] in ("call", "map") else 1
        return tuple(name for each in part[skipped:] for name in names_of(each))
    return (part,) if isinstance(part, str) and part[0].isalpha() else ()


def is_list(name: str) -> bool:
    """Whether a name stands for a list."""
    return name[0] in LISTS


# ---- made at random


class Maker:
    """Makes terms and goals of some names and known relations."""

    def __init__(self, random: Random, numbers: tuple[str, ...], lists: tuple[str, ...], known: Rules) -> None:
        self.random, self.numbers, self.lists, self.known = random, numbers, lists, known

    def number(self, depth: int = 2) -> Any:
        """A number."""
        chance = self.random.random()
        if depth == 0 or chance < 0.5:
            return self.random.choice(self.numbers) if self.random.random() < 0.75 else self.random.randrange(4)
        if chance < 0.62:
            word = self.random.choice(("prod", "sum", "len"))
            return (word, self.random.choice(self.lists)) if self.lists else self.number(0)
        if chance < 0.67 and self.lists:
            return ("at", self.random.choice(self.lists), self.random.choice((0, 0, 1, -1)))
        word = self.random.choice(("+", "+", "*", "*", "-", "//", "%", "max", "min"))
        return (word, self.number(depth - 1), self.number(depth - 1))

    def items(self) -> Any:
        """A list."""
        chance = self.random.random()
        if not self.lists or chance < 0.2:
            return ("list", *(self.number(int(self.random.random() < 0.2)) for _ in range(self.random.randrange(3))))
        name = self.random.choice(self.lists)
        if chance < 0.35:
            return ("open", name, *(self.number(0) for _ in range(self.random.choice((1, 1, 2)))))
        return ("from", name, 1) if chance < 0.4 else name

    def term(self, kind: str) -> Any:
        """A number or a list."""
        return self.number(int(self.random.random() < 0.3)) if kind == "N" else self.items()

    def goal(self, depth: int = 1) -> Any:
        """A goal."""
        chance = self.random.random()
        if chance < 0.35:
            chain = [self.number()]
            for _ in range(1 if self.random.random() < 0.9 else 2):
                word = self.random.choice(("=", "=", "=", *COMPARISONS))
                chain += [word if len(chain) == 1 or word not in ("=", "!=") else "<=", self.number()]
            if len(chain) > 3 and chain[1] in ("=", "!="):
                chain[1] = "<="
            return ("compare", *chain)
        if chance < 0.6 and self.known:
            relation = self.random.choice(self.known)
            return ("call", relation.name, *map(self.term, relation.kinds))
        if chance < 0.75 and depth:
            ways = [tuple(self.goal(depth - 1) for _ in range(self.random.choice((1, 1, 2)))) for _ in range(2)]
            return ("or", *ways)
        if chance < 0.8:
            binary = [relation.name for relation in self.known if relation.kinds == "NN"]
            if binary:
                return ("map", self.random.choice(binary), self.items(), self.items())
        word = self.random.choice(list(WORDS))
        return (word, *map(self.term, WORDS[word]))


def random_rules(random: Random, most: int = 3) -> Rules:
    """Some relations; each calls those before it, some call themselves with less."""
    known: Rules = ()
    for name in ("Pa", "Qe", "Ri", "To")[: random.randint(1, most)]:
        kinds = random.choice(("N", "NN", "NN", "SN", "S", "SS", "NS"))
        clauses = [_clause(random, kinds, known) for _ in range(random.choice((1, 2, 2, 3)))]
        if random.random() < 0.3:
            clauses.append(_recursive(random, name, kinds, known))
        known += (Relation(name, kinds, tuple(dict.fromkeys(clauses))),)
    return known


def _clause(random: Random, kinds: str, known: Rules) -> Clause:
    numbers, lists = ["n", "m", "k"], ["s", "u"]
    maker = Maker(random, ("n", "m", *("k" if random.random() < 0.5 else ())), tuple(lists), known)
    head = []
    for kind in kinds:
        if random.random() < 0.7:
            head.append((numbers if kind == "N" else lists)[sum(a == kind for a in kinds[: len(head)])])
        else:
            head.append(maker.number(0) if kind == "N" else maker.items())
    return Clause(tuple(head), tuple(maker.goal() for _ in range(random.randrange(3))))


def _recursive(random: Random, name: str, kinds: str, known: Rules) -> Clause:
    """A clause that calls its relation with a shorter list, with a lesser number, or with numbers below a bound."""
    maker = Maker(random, ("n", "m", "k"), ("s", "u"), known)
    goals = [maker.goal(0) for _ in range(random.randrange(2))]
    if "S" in kinds:
        head = [("open", "s", "n") if kind == "S" else "m" for kind in kinds]
        if kinds == "SS":
            head[1] = random.choice(("u", ("open", "u", "m"), ("open", "u", "n")))
        inner = ["s" if kind == "S" else maker.number(1) for kind in kinds]
        if kinds == "SS":
            inner[1] = random.choice(("u", "s")) if head[1] != "u" else "u"
    else:
        head = ["n", "m"][: len(kinds)]
        inner = ["k", random.choice(("m", "m", "n"))][: len(kinds)]
        step = random.choice(((1, "+"), (2, "+"), (2, "*")))
        less = ("compare", "n", "=", (step[1], "k", step[0]))
        goals += [less, ("compare", "k", "<", "n")] if step[1] == "*" else [less]
    call = ("call", name, *inner)
    goals.insert(random.randint(0, len(goals)), call)
    return Clause(tuple(head), tuple(goals))


def random_question(random: Random, rules: Rules) -> Goals:
    """Goals about relations."""
    maker = Maker(random, ("n", "m"), random.choice((("s",), ("s", "u"), ())), rules)
    first = rules[-1]
    goals = [("call", first.name, *map(maker.term, first.kinds))]
    goals += [maker.goal() for _ in range(random.choice((0, 1, 1, 2)))]
    random.shuffle(goals)
    return tuple(goals)
