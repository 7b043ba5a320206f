"""Long runs: `python -m tests.fuzz --minutes 60 --jobs 2`.

Each job takes every so-manieth number of each kind in turns until the time is over; then finds are made small and
kept in `found/`, one for each broken invariant. Exit code 1 if there are any.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time

from .campaign import Find, Tally, keep
from .jobs import work
from .kinds import all_kinds


def main() -> int:
    """Read the command line, run, sum up."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--kind", default="", help="text,clauses,rules,onnx,api,commands,lines")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=8, help="each so-manieth case gets the costly invariants too")
    given = parser.parse_args()
    known = all_kinds()
    names = [name for name in given.kind.split(",") if name] or list(known)
    for name in names:
        if name not in known:
            print(f"there is no kind {name}" + (": the package onnx is not installed" if name == "onnx" else ""))
            return 2
    if "onnx" not in known:
        print("NO ONNX MODELS: the package onnx is not installed", file=sys.stderr)
    end = time.monotonic() + 60 * given.minutes
    with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:
        jobs = [(names, given.seed, job, given.jobs, end, given.every) for job in range(given.jobs)]
        results = pool.starmap(work, jobs)
    tallies = {name: Tally() for name in names}
    for result in results:
        for name, tally in result.items():
            tallies[name].add(tally)
    for name, tally in tallies.items():
        print(f"{name}: {tally}")
    print(f"all: {sum(t.cases for t in tallies.values())} cases, seed {given.seed}, {given.minutes} minutes")
    smallest: dict[tuple[str, str], Find] = {}
    for find in (find for tally in tallies.values() for find in tally.finds):
        key = find.kind, find.law
        if key not in smallest or len(find.case) < len(smallest[key].case):
            smallest[key] = find
    for find in smallest.values():
        print(f"FOUND {find.kind} {find.number}: {find.law}", flush=True)
        print(f"  kept as {keep(known[find.kind], find)}", flush=True)
    return 1 if smallest else 0


if __name__ == "__main__":
    sys.exit(main())
