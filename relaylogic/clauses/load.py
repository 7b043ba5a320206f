"""Loads files of clauses (`*.rel`) into a rule base.

What a file defines replaces what was there under that name, and the rule base notes it; a clause marked `extend` is
added to the relation that is there. A file is loaded as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..host.files import NoText, text_of
from ..host.governor import governed
from ..host.watcher import whole
from ..rulebase import RuleBase
from ..rulebase.transaction import transaction
from .definition import assume_lists, assume_scalars, assume_tuples, assume_types, learn_from_calls
from .known_kinds import STAGES, TENSORS
from .rule_file import RuleFile
from .scope import Names
from .syntax import ClauseError

__all__ = ["load_clauses", "load_files"]


def load_files(rules: RuleBase, paths: Sequence[Path]) -> None:
    """Load files together, so that they may use each other's relations. One that cannot be loaded is noted."""
    files: list[RuleFile] = []
    for path in paths:
        try:
            files.append(RuleFile(str(path), text_of(path)))
        except OSError as problem:
            rules.notes.append(f"{path}: not loaded: {problem.strerror or problem}")
        except NoText as problem:
            rules.notes.append(f"{path}:{problem.place}: not loaded: {problem}")
        except ClauseError as problem:
            rules.notes.append(f"{path}: not loaded: {problem}")
    with transaction(rules):
        for file in _compiled(files, rules):
            file.commit(rules)


def load_clauses(rules: RuleBase, text: str, name: str = "<text>") -> None:
    """Load clauses from text. Raises ClauseError, LimitReached; then nothing is changed."""
    governed(lambda: _load(rules, text, name))


def _load(rules: RuleBase, text: str, name: str) -> None:
    file = RuleFile(name, text)
    failed: list[tuple[RuleFile, ClauseError]] = []
    compiled = _compiled([file], rules, failed)
    if failed:
        raise failed[0][1]
    _commit(compiled, rules, ("clauses", name, text))


@whole
def _commit(files: list[RuleFile], rules: RuleBase, source: tuple[str, str, str]) -> None:
    with transaction(rules):
        for file in files:
            file.commit(rules)
        rules.sources.append(source)


def _compiled(
    files: list[RuleFile], rules: RuleBase, failed: list[tuple[RuleFile, ClauseError]] | None = None
) -> list[RuleFile]:
    """The files that compile together; the others are noted, or put on `failed`."""
    while True:
        problem: tuple[RuleFile, ClauseError] | None = None
        names = Names(rules)
        labels: dict[str, set[str]] = {}
        file: RuleFile
        try:
            for file in files:
                file.definitions.clear()
                file.declare_data(names)
            names.dtypes = _dtypes(files)
            for file in files:
                file.declare(rules, names, labels)
        except ClauseError as error:
            problem = (file, error)
        if problem is None:
            problem = _try(files, names)
        if problem is None:
            return files
        culprit, reason = problem
        if failed is None:
            rules.notes.append(f"{culprit.name}: not loaded: {reason}")
        else:
            failed.append(problem)
        files = [other for other in files if other is not culprit]


def _try(files: list[RuleFile], names: Names) -> tuple[RuleFile, ClauseError] | None:
    file: RuleFile
    try:
        learned = True
        while learned:
            learned = False
            for file in files:
                learned = file.infer_kinds(names) or learned
            learned = learned or _decide(files)
        for file in files:
            file.compile(names)
    except ClauseError as problem:
        return file, problem
    return None


def _dtypes(files: list[RuleFile]) -> set[str]:
    """The attributes that are dtypes for all operators of the files that declare them."""
    declared = {attribute for file in files for attribute in file.attributes}
    return {name for name, kind in declared if kind == "dtype"} - {name for name, kind in declared if kind != "dtype"}


def _decide(files: list[RuleFile]) -> bool:
    """Decide what all that is certain leaves open, the first step that has any: all at once, in whichever order."""
    definitions = [definition for file in files for definition in file.definitions.values()]
    related = {relation for file in files for relation in file.related}
    if assume_types(definitions, related):
        return True
    for stage in STAGES:
        if stage == TENSORS and assume_lists(definitions):
            return True
        if True in [file.decide(stage) for file in files]:
            return True
    return learn_from_calls(definitions) or assume_tuples(definitions) or assume_scalars(definitions)
