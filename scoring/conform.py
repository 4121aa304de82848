"""Do the columns of a Parquet file hold what the row schema of their config says? Types, nulls and closed lists.

Texts and lists may come in any of Arrow's layouts (dictionary, large, view); they are brought into the plain one.
"""

from contextlib import contextmanager

from scoring import schemas
from scoring.errors import UserError
from scoring.parquet import BadParquet

SHOWN = 3


class BadColumn(ValueError):
    """A column that is not as its schema has it; the message names it and says what was expected."""


@contextmanager
def told(path):
    """Turn a fault of a release's file into a UserError that names it."""
    try:
        yield
    except (BadParquet, BadColumn) as error:
        raise UserError(f"{path}: {error}") from error


def conform(table, config, columns=None):
    """The table with every column in the plain layout of its schema's type.

    Args:
        columns: the columns that it was read for; None for all of the schema, and no other.

    Raises:
        BadColumn: when a column is absent, of another type, or holds a null or a value that its schema does not allow.
    """
    schema = schemas.load(schemas.schema_name(config, "row"))
    wanted, found = set(schema["required"] if columns is None else columns), set(table.column_names)
    if wanted != found:
        told = "lacks the columns" if wanted - found else "holds more than the columns"
        raise BadColumn(f"{told} of {config}: {', '.join(sorted(wanted - found or found - wanted))}")
    for place, name in enumerate(table.column_names):
        node, column = schema["properties"][name], table.column(place)
        plain = _plain(name, column, node, schema)
        for chunk in plain.chunks:
            _check_values(name, chunk, node, schema)
        if plain is not column:
            table = table.set_column(place, name, plain)
    if "id" in found and len(table.column("id").unique()) != table.num_rows:
        raise BadColumn("an id stands twice")
    return table


def _plain(name, column, node, schema):
    import pyarrow as pa

    if not _is_kind(column.type, node, schema):
        raise BadColumn(f"the column {name!r} is of the type {column.type}, expected {_arrow(node, schema)}")
    try:
        column.validate(full=True)
        return column if _is_kind(column.type, node, schema, plain=True) else column.cast(_arrow(node, schema))
    except pa.ArrowException as error:
        raise BadColumn(f"the column {name!r} cannot be read as {_arrow(node, schema)} ({error})") from error


def _resolved(node, schema):
    reference = node.get("$ref")
    return schema["$defs"][reference.rpartition("/")[2]] if reference else node


def _kind(node):
    """The JSON type that a schema node is of, "null" aside; closed lists are of texts."""
    kinds = node.get("type", "string")
    return kinds if isinstance(kinds, str) else next(kind for kind in kinds if kind != "null")


def _is_kind(found, node, schema, *, plain=False):
    """Whether an Arrow type is of a schema node's kind, in the plain layout or, by default, in any."""
    from pyarrow import types

    node = _resolved(node, schema)
    kind = _kind(node)
    if kind == "array":
        layouts = (types.is_list,) if plain else (types.is_list, types.is_large_list, types.is_fixed_size_list)
        fits = any(is_layout(found) for is_layout in layouts)
        return fits and _is_kind(found.value_type, node["items"], schema, plain=plain)
    if kind == "object":
        inner = {found.field(i).name: found.field(i).type for i in range(found.num_fields)}
        return types.is_struct(found) and all(
            key in inner and _is_kind(inner[key], node["properties"][key], schema, plain=plain)
            for key in node["required"]
        )
    if kind == "string" and not plain:
        found = found.value_type if types.is_dictionary(found) else found
        return types.is_string(found) or types.is_large_string(found) or types.is_string_view(found)
    if kind == "number" and not plain and types.is_integer(found):
        return True
    is_scalar = {"string": "is_string", "integer": "is_integer", "number": "is_floating", "boolean": "is_boolean"}[kind]
    return getattr(types, is_scalar)(found) or types.is_null(found) and _is_optional(node)


def _is_optional(node):
    return "null" in node.get("type", ())


def _arrow(node, schema):
    """The plain Arrow type of a schema node."""
    import pyarrow as pa

    node = _resolved(node, schema)
    kind = _kind(node)
    if kind == "array":
        return pa.list_(_arrow(node["items"], schema))
    if kind == "object":
        return pa.struct([(key, _arrow(node["properties"][key], schema)) for key in node["required"]])
    return {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}[kind]


def _check_values(name, array, node, schema):
    """Raise BadColumn for a null where none may be, or a text outside a closed list, at any depth."""
    node = _resolved(node, schema)
    if array.null_count and not _is_optional(node):
        raise BadColumn(f"the column {name!r} holds a null, where its schema wants a value")
    if "enum" in node:
        strange = sorted(set(array.unique().to_pylist()) - {*node["enum"], None})
        if strange:
            shown = ", ".join(repr(text[:80]) for text in strange[:SHOWN])
            raise BadColumn(f"the column {name!r} holds {shown}; expected one of {', '.join(node['enum'])}")
    kind = _kind(node)
    if kind == "array":
        _check_values(f"{name}[]", array.flatten(), node["items"], schema)
    elif kind == "object":
        for key in node["required"]:
            _check_values(f"{name}.{key}", array.field(key), node["properties"][key], schema)
