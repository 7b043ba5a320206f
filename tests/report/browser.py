"""A headless browser, if the machine has one: the document that it makes of a page, and a picture."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

HOW = (
    "no headless browser is installed, so nobody has looked at the report's page: on Debian or Ubuntu "
    "`apt-get install chromium`, or name one in RELAYLOGIC_BROWSER (Chromium or Chrome)"
)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@cache
def browser() -> str | None:
    """The program of a browser."""
    return os.environ.get("RELAYLOGIC_BROWSER") or next(filter(None, map(shutil.which, _NAMES)), None)


needs_browser = pytest.mark.skipif(browser() is None, reason=HOW)


def asked(page: Path, fragment: str, *options: str, size: str = "1400,1000") -> str:
    """What the browser prints when it is asked for a page at a fragment of its address (`#step=3`)."""
    found = browser()
    assert found is not None
    command = [found, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={size}"]
    command += ["--enable-logging=stderr", f"--user-data-dir={page.parent / 'profile'}", *options]
    command.append(f"{page.as_uri()}{fragment}")
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not console, console
    return done.stdout


def document(page: Path, fragment: str = "") -> str:
    """The document as the script of the page leaves it."""
    return asked(page, fragment, "--dump-dom")


def picture(page: Path, fragment: str, target: Path, *options: str, size: str) -> bytes:
    """A picture of the page, as PNG; `size` is that of the window, in pixels."""
    asked(page, fragment, f"--screenshot={target}", *options, size=size)
    return target.read_bytes()
