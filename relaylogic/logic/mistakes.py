"""What goes wrong in a rule's own Python, which is told as an error about the rule."""

from __future__ import annotations

from ..errors import RelayLogicError

__all__ = ["MISTAKES", "RuleError", "misasked"]

MISTAKES = (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError)
"""What a rule's own Python raises when it trips over an attribute that it did not expect."""


class RuleError(RelayLogicError):
    """A rule file that cannot be loaded, one that contradicts what is loaded, or a rule that cannot be asked."""


def misasked(name: str, problem: Exception) -> RuleError:
    """One of `MISTAKES` as an error about the relation, or the part of one, of that name."""
    reason = f"{type(problem).__name__}: {problem}"
    return RuleError(f"relation `{name}` cannot be asked with these attributes ({reason})")
