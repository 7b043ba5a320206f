"""`python -m relaylogic.ahead`: the bytecode of all sources, and what stands in the folder `made` of the package."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from ..host.cache import made_folder
from ..rulebase.recipe import rules_folder
from .making import compile_sources, make

if __name__ == "__main__":
    compile_sources((Path(__file__).resolve().parent.parent, rules_folder()))
    with TemporaryDirectory() as scratch:
        os.environ["RELAYLOGIC_CACHE"] = scratch
        make(Path(scratch), made_folder())
