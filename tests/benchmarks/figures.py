"""The README's table of speeds beside TVM's, by class of network: `python -m tests.benchmarks.figures [--write]`.

TVM's figures (tvm_networks.tsv) are those of TVM 0.14, in C++: the best of three runs of InferType and the first parse
of each network, for each call, in units of one stock `unification.unify(var(), 1, {})` in the process that measured.
Ours are measured here, each in the same units: *fresh* is `relaylogic.infer` of a module that was read, by a rule base
that was asked nothing before (loading it is not counted), *stored* is the second one.
"""

from __future__ import annotations

import csv
import gc
import statistics
import sys
import time
import timeit
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unification import unify, var

import relaylogic
from relaylogic.rulebase import load_rules
from relaylogic.text import parse
from tests.conformance.programs import networks

__all__ = ["BEGIN", "CLASSES", "END", "README", "Network", "class_of", "known", "table"]

MEASURED = Path(__file__).parent / "tvm_networks.tsv"
README = Path(__file__).resolve().parents[2] / "README.md"
BEGIN, END = "<!-- figures: python -m tests.benchmarks.figures --write -->", "<!-- end of figures -->"
SMALL = 20
"""A network with fewer calls says how long one operator takes that was not met before."""
ROUNDS = 3

CLASSES = {
    "convolutional": "convolutional",
    "attention": "attention",
    "recurrent": "recurrent",
    "data types": "with data types (`match`)",
    "stress": "stress: closures, globals, wide tuples",
    "dense": "dense, others",
    "small": f"fewer than {SMALL} calls",
}


@dataclass(frozen=True)
class Network:
    """What TVM needs for a network, in units per call."""

    name: str
    calls: int
    infer: float
    parse: float

    @property
    def text(self) -> str:
        """The program."""
        return networks()[self.name]["text"]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Ours:
    """What relaylogic needs for it, in units per call."""

    fresh: float
    stored: float
    parse: float


def known() -> list[Network]:
    """The networks that were measured on TVM."""
    with MEASURED.open(encoding="utf-8") as file:
        return [
            Network(row["network"], int(row["calls"]), float(row["infer"]), float(row["parse"]))
            for row in csv.DictReader(file, delimiter="\t")
        ]


def class_of(network: Network) -> str:
    """The class of a network, by its size and what it calls; a key of CLASSES."""
    text = network.text
    if network.name.startswith("stress_"):
        return "stress"
    if "match (" in text or "match? (" in text:
        return "data types"
    if network.calls < SMALL:
        return "small"
    if "nn.softmax" in text and "nn.batch_matmul" in text:
        return "attention"
    if "conv" in text:
        return "convolutional"
    return "recurrent" if "tanh(" in text and "sigmoid(" in text else "dense"


def measured(network: Network, unit: float) -> Ours:
    """Measure a network; the least of some rounds."""
    text, calls = network.text, unit * network.calls

    def least(work: Callable[[Any], Any], prepare: Callable[[], Any]) -> float:
        found = []
        for _ in range(ROUNDS):
            prepared = prepare()
            started = time.process_time()
            work(prepared)
            found.append(time.process_time() - started)
        return min(found) / calls

    module = parse(text)
    rules = load_rules()
    fresh = least(lambda fresh_rules: relaylogic.infer(module, rules=fresh_rules), load_rules)
    relaylogic.infer(module, rules=rules)
    stored = least(lambda _: relaylogic.infer(module, rules=rules), lambda: None)
    return Ours(fresh, stored, least(lambda _: parse(text), lambda: None))


def table(results: dict[str, list[tuple[Network, Ours | None]]]) -> Iterator[str]:
    """The lines of the table; networks that were not measured here have TVM's columns only."""
    head = "networks", "number, calls", "TVM", "fresh", "stored", "TVM / fresh", "TVM / stored", "parsing: TVM", "ours"
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for name, title in CLASSES.items():
        rows = results.get(name, [])
        if not rows:
            continue
        theirs = [network for network, _ in rows]
        cells = [title, f"{len(rows)}, {sum(n.calls for n in theirs):,}", _median([n.infer for n in theirs])]
        ours = [(network, found) for network, found in rows if found is not None]
        if ours:
            cells += [_median([o.fresh for _, o in ours]), _median([o.stored for _, o in ours])]
            cells += [_ratios([n.infer / o.fresh for n, o in ours]), _ratios([n.infer / o.stored for n, o in ours])]
        else:
            cells += [""] * 4
        cells += [_median([n.parse for n in theirs]), _median([o.parse for _, o in ours]) if ours else ""]
        yield f"| {' | '.join(cells)} |"


def _median(values: list[float]) -> str:
    return f"{statistics.median(values):.1f}"


def _ratios(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} (worst {min(values):.2f})"


def _main(arguments: list[str]) -> None:
    unit = min(timeit.repeat(lambda: unify(var(), 1, {}), number=5000, repeat=7)) / 5000
    results: dict[str, list[tuple[Network, Ours | None]]] = defaultdict(list)
    gc.disable()
    for network in known():
        results[class_of(network)].append((network, measured(network, unit)))
        gc.collect()
    lines = "\n".join(table(results))
    print(f"unit: {unit * 1e6:.1f} us\n{lines}")
    if "--write" in arguments:
        text = README.read_text(encoding="utf-8")
        before, after = text.index(BEGIN) + len(BEGIN), text.index(END)
        README.write_text(f"{text[:before]}\n\n{lines}\n\n{text[after:]}", encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
