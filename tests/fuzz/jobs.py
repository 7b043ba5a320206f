"""One job of a long run, in a process of its own."""

from __future__ import annotations

import resource
import sys
import time
from itertools import count, islice

from .campaign import Tally, compare_hash_seeds, run_cases
from .kinds import Case, all_kinds

__all__ = ["work"]

BATCH = 25
GIBIBYTES = 6
ROUNDS = 20  # between two comparisons of hash seeds


def work(names: list[str], seed: str, job: int, jobs: int, end: float, every: int) -> dict[str, Tally]:
    """What one job finds."""
    resource.setrlimit(resource.RLIMIT_AS, (GIBIBYTES << 30,) * 2)
    kinds = all_kinds()
    tallies = {name: Tally() for name in names}
    samples: dict[str, list[Case]] = {name: [] for name in names}
    numbers = {name: count(job, jobs) for name in names}
    rounds = 0
    while time.monotonic() < end:
        for name in names:
            batch = islice(numbers[name], BATCH)
            tally, sample = run_cases(kinds[name], seed, batch, every, lambda: time.monotonic() < end)
            samples[name] += sample
            tallies[name].add(tally)
            for find in tally.finds:
                print(f"job {job}: {name} {find.number}: {find.law}", file=sys.stderr, flush=True)
        rounds += 1
        if rounds % ROUNDS == 0:
            for find in compare_hash_seeds(list(kinds.values()), samples, rounds):
                tallies[find.kind].finds.append(find)
            samples = {name: [] for name in names}
            print(f"job {job}: {sum(t.cases for t in tallies.values())} cases", file=sys.stderr, flush=True)
    return tallies
