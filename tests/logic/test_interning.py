"""Terms that are equal are one, whoever makes them, as long as somebody holds one of them."""

from __future__ import annotations

import gc
import threading
from random import Random

from relaylogic.logic.interning import Interning
from relaylogic.logic.terms import fresh
from relaylogic.types import TensorType, TupleType


def test_what_nobody_holds_is_let_go():
    n = fresh()
    held = TensorType((n, 3), "int8")
    table = TensorType._interned
    before = len(table)
    for i in range(100):
        TensorType((n, 1_000_000 + i), "int8")
    gc.collect()
    assert len(table) <= before + 1
    assert TensorType((n, 3), "int8") is held


def test_what_dies_together_goes_together():
    before = len(TupleType._interned)
    deep = TensorType((fresh(),), "int8")
    for _ in range(50_000):
        deep = TupleType((deep,))
    assert len(TupleType._interned) == before + 50_000
    del deep
    for _ in range(60_000):  # each new term lets those go that are found dead by then
        TupleType((TensorType((1,), "int8"), TensorType((fresh(),), "int8")))
    assert len(TupleType._interned) <= before + 10


def test_threads_make_one_term_of_each_kind():
    class Thing:
        def __init__(self, key):
            self.key = key

    table, seeds, failures = Interning(), range(8), []

    def work(seed):
        random, held = Random(seed), {}
        for _ in range(20_000):
            key = random.randrange(40)
            found = table.get(key) or table.keep(key, Thing(key))
            if found.key != key or held.setdefault(key, found) is not found:
                failures.append((seed, key))
            if random.random() < 0.2:
                held.pop(random.choice(list(held)))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
