"""An inference once more, recorded: for those who ask how its result came about.

A result keeps an `Again`, which knows how it was made, and makes a `Recorded` of it the first time somebody asks. What
answers then is imported then: it takes as long as all else that a typed program needs to start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import RelayLogicError
from ..governor import LimitReached, limits, paced
from ..infer.program import Inference
from ..infer.reasons import DerivationTable, Why
from ..infer.recording import Recording
from ..infer.steps import Step, steps_of

if TYPE_CHECKING:
    from ..ir import IRModule
    from ..rulebase import RuleBase
    from .why import Reasons

__all__ = ["Again", "Recorded"]


class Again:
    """How an inference was made: its rule base, whether closed types were wanted, the limit that stopped it.

    It goes where its result goes; the rule base is loaded there when it is needed.
    """

    def __init__(
        self, rules: RuleBase | bytes | None, closed: bool, monomorphic: bool, reached: LimitReached | None = None
    ) -> None:
        self._rules = rules
        self._closed = closed
        self._monomorphic = monomorphic
        self._reached = reached

    def __call__(self, module: IRModule) -> Recorded:
        """Infer the module again, up to the same limit. Raises RuleError if the rule base cannot be loaded here."""
        if isinstance(self._rules, bytes):
            import pickle

            self._rules = pickle.loads(self._rules)
        recorded = Recorded()
        if self._reached is None:
            self._infer(module, recorded)
            return recorded
        try:
            with limits(**{self._reached.limit: self._reached.value}):  # type: ignore[arg-type]
                self._infer(module, recorded)
        except LimitReached:
            pass
        return recorded

    def _infer(self, module: IRModule, recorded: Recorded) -> None:
        Inference(
            module,
            self._rules,  # type: ignore[arg-type]
            self._closed,
            self._monomorphic,
            begun=recorded.begins,
            recording=recorded.recording,
        )

    def stopped(self, reached: LimitReached) -> Again:
        """The same for an inference that a limit has stopped."""
        return Again(self._rules, self._closed, self._monomorphic, reached)

    def __reduce__(self) -> Any:
        import pickle  # only those who send results about need it

        rules = self._rules
        carried = rules if rules is None or isinstance(rules, bytes) else pickle.dumps(rules)
        return (Again, (carried, self._closed, self._monomorphic, self._reached))


class Recorded:
    """An inference that was recorded, with what there is to ask it."""

    def __init__(self) -> None:
        self.recording = Recording()
        self.inference: Inference | None = None
        self._reasons: Reasons | None = None

    def begins(self, inference: Inference) -> None:
        """Take note of the inference that is recorded: it has begun."""
        self.inference = inference

    def derivations(self) -> DerivationTable:
        """The derivations of all expressions that the inference has met."""
        if self.inference is None:
            return DerivationTable()
        from .derivations import Derivations

        return Derivations(self.inference, self.recording).all()

    def why(self, expr: Any, part: str) -> Why:
        """Why an expression has its type, or a part of it. Raises RelayLogicError if it has none, or no such part."""
        if self.inference is None:
            raise RelayLogicError("inference has met no expression")
        if self._reasons is None:
            from .conflicts import Said
            from .derivations import Derivations
            from .why import Reasons

            said = Said(self.inference, self.inference.what_if)
            if said.places.is_long:
                said.bundle()  # there, attributes are parts of their calls
            self._reasons = Reasons(said, Derivations(self.inference, self.recording, said.places))
        return self._reasons.why(expr, part)

    def steps(self) -> Iterator[Step]:
        """The steps of the inference, in order."""
        return iter(paced(steps_of(self.recording), 32))
