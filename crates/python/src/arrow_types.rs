//! The types of a schema, in Python's notation.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use jsonx_arrow::json_field;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyTuple};

/// The deepest nesting of a schema: reading recurses over it.
const DEEPEST: usize = 100;

/// The schema of a `dict` of names and types, or of a schema of pyarrow.
pub fn schema(object: &Bound<'_, PyAny>) -> PyResult<Schema> {
    let given;
    let members = match object.cast::<PyMapping>() {
        Ok(members) => members,
        Err(_) => {
            let py = object.py();
            given = py
                .import("jsonx._pyarrow")?
                .call_method1("members", (object,))?;
            given.cast::<PyMapping>()?
        }
    };
    Ok(Schema::new(fields(members, 0)?))
}

fn fields(members: &Bound<'_, PyMapping>, depth: usize) -> PyResult<Vec<Field>> {
    let items = members.items()?;
    let field_of = |item: Bound<'_, PyAny>| {
        let (name, kind): (String, Bound<'_, PyAny>) = item.extract()?;
        field(&name, &kind, true, depth)
    };
    items.iter().map(field_of).collect()
}

fn field(name: &str, kind: &Bound<'_, PyAny>, nullable: bool, depth: usize) -> PyResult<Field> {
    if depth > DEEPEST {
        let message = format!("schema is nested more than {DEEPEST} levels deep");
        return Err(PyValueError::new_err(message));
    }
    let depth = depth + 1;
    let of_type = |kind| Ok(Field::new(name, kind, nullable));
    if let Ok(text) = kind.cast::<PyString>() {
        return match text.to_str()? {
            "json" => Ok(json_field(name, nullable)),
            text => of_type(scalar(text)?),
        };
    }
    if let Ok(members) = kind.cast::<PyMapping>() {
        return of_type(DataType::Struct(fields(members, depth)?.into()));
    }
    if let Ok(list) = kind.cast::<PyList>()
        && list.len() == 1
    {
        return of_type(DataType::List(Arc::new(field(
            "item",
            &list.get_item(0)?,
            true,
            depth,
        )?)));
    }
    let wrong = || PyTypeError::new_err(format!("field {name:?}: {kind} is not a type"));
    let (what, kind): (String, Bound<'_, PyAny>) = match kind.cast::<PyTuple>() {
        Ok(pair) => pair.extract().map_err(|_| wrong())?,
        Err(_) => return Err(wrong()),
    };
    match &*what {
        "required" => field(name, &kind, false, depth),
        "large_list" => of_type(DataType::LargeList(Arc::new(field(
            "item", &kind, true, depth,
        )?))),
        "map" => {
            let entries = vec![
                Field::new("key", DataType::Utf8, false),
                field("value", &kind, true, depth)?,
            ];
            let entries = Field::new("entries", DataType::Struct(entries.into()), false);
            of_type(DataType::Map(Arc::new(entries), false))
        }
        "dictionary" => {
            let key = scalar(&kind.extract::<String>()?)?;
            of_type(DataType::Dictionary(key.into(), DataType::Utf8.into()))
        }
        _ => Err(wrong()),
    }
}

/// A unit of time.
pub fn unit_named(name: &str) -> Option<TimeUnit> {
    Some(match name {
        "s" => TimeUnit::Second,
        "ms" => TimeUnit::Millisecond,
        "us" => TimeUnit::Microsecond,
        "ns" => TimeUnit::Nanosecond,
        _ => return None,
    })
}

