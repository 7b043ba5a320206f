"""`python -m relaylogic` and the script `relaylogic`: the command line, which may be interrupted while it is loaded.

The collector of cyclic garbage does not look through what is loaded, which lives as long as the process, nor through
all there is when that ends: that took a sixth of the time of a short command.
"""

from __future__ import annotations

import gc
import sys

from .host.unversioned import import_unification

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave the process."""
    gc.disable()
    try:
        import_unification()
        from .cli.commands import main as command
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    gc.freeze()
    gc.enable()
    try:
        command()
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
