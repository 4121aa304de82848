"""The columns of a config as a tree: what Arrow says of their types, and the row schema of their meaning."""

from dataclasses import dataclass

import pyarrow as pa

from scoring import schemas

DTYPES = {
    pa.string(): "string",
    pa.bool_(): "bool",
    pa.int32(): "int32",
    pa.int64(): "int64",
    pa.float64(): "float64",
}


@dataclass(frozen=True)
class Column:
    """One column, or one field of a struct: `dtype` as `datasets` names it, or None for a struct with its `parts`."""

    name: str
    dtype: str | None
    repeated: bool
    description: str
    parts: tuple = ()


def of(config, arrow):
    """The Columns of a config, from its row schema and the Arrow schema of its data."""
    schema = schemas.load(schemas.schema_name(config, "row"))
    return tuple(_column(field, schema["properties"].get(field.name, {}), schema) for field in arrow)


def shape(columns):
    """The nested names of Columns, as `shape_of_schema` gives those of a row schema."""
    return {column.name: shape(column.parts) for column in columns}


def shape_of_schema(config):
    """The nested names of a config's row schema."""
    schema = schemas.load(schemas.schema_name(config, "row"))
    return _names(schema, schema)


def features(columns):
    """The Columns as `features` of a card's `dataset_info`."""
    return [{"name": column.name, **_feature(column)} for column in columns]


def _feature(column):
    inner = features(column.parts) if column.parts else column.dtype
    if column.repeated:
        return {"list": inner}
    return {"struct" if column.parts else "dtype": inner}


def _column(field, described, schema):
    described = _resolved(described, schema)
    repeated = pa.types.is_list(field.type)
    inner = field.type.value_type if repeated else field.type
    holder = _resolved(described.get("items", {}), schema) if repeated else described
    text = described.get("description", "")
    if not pa.types.is_struct(inner):
        return Column(field.name, DTYPES[inner], repeated, text)
    known = holder.get("properties", {})
    parts = tuple(_column(part, known.get(part.name, {}), schema) for part in inner)
    return Column(field.name, None, repeated, text, parts)


def _names(described, schema):
    holder = _resolved(described, schema)
    holder = _resolved(holder.get("items", holder), schema)
    return {name: _names(part, schema) for name, part in holder.get("properties", {}).items()}


def _resolved(described, schema):
    """A part of a row schema with its `$ref` (always into `$defs`) followed."""
    reference = described.get("$ref")
    return schema["$defs"][reference.removeprefix("#/$defs/")] if reference else described
