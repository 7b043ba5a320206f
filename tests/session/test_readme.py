"""What the README says of sessions is so."""

from __future__ import annotations

from pathlib import Path

import relaylogic

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def test_each_line_gives_what_stands_behind_it():
    part = README[README.index("**Edit.**") :]
    block = part[part.index("```python\n") + len("```python\n") :].partition("```")[0]
    names = {"relaylogic": relaylogic}
    compared = 0
    for line in block.splitlines():
        code, _, said = line.partition("  #" if "  #" in line else " # ")
        if line.startswith(("text =", "session =")):
            exec(code, names)
        else:
            assert repr(eval(code, names)) == said.strip()
            compared += 1
    assert compared == 6
