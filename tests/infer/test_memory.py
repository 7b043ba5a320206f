"""A process that types one program after the other does not grow.

The programs differ in extents, dtypes, operators, attributes and data types, so that no table is of use for long.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import relaylogic
from relaylogic.logic.bounded import Bounded
from relaylogic.logic.search.search import search
from relaylogic.rulebase import base, running
from tests import effort
from tests.effort import examples

FEW = 450
MANY = FEW + examples(400, 8)
GROWTH = (MANY - FEW) * 8 / 1024
"""After typing MANY programs, the process has at most GROWTH MiB more than after FEW, which fill its tables: 8 KiB for
each program."""
SIZE = 64
"""So much the tables hold, a thirtieth of what they hold else or less: thousands of programs would not fill those."""
DIAGNOSED = 3 if effort.THOROUGH else 9
"""Of the programs that are refused, one of so many is diagnosed, which takes fifteen times as long as all else."""

DTYPES = ["float32", "float16", "float64", "int32", "int64", "int8", "uint8", "bool", "float32x2", "uint16"]
UNARY = [
    "nn.relu",
    "exp",
    "tanh",
    "negative",
    "sqrt",
    "abs",
    "sigmoid",
    "copy",
    "zeros_like",
    "nn.softmax",
    "nn.batch_flatten",
]
BINARY = ["add", "multiply", "subtract", "maximum", "minimum", "divide", "power", "greater"]


class Maker:
    """Makes one program from a number."""

    def __init__(self, number):
        self.choice = random.Random(number)
        self.number = number
        self.shape = [self.extent() for _ in range(self.choice.randint(1, 4))]
        self.dtype = self.choice.choice(DTYPES)
        self.parameters = ["%x: " + self.tensor(self.holed(self.shape))]

    def extent(self):
        return self.choice.randint(1, 999)

    def chance(self, probability):
        return self.choice.random() < probability

    def tensor(self, shape):
        return f"Tensor[({', '.join(map(str, shape))}), {self.dtype}]"

    def holed(self, shape):
        return ["_" if self.chance(0.05) else extent for extent in shape]

    def parameter(self, annotation=""):
        self.parameters.append(f"%w{len(self.parameters)}{annotation}")
        return self.parameters[-1].partition(":")[0]

    def binary(self, value):
        other = [extent if self.chance(0.7) else 1 for extent in self.shape]
        if self.chance(0.1):
            other = [extent + 1 for extent in other]
        annotation = "" if self.chance(0.2) else f": {self.tensor(other)}"
        return f"{self.choice.choice(BINARY)}({value}, {self.parameter(annotation)})"

    def call(self, value):
        axis = self.choice.randint(0, len(self.shape))
        return self.choice.choice(
            [
                lambda: f"{self.choice.choice(UNARY)}({value})",
                lambda: self.binary(value),
                lambda: self.binary(value),
                lambda: f"sum({value}, axis=[{axis}], keepdims=True)",
                lambda: f"expand_dims({value}, axis={axis})",
                lambda: f"reshape({value}, newshape=[{self.choice.choice([-1, 0, self.extent()])}, -1])",
                lambda: f"nn.conv2d({value}, {self.parameter()}, channels={self.extent()}, kernel_size=[3, 3])",
                lambda: f"nn.dense({value}, {self.parameter()}, units={self.extent()})",
                lambda: f"concatenate(({value}, {value}), axis={axis})",
            ]
        )()

    def program(self):
        lines, value = [], "%x"
        for index in range(self.choice.randint(1, 3)):
            lines.append(f"let %v{index} = {self.call(value)};")
            value = f"%v{index}"
        body = f"def @main({', '.join(self.parameters)}) {{ {' '.join(lines)} {value} }}"
        if self.chance(0.1):
            n = self.number
            body += f"\ntype L{n}[a] {{ N{n}, C{n}(a, L{n}[a]) }}"
            body += f"\ndef @g(%y: {self.tensor(self.shape)}) {{ C{n}(%y, N{n}) }}"
        return body


def resident():
    """The resident size of this process in MiB, without garbage."""
    import gc

    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(few, many, diagnosed):
    """Print the resident size after some programs and after more, and how many of them had which verdict."""
    from relaylogic.host import cache
    from relaylogic.rulebase import program

    cache.MADE = Path("none")  # more of what was made ahead is read for thousands of programs, but that has an end
    base.TABLE_SIZE = base.SOLUTIONS = program.TABLE_SIZE = SIZE
    verdicts = {"typed": 0, "refuted": 0, "unknown": 0}
    sizes = []
    for number in range(1, int(many) + 1):
        result = relaylogic.infer(Maker(number).program())
        verdicts[result.verdict] += 1
        if result.verdict == "typed" or number % int(diagnosed) == 0:
            assert bool(result.errors) == (result.verdict == "refuted")
        if number in (int(few), int(many)):
            sizes.append(resident())
    print(*sizes, verdicts["typed"], verdicts["refuted"])


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the resident size is read from /proc")
def test_the_process_does_not_grow():
    command = [sys.executable, "-m", "tests.infer.test_memory", str(FEW), str(MANY), str(DIAGNOSED)]
    kept = {**os.environ, "RELAYLOGIC_CACHE": ""}  # nothing: it decides when programs of modes are made
    run = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=kept, capture_output=True, text=True, check=True, timeout=600
    )
    before, after, typed, refuted = map(float, run.stdout.split())
    assert after - before <= GROWTH, f"{before:.1f} MiB after {FEW} programs, {after:.1f} MiB after {MANY}"
    assert min(typed, refuted) > MANY / 5


# ---- tables


def test_a_table_forgets_the_oldest():
    table = Bounded(4)
    for number in range(6):
        table[number] = str(number)
    assert list(table) == [3, 4, 5]


def test_a_table_holds_so_much_and_no_more():
    table = Bounded(100, len)
    for number in range(100):
        table[number] = (number,) * 10
        assert sum(map(len, table.values())) <= 110
    assert 99 in table and len(table) >= 5
    table.clear()
    table[1] = ()
    assert list(table) == [1]


WHERE = """def @main[M: ShapeVar, N: ShapeVar](%x: Tensor[(4, M, N), float32]) {
  let %a = where(less(%x, -0.5f), add(%x, 0f), zeros_like(%x));
  let %b = where(less(%a, 0f), multiply(%a, %a), %a);
  gather_nd(%x, transpose(%b, axes=[2, 0, 1]), batch_dims=0, index_rank=None)
}"""


def test_what_a_diagnosis_asks_again_is_known(monkeypatch):
    """Each question about `where` has as many answers as are looked for: they pushed each other out of the table."""

    def noting(ask):
        def asked(self, *question):
            questions.add((ask, *question))
            return ask(self, *question)

        return asked

    questions, searches = set(), []
    for name in ("solve", "apart"):
        monkeypatch.setattr(base.RuleBase, name, noting(getattr(base.RuleBase, name)))
    monkeypatch.setattr(running, "search", lambda *given, **more: searches.append(given) or search(*given, **more))
    assert relaylogic.infer(WHERE).errors
    assert 10 < len(searches) < 1.1 * len(questions)


if __name__ == "__main__":
    main(*sys.argv[1:])
