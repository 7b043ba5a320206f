"""A headless browser, if the machine has one: the document that it makes of a page, and a picture.

It is asked in the words of the DevTools protocol (https://chromedevtools.github.io/devtools-protocol) through a pair of
pipes, so that one process looks at all pages of a file of tests.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HOW = (
    "no headless browser is installed, so nobody has looked at the report's page: on Debian or Ubuntu "
    "`apt-get install chromium`, or name one in RELAYLOGIC_BROWSER (Chromium or Chrome)"
)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe")
_ASKED, _TOLD = 3, 4
"""Where the browser reads what it is asked, and where it answers."""
_LOADED = "Page.loadEventFired"
_COMPLAINTS = ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
_PATIENCE = 120  # seconds


@cache
def browser() -> str | None:
    """The program of a browser."""
    return os.environ.get("RELAYLOGIC_BROWSER") or next(filter(None, map(shutil.which, _NAMES)), None)


needs_browser = [
    pytest.mark.skipif(os.name != "posix", reason="asks the browser through pipes that a POSIX system passes on"),
    pytest.mark.skipif(browser() is None, reason=HOW),
]


class Browser:
    """A process of the browser; what it keeps is in a folder. Each page is looked at in a tab of its own."""

    def __init__(self, folder: Path) -> None:
        program = browser()
        assert program is not None
        (read, self._to), (self._from, write) = _pipe(), _pipe()
        output = os.open(folder / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        given = [(os.POSIX_SPAWN_DUP2, read, _ASKED), (os.POSIX_SPAWN_DUP2, write, _TOLD)]
        given += [(os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, output, 2)]
        command = [program, *_OPTIONS, f"--user-data-dir={folder / 'profile'}", "about:blank"]
        self._process = os.posix_spawn(program, command, os.environ, file_actions=given)
        for end in (read, write, output):
            os.close(end)
        self._output = folder / "output"
        self._number = 0
        self._rest = b""
        self._events: list[dict[str, Any]] = []

    def document(self, page: Path, fragment: str = "") -> str:
        """The document as the script of the page leaves it, at a fragment of its address (`#step=3`)."""
        return str(self._looked(page, fragment, "Runtime.evaluate", expression=_DOCUMENT)["result"]["value"])

    def picture(self, page: Path, fragment: str, size: tuple[int, int], scheme: str) -> bytes:
        """A picture of the page in a colour scheme, as PNG; `size` is that of the window, in pixels."""
        return base64.b64decode(self._looked(page, fragment, "Page.captureScreenshot", size, scheme)["data"])

    def close(self) -> None:
        """End the process; it must end well."""
        self._ask("Browser.close")
        until = time.monotonic() + _PATIENCE
        ended, status = os.waitpid(self._process, os.WNOHANG)
        while not ended and time.monotonic() < until:
            time.sleep(0.01)
            ended, status = os.waitpid(self._process, os.WNOHANG)
        if not ended:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        os.close(self._to)
        os.close(self._from)
        assert ended and status == 0, self._output.read_text()[-2000:]

    def _looked(
        self,
        page: Path,
        fragment: str,
        method: str,
        size: tuple[int, int] = (1400, 1000),
        scheme: str = "light",
        **asked: Any,
    ) -> dict[str, Any]:
        """What is said of a page that is loaded, and of which the browser has nothing to complain."""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        tab = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self._ask(f"{part}.enable", tab)
        width, height = size
        self._ask(
            "Emulation.setDeviceMetricsOverride", tab, width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._ask("Emulation.setEmulatedMedia", tab, features=features)
        self._events.clear()
        self._ask("Page.navigate", tab, url=f"{page.as_uri()}{fragment}")
        while not any(event["method"] == _LOADED for event in self._events):
            self._hear()
        found = self._ask(method, tab, **asked)
        complaints = [event for event in self._events if event["method"] in _COMPLAINTS]
        self._ask("Target.closeTarget", targetId=target)
        assert not complaints, complaints
        return found

    def _ask(self, method: str, tab: str | None = None, **params: Any) -> Any:
        self._number += 1
        asked = {"id": self._number, "method": method, "params": params, **({} if tab is None else {"sessionId": tab})}
        os.write(self._to, json.dumps(asked).encode() + b"\0")
        while (found := self._hear()).get("id") != self._number:
            pass
        assert "error" not in found, (method, found["error"])
        return found["result"]

    def _hear(self) -> dict[str, Any]:
        """The next that the browser says; what it says unasked is kept."""
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], _PATIENCE)
            more = os.read(self._from, 1 << 20) if ready else b""
            assert more, self._output.read_text()[-2000:]
            self._rest += more
        said, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(said)
        if "method" in found:
            self._events.append(found)
        return found


_DOCUMENT = "document.documentElement.outerHTML"


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are none of the numbers that the browser has for them."""
    import fcntl  # not every system has it

    ends = os.pipe()
    read, write = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _TOLD + 1) for end in ends)
    for end in ends:
        os.close(end)
    return read, write
