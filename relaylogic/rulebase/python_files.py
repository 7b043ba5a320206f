"""Runs the rule files of a folder that are written in Python, each as a whole or not at all.

They are programs: whoever runs them trusts them with everything. While a folder is loaded its files are modules of a
package of its own, so that they can import each other (`from .broadcast import Broadcast`); then these modules go.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from types import CodeType, ModuleType
from typing import Any

from ..errors import enumerated
from ..logic.terms.mistakes import RuleError
from .contents import Contents
from .failures import failure
from .transaction import transaction

__all__ = ["ALLOW", "not_run", "python_files", "rule_base_of", "run_files"]

ALLOW = "`--python-rules` (in the library `python=True`) runs such files, which may do anything"
NAMED = 5
"""So many files that are not run are named."""

_package_numbers = itertools.count()
_finders = Lock()
"""Held while the list of finders is replaced."""


def python_files(folder: Path) -> list[Path]:
    """The rule files of a folder that are written in Python, in the order in which they are run."""
    return [path for path in sorted(folder.glob("*.py")) if path.stem != "__init__"]


def not_run(paths: Sequence[Path]) -> str:
    """That rule files in Python are not run, in words."""
    names = [f"`{path.name}`" for path in paths]
    if len(names) > NAMED:
        names = [*names[:NAMED], f"{len(names) - NAMED} more"]
    return f"{enumerated(names, 'and')} {'are' if len(names) > 1 else 'is'} not run"


def rule_base_of(module: dict[str, Any]) -> Contents | None:
    """The rule base that loads the rule file of these globals, if one does."""
    package = sys.modules.get(str(module.get("__package__") or ""))
    return package.rules if type(package) is _Package else None


def run_files(rules: Contents, folder: Path, paths: Sequence[Path]) -> None:
    """Run rule files of a folder. One that fails is noted and leaves nothing behind; the others load.

    Raises RuleError if one ends the program (SystemExit).
    """
    package = _Package(rules, folder)
    sys.modules[package.name] = package
    with _finders:
        sys.meta_path = [package, *sys.meta_path]  # imports of other threads go through the list that there was
    try:
        for path in paths:
            _run(package, path)
    finally:
        with _finders:
            sys.meta_path = [finder for finder in sys.meta_path if finder is not package]
        # Other threads import while this one looks: only a copy of the names can be looked through.
        for name in [n for n in list(sys.modules) if n == package.name or n.startswith(f"{package.name}.")]:
            sys.modules.pop(name, None)


class _Package(ModuleType):
    """The rule files of one folder as a package; it finds what these import from it, and knows no other modules."""

    def __init__(self, rules: Contents, folder: Path) -> None:
        super().__init__(f"_relaylogic_rules_{next(_package_numbers)}")
        self.name = self.__name__
        self.rules = rules
        self.__path__ = [str(folder)]
        self.begun: list[str] = []  # the modules of which the code was started, and did not fail

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """As `importlib` asks it of a finder."""
        if name.rpartition(".")[0] != self.name:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(name, spec.loader.path, self)
        return spec


class _Loader(SourceFileLoader):
    """Runs one rule file. If it fails, what it did to the rule base is undone, with what it imported to do it."""

    def __init__(self, fullname: str, path: str, package: _Package) -> None:
        super().__init__(fullname, path)
        self._package = package

    def get_code(self, fullname: str) -> CodeType | None:
        """As `importlib` asks it of a loader."""
        found = os.stat(self.path)
        return _code_of(self.path, found.st_mtime_ns, found.st_size)

    def exec_module(self, module: ModuleType) -> None:
        begun = self._package.begun
        before = len(begun)
        begun.append(module.__name__)
        try:
            with transaction(self._package.rules):
                super().exec_module(module)
                self._package.rules.forget()
        except BaseException:
            for name in begun[before:]:  # a file that it imported is loaded again, for itself
                sys.modules.pop(name, None)
            del begun[before:]
            raise


@lru_cache(256)
def _code_of(path: str, changed: int, size: int) -> CodeType | None:
    """The code of a rule file, which is read once by a process, as modules are, unless it has `changed`."""
    return SourceFileLoader("rules", path).get_code("rules")


def _run(package: _Package, path: Path) -> None:
    name = f"{package.name}.{path.stem}"
    if name in sys.modules:
        return
    spec = spec_from_file_location(name, path, loader=_Loader(name, str(path), package))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as problem:  # whatever a rule file does wrong, the others load and the user is told
        package.rules.notes.append(f"{path}: not loaded: {failure(path, problem)}")
    except SystemExit:
        raise RuleError(f"{path}: a file of rules ends the program (SystemExit)") from None
