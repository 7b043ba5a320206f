"""`python -m relaylogic` and the script `relaylogic`: the command line, which may be interrupted while it is loaded."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave the process."""
    try:
        from .cli import main as command
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    command()


if __name__ == "__main__":
    main()
