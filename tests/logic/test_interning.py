"""Terms that are equal are one, whoever makes them, as long as somebody holds one of them."""

from __future__ import annotations

import gc
import threading
import weakref
from random import Random

from relaylogic.logic.states.suspended import Suspended
from relaylogic.logic.terms.interning import Interning
from relaylogic.logic.terms.terms import Term
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import load_rules


class Box(Term):
    """A term with a table of its own."""

    __slots__ = ()


def test_what_nobody_holds_is_let_go():
    n = fresh()
    held = Box(n, 3)
    for i in range(100):
        Box(n, 1_000_000 + i)
    gc.collect()
    assert len(Box._interned) == 1
    assert Box(n, 3) is held


def test_what_dies_together_goes_together():
    gc.collect()
    before = len(Box._interned)
    deep = Box(fresh())
    for _ in range(50_000):
        deep = Box(deep)
    assert len(Box._interned) == before + 50_001
    del deep
    Box(0)  # the next one lets those go that are found dead by then
    assert len(Box._interned) <= before + 1
    assert len(Box._interned._entries) <= before + 1


def test_answers_that_wait_keep_no_rules_alive():
    rules = load_rules()
    waiting = 0
    for relation in rules.relations.values():
        if not relation.takes_attrs:
            found = rules.most_general(relation)
            waiting += sum(type(c) is Suspended for answer in found.answers for c in answer.residue)
    assert waiting > 20
    held = weakref.ref(rules)
    del rules, relation, found
    gc.collect()
    assert held() is None


def test_threads_make_one_term_of_each_kind():
    class Thing:
        def __init__(self, key):
            self.key = key

    table, seeds, failures, ended = Interning(), range(8), [], []

    def work(seed):
        random, held = Random(seed), {}
        for _ in range(20_000):
            key = (random.randrange(40),)
            found = table.get(key) or table.keep(key, Thing(key))
            if found.key != key or held.setdefault(key, found) is not found:
                failures.append((seed, key))
            if random.random() < 0.2:
                held.pop(random.choice(list(held)))
        ended.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and sorted(ended) == [*seeds]
