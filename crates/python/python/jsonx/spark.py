"""JSON in a column of a Spark DataFrame, with the rejected records.

>>> import jsonx.spark
>>> rows = jsonx.spark.parse(spark.read.text("logs/*.jsonl"), "id long, name string")  # doctest: +SKIP
>>> rows.where("reject is null").select("parsed.id").show()  # doctest: +SKIP
>>> rows.where("reject is not null").select("value", "reject.*").show()  # doctest: +SKIP
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Not installed where types are checked, or without types.
    from pyspark.sql import DataFrame  # type: ignore[import-not-found, unused-ignore]
    from pyspark.sql.types import StructType  # type: ignore[import-not-found, unused-ignore]

__all__ = ["parse"]

_REJECT = ("path", "code", "message")


def parse(df: DataFrame, schema: str | StructType, column: str = "value", rejects: bool = True) -> DataFrame:
    """The rows of ``df``, in their order, with the struct ``parsed``: the fields of ``schema``, from the JSON text in ``column``.

    ``parsed`` is null if the text is null, blank or broken, or does not fit. With ``rejects``, the struct ``reject`` has the path, a
    code and a message for each text that is broken or does not fit, and is null for all others.

    Raises ``ValueError`` if ``df`` has a column ``parsed`` or ``reject``, or none called ``column``, or if a type of ``schema`` cannot
    be read from JSON.
    """
    from pyspark.sql import types  # type: ignore[import-not-found, unused-ignore]

    wanted: Any = types.StructType.fromDDL(schema) if isinstance(schema, str) else schema
    if column not in df.columns:
        raise ValueError(f"there is no column {column!r}, only {', '.join(df.columns)}")
    added = [types.StructField("parsed", _nullable(wanted), True)]
    if rejects:
        texts = [types.StructField(name, types.StringType(), True) for name in _REJECT]
        added.append(types.StructField("reject", types.StructType(texts), True))
    for field in added:
        if field.name in df.columns:
            raise ValueError(f"there is already a column {field.name!r}: rename it before the call")
    output = types.StructType([*df.schema.fields, *added])
    work = _Work(_checked(wanted), _arrow(output), df.columns.index(column), rejects)
    return df.mapInArrow(work, output)


def _nullable(schema: Any) -> Any:
    """The fields of a schema, each of which may be null."""
    from pyspark.sql import types  # type: ignore[import-not-found, unused-ignore]

    return types.StructType([types.StructField(field.name, field.dataType, True) for field in schema.fields])


def _checked(schema: Any) -> Any:
    """The Arrow schema of records.

    Raises ``ValueError``: a type cannot be read from JSON.
    """
    import jsonx

    for field in schema.fields:
        try:
            jsonx.read_lines(b"", _arrow(type(schema)([field])))
        except Exception as error:
            raise ValueError(f"the field {field.name!r}, {field.dataType.simpleString()}, cannot be read from JSON: {error}") from error
    return _arrow(schema)


def _arrow(schema: Any) -> Any:
    """The schema as Spark passes it to Python."""
    from pyspark.sql.pandas.types import to_arrow_schema  # type: ignore[import-not-found, unused-ignore]

    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:
        # Before PySpark 4.1, it is always UTC.
        return to_arrow_schema(schema)


class _Work:
    """The work on a partition, on a node."""

    def __init__(self, wanted: Any, output: Any, column: int, rejects: bool) -> None:
        self.wanted, self.output, self.column, self.rejects = wanted, output, column, rejects

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
        import pyarrow.compute as compute  # type: ignore[import-not-found, import-untyped, unused-ignore]

        import jsonx

        for batch in batches:
            texts = batch.column(self.column)
            lines = jsonx.read_lines(_joined(texts), self.wanted, threads=1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                table = pyarrow.table(lines).combine_chunks()
            rejects = pyarrow.table(lines.rejects).combine_chunks()
            # Each text is one line. A blank one makes neither a record nor a reject.
            rows = pyarrow.array(range(len(texts)), pyarrow.uint64())
            lines_rejected = compute.subtract(rejects.column("line"), pyarrow.scalar(1, pyarrow.uint64()))
            reject_of = compute.index_in(rows, value_set=lines_rejected)
            is_filled = compute.fill_null(compute.match_substring_regex(texts, "[^ \t\r\n]"), False)
            is_parsed = compute.and_(is_filled, compute.is_null(reject_of))
            numbers = compute.cumulative_sum(is_parsed.cast(pyarrow.int64()))
            if len(texts) and numbers[-1].as_py() != len(table):
                raise RuntimeError(f"{len(table)} records in {numbers[-1]} texts; please report this")
            record_of = compute.if_else(is_parsed, compute.subtract(numbers, 1), pyarrow.scalar(None, pyarrow.int64()))
            columns = [column.cast(field.type) for column, field in zip(batch.columns, self.output)]
            columns.append(_struct(table, record_of, self.output.field("parsed").type))
            if self.rejects:
                columns.append(_struct(rejects, reject_of, self.output.field("reject").type))
            yield pyarrow.RecordBatch.from_arrays(columns, schema=self.output)


def _struct(table: Any, indices: Any, kind: Any) -> Any:
    """A struct for each index: the fields of that row of a table; null for no index."""
    import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]

    fields = [kind.field(at) for at in range(kind.num_fields)]
    members = [table.column(field.name).take(indices).combine_chunks().cast(field.type) for field in fields]
    return pyarrow.StructArray.from_arrays(members, fields=fields, mask=indices.is_null())


def _joined(column: Any) -> bytes:
    """The texts of a column as lines. A line feed becomes a carriage return: both are white space in JSON, and invalid in strings."""
    import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
    import pyarrow.compute  # type: ignore[import-not-found, import-untyped, unused-ignore]

    if len(column) == 0:
        return b""
    column = pyarrow.compute.fill_null(column.cast(pyarrow.large_binary()), b"")
    if pyarrow.compute.any(pyarrow.compute.match_substring(column, b"\n")).as_py():
        column = pyarrow.compute.replace_substring(column, b"\n", b"\r")
    whole = pyarrow.LargeListArray.from_arrays([0, len(column)], column)
    joined: bytes = pyarrow.compute.binary_join(whole, pyarrow.scalar(b"\n", pyarrow.large_binary()))[0].as_py()
    return joined
