"""At the end of a run: how much of the rule base it used, and how much `tests/rules/test_clauses.py` found needed."""

from __future__ import annotations

from typing import Any

import pytest

from relaylogic.rulebase import default_rules

LISTED = 40


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the coverage of the shipped rules, with the names of the clauses that gave no answer."""
    if not default_rules.cache_info().currsize:
        return
    relations = default_rules().relations.values()
    clauses = [clause for relation in relations for clause in relation.clauses]
    unused = [str(clause) for clause in clauses if not clause.used]
    shown = f"rule base: {len(clauses) - len(unused)} of {len(clauses)} clauses of {len(relations)} relations used"
    judged = _judged(terminalreporter)
    if judged:
        shown += f"; {sum(judged.values())} of {len(judged)} needed"
    terminalreporter.write_line(shown)
    _list(terminalreporter, "not used", unused)
    _list(terminalreporter, "not needed", [name for name, needed in judged.items() if not needed])


def _judged(terminalreporter: pytest.TerminalReporter) -> dict[str, bool]:
    """The clauses that this run has tried to do without, and whether that broke a test."""
    reports: list[Any] = [*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())]
    return {
        name: report.passed
        for report in reports
        for key, name in getattr(report, "user_properties", ())
        if key == "clause" and report.when == "call"
    }


def _list(terminalreporter: pytest.TerminalReporter, title: str, names: list[str]) -> None:
    for name in names[:LISTED]:
        terminalreporter.write_line(f"  {title}: {name}")
    if len(names) > LISTED:
        terminalreporter.write_line(f"  {title}: {len(names) - LISTED} more")
