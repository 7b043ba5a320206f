"""Why a program is refuted: its errors, its conflicts and its corrections, each worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ..host.once import cached_property
from ..host.uncollected import uncollected
from ..infer.results.result import Places, Problem
from .blame.behind import independent
from .blame.claims import label_of, problem_of
from .blame.declarations import misdeclared
from .blame.diagnosis import Diagnosis, beside
from .blame.faults import are_cured, diagnosed
from .blame.miscounted import Miscounted, miscounted
from .conflicts.minimal import Conflicts
from .places.apart import apart
from .places.said import Part, Said

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.sites.site import Site

__all__ = ["Explained"]

MOST_PARTS = 50
"""Of how many parts of a program that have nothing to do with each other the faults are looked for."""


class Explained:
    """What a refuted inference is refuted for, worked out when it is asked for."""

    def __init__(self, inference: Inference, further: Inference, refusal: Callable[[Inference, Site], Problem]) -> None:
        self._inference = inference
        self._further = further
        self._refusal = refusal

    @cached_property
    def _said(self) -> Said:
        return Said(self._inference, self._inference.what_if, self._further)

    @cached_property
    def _search(self) -> Conflicts:
        return Conflicts(self._said)

    @cached_property
    def _apart(self) -> list[Said]:
        """The parts of the program that have nothing to do with each other."""
        return apart(self._said)

    @cached_property
    def _searches(self) -> list[Conflicts]:
        """Those for conflicts in each part: none is in two."""
        return [self._search] if len(self._apart) == 1 else [Conflicts(part) for part in self._apart]

    @cached_property
    def _miscounted(self) -> list[Miscounted]:
        """The functions that have a parameter too many or too few."""
        return miscounted(self._inference, self._refusal)

    @cached_property
    def _called_wrongly(self) -> Part:
        """The calls of these."""
        calls = (call for found in self._miscounted for call in found.calls)
        return Part(i for call in calls for i in self._said.places.at(call) if not self._said.places.all[i].is_use)

    @cached_property
    def _parts(self) -> list[tuple[Said, list[Diagnosis]]]:
        """The parts, each with its faults besides."""
        parts = self._apart[:MOST_PARTS]
        if self._called_wrongly:
            parts = [part.opened(self._called_wrongly) for part in parts]
            parts = [part for part in parts if part.refused(part.all)]
        return [(part, diagnosed(part)) for part in parts]

    @property
    def _diagnosed(self) -> list[Diagnosis]:
        return [diagnosis for _, found in self._parts for diagnosis in found]

    def errors(self) -> list[Problem]:
        """One error for each fault, in the order of the text; then what only shows behind those."""
        with uncollected():  # it would collect after each of many inferences, which make no cycles
            return self._told()

    def _told(self) -> list[Problem]:
        for found in self._miscounted:
            if not found.left:
                return [found.problem]
        errors = self._errors()
        is_plain = len(errors) == 1 and are_cured(self._said, self._diagnosed)
        declared = None if is_plain else misdeclared(self._inference, errors)
        return errors if declared is None else [declared]

    def _errors(self) -> list[Problem]:
        found = self._diagnosed
        errors = [
            problem_of(d, part, beside(part, its, d), partial(self._refusal, self._inference))
            for part, its in self._parts
            for d in its
        ]
        errors += [wrong.problem for wrong in self._miscounted]
        errors += [problem for d in found for problem in self._besides(d, errors)]
        errors += self._malformed(errors)
        known = {diagnosis.site.identity for diagnosis in found}
        # Where another place is blamed than the refused call, its result is no longer in doubt, but what is behind is.
        doubtful = {diagnosis.best.place.owner for diagnosis in found if not diagnosis.is_own}
        behind = [
            site
            for site in independent(self._inference, self._further)
            if site.identity not in known and site.owner not in doubtful
        ]
        if behind and are_cured(self._said, found):
            behind = []  # it is refused for what the refused calls were taken to give
        errors.sort(key=lambda error: error.span.start if error.span is not None else -1)
        told = {error.span for error in errors}  # what is wrong itself may be wrong for what asks for it, too
        more = (self._refusal(self._further, site) for site in behind)
        return errors + [problem for problem in more if problem.span is None or problem.span not in told]

    def _malformed(self, told: list[Problem]) -> list[Problem]:
        """What is wrong whatever the types are, and not told yet: nothing else explains it."""
        known = {(problem.message, problem.span) for problem in told}
        sites = [site for site in self._inference.failed() if site.state == "malformed"]
        problems = [self._refusal(self._inference, site) for site in sites]
        return [problem for problem in dict.fromkeys(problems) if (problem.message, problem.span) not in known]

    def _besides(self, diagnosis: Diagnosis, told: list[Problem]) -> Iterator[Problem]:
        """What else is wrong with an annotation that is wrong on its own: it may be ill-kinded in several parts."""
        if len(diagnosis.conflict) > 1 or diagnosis.best.place.kind not in ("annotation", "result"):
            return
        known = {problem.message for problem in told}
        for site in self._said.refused(diagnosis.conflict):
            problem = self._refusal(self._inference, site)
            if problem.message not in known and site.expr is diagnosis.site.expr:
                known.add(problem.message)
                yield problem

    def conflicts(self) -> Iterator[Places]:
        """The minimal conflicts."""
        for search in self._searches:
            yield from map(self._shown, search.each_conflict())

    def corrections(self) -> Iterator[Places]:
        """The minimal corrections, first one of the places that the errors blame."""
        with uncollected():
            blamed = self._called_wrongly.union(*(diagnosis.best.blamed for diagnosis in self._diagnosed))
            first = self._corrected(blamed)
        yield self._shown(first)
        yield from (self._shown(part) for part in self._search.each_correction() if part != first)

    def _corrected(self, blamed: Part) -> Part:
        """A minimal correction, among some places as far as these are one: of each part, as none has to do with another
        one."""
        found = Part()
        for search in self._searches:
            its = search.corrected(blamed & search.said.all)
            found |= next(search.each_correction(), found) if its is None else its
        return found

    def _shown(self, part: Part) -> Places:
        labels = [label_of(self._said.places.all[i], self._inference) for i in sorted(part)]
        return Places(tuple(sorted(labels, key=lambda label: -1 if label.span is None else label.span.start)))
