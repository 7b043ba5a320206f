"""How often the planted fault is found, and where the weights of `relaylogic.explain.blame.ranking` come from.

    python -m tests.conformance.planted                 # the measured faults, to which the weights are fitted
    python -m tests.conformance.planted --fresh 200     # faults planted in networks just now
    python -m tests.conformance.planted --programs 200  # faults planted in the other programs just now
    python -m tests.conformance.planted --written 200   # and in programs such as users write, of several functions
    python -m tests.conformance.planted --pairs 300     # two independent faults in one network
    python -m tests.conformance.planted --fit           # fits the weights, and prints them
    python -m tests.conformance.planted --crossed       # how often weights are right that are fitted to other faults
    python -m tests.conformance.planted --doubts 40     # pairs of faults, with other weights of hypotheses
"""

from __future__ import annotations

import argparse
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, starmap
from pathlib import Path
from typing import Any, NamedTuple

import relaylogic
from relaylogic.explain.blame.behind import going_on
from relaylogic.explain.blame.candidates import candidates
from relaylogic.explain.blame.faults import diagnosed
from relaylogic.explain.blame.ranking import DOUBTS
from relaylogic.explain.conflicts.minimal import Conflicts
from relaylogic.explain.places.said import Said
from relaylogic.infer.program import Inference
from relaylogic.text import ParseError
from tests.conformance.planting import Planted, is_refuted, plant, plant_anywhere, planted_pair
from tests.conformance.programs import lines, mutated, networks

SEED = 12
OF_SIGNATURE = ("dim", "dtype", "rank", "scalar")
"""The kinds of faults in annotations."""

LARGEST = 30_000
"""Networks whose text has more characters are not planted in."""

OTHER_SEED = 7
OWN = 250
"""So many faults of our own in networks, drawn with another seed than those that are measured, are fitted to too,"""

PAIR_SEEDS = range(101, 106)
PAIRS = 30
"""so many pairs of faults, of each of these seeds,"""

IN_PROGRAMS = 1_800
"""so many of more kinds in the other programs,"""

IN_WRITTEN = 600
"""and so many of these in programs such as users write."""

MEASURED, IN_PROGRAM, BY_HAND = 4.0, 0.25, 3.0
"""How often a measured fault counts, one of our own in a measured program that is no network, and a mistake that was
written by hand, where others count once."""

WRITTEN = Path(__file__).parent.parent / "programs" / "written"
MISTAKES = WRITTEN.parent / "mistakes"

FOLDS = 6
"""Into so many parts the measured faults are split, each of which is tried with weights fitted to the others."""

_LONG = ", in a long program"

Features = dict[str, float]
Ranked = tuple[list[Features], list[bool]]
"""The features of the members of a conflict, and which of them are at a planted line."""


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
    texts = (mutated(e) if kind == "mutants" else e["text"] for e in entries)
    faults = [e["fault"] for e in entries]
    return [
        Case(e["id"], text, fault["line"], _column(fault["kind"], fault["col"]))
        for e, text, fault in zip(entries, texts, faults, strict=True)
    ]


def _column(kind: str, col: int) -> int:
    return col if kind in OF_SIGNATURE else 0


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


def training(case: Case) -> Ranked | None:
    """The members of the first conflict; None if none of them is at a planted line."""
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


def fitted(data: list[tuple[float, Ranked]], rounds: int = 300, shrink: float = 0.015) -> Features:
    """The weights that make the planted places most likely, shrunk towards 0 (conditional logit, AdaGrad).

    The first of each pair says how often that fault counts.
    """
    names = sorted({name for _, (rows, _) in data for row in rows for name in row})
    weights = dict.fromkeys(names, 0.0)
    squares = dict.fromkeys(names, 1e-8)
    count = sum(times for times, _ in data)
    for _ in range(rounds):
        slope = {name: -shrink * count / 50 * weights[name] for name in names}
        for times, (rows, planted) in data:
            scores = [sum([weights[n] * v for n, v in row.items()]) for row in rows]
            top = max(scores)
            chances = [math.exp(s - top) for s in scores]
            whole = sum(chances)
            right = sum(c for c, is_planted in zip(chances, planted, strict=True) if is_planted)
            for row, chance, is_planted in zip(rows, chances, planted, strict=True):
                pull = times * ((chance / max(right, 1e-300) if is_planted else 0.0) - chance / whole)
                for name, value in row.items():
                    slope[name] += pull * value
        for name in names:
            squares[name] += slope[name] ** 2
            weights[name] += 0.3 * slope[name] / math.sqrt(squares[name])
    return {name: round(w, 1) for name, w in weights.items() if abs(w) >= 0.05}


