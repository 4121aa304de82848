"""The row form of subject_inference (SPIA; TAB for spans), shared by the generator and by `import-spia`."""

import pyarrow as pa

from scoring import schemas

NAME = "subject_inference"
PREFIX = "si"
ROW_SCHEMA = schemas.schema_name(NAME, "row")

_SPAN = [pa.field("start", pa.int32(), False), pa.field("end", pa.int32(), False)]

ENTITY = pa.struct(
    [
        *_SPAN,
        pa.field("text", pa.string(), False),
        pa.field("entity_type", pa.string(), False),
        pa.field("identifier_type", pa.string(), False),
        pa.field("entity_id", pa.string(), False),
        pa.field("subject_id", pa.string(), False),
    ]
)

PII = pa.struct(
    [
        pa.field("tag", pa.string(), False),
        pa.field("value", pa.string(), False),
        pa.field("aliases", pa.list_(pa.string()), False),
        pa.field("broader", pa.list_(pa.string()), False),
        pa.field("certainty", pa.int32(), False),
        pa.field("hardness", pa.int32(), False),
        pa.field("derivation", pa.string(), False),
        pa.field("evidence", pa.list_(pa.struct(_SPAN)), False),
    ]
)

SUBJECT = pa.struct(
    [
        pa.field("subject_id", pa.string(), False),
        pa.field("description", pa.string(), False),
        pa.field("pii", pa.list_(PII), False),
    ]
)

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("domain", pa.string(), False),
        pa.field("language", pa.string(), False),
        pa.field("document_date", pa.string(), False),
        pa.field("text", pa.string(), False),
        pa.field("target_subject", pa.string(), False),
        pa.field("entities", pa.list_(ENTITY), False),
        pa.field("subjects", pa.list_(SUBJECT), False),
    ]
)


def tags():
    """The fifteen tags, in the order of the row schema."""
    return tuple(schemas.load(ROW_SCHEMA)["$defs"]["tag"]["enum"])
