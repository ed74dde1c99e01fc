"""Repairs, checks, edits and reads JSON, and reports every change.

>>> import jsonx
>>> text, changes = jsonx.fix("{'name': 'Ada', age: 36,}")
>>> text
'{"name": "Ada", "age": 36}'
>>> print(changes[0])
1:2: JSON strings use double quotes, not single quotes: `'name'` -> `"name"` (sure)
>>> jsonx.loads('{"a": 1}')
{'a': 1}
"""

from jsonx._errors import Change, Finding, Fixed, JSONError
from jsonx._jsonx import (
    Document,
    Lines,
    Program,
    Reader,
    Rejects,
    Schema,
    __version__,
    diff,
    fix,
    format,
    jq,
    loads,
    patch,
    raw_decode,
    read_lines,
    validate,
)

__all__ = [
    "Change",
    "Document",
    "Finding",
    "Fixed",
    "JSONError",
    "Lines",
    "Program",
    "Reader",
    "Rejects",
    "Schema",
    "__version__",
    "diff",
    "fix",
    "format",
    "jq",
    "loads",
    "patch",
    "raw_decode",
    "read_lines",
    "validate",
]
