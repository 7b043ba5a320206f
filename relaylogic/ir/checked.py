"""The side table of inferred types: what `expr.checked_type` reads.

Keyed by node and weak in it, so that a program that nobody holds takes its types with it; types refer to no nodes.
Inference itself writes nothing here: `relaylogic.relay.transform.InferType` publishes a result, and the last one of a
node wins.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

__all__ = ["TYPES"]

TYPES: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
