"""Makes ahead what takes long to make when the package is built or installed (`relaylogic.ahead`).

Without it everything works, and the first use of each operator takes longer: so where it fails, that is said, no more.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AheadHook(BuildHookInterface):  # type: ignore[type-arg]
    """Fills the folder `relaylogic/made`, and has a wheel take it along."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run before a wheel is built, or an editable one."""
        told = subprocess.run(
            [sys.executable, "-m", "relaylogic.ahead"],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": os.pathsep.join((self.root, *sys.path))},
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode:
            self.app.display_warning(f"nothing was made ahead:\n{told.stderr}")
        build_data["artifacts"].append("relaylogic/made/*")
