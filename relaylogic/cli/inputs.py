"""What the command line works on: programs, files of rules, the universe of an enumeration."""

from __future__ import annotations

import sys
from os.path import isdir, isfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import RelayLogicError, on_one_line
from ..host.files import NoText, bytes_of, text_in
from .ending import BadInput
from .output import complain

if TYPE_CHECKING:
    from ..ir import IRModule
    from ..rulebase import RuleBase

__all__ = ["history_file", "load_rule_base", "read_definitions", "read_program", "read_source", "shown_name"]


def shown_name(name: str) -> str:
    """The name of a file as messages give it."""
    return "<stdin>" if name == "-" else name


def read_source(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises BadInput if there is none, RelayLogicError if it is no
    text."""
    shown = on_one_line(shown_name(name))
    if name == "-" and sys.stdin is None:
        raise BadInput("cannot be read: standard input is closed", shown)
    try:
        if name == "-":
            data = bytes_of(sys.stdin.buffer)
        else:
            with open(name, "rb") as file:
                data = bytes_of(file)
    except IsADirectoryError:
        raise BadInput("this is a directory; name the files in it", shown) from None
    except (OSError, ValueError) as problem:
        raise BadInput(f"cannot be read: {getattr(problem, 'strerror', None) or problem}", shown) from None
    try:
        return text_in(data)
    except NoText as problem:
        from ..ir import Source, Span

        place = Span(Source(problem.text, shown_name(name)), problem.offset, problem.offset + 1)
        raise RelayLogicError(str(problem), place) from None


def read_program(name: str, prelude: bool) -> IRModule:
    """The program in a file, an ONNX model too, or on standard input for `-`. Raises BadInput, RelayLogicError."""
    if name.endswith(".onnx"):
        from ..frontend import from_onnx

        if isdir(name):
            raise BadInput("this is a directory; name the files in it", on_one_line(name))
        if not isfile(name):
            raise BadInput("cannot be read: there is no such file", on_one_line(name))
        return from_onnx(name)
    from ..text import parse

    return parse(read_source(name), shown_name(name), prelude=prelude)


def read_definitions(name: str | None, prelude: bool) -> IRModule | None:
    """The program whose data types are spoken of: that of a file, the prelude alone, or none. As `read_program`."""
    if name is not None:
        return read_program(name, prelude)
    from ..text import parse

    return parse('import "prelude"') if prelude else None


def load_rule_base(
    paths: tuple[Path, ...], python: bool, own: bool = False, program: IRModule | None = None
) -> RuleBase:
    """The shipped rules and those of `paths`; what the loader has to say goes to standard error.

    Files of rules in Python run only with `python`. With `own`, the rule base may be changed. With `program`, it knows
    the relations of its data types, and so do the files. Raises what `RuleBase.load` raises.
    """
    from ..rulebase import default_rules, load_rules, program_rules

    rules = load_rules(*paths, python=python, program=program) if paths or own else default_rules()
    if program is not None:
        rules = program_rules(rules, program)
    for note in rules.notes:
        complain(f"note: {note}")
    return rules


def history_file() -> Path | None:
    """Where the top level keeps its history; None, which is said, if there is no such place.

    Raises BadInput if nobody can type anything, because standard input is closed.
    """
    if sys.stdin is None:
        raise BadInput("cannot be read: standard input is closed", "<stdin>")
    folder = Path(click.get_app_dir("relaylogic"))
    if not folder.is_absolute():  # there is no home, or an empty XDG_CONFIG_HOME
        complain(f"note: no history is kept: {folder}: this is no absolute path")
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        complain(f"note: no history is kept: {problem.filename}: {problem.strerror}")
        return None
    return folder / "history"
