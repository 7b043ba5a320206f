"""The code of programs that were made ahead, as Python compiled it: what takes longest of the first use of a program.

It is for one version of Python, and as safe as the folder that the file is in: what stands there is run. So it is only
read from the package's own folder.
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

from .python import compiled, function_of

__all__ = ["function", "write_codes"]


def write_codes(path: Path, texts: Iterable[str]) -> None:
    """Write the code of programs. Raises OSError."""
    body = marshal.dumps({text: marshal.dumps(compile(text, "<answer>", "exec")) for text in texts})
    path.write_bytes(_head(body) + body)


@lru_cache(1024)
def function(path: str, text: str) -> Callable[[list[int]], Any]:
    """As `compiled`, the function that a program defines whose code may be in a file.

    Raises ValueError or SyntaxError for another text.
    """
    code = None
    with suppress(OSError):
        code = _read(path).get(text)
    return compiled(text) if code is None else function_of(marshal.loads(code))


@lru_cache(256)
def _read(path: str) -> dict[str, bytes]:
    """The codes in a file by their texts; it is read once by a process, as modules are. Raises OSError."""
    size, content = len(_head(b"")), Path(path).read_bytes()
    codes: dict[str, bytes] = marshal.loads(content[size:]) if content[:size] == _head(content[size:]) else {}
    return codes


def _head(body: bytes) -> bytes:
    """The version of Python, and a check of what follows."""
    return MAGIC_NUMBER + zlib.crc32(body).to_bytes(4, "big")
