"""The options of commands that limit their work: `--time`, `--steps`, `--memory`, `--output`.

Each command has all four. One that is reached ends the command with exit code 3 and a message with the limit's name and
value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..host.process import default_memory

__all__ = ["LIMITS", "limit_options", "taken"]

Command = Callable[..., Any]

LIMITS = ("time", "steps", "memory", "output")
TIME = 600.0
OUTPUT = 10**9
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType  # generic for type checkers, and in the latest versions of click only

_SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*([kmgt]?)b?", re.IGNORECASE)


class Size(_Type):
    """A number of bytes or characters: `300000`, `500M`, `1.5G`."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that a text says. Raises click.BadParameter."""
        if isinstance(value, int):
            return value
        found = _SIZE.fullmatch(value.strip())
        size = 0 if found is None else int(float(found[1]) * _UNITS[found[2].lower()])
        if size < 1:
            self.fail(f"{value!r:.60} is no size: 300000, 500M, 2G", param, ctx)
        return size


class Seconds(_Type):
    """A time in seconds, more than 0."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that a text says. Raises click.BadParameter."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds < math.inf:
            self.fail(f"{value!r:.60} is no time in seconds: 0.5, 60", param, ctx)
        return seconds


def limit_options(steps: str, each: str = "") -> Callable[[Command], Command]:
    """The four options; `steps` says what is counted, `each` what each limit holds for, if not for the command."""
    whose = f" for each {each}" if each else ""
    options = [
        click.option(
            "--time", type=Seconds(), default=TIME, metavar="SECONDS", help=f"Stop after this time{whose} ({TIME:g})."
        ),
        click.option("--steps", type=click.IntRange(min=1), metavar="N", help=steps),
        click.option(
            "--memory",
            type=Size(),
            default=default_memory,
            metavar="SIZE",
            help=f"Stop when the process grows by more{whose}: 500M, 2G (8G, at most 3/4 of the machine's).",
        ),
        click.option(
            "--output", type=Size(), default=OUTPUT, metavar="SIZE", help=f"Print no more characters{whose} (1G)."
        ),
    ]

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def taken(options: dict[str, Any], names: tuple[str, ...] = LIMITS) -> dict[str, Any]:
    """The limits among the values of a command's options; they are taken out of these."""
    return {name: options.pop(name) for name in names}
