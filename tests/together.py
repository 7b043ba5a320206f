"""Many short cases as one test: around each test pytest does more than some of them do."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["together"]


def together(names: str, cases: Iterable[Any], shown: Callable[[Any], object] = repr) -> Callable[[Any], Any]:
    """Decorator: as `pytest.mark.parametrize`, but one test of all cases. Each that fails is named, as `shown` says
    it, with the reason; the traceback is that of the first.

    `names` are the parameters that a case gives: of several, separated by commas, a case is a tuple.
    """
    given = [name.strip() for name in names.split(",")]
    listed = list(cases)

    def decorated(check: Callable[..., None]) -> Callable[..., None]:
        def test(**fixtures: Any) -> None:
            failures: list[tuple[str, Exception]] = []
            for case in listed:
                values = case if len(given) > 1 else (case,)
                try:
                    check(**dict(zip(given, values, strict=True)), **fixtures)
                except Exception as problem:
                    failures.append((f"{shown(case)}: {type(problem).__name__}: {problem}", problem))
            if failures:
                text = "\n".join(told for told, _ in failures)
                raise AssertionError(f"{len(failures)} of {len(listed)} cases fail:\n{text}") from failures[0][1]
            assert listed, "there are no cases"

        signature = inspect.signature(check)
        kept = [p.replace(kind=p.KEYWORD_ONLY) for name, p in signature.parameters.items() if name not in given]
        test.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorated
