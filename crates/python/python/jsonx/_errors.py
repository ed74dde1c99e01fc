"""Results and exceptions, written in Python."""

from __future__ import annotations

from collections.abc import Sequence
from json import JSONDecodeError
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jsonx._jsonx import Change, Finding


class JSONError(JSONDecodeError):
    """A text that is not JSON, or does not fit the operation: ``str()`` shows the first error with its line and a caret.

    A ``ValueError`` with ``msg``, ``doc``, ``pos``, ``lineno`` and ``colno``, like that of ``json``; ``findings`` has every error of
    the text.

    >>> import jsonx
    >>> try:
    ...     jsonx.loads('{"a": 1,}')
    ... except jsonx.JSONError as error:
    ...     print(error.lineno, error.colno, error.pos)
    ...     print(error)
    1 8 7
    error[trailing-comma]: trailing comma in object
     --> 1:8
      |
    1 | {"a": 1,}
      |        ^ remove this comma
    """

    findings: Sequence[Finding]

    def __init__(
        self,
        msg: str,
        doc: str = "",
        pos: int = 0,
        findings: Sequence[Finding] = (),
        place: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(msg, doc, pos)
        if place is not None:
            self.lineno, self.colno = place
        self.findings = findings

    def __reduce__(self) -> tuple[object, ...]:
        place = (self.lineno, self.colno)
        return type(self), (self.msg, self.doc, self.pos, list(self.findings), place)

    def __str__(self) -> str:
        if self.findings:
            return str(self.findings[0])
        return super().__str__() if self.doc else self.msg


class Fixed(NamedTuple):
    """The result of ``fix``."""

    text: str
    """The valid text."""
    changes: list[Change]
    """The changes, in the order of the text."""
