"""Runs cases: from a seed, so that each can be made again; finds are made small and kept."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from .broken import TOO_SLOW, Broken, TookTooLong, found_in, watched
from .kinds import Case, Kind
from .limited import alike, check_limited
from .reduce import reduced

__all__ = ["Find", "Tally", "compare_hash_seeds", "keep", "run_case", "run_cases"]

FOUND = Path(__file__).parent / "found"
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20.0
THOROUGH = 3  # times as long: the costly invariants do the work of a case a dozen times
LIMITED = 4  # one of so many cases is tried within a limit, too


@dataclass
class Find:
    """A case that breaks an invariant."""

    kind: str
    number: int
    law: str
    detail: str
    case: Case


@dataclass
class Tally:
    """What came of the cases of one kind."""

    outcomes: Counter[str] = field(default_factory=Counter)
    finds: list[Find] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)  # seconds, and the number of the case

    @property
    def cases(self) -> int:
        """How many there were."""
        return self.outcomes.total()

    def add(self, other: Tally) -> None:
        """Count what another has counted, too."""
        self.outcomes += other.outcomes
        self.finds += other.finds
        self.slowest = max(self.slowest, other.slowest)

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {100 * n / self.cases:.0f}%" for name, n in self.outcomes.most_common())
        seconds, number = self.slowest
        return f"{self.cases} cases ({shares}), {len(self.finds)} finds, slowest {seconds:.1f} s (number {number})"


def run_case(kind: Kind, case: Case, thorough: bool = False, seconds: float = PATIENCE) -> tuple[str, Broken | None]:
    """How a case ended, and the invariant that it breaks. What was too slow is run again before it counts."""
    outcome, broken = _run(kind, case, thorough, seconds)
    if broken is not None and broken.law == TOO_SLOW:
        gc.collect()
        outcome, broken = _run(kind, case, thorough, seconds)
    return outcome, broken


def _run(kind: Kind, case: Case, thorough: bool, seconds: float) -> tuple[str, Broken | None]:
    try:
        with watched(seconds * (THOROUGH if thorough else 1)):
            outcome = kind.check(case, thorough)
            if not kind.own_limits and (thorough or zlib.crc32(repr(case).encode()) % LIMITED == 0):
                check_limited(kind, case)
            return outcome, None
    except (Exception, TookTooLong) as problem:
        return "broken", found_in(problem)


def case_of(kind: Kind, seed: str, number: int) -> Case:
    """The case of a number."""
    return kind.make(Random(f"{seed}:{kind.name}:{number}"))


def run_cases(
    kind: Kind,
    seed: str,
    numbers: Iterable[int],
    every: int,
    going_on: Callable[[], bool] = lambda: True,
    seconds: float = PATIENCE,
) -> tuple[Tally, list[Case]]:
    """Run the cases of these numbers, each `every`-th with the costly invariants; and a sample of the cases."""
    tally, sample = Tally(), []
    for number in numbers:
        if not going_on():
            break
        case = case_of(kind, seed, number)
        started = time.process_time()
        outcome, broken = run_case(kind, case, number % every == 0, seconds)
        tally.slowest = max(tally.slowest, (time.process_time() - started, number))
        tally.outcomes[outcome] += 1
        if broken is not None:
            tally.finds.append(Find(kind.name, number, broken.law, broken.detail, case))
        elif number % every == 1 and len(sample) < 1000:
            sample.append(case)
    return tally, sample


def keep(kind: Kind, find: Find, seconds: float = 60.0, folder: Path = FOUND) -> Path:
    """Make a find small, and write it to a file with the invariant beside it. The file of such a find."""

    def still_broken(candidate: Case) -> bool:
        _, broken = run_case(kind, candidate, True)
        return broken is not None and broken.law == find.law

    small = reduced(find.case, still_broken, kind.shorter, seconds)
    data = small if isinstance(small, bytes) else small.encode("utf-8", "surrogatepass")
    path = folder / f"{kind.name}-{hashlib.sha256(data).hexdigest()[:10]}{kind.suffix}"
    folder.mkdir(exist_ok=True)
    path.write_bytes(data)
    path.with_suffix(".json").write_text(json.dumps({"law": find.law, "detail": find.detail}, indent=1) + "\n")
    return path


def compare_hash_seeds(kinds: Sequence[Kind], samples: dict[str, list[Case]], hash_seed: int) -> list[Find]:
    """The cases of which another process, where strings have other hashes and the last case comes first, says
    otherwise."""
    asked = [(name, case) for name, cases in samples.items() for case in cases]
    shown = [[name, case.hex() if isinstance(case, bytes) else case] for name, case in asked]
    known = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.fuzz.again"]
    done = subprocess.run(
        command, input=json.dumps(shown), env=known, cwd=ROOT, capture_output=True, text=True, check=True
    )
    by_name = {kind.name: kind for kind in kinds}
    finds = []
    for number, ((name, case), theirs) in enumerate(zip(asked, json.loads(done.stdout), strict=True)):
        ours = by_name[name].summary(case)
        if not alike(ours, theirs):
            finds.append(Find(name, number, "hash seeds do not matter", f"{ours}\n{theirs}", case))
    return finds
