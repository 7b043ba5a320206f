"""At the end of a run: how much of the rule base it used, and how much `tests/rules/test_clauses.py` found needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from relaylogic.rulebase import default_rules, rules_folder
from relaylogic.rulebase.base import default_rules_loaded


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the coverage of the shipped rules, with the names of the clauses that gave no answer."""
    if not default_rules_loaded():
        return
    shipped = rules_folder()
    relations = [r for r in default_rules().relations.values() if Path(r.file).is_relative_to(shipped)]
    clauses = [clause for relation in relations for clause in relation.clauses]
    unused = [str(clause) for clause in clauses if not clause.used]
    shown = f"rule base: {len(clauses) - len(unused)} of {len(clauses)} clauses of {len(relations)} relations used"
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
    reports: list[Any] = [*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())]
    return {
        name: report.passed
        for report in reports
        for key, name in getattr(report, "user_properties", ())
        if key == "clause" and report.when == "call"
    }
