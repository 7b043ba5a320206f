"""What this process says of the cases on standard input: the other process of `campaign.compare_hash_seeds`."""

from __future__ import annotations

import json
import sys

from .kinds import all_kinds


def main() -> None:
    """Read [[kind, case], ...], write the summaries."""
    kinds = all_kinds()
    cases = json.load(sys.stdin)
    # From the last to the first: what was asked before must not matter either.
    said = [kinds[name].summary(bytes.fromhex(case) if name == "onnx" else case) for name, case in reversed(cases)]
    json.dump(said[::-1], sys.stdout)


if __name__ == "__main__":
    main()
