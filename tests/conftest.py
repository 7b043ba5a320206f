"""At the end of a run: how much of the rule base it used, and how much `tests/rules/test_clauses.py` found needed.

What Python compiles is kept from one run to the next. The collector of garbage comes seldom, and the files with the
longest tests come first.

Property tests draw the same examples in every run; with `--hypothesis-profile=random`, others in each, of a seed that
`--hypothesis-seed` repeats; with `--thorough`, more of them.

A test says something there with `record_property("told", text)`. With several processes (pytest-xdist) each tells the
one that prints what it has used.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings

from relaylogic.rulebase import default_rules, rules_folder
from relaylogic.rulebase.shipped import default_rules_loaded
from tests import effort

settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("random", print_blob=True, deadline=None)
settings.load_profile("fixed")

USED = pytest.StashKey[dict[str, dict[str, bool]]]()
"""For each shipped relation: its clauses by name, and whether they gave an answer."""

YOUNG = 10_000
"""So many objects are made before the collector looks for garbage; all are looked through a hundred times as seldom.

Tests keep thousands of results to compare them with: with Python's 700, up to a quarter of the time of such a file was
spent on looking through them.
"""

FIRST = (
    "conformance/test_programs.py",
    "schema/test_forms.py",
    "explain/test_sarif.py",
    "conformance/test_mutants.py",
    "infer/test_memory.py",
    "infer/test_threads.py",
    "fuzz/test_fuzz.py",
    "infer/test_assumed.py",
    "typings/test_random_programs.py",
    "explain/test_conflicts.py",
    "infer/test_principal_types.py",
    "explain/test_derivations.py",
    "conformance/test_planted.py",
    "infer/test_recording.py",
    "typings/test_completeness.py",
)
"""The files with tests of many seconds: one that begins when nothing else is left makes the other processes wait.

The first four look at the same results (`tests.conformance.programs.outcome`), which are diagnosed once if one process
runs them. A process of pytest-xdist begins with the first of its tests, and gives the last away.
"""


def used_here() -> dict[str, dict[str, bool]]:
    """The shipped relations, and which of their clauses gave an answer in this process."""
    if not default_rules_loaded():
        return {}
    shipped = rules_folder()
    relations = [r for r in default_rules().relations.values() if Path(r.file).is_relative_to(shipped)]
    return {r.name: {str(clause): bool(clause.used) for clause in r.clauses} for r in relations}


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--thorough`."""
    parser.addoption("--thorough", action="store_true", help="try all cases, not a share of them (tests/effort.py)")


def pytest_configure(config: pytest.Config) -> None:
    """Nothing is used yet."""
    effort.THOROUGH = config.getoption("thorough")
    config.stash[USED] = {}
    keep_bytecode(config)
    gc.set_threshold(YOUNG, 10, 10)


def keep_bytecode(config: pytest.Config) -> None:
    """Where Python is told not to keep what it compiles, it is kept in pytest's cache, or in a folder of this run if
    pytest has none.

    Else each of the hundreds of processes that tests start compiles the whole package, and each rule base its files;
    and each process of pytest-xdist writes anew all the assertions of the tests, which takes longer than reading them.
    """
    if not sys.dont_write_bytecode:
        return
    folder = os.environ.get("PYTHONPYCACHEPREFIX")
    if not folder:
        cache = getattr(config, "cache", None)  # there is none with `-p no:cacheprovider`
        if cache is None:
            kept = TemporaryDirectory(prefix="relaylogic-bytecode-", ignore_cleanup_errors=True)
            config.add_cleanup(kept.cleanup)
            folder = kept.name
        else:
            folder = str(cache.mkdir("relaylogic-bytecode"))
        os.environ["PYTHONPYCACHEPREFIX"] = folder
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode, sys.pycache_prefix = False, folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files of `FIRST` first, each as it is; the others stay in their order."""
    place = {name: number for number, name in enumerate(FIRST)}
    items.sort(key=lambda item: place.get(f"{item.path.parent.name}/{item.path.name}", len(FIRST)))


@pytest.fixture(scope="module", autouse=True)
def _what_was_there_before() -> None:
    """Collections of garbage do not look through what there is before the tests of a file.

    That is thousands of tests, and the measured programs that tests of other files keep.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """What is measured is measured in one process; else pytest-xdist decides."""
    return 0 if config.getoption("benchmark_enable", False) else None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A process of pytest-xdist has ended: add what it used."""
    add(node.config.stash[USED], getattr(node, "workeroutput", {}).get("used", {}))


def add(used: dict[str, dict[str, bool]], more: dict[str, dict[str, bool]]) -> None:
    """Add what another process used."""
    for name, clauses in more.items():
        known = used.setdefault(name, {})
        for clause, answered in clauses.items():
            known[clause] = known.get(clause, False) or answered


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that prints."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["used"] = used_here()


def _skipped(terminalreporter: pytest.TerminalReporter) -> Iterator[str]:
    """The reason for each test that was skipped."""
    for report in terminalreporter.stats.get("skipped", []):
        if isinstance(report.longrepr, (tuple, list)):
            yield str(report.longrepr[-1]).removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print why tests were skipped, and which clauses of the shipped rules gave no answer."""
    for _, text in _recorded(terminalreporter, "told"):
        terminalreporter.write_line(text)
    for reason, count in Counter(_skipped(terminalreporter)).items():
        terminalreporter.write_line(f"NOT TESTED ({count} skipped): {reason}")
    used = config.stash[USED]
    add(used, used_here())
    if not used:
        return
    clauses = {name: answered for each in used.values() for name, answered in each.items()}
    unused = [name for name, answered in clauses.items() if not answered]
    shown = f"rule base: {len(clauses) - len(unused)} of {len(clauses)} clauses of {len(used)} relations used"
    judged = _judged(terminalreporter)
    if judged:
        shown += f"; {sum(judged.values())} of {len(judged)} needed"
    terminalreporter.write_line(shown)
    if judged:  # a run that leaves these tests out uses what it needs
        unneeded = [name for name, needed in judged.items() if not needed]
        for title, names in (("not used", unused), ("not needed", unneeded)):
            for name in names:
                terminalreporter.write_line(f"  {title}: {name}")


def _judged(terminalreporter: pytest.TerminalReporter) -> dict[str, bool]:
    """The clauses that this run has tried to do without, and whether that broke a test."""
    return {name: report.passed for report, name in _recorded(terminalreporter, "clause")}


def _recorded(terminalreporter: pytest.TerminalReporter, key: str) -> Iterator[tuple[pytest.TestReport, str]]:
    """The tests that recorded a property, and its values."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, ()):
            if getattr(report, "when", "") == "call":
                yield from ((report, value) for name, value in report.user_properties if name == key)