def measured() -> list[tuple[str, Ranked]]:
    """The measured faults with their kind, in a random order that is always the same."""
    kept = [(kind, row) for kind in ("mutants", "programs") for row in map(training, cases(kind)) if row is not None]
    random.Random(SEED).shuffle(kept)
    return kept


def own() -> list[tuple[float, Ranked]]:
    """Faults of our own, and how often each counts."""
    of_two = (case for seed in PAIR_SEEDS for case, _ in fresh_pairs(PAIRS, seed))
    in_networks = [(1.0, row) for row in map(training, chain(fresh(OWN, OTHER_SEED), of_two)) if row is not None]
    in_programs = map(training, fresh_in_programs(IN_PROGRAMS, OTHER_SEED))
    written = map(training, fresh_in_written(IN_WRITTEN, OTHER_SEED))
    in_networks += [(1.0, row) for row in written if row is not None]
    in_networks += [(BY_HAND, row) for row in map(training, mistakes()) if row is not None]
    return in_networks + [(IN_PROGRAM, row) for row in in_programs if row is not None]


def fit() -> None:
    """Fit the weights to the measured faults and to some of our own; print them."""
    weights = fitted([*((MEASURED, row) for _, row in measured()), *own()])
    table = {}
    for name in dict.fromkeys(name.removesuffix(_LONG) for name in weights):
        short = weights.get(name, 0.0)
        table[name] = short, round(short + weights.get(name + _LONG, 0.0), 1)
    for name, both in sorted(table.items(), key=lambda item: (-item[1][1], item[0])):
        print(f'    "{name}": {both},')


def crossed() -> None:
    """Print how often the best member of the first conflict is planted, by weights fitted to other faults."""
    faults, others = measured(), own()
    right: dict[str, list[bool]] = defaultdict(list)
    for fold in range(FOLDS):
        rest = [(MEASURED, row) for i, (_, row) in enumerate(faults) if i % FOLDS != fold]
        weights = fitted([*rest, *others])
        for kind, row in faults[fold::FOLDS]:
            right[kind].append(_is_right(weights, row))
    for kind, hits in right.items():
        print(f"{kind}: the best member is the planted one in {sum(hits)} of {len(hits)} ({sum(hits) / len(hits):.1%})")


def _is_right(weights: Features, row: Ranked) -> bool:
    scores = [sum(weights.get(n, 0.0) * v for n, v in features.items()) for features in row[0]]
    return row[1][scores.index(max(scores))]


# Faults of our own


def drawn(seed: int, texts: Sequence[str]) -> Iterator[tuple[str, random.Random]]:
    """Texts in random order, without end."""
    draw = random.Random(seed)
    while True:
        yield draw.choice(texts), draw


def sized_networks(largest: int = LARGEST, least: int = 0) -> list[str]:
    """The networks that are planted in, whose texts have at least so many characters, and fewer than the largest."""
    known = networks()
    return [known[name]["text"] for name in sorted(known) if least <= len(known[name]["text"]) < largest]


def fresh(count: int, seed: int = SEED, largest: int = LARGEST, least: int = 0) -> Iterator[Case]:
    """Networks of some size with one fault that is planted just now."""
    return _planted(count, plant, drawn(seed, sized_networks(largest, least)), "fresh")


def mistakes() -> list[Case]:
    """Programs as people write them with a mistake, which stands in the line that says so."""
    texts = {file.stem: file.read_text() for file in sorted(MISTAKES.glob("*.relay"))}
    return [Case(name, text, text[: text.index("// wrong")].count("\n") + 1) for name, text in texts.items()]


