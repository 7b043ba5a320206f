"""How long explanations take, in inferences: `python -m tests.benchmarks.explaining [EVERY]`.

EVERY leaves out all but every so many networks. Three things are measured, all in CPU time:

- *why*: in a process that has explained one small program, so that all is imported and the rules are loaded, a child is
  forked for each question. It takes all its memory for its own before anything is measured: else it would copy it page
  by page, mostly in the inference, which comes first. Then it infers the types of a network from its text, once, and
  asks `result.why`, twice; what that takes is divided by what the inference took. Both find programs of modes in the
  cache folder: where a run is the first, it notes which ones are wanted, the second makes them, and the third shows how
  long they take from then on.
- *command*: how much longer `relaylogic why` takes than `relaylogic infer --quiet`, divided by the latter.
- *first conflict*: the first minimal conflict of a network with a planted fault, divided by the inference that refuted
  it, in a child of its own, too; of the measured faults, and of some planted in the largest networks just now.

Unix only: children are forked. It is said if they cannot own their memory.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import relaylogic
from relaylogic.explain.places.atoms import MISSING, part_of, path_of
from relaylogic.ir import Call, post_order
from tests.conformance.planted import SEED, fresh
from tests.conformance.programs import lines, mutated, networks

__all__ = ["COMMANDS", "FEW_CALLS", "PARTS", "Measured", "commands", "conflicts", "main", "told", "whys"]

FEW_CALLS = 13
"""In a program of fewer calls, `why` looks for the fewest places, whatever the inference took."""
MCL_CURRENT = 1
"""What is asked of `mlockall`: the memory that there is now, and none that comes later."""
LARGE = 20_000
"""A network whose text has so many characters is large."""
LARGE_FAULTS = 60
"""So many faults are planted in such."""
PARTS = ("", "", "dtype", "rank", "shape", "shape[0]", "shape[1]", "shape[2]")
"""What is asked of an expression: of each network, all of these, at expressions that are drawn."""
COMMANDS = 3
"""So many places of each are asked about by commands."""
WARMING = """def @main(%x: Tensor[(2, 3), float32], %w) {
  let %y = nn.dense(%x, %w, units=4);
  (nn.relu(%y), transpose(%x, axes=[0, 1]))
}"""

Measured = tuple[int, float, float]
"""The calls of a program, what was measured in inferences, and in seconds."""


def warm() -> None:
    """Load the rules, import what explains, and read the networks."""
    result = relaylogic.infer(WARMING)
    for expr in post_order(result.module["main"]):
        if result.type_of(expr) is not None:
            result.why(expr)
    refuted = relaylogic.infer("def @main(%x: Tensor[(2, 3), int8]) -> Tensor[(4), int8] { nn.relu(%x) }")
    next(iter(refuted.conflicts()))
    networks()  # read before anything is measured
    gc.collect()
    gc.freeze()  # a collection in a child would look at all of it, and so copy it, in somebody's time


def in_child(work: Callable[[], Any]) -> Any:
    """What `work` gives in a child process of its own, which must be made of lists and numbers."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            own_memory()
            os.write(write, json.dumps(work()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read()
    if os.waitpid(child, 0)[1] != 0:
        raise RuntimeError("a measurement has failed")
    return json.loads(said)


def own_memory() -> bool:
    """Copy what this process shares with the one that has forked it; whether it may, and can."""
    lock = getattr(ctypes.CDLL(None), "mlockall", None)
    return lock is not None and lock(MCL_CURRENT) == 0


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What `work` gives, and the CPU seconds it took."""
    started = time.process_time()
    made = work()
    return made, time.process_time() - started


def asked(result: Any, number: int) -> tuple[Any, str]:
    """An expression of a network, and the part of its type that is asked for: the last function for the first part."""
    exprs = [e for f in result.module.functions.values() for e in post_order(f) if result.type_of(e) is not None]
    part = PARTS[number]
    path = path_of(part)
    have_it = [e for e in exprs if part_of(result.type_of(e), path) is not MISSING]
    if number == 0 or not have_it:
        return exprs[-1], ""
    return random.Random(f"{len(exprs)} {number}").choice(have_it), part


def whys(text: str) -> Iterator[tuple[Measured, Measured]]:
    """For each question about a program that is typed: the first time, and again."""

    def ask(number: int) -> Any:
        result, inferred = timed(lambda: relaylogic.infer(text))
        if result.verdict != "typed":
            return None
        expr, part = asked(result, number)
        times = [timed(lambda: result.why(expr, part))[1] for _ in range(2)]
        return [[len(result.calls), spent / inferred, spent] for spent in times]

    for number in range(len(PARTS)):
        found = in_child(lambda number=number: ask(number))
        if found is not None:
            first, again = found
            yield tuple(first), tuple(again)


def conflicts(text: str) -> Measured | None:
    """The first conflict of a program; None if it is not refuted."""

    def ask() -> Any:
        result, inferred = timed(lambda: relaylogic.infer(text))
        if result.verdict != "refuted":
            return None
        _, spent = timed(lambda: next(iter(result.conflicts())))
        return [len(result.calls), spent / inferred, spent]

    found = in_child(ask)
    return None if found is None else tuple(found)


def commands(text: str, folder: Path) -> Iterator[Measured]:
    """How much longer `relaylogic why` takes than `relaylogic infer`: of the last function, and of two calls in it."""
    file = folder / "network.relay"
    file.write_text(text, encoding="utf-8")
    variable, function = list(relaylogic.parse(text).functions.items())[-1]
    calls = [expr for expr in post_order(function) if type(expr) is Call and expr.span is not None]
    spans = [calls[len(calls) // part].span for part in (2, 3)] if calls else []
    inferred = min(command("infer", "--quiet", str(file)) for _ in range(2))
    for place in (f"@{variable.name_hint}", *(f"{span.line}:{span.column}" for span in spans)):
        spent = command("why", str(file), place) - inferred
        yield len(calls), spent / inferred, spent


def command(*arguments: str) -> float:
    """The CPU seconds of a command that ends well."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "relaylogic", *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def told(what: str, rows: Sequence[Measured]) -> str:
    """A line about some measurements."""
    if not rows:
        return f"{what}: nothing was measured"
    ratios = [ratio for _, ratio, _ in rows]
    within = sum(ratio <= 1 for ratio in ratios)
    longest = max(seconds for _, _, seconds in rows)
    return (
        f"{what}: {len(rows)} questions, in inferences: median {statistics.median(ratios):.2f}, "
        f"worst {max(ratios):.2f}, within one {within}; the longest {longest:.3f} s"
    )


def main(every: int) -> None:
    """Measure and print."""
    warm()
    if not in_child(own_memory):
        print("memory cannot be locked here (`ulimit -l`): inferences take longer than they would")
    texts = [entry["text"] for entry in networks().values()][::every]
    answers = [row for text in texts for row in whys(text)]
    long = [row for row in answers if row[0][0] >= FEW_CALLS]
    short = [row for row in answers if row[0][0] < FEW_CALLS]
    for rows, which in ((long, f"{FEW_CALLS} calls or more"), (short, "fewer calls")):
        print(told(f"why, networks of {which}", [first for first, _ in rows]))
        print(told("  the same again", [again for _, again in rows]))
    with TemporaryDirectory() as folder:
        print(told("command", [row for text in texts for row in commands(text, Path(folder))]))
    faults = [conflicts(mutated(entry)) for entry in lines("mutants")[::every] if entry["verdict"] == "refuted"]
    print(told("first conflict", [found for found in faults if found is not None]))
    in_large = [conflicts(case.text) for case in fresh(max(1, LARGE_FAULTS // every), SEED, sys.maxsize, LARGE)]
    print(told("first conflict, large networks", [found for found in in_large if found is not None]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
