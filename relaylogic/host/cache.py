"""What takes long to make, and is always the same, is kept in the user's cache folder from one process to the next.

The folder is `$RELAYLOGIC_CACHE` (nothing is kept if that is empty), else `relaylogic` in the platform's folder for
caches. A file there holds what it was made of, so that another version makes its own; what is damaged, or was made of
something else, is made again. A file is written beside its place and moved there, so that no reader ever sees half of
it. Where it cannot be written, nothing is kept, and nothing is said.

What the package's own files are enough for is made when it is installed (`relaylogic.ahead`): it stands in a folder of
the package, for those who have kept nothing yet.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from typing import Any

__all__ = ["kept", "made_folder", "path_of", "write_whole"]

MADE = Path(__file__).parent.parent / "made"
"""The folder of what was made when the package was installed."""

_FORM = 1
"""The form of the files; another one is made again."""


def kept(name: str, origin: str, make: Callable[[], Any]) -> Any:
    """Plain data that is made of `origin`, a text; kept as the file `name`. What was made is not None."""
    found = _known(name, origin)
    if found is None:
        found = make()
        _keep(name, origin, found)
    return found


def _known(name: str, origin: str) -> Any:
    """What is kept as the file `name`, if it was made of `origin`; else None."""
    for path in (path_of(f"{name}.json"), made_folder() / f"{name}.json"):
        if path is not None:
            with suppress(OSError, ValueError, RecursionError):
                return _read(path, origin)
    return None


def _keep(name: str, origin: str, data: Any) -> None:
    """Keep plain data that was made of `origin` as the file `name`."""
    path = path_of(f"{name}.json")
    if path is not None:
        with suppress(OSError):
            _write(path, origin, data)


def _read(path: Path, origin: str) -> Any:
    """The data in a file. Raises ValueError if it is another's, or damaged."""
    head, _, body = path.read_bytes().partition(b"\n")
    form, known, data = json.loads(body)
    if head != _head(body) or form != _FORM or known != origin:
        raise ValueError(path)
    return data


def _write(path: Path, origin: str, data: Any) -> None:
    body = json.dumps([_FORM, origin, data], separators=(",", ":")).encode()
    write_whole(path, _head(body) + b"\n" + body)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place, and move it there. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _head(body: bytes) -> bytes:
    """A check of what follows, for damage; who may write here may write anything."""
    return b"%08x" % zlib.crc32(body)


def made_folder() -> Path:
    """The folder of what was made when the package was installed."""
    return MADE


def path_of(file: str) -> Path | None:
    """Where a file of that name is kept; None if nothing is kept."""
    chosen = os.environ.get("RELAYLOGIC_CACHE")
    if chosen is not None:
        return Path(chosen, file) if chosen else None
    with suppress(RuntimeError):  # there is no home
        return _folder() / "relaylogic" / file
    return None


def _folder() -> Path:
    """The platform's folder for caches. Raises RuntimeError if there is none."""
    if sys.platform == "win32":
        given = os.environ.get("LOCALAPPDATA")
        return Path(given) if given else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME")
    return Path(given) if given and os.path.isabs(given) else Path.home() / ".cache"