/// A type without parameters, by its name in pyarrow.
fn scalar(name: &str) -> PyResult<DataType> {
    let unknown = || PyValueError::new_err(format!("unsupported type {name:?}"));
    let (base, parameters) = match name.split_once(['[', '(']) {
        Some((base, parameters)) => (base, parameters.trim_end_matches([']', ')'])),
        None => (name, ""),
    };
    if !parameters.is_empty() && !matches!(base, "timestamp" | "decimal" | "decimal128") {
        return Err(unknown());
    }
    Ok(match base {
        "null" => DataType::Null,
        "bool" => DataType::Boolean,
        "int8" => DataType::Int8,
        "int16" => DataType::Int16,
        "int32" => DataType::Int32,
        "int64" => DataType::Int64,
        "uint8" => DataType::UInt8,
        "uint16" => DataType::UInt16,
        "uint32" => DataType::UInt32,
        "uint64" => DataType::UInt64,
        "float16" | "halffloat" => DataType::Float16,
        "float32" | "float" => DataType::Float32,
        "float64" | "double" => DataType::Float64,
        "string" | "utf8" => DataType::Utf8,
        "large_string" | "large_utf8" => DataType::LargeUtf8,
        "string_view" | "utf8_view" => DataType::Utf8View,
        "date32" => DataType::Date32,
        "date64" => DataType::Date64,
        "timestamp" => {
            let (unit, zone) = match parameters.split_once(',') {
                Some((unit, zone)) => (unit, zone.trim().strip_prefix("tz=").map(Arc::from)),
                None => (parameters, None),
            };
            DataType::Timestamp(unit_named(unit).ok_or_else(unknown)?, zone)
        }
        "decimal" | "decimal128" => {
            let numbers = parameters.split_once(',');
            let (precision, scale) = numbers.ok_or_else(unknown)?;
            let parsed = (precision.trim().parse(), scale.trim().parse());
            let (Ok(precision), Ok(scale)) = parsed else {
                return Err(unknown());
            };
            DataType::Decimal128(precision, scale)
        }
        _ => return Err(unknown()),
    })
}

/// A schema in the notation that [`schema`] takes.
pub fn notation<'py>(py: Python<'py>, fields: &Fields) -> PyResult<Bound<'py, PyDict>> {
    let members = PyDict::new(py);
    for field in fields {
        members.set_item(field.name(), kind_of(py, field)?)?;
    }
    Ok(members)
}

/// The type of a field. Recurses over a schema, which is at most [`DEEPEST`] levels deep.
fn kind_of<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyAny>> {
    if !field.is_nullable() {
        let optional = field.clone().with_nullable(true);
        return Ok(("required", kind_of(py, &optional)?)
            .into_pyobject(py)?
            .into_any());
    }
    if *field == json_field(field.name(), true) {
        return Ok(PyString::new(py, "json").into_any());
    }
    Ok(match field.data_type() {
        DataType::Struct(fields) => notation(py, fields)?.into_any(),
        DataType::List(item) => PyList::new(py, [kind_of(py, item)?])?.into_any(),
        DataType::LargeList(item) => {
            let item = kind_of(py, item)?;
            ("large_list", item).into_pyobject(py)?.into_any()
        }
        DataType::Map(entries, _) => {
            let value = match entries.data_type() {
                DataType::Struct(fields) if fields.len() == 2 => kind_of(py, &fields[1])?,
                _ => py.None().into_bound(py),
            };
            ("map", value).into_pyobject(py)?.into_any()
        }
        DataType::Dictionary(key, _) => ("dictionary", scalar_name(key))
            .into_pyobject(py)?
            .into_any(),
        kind => PyString::new(py, &scalar_name(kind)).into_any(),
    })
}

/// The name of a type without parameters in pyarrow, which [`scalar`] reads.
fn scalar_name(kind: &DataType) -> String {
    let name = match kind {
        DataType::Boolean => "bool",
        DataType::Utf8 => "string",
        DataType::LargeUtf8 => "large_string",
        DataType::Utf8View => "string_view",
        DataType::Timestamp(unit, zone) => {
            let unit = match unit {
                TimeUnit::Second => "s",
                TimeUnit::Millisecond => "ms",
                TimeUnit::Microsecond => "us",
                TimeUnit::Nanosecond => "ns",
            };
            return match zone {
                Some(zone) => format!("timestamp[{unit}, tz={zone}]"),
                None => format!("timestamp[{unit}]"),
            };
        }
        DataType::Decimal128(precision, scale) => {
            return format!("decimal128({precision}, {scale})");
        }
        other => return other.to_string().to_ascii_lowercase(),
    };
    name.to_owned()
}
