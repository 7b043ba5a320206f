"""Lines of Python in documents, held against what stands behind them."""

from __future__ import annotations

import re
import shlex
from typing import Any


def checked(block: str, names: dict[str, Any]) -> int:
    """Run some lines; one with a comment must give what the comment says. How many of those there were."""
    compared = 0
    for line in block.splitlines():
        code, mark, expected = line.partition("  # ")
        if mark:
            assert repr(eval(code, names)) == expected.strip()
            compared += 1
        else:
            exec(code, names)
    return compared


def commands(text: str) -> list[tuple[list[str], str]]:
    """The commands that the console blocks of a document show, as lists of arguments, and what they print."""
    steps = [
        step.partition("\n")
        for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL)
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)
        if step
    ]
    return [(shlex.split(command)[1:], said) for command, _, said in steps]
