"""The page in a browser: what it shows at a step, of a type that is folded open, and that nothing is fetched or run."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

import relaylogic
from relaylogic.explain.report import infer_module
from tests.effort import in_turn, some
from tests.report.browser import Browser, needs_browser
from tests.report.pages import PROGRAMS, REFUTED, RESNET, TREES, Seen, page_of

pytestmark = needs_browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, text in PROGRAMS.items():
        (folder / f"{name}.html").write_text(page_of(text), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def looking(tmp_path_factory):
    found = Browser(tmp_path_factory.mktemp("browser"))
    yield found
    found.close()


def classed(found: Seen, name: str) -> list[dict[str, str | None]]:
    """The elements of a class."""
    return [attributes for _, attributes in found.tags if name in (attributes.get("class") or "").split()]


def mark_at(found: Seen, line: int, column: int) -> int:
    """The innermost mark that begins at a place."""
    return max(i for i, row in enumerate(found.data["marks"]) if (row[3], row[4]) == (line, column))


def test_resnet50_opened_at_a_step(pages, looking):
    result = infer_module(relaylogic.parse(RESNET), closed=True)
    page = pages / "resnet.html"
    for number in some((1, 90, len(result.trace)), 2):
        step = result.trace[number - 1]
        found = Seen(looking.document(page, f"#step={number}"))
        assert found.texts["#count"] == f"{number} of {len(result.trace)}"
        shown = found.texts["#step"]
        assert step.callee in shown and step.outcome in shown and all(text in shown for text in step.knew)
        for conclusion in step.concluded:
            assert f"{conclusion.variable}: {conclusion.after}" in shown
        (now,) = {attributes["data-e"] for attributes in classed(found, "now")} or {None}
        if step.span is not None and now is not None:
            assert found.data["marks"][int(now)][3] == step.span.line
        # What is known is what the steps until then have concluded.
        known = {c.variable: c.after for earlier in result.trace[:number] for c in earlier.concluded}
        table = found.texts["#known"]
        for variable, value in list(known.items())[-100:]:
            assert f"{variable}{value}step" in table


def with_script(page, script, made):
    """A page with a script of the test, which the policy of the page must allow for once."""
    text = page.read_text(encoding="utf-8")
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>', text)[0]
    made.write_text(text.replace(policy, "").replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    return made


def test_stepping_forwards_and_back_is_the_same(pages, looking, tmp_path):
    keys = "".join(f'document.dispatchEvent(new KeyboardEvent("keydown", {{key: "{k}"}}));' for k in WALK)
    clicks = 'document.getElementById("forth").click(); document.getElementById("back").click();'
    walked = with_script(pages / "trees.html", keys + clicks, tmp_path / "walked.html")
    by_keys, by_address = Seen(looking.document(walked)), Seen(looking.document(pages / "trees.html", "#step=3"))
    for part in ("#count", "#step", "#known"):
        assert by_keys.texts[part] == by_address.texts[part]
    assert [a["data-e"] for a in classed(by_keys, "now")] == [a["data-e"] for a in classed(by_address, "now")]


WALK = ["ArrowRight"] * 5 + ["ArrowLeft"] * 3 + ["ArrowRight"]


def test_a_key_that_is_held_down_changes_the_address_no_more_often_than_browsers_allow(pages, looking, tmp_path):
    """They complain, and leave the address what it was before."""
    held = """for (let i = 0; i < 300; i++) for (const key of ["ArrowRight", "ArrowLeft", "ArrowRight"])
      document.dispatchEvent(new KeyboardEvent("keydown", {key}));"""
    found = Seen(looking.document(with_script(pages / "resnet.html", held, tmp_path / "held.html")))
    assert found.texts["#count"].startswith("178 of")


def test_the_derivation_of_a_type_of_a_polymorphic_program(pages, looking):
    page = pages / "trees.html"
    line = next(i for i, text in enumerate(TREES.split("\n"), 1) if "nn.dense" in text)
    column = TREES.split("\n")[line - 1].index("%w,") + 1
    number = mark_at(Seen(page.read_text(encoding="utf-8")), line, column)
    found = Seen(looking.document(page, f"#open={number}"))
    assert [a["data-e"] for a in classed(found, "chosen")] == [str(number)]
    why = found.texts["#derivation"]
    assert "%w : Tensor[(3, 3), float32]" in why and "Dense, clause rows_times_units" in why
    assert "data: Tensor[(2, 3), float32]" in why  # a premise, folded open
    assert "%a : Tensor[(2, 3), float32]" in why  # what it rests on
    assert len(classed(found, "tree")) == 1


def test_a_refuted_program(pages, looking):
    found = Seen(looking.document(pages / "refuted.html", "#step=1"))
    assert len(classed(found, "primary")) == 2 and classed(found, "secondary")
    assert "refused" in Seen(looking.document(pages / "refuted.html", "#step=2")).texts["#step"] + found.texts["#step"]
    assert "cannot hold together" in found.texts["#conflicts"]
    assert found.texts["#code"] == REFUTED


@pytest.mark.parametrize("name", ["open", "unknown", "doubtful"])
def test_other_verdicts(pages, looking, name):
    found = Seen(looking.document(pages / f"{name}.html", "#step=1&open=0"))
    assert found.texts["#step"] and "Its derivation" not in found.texts["#derivation"]


@pytest.mark.parametrize(
    "fragment", ["#step=999999", "#open=999999", "#step=-1", "#open=", "#e0", "#x=%3Cb%3E", "#<b>"]
)
def test_any_address_is_followed_as_far_as_it_goes(pages, looking, fragment):
    found = Seen(looking.document(pages / "trees.html", fragment))
    assert found.texts["#code"] == TREES
    if fragment == "#step=999999":
        assert found.texts["#count"] == "{0} of {0}".format(len(found.data["steps"]))


def test_hostile_names_stay_text_where_the_script_shows_them(pages, looking):
    page = pages / "hostile.html"
    steps, marks = (len(Seen(page.read_text(encoding="utf-8")).data[key]) for key in ("steps", "marks"))
    for i in range(0, steps, 2):
        found = Seen(looking.document(page, f"#step={i + 1}&open={i * marks // steps}"))
        assert [tag for tag, _ in found.tags].count("script") == 2
        assert not any(tag == "img" or any(name.startswith("on") for name in a) for tag, a in found.tags)
        assert "<img src=x onerror=alert(1)>" in found.texts["#code"]


@pytest.mark.parametrize(("name", "scheme"), in_turn(["resnet", "refuted", "trees"], ["light", "dark"]))
def test_the_page_can_be_looked_at(pages, looking, name, scheme):
    size, rows = _rows(looking.picture(pages / f"{name}.html", "#step=2&open=1", (600, 400), scheme))
    assert size == (600, 400)
    colours = {bytes(row[i : i + 3]) for row in rows[::7] for i in range(0, len(row), 3)}
    assert len(colours) > 50  # text and marks, not an empty sheet
    assert (sum(rows[1][-3:]) > 600) == (scheme == "light")


def _rows(png: bytes) -> tuple[tuple[int, int], list[bytearray]]:
    """The rows of a picture in PNG, three bytes a pixel."""
    width, height, _, kind = (int.from_bytes(png[a:b], "big") for a, b in ((16, 20), (20, 24), (24, 25), (25, 26)))
    channels = {2: 3, 6: 4}[kind]
    at, data = 8, b""
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    raw = zlib.decompress(data)
    stride = width * channels
    rows: list[bytearray] = []
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        above = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), above, channels)
        rows.append(above)
    if channels == 3:
        return (width, height), rows
    return (width, height), [bytearray(b for i, b in enumerate(row) if i % 4 < 3) for row in rows]


def _unfiltered(kind: int, row: bytearray, above: bytearray, channels: int) -> bytearray:
    """A row of a PNG without its filter (PNG specification, section 9)."""
    for i in range(len(row)) if kind else ():
        left = row[i - channels] if i >= channels else 0
        corner = above[i - channels] if i >= channels else 0
        up = above[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            estimate = left + up - corner
            guess = min((left, up, corner), key=lambda value: abs(estimate - value))
        row[i] = (row[i] + guess) & 255
    return row


def test_the_pages_are_where_the_browser_finds_them(pages):
    assert {path.stem for path in Path(pages).glob("*.html")} == set(PROGRAMS)


_BLOCKED = """<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><script>1</script>"""


@pytest.mark.parametrize("body", ["<script>console.log(1)</script>", "<script>nothing.at.all()</script>", _BLOCKED])
def test_what_the_browser_complains_of_is_seen(looking, tmp_path, body):
    page = tmp_path / "page.html"
    page.write_text(f"<!DOCTYPE html><html><head><title>x</title></head><body>{body}</body></html>", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"entryAdded|consoleAPICalled|exceptionThrown"):
        looking.document(page)
