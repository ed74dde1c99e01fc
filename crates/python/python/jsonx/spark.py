"""JSON in a column of a Spark DataFrame, with the rejected records.

>>> import jsonx.spark
>>> rows = jsonx.spark.parse(spark.read.text("logs/*.jsonl"), "id long, name string")  # doctest: +SKIP
>>> rows.where("reject is null").select("id").show()  # doctest: +SKIP
>>> rows.where("reject is not null").select("reject.*").show()  # doctest: +SKIP
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

_REJECT = ("path", "code", "message", "record")


def parse(df: DataFrame, schema: str | StructType, column: str = "value", rejects: bool = True) -> DataFrame:
    """The values of a column of JSON texts, one row for each: the fields of ``schema``, and with ``rejects`` the struct ``reject``.

    ``reject`` is null for a record that was read. For one that is broken or does not fit, the other columns are null, and ``reject``
    has the path, a code, a message and the record; without ``rejects`` such records are skipped. Texts that are null or blank make
    no rows. The order within a partition may change.
    """
    from pyspark.sql import types  # type: ignore[import-not-found, unused-ignore]

    parsed: Any = types.StructType.fromDDL(schema) if isinstance(schema, str) else schema
    fields = [types.StructField(field.name, field.dataType, True) for field in parsed.fields]
    if rejects:
        texts = [types.StructField(name, types.StringType(), True) for name in _REJECT]
        fields.append(types.StructField("reject", types.StructType(texts), True))
    output = types.StructType(fields)
    work = _Work(_arrow(parsed), _arrow(output), rejects)
    return df.select(column).mapInArrow(work, output)


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

    def __init__(self, wanted: Any, output: Any, rejects: bool) -> None:
        self.wanted, self.output, self.rejects = wanted, output, rejects

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]

        import jsonx

        for batch in batches:
            texts = batch.column(0)
            lines = jsonx.read_lines(_joined(texts), self.wanted, threads=1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                table = pyarrow.table(lines)
            columns = [chunks.cast(field.type) for chunks, field in zip(table.columns, self.output)]
            if self.rejects:
                columns.append(pyarrow.nulls(len(table), self.output.field("reject").type))
            yield from pyarrow.table(columns, schema=self.output).to_batches()
            if self.rejects and lines.rejected:
                yield from self._rejected(pyarrow.table(lines.rejects), texts).to_batches()

    def _rejected(self, rejects: Any, texts: Any) -> Any:
        """Rows of nulls with the rejects of a batch; the records are those of the batch."""
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
        import pyarrow.compute  # type: ignore[import-not-found, import-untyped, unused-ignore]

        rejects = rejects.combine_chunks()
        # Each text is one line.
        rows = pyarrow.compute.subtract(rejects.column("line"), pyarrow.scalar(1, pyarrow.uint64()))
        records = texts.take(rows.combine_chunks()).cast(pyarrow.binary())
        records = [record.decode("utf-8", "replace") for record in records.to_pylist()]
        rejects = rejects.set_column(rejects.column_names.index("record"), "record", pyarrow.array(records, pyarrow.string()))
        kind = self.output.field("reject").type
        members = [rejects.column(field.name).combine_chunks().cast(field.type) for field in kind]
        columns = [pyarrow.nulls(len(rejects), field.type) for field in self.output][:-1]
        columns.append(pyarrow.StructArray.from_arrays(members, fields=list(kind)))
        return pyarrow.table(columns, schema=self.output)


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
