"""A folder of its own for a case that reads and writes files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["in_new_folder"]


@contextmanager
def in_new_folder() -> Iterator[str]:
    """Work in a new folder, whose path is given and which is gone afterwards."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)
