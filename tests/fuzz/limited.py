"""Limits as an invariant: within a random one, a case has its outcome, or is unknown because of that limit.

What was found until then is part of what is found without the limit, no other error comes, the limit is left within
twice its value (and what a busy machine and the sizes of first things need), and nothing is broken afterwards.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

import relaylogic
from relaylogic.host.governor import NAMES, SLICE, LimitReached
from relaylogic.host.process import resident

from .broken import OUT_OF_TIME, Broken, demand
from .kinds import Case, Kind

__all__ = ["alike", "check_limited", "check_output", "stopped_within"]

LAW = "limits hold"
STOPPED = {
    "unknown",
    "raised LimitReached",
    "raised NameError",
    "raised NotInferred",
    "raised RelayLogicError",
    "Answers",
    "list",
}
DECIDED = {"typed", "refuted", "incomplete"}
SECONDS, BYTES, STEPS = 1.0, 80_000_000, 20 * SLICE  # more than twice a limit is due to these


def limit(random: Random) -> tuple[str, Any]:
    """A limit of some kind, small enough to be reached more often than not."""
    name = random.choice(["time", "time", "steps", "steps", "memory", "output"])
    if name == "time":
        return name, 10 ** random.uniform(-4, -0.3)
    if name == "memory":
        return name, int(10 ** random.uniform(3, 7.5))
    return name, int(10 ** random.uniform(0, 4))


def check_limited(kind: Kind, case: Case) -> None:
    """Demand that a limit, which depends on the case alone, holds for it."""
    random = Random(f"limited:{case!r}")
    name, value = limit(random)
    first = kind.summary(case) if random.random() < 0.5 else None  # or tables may be empty
    found = stopped_within(name, value, lambda: kind.summary(case))
    after = kind.summary(case)
    demand(
        first is None or alike(first, after),
        f"{LAW}: nothing is broken afterwards",
        f"{name}={value}\n{first}\n{after}",
    )
    if found is not None and not alike(found, after):  # the case's own limit of steps may have ended it before
        about = f"{name}={value}\n{found}\n{after}"
        demand(part_of(found, after, NAMES[name]), f"{LAW}: what is found is right", about)


def stopped_within(name: str, value: Any, work: Callable[[], str]) -> str | None:
    """What `work` says under a limit; None if the limit ends it. Demands that it is held, and is the one that ends."""
    said = None
    before, started = resident(), time.process_time()
    try:
        with relaylogic.limits(**{name: value}) as governor:
            said = work()
    except LimitReached as reached:
        demand(reached.limit == name, f"{LAW}: the limit that is named", f"{name}={value}: {reached}")
    seconds, size = time.process_time() - started, resident() - before
    demand(name != "time" or seconds <= 2 * value + SECONDS, f"{LAW}: time", f"{value} s: {seconds}")
    demand(name != "memory" or size <= 2 * value + BYTES, f"{LAW}: memory", f"{value} bytes: {size}")
    steps = value - governor.steps_left if name == "steps" else 0
    demand(name != "steps" or steps <= 2 * value + STEPS, f"{LAW}: steps", f"{value} steps: {steps}")
    return said


def part_of(found: str, whole: str, name: str) -> bool:
    """Whether a summary is the one without limits, or says that this limit ended it, and else nothing that is wrong."""
    if found == whole:
        return True
    ended = f"unknown: {name}"
    said, known = read(found), read(whole)
    if said is None or known is None:  # an error is told as text
        return found.startswith(ended) or said in ([[], ended], ["unknown", [], [], [], [["", [], [], name]]])
    if isinstance(said, dict):  # of relations
        return all(is_listed(said[relation], known[relation], ended) for relation in said)
    if len(said) == 2 and isinstance(said[0], list):
        return is_listed(said, known, ended)
    if said and isinstance(said[0], str) and len(said) == 5 and isinstance(said[1], list):
        verdict, functions, calls, errors, residue = said
        least = all(item in known[1] for item in functions) and all(item in known[2] for item in calls)
        # Of what is refused, types are found when inference goes on behind it.
        return verdict == "unknown" and (least or known[0] == "refuted") and not errors and residue[-1][-1] == name
    return all(is_said(ours, theirs) for ours, theirs in zip(said, known, strict=True))


def is_said(ours: str, theirs: str) -> bool:
    """Whether a line of Python comes to what it does without the limit, or was stopped, or lacks what a line before it
    would have made. What is refused without the limit may not have been read that far (the documented "unknown"), and
    the line may do something with that.
    """
    return ours == theirs or ours in STOPPED or (theirs.startswith("raised") and ours not in DECIDED)


def alike(one: str, other: str) -> bool:
    """Whether two summaries of a case are equal, or the case's own limit of steps ended one of them earlier.

    A rule base knows the calls of the queries before, so with as many steps a second one may come further.
    """
    name = NAMES["steps"]
    return OUT_OF_TIME in (one, other) or part_of(one, other, name) or part_of(other, one, name)


def read(summary: str) -> Any:
    """The summary as data, None if it is another text."""
    try:
        return json.loads(summary)
    except json.JSONDecodeError:
        return None


def is_listed(said: Any, known: Any, ended: str) -> bool:
    """Whether answers and how they ended are those that are known, up to where the limit ended them."""
    if said in (known, "refused: LimitReached"):
        return True
    if not isinstance(known, list):  # a mistake in a rule is noticed when it is reached, maybe behind answers
        return bool(said[1] == ended)
    return bool(said[1] == ended) and all(answer in known[0] for answer in said[0])


def check_output(shown: Callable[[], str]) -> None:
    """Demand that nothing longer than the limit of output is given."""
    length = len(shown())
    allowed = max(1, length // 2)
    try:
        with relaylogic.limits(output=allowed):
            shown()
    except LimitReached as reached:
        demand(reached.limit == "output", f"{LAW}: the limit that is named", reached)
    else:
        raise Broken(f"{LAW}: output", f"{length} characters, {allowed} allowed")
