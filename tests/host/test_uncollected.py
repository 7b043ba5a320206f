"""The garbage collector is paused while a program is inferred, and at work again afterwards, whoever else pauses it."""

from __future__ import annotations

import gc
from itertools import permutations

import pytest

from relaylogic.host import uncollected as module
from relaylogic.host.uncollected import uncollected


class Collector:
    """A garbage collector; between the calls of one thread, others may do something."""

    def __init__(self):
        self.at_work = True
        self.meanwhile = []

    def isenabled(self):
        was = self.at_work
        for what in self.meanwhile:
            what()
        self.meanwhile = []
        return was

    def enable(self):
        self.at_work = True

    def disable(self):
        self.at_work = False


def test_the_collector_stayed_off_when_one_thread_began_while_another_one_ended(monkeypatch):
    """It was found paused, resumed by the other thread, and then paused by one that would not resume it."""
    collector = Collector()
    monkeypatch.setattr(module, "gc", collector)
    first, second = uncollected(), uncollected()
    first.__enter__()
    collector.meanwhile = [lambda: first.__exit__(None, None, None)]
    second.__enter__()
    second.__exit__(None, None, None)
    assert collector.at_work


@pytest.mark.parametrize("order", sorted(set(permutations("aabb"))))
def test_it_is_at_work_after_all_have_ended(monkeypatch, order):
    collector = Collector()
    monkeypatch.setattr(module, "gc", collector)
    parts, begun = {"a": uncollected(), "b": uncollected()}, set()
    for name in order:
        if name in begun:
            parts[name].__exit__(None, None, None)
        else:
            begun.add(name)
            parts[name].__enter__()
            assert not collector.at_work
    assert collector.at_work


def test_who_does_without_it_still_does():
    gc.disable()
    try:
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
