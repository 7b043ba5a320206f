"""How often the planted fault is found, and where the weights of `relaylogic.explain.ranking` come from.

    python -m tests.conformance.planted                 # the measured faults, in both halves
    python -m tests.conformance.planted --fresh 200     # faults planted in networks just now
    python -m tests.conformance.planted --pairs 300     # two independent faults in one network
    python -m tests.conformance.planted --fit           # fits the weights to one half, and prints them
    python -m tests.conformance.planted --doubts 40     # pairs of faults, with other weights of hypotheses

The faults are split in two halves by a seed: weights are chosen on one, the other is held out.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import relaylogic
from relaylogic.explain.behind import going_on
from relaylogic.explain.candidates import candidates
from relaylogic.explain.conflicts import Conflicts, Said
from relaylogic.explain.diagnosis import diagnosed
from relaylogic.explain.ranking import DOUBTS
from relaylogic.infer.program import Inference
from relaylogic.text import ParseError
from tests.conformance.planting import Planted, plant, planted_pair
from tests.conformance.programs import lines, mutated, networks

SEED = 12
OF_SIGNATURE = ("dim", "dtype", "rank")
"""The kinds of faults in annotations."""

LARGEST = 30_000
"""Networks whose text has more characters are not planted in."""

OTHER_SEED = 7
OWN = 250
"""So many faults of our own, drawn with another seed than those that are measured, are fitted to as well."""

PAIR_SEEDS = range(101, 106)
PAIRS = 30
"""And so many pairs of faults, of each of these seeds."""

MEASURED = 2
"""How often a measured fault counts where one of our own, or a pair, counts once."""

_LONG = ", in a long program"

Features = dict[str, float]


class Case(NamedTuple):
    """A program with a planted fault; `col` is its column where one line holds many annotations, or 0.

    `second` is the place of another fault, if there is one.
    """

    name: str
    text: str
    line: int
    col: int = 0
    second: tuple[int, int] | None = None


def cases(kind: str) -> list[Case]:
    """The programs of some data that are refuted for a planted fault, as TVM says."""
    entries = [e for e in lines(kind) if e["verdict"] == "refuted" and e.get("fault")]
    return [
        Case(e["id"], mutated(e) if kind == "mutants" else e["text"], e["fault"]["line"], _column(e["fault"]))
        for e in entries
    ]


def _column(fault: dict[str, Any]) -> int:
    return fault["col"] if fault["kind"] in OF_SIGNATURE else 0


def halves(items: list[Case]) -> dict[str, list[Case]]:
    """The cases by halves, whatever their order."""
    draw = random.Random(SEED)
    chosen = {name for name in sorted(item.name for item in items) if draw.random() < 0.5}
    return {
        "chosen on": [item for item in items if item.name in chosen],
        "held out": [item for item in items if item.name not in chosen],
    }


class Found(NamedTuple):
    """What is said of a program with one fault: whether the first error, and the first conflict, are at its line; how
    many errors there are."""

    first: bool
    conflict: bool
    errors: int


def found(case: Case) -> Found | None:
    """How the fault of a case is reported; None if the program is not refuted."""
    try:
        result = relaylogic.infer(relaylogic.parse(case.text), closed=True)
    except ParseError as error:
        hit = error.span is not None and error.span.line == case.line
        return Found(hit, hit, 1)
    if result.verdict != "refuted":
        return None
    conflict = next(result.conflicts())
    spans = [place.span for place in conflict.places if place.span is not None]
    errors = result.errors
    return Found(errors[0].line == case.line, any(s.line <= case.line <= s.end_line for s in spans), len(errors))


def report(name: str, items: Iterable[Case]) -> list[Found]:
    """Print how often the faults of some cases are found."""
    answers = [answer for answer in map(found, items) if answer is not None]
    count = max(len(answers), 1)
    first, conflict = sum(a.first for a in answers), sum(a.conflict for a in answers)
    alone = sum(a.errors == 1 for a in answers)
    print(
        f"{name}: {len(answers)} faults; first error {first} ({first / count:.1%}), in the first conflict {conflict} "
        f"({conflict / count:.1%}), no second error {alone} ({alone / count:.1%})",
        flush=True,
    )
    return answers


# Fitting


def training(case: Case) -> tuple[list[Features], list[bool]] | None:
    """The features of the members of the first conflict, and which of them are at a planted line."""
    try:
        module = relaylogic.parse(case.text)
    except ParseError:
        return None
    inference = Inference(module, None, True)
    if inference.verdict() != "refuted":
        return None
    said = Said(inference, inference.what_if, going_on(inference))
    site = inference.failed()[0]
    members = candidates(said, Conflicts(said).coarse(said.all), said.all)
    spans = []
    for member in members:
        own = member.place.node is site.expr and member.place.kind not in ("annotation", "result")
        spans.append(site.span if own else member.place.span)
    planted = [False] * len(spans)
    for line, col in [(case.line, case.col), *([case.second] if case.second else [])]:
        on_line = [span is not None and span.line == line for span in spans]
        exact = [hit and (span.column <= col <= span.end_column) for hit, span in zip(on_line, spans, strict=True)]
        # Of two faults, that in an annotation may not be in the conflict.
        here = exact if any(exact) or (col and case.second) else on_line
        planted = [a or b for a, b in zip(planted, here, strict=True)]
    rows = [_by_length(member.features, said.places.is_long) for member in members]
    return (rows, planted) if any(planted) else None


def _by_length(features: Features, is_long: bool) -> Features:
    """Features, and in a long program each of them once more: what it weighs there besides."""
    return {**features, **({name + _LONG: value for name, value in features.items()} if is_long else {})}


def fitted(data: list[tuple[list[Features], list[bool]]], rounds: int = 300, shrink: float = 0.015) -> Features:
    """The weights that make the planted places most likely, shrunk towards 0 (conditional logit, AdaGrad)."""
    names = sorted({name for rows, _ in data for row in rows for name in row})
    weights = dict.fromkeys(names, 0.0)
    squares = dict.fromkeys(names, 1e-8)
    for _ in range(rounds):
        slope = {name: -shrink * len(data) / 50 * weights[name] for name in names}
        for rows, planted in data:
            scores = [sum(weights[n] * v for n, v in row.items()) for row in rows]
            top = max(scores)
            chances = [math.exp(s - top) for s in scores]
            whole = sum(chances)
            right = sum(c for c, is_planted in zip(chances, planted, strict=True) if is_planted)
            for row, chance, is_planted in zip(rows, chances, planted, strict=True):
                pull = (chance / max(right, 1e-300) if is_planted else 0.0) - chance / whole
                for name, value in row.items():
                    slope[name] += pull * value
        for name in names:
            squares[name] += slope[name] ** 2
            weights[name] += 0.3 * slope[name] / math.sqrt(squares[name])
    return {name: round(w, 1) for name, w in weights.items() if abs(w) >= 0.05}


def fit() -> None:
    """Fit the weights to half of the measured faults and to some of our own; print them, and how they do."""
    kept: dict[str, list[tuple[list[Features], list[bool]]]] = {"chosen on": [], "held out": []}
    for kind in ("mutants", "programs"):
        for half, items in halves(cases(kind)).items():
            kept[half] += [row for row in map(training, items) if row is not None]
    cases_of_two = (case for seed in PAIR_SEEDS for case, _ in fresh_pairs(PAIRS, seed))
    own = [row for row in map(training, chain(fresh(OWN, OTHER_SEED), cases_of_two)) if row is not None]
    weights = fitted([*(MEASURED * kept["chosen on"]), *own])
    for name in dict.fromkeys(name.removesuffix(_LONG) for name in weights):
        short = weights.get(name, 0.0)
        print(f'    "{name}": ({short}, {round(short + weights.get(name + _LONG, 0.0), 1)}),')
    for half, rows in kept.items():
        right = sum(_is_right(weights, row) for row in rows)
        print(f"{half}: the best member is the planted one in {right} of {len(rows)} ({right / len(rows):.1%})")


def _is_right(weights: dict[str, float], row: tuple[list[Features], list[bool]]) -> bool:
    scores = [sum(weights.get(n, 0.0) * v for n, v in features.items()) for features in row[0]]
    return row[1][scores.index(max(scores))]


# Faults of our own


def drawn(seed: int) -> Iterator[tuple[str, random.Random]]:
    """Texts of networks in random order, without end."""
    draw = random.Random(seed)
    names = sorted(name for name, entry in networks().items() if len(entry["text"]) < LARGEST)
    while True:
        yield networks()[draw.choice(names)]["text"], draw


def fresh(count: int, seed: int = SEED) -> Iterator[Case]:
    """Networks with one fault that is planted just now."""
    number = 0
    for text, draw in drawn(seed):
        planted = plant(text, draw)
        if planted is not None:
            fault = planted[1]
            yield Case(f"fresh_{number}", planted[0], fault.line, fault.col if fault.kind in OF_SIGNATURE else 0)
            number += 1
        if number == count:
            return


class Pair(NamedTuple):
    """What is said of a program with two faults: whether both are primary places, how many errors there are, where."""

    both: bool
    errors: int
    faults: tuple[Planted, Planted]
    places: tuple[tuple[int, int], ...]


def fresh_pairs(count: int, seed: int = SEED) -> Iterator[tuple[Case, tuple[Planted, Planted]]]:
    """Networks with two independent faults that are planted just now: without one of them, the other is a fault."""
    number = 0
    for text, draw in drawn(seed):
        planted = planted_pair(text, draw)
        if planted is None or not _are_independent(relaylogic.parse(planted[0]), planted[1]):
            continue
        (line, col), second = ((f.line, f.col if f.kind in OF_SIGNATURE else 0) for f in planted[1])
        yield Case(f"pair_{number}", planted[0], line, col, second), planted[1]
        number += 1
        if number == count:
            return


def pairs(count: int, seed: int = SEED) -> Iterator[Pair]:
    """What is said of networks with two independent faults."""
    for case, faults in fresh_pairs(count, seed):
        errors = relaylogic.infer(relaylogic.parse(case.text), closed=True).errors
        both = all(any(_is_at(error.span, fault) for error in errors) for fault in faults)
        yield Pair(both, len(errors), faults, tuple((e.line or 0, e.col or 0) for e in errors))


def doubts(count: int, seed: int = SEED) -> Iterator[tuple[str, int, int]]:
    """Of pairs of faults: of how many both are found, and how many have a third error, with other `Doubts`."""
    cases = list(fresh_pairs(count, seed))
    changed = [
        (f"{name} * {f}", DOUBTS._replace(**{name: v * f})) for name, v in DOUBTS._asdict().items() for f in (0.5, 2)
    ]
    for name, weights in [("as they are", DOUBTS), *changed]:
        both = third = 0
        for case, faults in cases:
            inference = Inference(relaylogic.parse(case.text), None, True)
            found = diagnosed(Said(inference, inference.what_if, going_on(inference)), weights)
            spans = [d.site.span if d.is_own else d.best.place.span for d in found]
            both += all(any(_is_at(span, fault) for span in spans) for fault in faults)
            third += len(found) > 2
        yield name, both, third


def _is_at(span: Any, fault: Planted) -> bool:
    """Whether a place is that of a fault: its line, and in a line with many parameters its column too."""
    if span is None or span.line != fault.line:
        return False
    return fault.kind not in OF_SIGNATURE or bool(span.column <= fault.col <= span.end_column)


def _are_independent(module: Any, faults: tuple[Planted, Planted]) -> bool:
    inference = Inference(module, None, True)
    if inference.verdict() != "refuted":
        return False
    said = Said(inference, inference.what_if)
    places = [{p.index for p in said.places if _is_at(p.span, fault)} for fault in faults]
    without_one = [bool(said.refused(said.all - place)) for place in places]
    return all(places) and all(without_one) and not said.refused(said.all - places[0] - places[1])


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true", help="fit the weights to one half")
    parser.add_argument("--fresh", type=int, metavar="N", help="plant N faults in networks")
    parser.add_argument("--pairs", type=int, metavar="N", help="plant N pairs of faults in networks")
    parser.add_argument("--doubts", type=int, metavar="N", help="N pairs of faults, with other weights of hypotheses")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    if given.fit:
        fit()
    elif given.fresh:
        report("fresh", fresh(given.fresh, given.seed))
    elif given.doubts:
        for name, both, third in doubts(given.doubts, given.seed):
            print(f"{name}: both are primary places in {both} of {given.doubts}, a third error in {third}", flush=True)
    elif given.pairs:
        answers = []
        for answer in pairs(given.pairs, given.seed):
            answers.append(answer)
            if not answer.both or answer.errors > 2:
                print(f"pair {len(answers)}: {answer}", flush=True)
        both, third = sum(a.both for a in answers), sum(a.errors > 2 for a in answers)
        print(f"{len(answers)} pairs: both are primary places in {both}, a third error in {third}")
    else:
        for kind in ("mutants", "programs"):
            for half, items in halves(cases(kind)).items():
                report(f"{kind}, {half}", items)


if __name__ == "__main__":
    main()
