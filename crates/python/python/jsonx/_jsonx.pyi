from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, final

from jsonx._errors import Finding, Fixed

_Text: TypeAlias = str | bytes | bytearray | memoryview
_Dialect: TypeAlias = Literal["json", "jsonc", "json5", "jsonl"]
_Lint: TypeAlias = Literal[
    "duplicate-key", "unsafe-integer", "number-range", "lone-surrogate", "byte-order-mark"
]

__version__: str

@final
class Schema:
    def __new__(
        cls, schema: _Text | PathLike[str] | dict[str, Any] | bool, *, schema_root: str | PathLike[str] | None = None
    ) -> Schema: ...

@final
class Document:
    def __new__(cls, text: _Text, dialect: Literal["json", "jsonc"] = "jsonc") -> Document: ...
    @property
    def text(self) -> str: ...
    def get(self, path: str, default: Any = None) -> Any: ...
    def set(self, path: str, value: object, parents: bool = False) -> None: ...
    def delete(self, path: str) -> None: ...
    def append(self, path: str, value: object) -> None: ...
    def move(self, source: str, target: str) -> None: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def __setitem__(self, key: str, value: object, /) -> None: ...
    def __delitem__(self, key: str, /) -> None: ...
    def __contains__(self, key: str, /) -> bool: ...

@final
class Lines:
    @property
    def rejects(self) -> Rejects: ...
    @property
    def rejected(self) -> int: ...
    def take_rejects(self) -> Rejects: ...
    @property
    def schema(self) -> dict[str, Any]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Rejects:
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Program:
    def __new__(cls, program: str, /, **variables: Any) -> Program: ...
    def run(self, data: Any) -> Iterator[Any]: ...

@final
class Reader:
    def __new__(cls, *, repair: bool = False) -> Reader: ...
    def feed(self, text: _Text) -> list[Any]: ...
    def finish(self) -> list[Any]: ...

class _Reads(Protocol):
    def read(self, length: int, /) -> bytes | str: ...

class _HasArrowTypes(Protocol):
    @property
    def names(self) -> list[str]: ...

def read_lines(
    source: str
    | PathLike[str]
    | Sequence[str | PathLike[str]]
    | bytes
    | bytearray
    | memoryview
    | _Reads,
    schema: Mapping[str, object] | _HasArrowTypes | None = None,
    columns: Sequence[str] | None = None,
    rejects: Literal["reject", "null", "error"] | None = None,
    threads: int | None = None,
    *,
    check_all: bool = False,
    coerce: bool = False,
    zone: str | None = None,
    epoch: Literal["s", "ms", "us", "ns"] | None = None,
) -> Lines: ...
def fix(
    text: _Text, guesses: bool = True, *, max_input: int | None = 67108864
) -> Fixed: ...
def jq(program: str, /, **variables: Any) -> Program: ...
def loads(
    text: _Text,
    repair: bool = False,
    partial: bool | Literal["off", "on", "trailing-strings"] = False,
    *,
    max_input: int | None = 67108864,
    object_hook: Callable[[dict[str, Any]], Any] | None = None,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
    parse_float: Callable[[str], Any] | None = None,
    parse_int: Callable[[str], Any] | None = None,
    strict: bool = True,
) -> Any: ...
def raw_decode(text: _Text, idx: int = 0) -> tuple[Any, int]: ...
def validate(
    data: _Text | PathLike[str],
    dialect: _Dialect | None = None,
    schema: Schema | _Text | PathLike[str] | dict[str, Any] | bool | None = None,
    lints: bool | Literal["all"] | Iterable[_Lint] | None = None,
    *,
    schema_root: str | PathLike[str] | None = None,
) -> list[Finding]: ...
def format(
    text: _Text,
    *,
    indent: int | Literal["\t"] | None = 2,
    width: int | None = None,
    sort_keys: bool = False,
    ascii: bool = False,
    canonical: bool = False,
    dialect: Literal["json", "jsonc"] = "json",
) -> str: ...
def diff(
    old: _Text,
    new: _Text,
    *,
    key: str | None = None,
    ignore: Sequence[str] = (),
    sets: Sequence[str] = (),
    exact: bool = False,
) -> list[dict[str, Any]]: ...
def patch(text: _Text, patch: _Text | Sequence[object] | dict[str, Any]) -> str: ...
def run(arguments: Sequence[str]) -> int: ...
