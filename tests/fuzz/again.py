"""What this process says of the cases on standard input: the other process of `campaign.compare_hash_seeds`."""

from __future__ import annotations

import json
import sys

from .kinds import all_kinds


def main() -> None:
    """Read [[kind, case], ...], write the summaries."""
    kinds = all_kinds()
    cases = json.load(sys.stdin)
    said = [kinds[name].summary(bytes.fromhex(case) if name == "onnx" else case) for name, case in cases]
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main()
