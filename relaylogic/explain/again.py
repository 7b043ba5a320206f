"""An inference once more, recorded: for those who ask how its result came about.

A result keeps an `Again`, which knows how it was made, and makes a `Recorded` of it the first time somebody asks. What
answers then is imported then: it takes as long as all else that a typed program needs to start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import RelayLogicError
from ..host.governor import LimitReached, limits, paced
from ..host.uncollected import uncollected
from ..infer.program import Inference
from ..infer.results.reasons import DerivationTable, Why
from ..infer.results.recording import Recording
from ..infer.results.steps import Step, steps_of

if TYPE_CHECKING:
    from ..ir import IRModule
    from ..rulebase import RuleBase
    from .places.derivations import Derivations
    from .places.places import Places
    from .why.reasons import Reasons

__all__ = ["Again", "Recorded"]


class Again:
    """How an inference was made: its rule base, whether closed types were wanted, the limit that stopped it.

    It goes where its result goes, but for the inference that was `made`; the rule base is loaded there when it is
    needed.
    """

    def __init__(
        self,
        rules: RuleBase | bytes | None,
        closed: bool,
        monomorphic: bool,
        reached: LimitReached | None = None,
        made: Inference | None = None,
    ) -> None:
        self._rules = rules
        self._closed = closed
        self._monomorphic = monomorphic
        self._reached = reached
        self._made = made

    def __call__(self, module: IRModule) -> Recorded:
        """What there is to ask about the inference of the module."""
        infer = None if self._reached is not None else partial(self._infer, module)
        return Recorded(partial(self._record, module), self._made, infer)

    def _record(self, module: IRModule, recorded: Recorded) -> None:
        """Infer the module again, up to the same limit. Raises RuleError if the rule base cannot be loaded here."""
        if self._reached is None:
            self._infer(module, recorded)
            return
        try:
            with limits(**{self._reached.limit: self._reached.value}):  # type: ignore[arg-type]
                self._infer(module, recorded)
        except LimitReached:
            pass

    def _infer(self, module: IRModule, recorded: Recorded | None = None) -> Inference:
        if isinstance(self._rules, bytes):
            import pickle

            self._rules = pickle.loads(self._rules)
        begun, recording = (None, None) if recorded is None else (recorded.begins, recorded.recording)
        rules: Any = self._rules
        return Inference(module, rules, self._closed, self._monomorphic, begun=begun, recording=recording)

    def of(self, made: Inference) -> Again:
        """The same for an inference that is there."""
        return Again(self._rules, self._closed, self._monomorphic, self._reached, made)

    def stopped(self, reached: LimitReached) -> Again:
        """The same for an inference that a limit has stopped."""
        return Again(self._rules, self._closed, self._monomorphic, reached)

    def __reduce__(self) -> Any:
        import pickle  # only those who send results about need it

        rules = self._rules
        carried = rules if rules is None or isinstance(rules, bytes) else pickle.dumps(rules)
        return (Again, (carried, self._closed, self._monomorphic, self._reached))


class Recorded:
    """An inference that is recorded, with what there is to ask it.

    It is recorded now, or by `record` when somebody asks for what only a recording can tell. `made` is the same
    inference where it was made already, without a recording, `infer` makes it: the places that force a type are found
    in that one.
    """

    def __init__(
        self,
        record: Callable[[Recorded], None] | None = None,
        made: Inference | None = None,
        infer: Callable[[], Inference] | None = None,
    ) -> None:
        self.recording = Recording()
        self.inference: Inference | None = None
        self._record = record
        self._is_recorded = record is None  # from the beginning: what is answered does not depend on what was asked
        self._made = made
        self._infer = infer
        self._reasons: Reasons | None = None

    def begins(self, inference: Inference) -> None:
        """Take note of the inference that is recorded: it has begun."""
        self.inference = inference

    def derivations(self) -> DerivationTable:
        """The derivations of all expressions that the inference has met."""
        inference = self._recorded()
        if inference is None:
            return DerivationTable()
        from .places.derivations import Derivations

        return Derivations(inference, self.recording).all()

    def why(self, expr: Any, part: str, thorough: bool, patient: bool) -> Why:
        """Why an expression has its type, or a part of it. Raises RelayLogicError if it has none, or no such part."""
        with uncollected():
            if self._reasons is None:
                self._reasons = self._asked()
            return self._reasons.why(expr, part, thorough, patient)

    def _asked(self) -> Reasons:
        inference = self._made
        if inference is None:
            inference = self._recorded() if self._infer is None or self._record is None else self._infer()
        if inference is None:
            raise RelayLogicError("inference has met no expression")
        from .places.said import Said
        from .why.reasons import Reasons

        said = Said(inference, inference.what_if, brief=True)
        return Reasons(said, partial(self._derivations, said.places), self._is_recorded)

    def _derivations(self, places: Places) -> Derivations:
        from .places.derivations import Derivations

        inference = self._recorded()
        assert inference is not None  # it was made before
        return Derivations(inference, self.recording, places)

    def steps(self) -> Iterator[Step]:
        """The steps of the inference, in order."""
        self._recorded()
        return iter(paced(steps_of(self.recording), 32))

    def _recorded(self) -> Inference | None:
        """The inference that is recorded; None if there was none."""
        if self._record is not None:
            self.recording, self.inference = Recording(), None
            self._record(self)
            self._record = None
        return self.inference
