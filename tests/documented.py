"""Lines of Python in documents, held against what stands behind them."""

from __future__ import annotations

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
