"""Converts schemas of pyarrow to the types of ``read_lines``."""

from __future__ import annotations

from typing import Any


def members(schema: Any) -> dict[str, object]:
    """The fields of a ``pyarrow.Schema``."""
    import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]

    if not isinstance(schema, pyarrow.Schema):
        raise TypeError(f"schema must be a dict or a pyarrow.Schema, not {type(schema).__name__}")
    return {field.name: _field(field) for field in schema}


def _field(field: Any) -> object:
    kind = _type(field.type)
    return kind if field.nullable else ("required", kind)


def _type(kind: Any) -> object:
    from pyarrow import types  # type: ignore[import-not-found, import-untyped, unused-ignore]

    if types.is_struct(kind):
        return {field.name: _field(field) for field in kind}
    if types.is_large_list(kind):
        return ("large_list", _field(kind.value_field))
    if types.is_list(kind):
        return [_field(kind.value_field)]
    if types.is_map(kind):
        return ("map", _field(kind.item_field))
    if types.is_dictionary(kind):
        return ("dictionary", str(kind.index_type))
    if "arrow.json" in str(kind):
        return "json"
    return str(kind)
