"""Who asks a module for a name: `from ... import name` says nothing of why one is missing, unless the module does."""

from __future__ import annotations

import sys
from dis import opmap

__all__ = ["missing"]

_PACKAGE = __name__.partition(".")[0]


def missing(problem: AttributeError) -> AttributeError | ImportError:
    """What to raise for a name that a module of ours lacks: the error, or an ImportError that says the same where the
    name is imported."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
    return ImportError(str(problem)) if frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"] else problem