def fresh_in_programs(count: int, seed: int = SEED) -> Iterator[Case]:
    """The measured programs that TVM and we type, with one fault, of more kinds, that is planted just now."""
    texts = [entry["text"] for entry in lines("programs") if entry["verdict"] == "typed"]
    sound = [text for text in texts if len(text) < LARGEST and not is_refuted(text)]
    return _planted(count, plant_anywhere, drawn(seed, sound), "in_program")


def fresh_in_written(count: int, seed: int = SEED) -> Iterator[Case]:
    """Programs such as users write, with one fault, of more kinds, that is planted just now."""
    texts = [file.read_text() for file in sorted(WRITTEN.glob("*.relay"))]
    return _planted(count, plant_anywhere, drawn(seed, texts), "written")


def _planted(
    count: int,
    put: Callable[[str, random.Random], tuple[str, Planted] | None],
    texts: Iterator[tuple[str, random.Random]],
    name: str,
) -> Iterator[Case]:
    faults = (planted for planted in starmap(put, texts) if planted is not None)
    for number, (text, fault) in enumerate(islice(faults, count)):
        yield Case(f"{name}_{number}", text, fault.line, _column(fault.kind, fault.col))


class Pair(NamedTuple):
    """What is said of a program with two faults: whether both are primary places, how many errors there are, where."""

    both: bool
    errors: int
    faults: tuple[Planted, Planted]
    places: tuple[tuple[int, int], ...]


def fresh_pairs(
    count: int, seed: int = SEED, largest: int = LARGEST
) -> Iterator[tuple[Case, tuple[Planted, Planted]]]:
    """Networks with two independent faults that are planted just now: without one of them, the other is a fault."""
    number = 0
    for text, draw in drawn(seed, sized_networks(largest)):
        planted = planted_pair(text, draw)
        if planted is None or not _are_independent(relaylogic.parse(planted[0]), planted[1]):
            continue
        (line, col), second = ((f.line, _column(f.kind, f.col)) for f in planted[1])
        yield Case(f"pair_{number}", planted[0], line, col, second), planted[1]
        number += 1
        if number == count:
            return


def pairs(count: int, seed: int = SEED, largest: int = LARGEST) -> Iterator[Pair]:
    """What is said of networks with two independent faults."""
    for case, faults in fresh_pairs(count, seed, largest):
        errors = relaylogic.infer(relaylogic.parse(case.text), closed=True).errors
        both = all(any(_is_at(error.span, fault) for error in errors) for fault in faults)
        yield Pair(both, len(errors), faults, tuple((e.line or 0, e.col or 0) for e in errors))


def doubts(count: int, seed: int = SEED, largest: int = LARGEST) -> Iterator[tuple[str, int, int]]:
    """Of pairs of faults: of how many both are found, and how many have a third error, with other `Doubts`."""
    cases = list(fresh_pairs(count, seed, largest))
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
    parser.add_argument("--fit", action="store_true", help="fit the weights")
    parser.add_argument("--crossed", action="store_true", help="try weights that are fitted to other faults")
    parser.add_argument("--fresh", type=int, metavar="N", help="plant N faults in networks")
    parser.add_argument("--programs", type=int, metavar="N", help="plant N faults in the other programs")
    parser.add_argument("--written", type=int, metavar="N", help="plant N faults in programs such as users write")
    parser.add_argument("--pairs", type=int, metavar="N", help="plant N pairs of faults in networks")
    parser.add_argument("--doubts", type=int, metavar="N", help="N pairs of faults, with other weights of hypotheses")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    if given.fit:
        fit()
    elif given.crossed:
        crossed()
    elif given.fresh:
        report("fresh", fresh(given.fresh, given.seed))
    elif given.programs:
        report("in programs", fresh_in_programs(given.programs, given.seed))
    elif given.written:
        report("written", fresh_in_written(given.written, given.seed))
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
            report(kind, cases(kind))


if __name__ == "__main__":
    main()
