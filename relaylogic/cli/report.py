"""`relaylogic report FILE -o out.html`: a page on a program."""

from __future__ import annotations

from os.path import isdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..host.files import is_same
from .ending import BadInput
from .inferring import Inferred, inferred, not_begun
from .limits import limit_options, taken
from .options import PRELUDE, PYTHON_RULES, RULES, rules_or_limit
from .output import say
from .tracing import TraceFile
from .writing import WholeFile

if TYPE_CHECKING:
    from ..ir import IRModule

__all__ = ["report"]


@click.command()
@click.argument("file")
@click.option("-o", "target", required=True, metavar="PAGE", help="The file to write, `-` for standard output.")
@RULES
@PYTHON_RULES
@PRELUDE
@click.option("--closed", is_flag=True, help="Demand closed types, as TVM does, instead of generalising.")
@limit_options("The most steps of search.")
def report(
    file: str,
    target: str,
    rule_folders: tuple[Path, ...],
    python_rules: bool,
    prelude: bool,
    closed: bool,
    **options: Any,
) -> int:
    """Write a page of HTML on a program: its types and why it has them, what is wrong, and the steps of inference."""
    allowed = taken(options)
    if target != "-":
        _check(Path(target), file)
    rules, reached = rules_or_limit(rule_folders, python_rules, allowed)
    pages: list[str] = []

    def tell(found: Inferred) -> None:
        from ..explain.report import infer_module
        from ..report import report_page

        def again(module: IRModule) -> Any:
            return infer_module(module, rules, closed)

        if found.result is not None:
            pages[:] = [report_page(found.result, found.name, again)]
        found.complain()

    if reached is not None:
        code = not_begun(file, reached, tell)
    else:
        code = inferred(file, rules, closed, prelude, allowed, tell, TraceFile(None))
    for page in pages:
        if target == "-":
            say(page, paid=True)
        else:
            _write(Path(target), page)
            say(f"{target}: written")
    return code


def _check(path: Path, program: str) -> None:
    """Raises BadInput for what cannot be written, or would be written over the program."""
    if isdir(path):
        raise BadInput("cannot be written: this is a directory", path)
    if not isdir(path.absolute().parent):
        raise BadInput(f"cannot be written: there is no folder {path.absolute().parent}", path)
    if is_same(path, program):
        raise BadInput("the page would overwrite the program", path)


def _write(path: Path, page: str) -> None:
    """Write the page. Raises BadInput if there can be no such file, OutputLost if not all could be written."""
    with WholeFile(path, "replace") as file:
        file.write(page)
