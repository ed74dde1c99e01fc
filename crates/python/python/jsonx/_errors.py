"""Results and exceptions, written in Python."""

from __future__ import annotations

from collections.abc import Sequence
from json import JSONDecodeError
from typing import Any, Literal, NamedTuple, NoReturn, final


class _Attributes:
    """Attributes that cannot be changed, and that ``dict`` can read.

    Not a dataclass, because ``import dataclasses`` takes 5 ms, which every start of the command would pay.
    """

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot change attribute {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete attribute {name!r}")

    def keys(self) -> list[str]:
        return [name for name in self.__dict__ if not name.startswith("_")]

    def __getitem__(self, name: str, /) -> Any:
        return self.__dict__[name]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(repr(self))


@final
class Finding(_Attributes):
    """An error, or a lint of valid JSON: ``str()`` shows it with its line and a caret.

    >>> import jsonx
    >>> finding = jsonx.validate('{"a": 1,}')[0]
    >>> finding.code, finding.line, finding.column, finding.pos
    ('trailing-comma', 1, 8, 7)
    >>> print(finding)
    error[trailing-comma]: trailing comma in object
     --> 1:8
      |
    1 | {"a": 1,}
      |        ^ remove this comma
    """

    code: str
    """The code, for ``jsonx explain``: ``trailing-comma``, ``schema/required``."""
    severity: Literal["error", "warning"]
    message: str
    """The error in one line."""
    label: str
    """The label at the caret."""
    pos: int
    """The start, in code points."""
    end: int
    """The end, in code points."""
    line: int
    """The line, from 1."""
    column: int
    """The column in code points, from 1."""
    path: str
    """The JSON Pointer of the value."""
    record: int | None
    """The line of JSON Lines, from 1; ``None`` for other texts."""
    notes: list[str]
    """Additional information."""
    help: list[str]
    """Suggestions."""
    sure: bool
    """Whether the fix is unambiguous; ``False`` for a guess, and without a fix."""
    fix: list[tuple[int, int, str]] | None
    """The fix as a list of edits ``(pos, end, text)``; ``None`` if there is none."""
    _shown: object
    """The text of ``str()``, or what renders it."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_shown": str(self)}

    def __str__(self) -> str:
        return str(self._shown)

    def __repr__(self) -> str:
        return f"<Finding {self.severity}[{self.code}] {self.line}:{self.column}: {self.message}>"


@final
class Change(_Attributes):
    """A change that ``fix`` made."""

    pos: int
    """The start, in code points."""
    end: int
    """The end, in code points."""
    line: int
    """The line, from 1."""
    column: int
    """The column in code points, from 1."""
    before: str
    """The removed text, at most 32 characters."""
    after: str
    """The inserted text, at most 32 characters."""
    why: str
    """The error in one line."""
    code: str
    """The code, for ``jsonx explain``."""
    sure: bool
    """Whether it is unambiguous; ``False`` if it was assumed."""

    def __str__(self) -> str:
        how = "sure" if self.sure else "assumed"
        return f"{self.line}:{self.column}: {self.why}: `{self.before}` -> `{self.after}` ({how})"

    def __repr__(self) -> str:
        return f"<Change {self}>"


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
