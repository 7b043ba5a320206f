"""How fast a second inference is, after one edit in a long function, beside the first; `ratio` is one to the other.

Each is the least of several runs in this process; the first reads the text, the edit too reads what it must. Listing
the calls, which a result does when it is asked, is measured apart.
"""

from __future__ import annotations

import time

import pytest

import relaylogic
from relaylogic import Session
from tests.conformance.programs import networks

EDITS = ["sigmoid", "nn.relu"]


@pytest.mark.parametrize("name", ["densenet121", "densenet121-typed"])
def test_an_edit_of_one_operator(benchmark, name):
    text = networks()[name]["text"]
    best = {"first": 9.0, "edit": 9.0, "calls": 9.0}

    def timed(what, work):
        started = time.process_time()
        made = work()
        best[what] = min(best[what], time.process_time() - started)
        return made

    def edited(session, number):
        session.edit((at, at + 7), EDITS[number % 2])
        result = session.infer()
        assert result.verdict == "typed"
        return result

    at = text.rindex("nn.relu")
    for _ in range(5 if benchmark.enabled else 1):
        timed("first", lambda: relaylogic.infer(text))
        session = Session(text)
        session.infer()
        for number in range(6):
            result = timed("edit", lambda session=session, number=number: edited(session, number))
            calls = timed("calls", lambda result=result: result.calls)
    assert calls == relaylogic.infer(session.text).calls
    benchmark.pedantic(lambda: edited(session, 0), rounds=1)
    benchmark.extra_info["ratio"] = round(best["edit"] / best["first"], 3)
    benchmark.extra_info["ratio with calls"] = round((best["edit"] + best["calls"]) / best["first"], 3)
