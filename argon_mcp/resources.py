"""Resources: the catalog, whole and by code; the module that serves and its declarations, whole and one by one."""

from __future__ import annotations

import json
from urllib.parse import unquote

from mcp_types import Resource, ResourceTemplate, TextResourceContents

from argon_mcp.handle import Json, Refused, RuntimeHandle
from shared_catalog import page

CATALOG = "argon://diagnostics/catalog"
CODE_PREFIX = "argon://diagnostics/"
CODE_TEMPLATE = "argon://diagnostics/{code}"
MODULE = "argon://module"
SCHEMA_PREFIX = "argon://schema/"
SCHEMA_INDEX = "argon://schema/index"
SCHEMA_TEMPLATE = "argon://schema/{path}"
"""A declaration that is called `index` has its path only: `argon://schema/pkg::index`."""

STANDPOINTS = "argon://standpoints"
TIERS = "argon://tiers"
PUBLISHED = (MODULE, SCHEMA_INDEX)
"""What changes when another module begins to serve."""

_JSON, _MARKDOWN = "application/json", "text/markdown"

RESOURCES = (
    Resource(
        uri=CATALOG,
        name="catalog",
        title="Diagnostic catalog",
        description="Every diagnostic and run-time code with its title and status (live, reserved or retired).",
        mime_type=_JSON,
    ),
    Resource(
        uri=MODULE,
        name="module",
        title="The module that serves",
        description="Package, module hash, inputs digest, store and generation; how much of each kind is declared.",
        mime_type=_JSON,
    ),
    Resource(
        uri=SCHEMA_INDEX,
        name="schema-index",
        title="Declarations",
        description="Concepts, relations, predicates, queries, mutations, checks and functions with their signatures.",
        mime_type=_JSON,
    ),
    Resource(
        uri=STANDPOINTS,
        name="standpoints",
        title="The standpoint lattice",
        description="Each standpoint with those above it, the layers that its view reads, and its checks.",
        mime_type=_JSON,
    ),
    Resource(
        uri=TIERS,
        name="tiers",
        title="Decidability tiers",
        description="The tier of every derived predicate, query and check of the module that serves.",
        mime_type=_JSON,
    ),
)

TEMPLATES = (
    ResourceTemplate(
        uri_template=CODE_TEMPLATE,
        name="diagnostic",
        title="One diagnostic code",
        description="What a code means, why it is refused, an example and its fix.",
        mime_type=_MARKDOWN,
    ),
    ResourceTemplate(
        uri_template=SCHEMA_TEMPLATE,
        name="declaration",
        title="One declaration",
        description="What a name stands for, by path or short name: signature, parts, docs and place.",
        mime_type=_JSON,
    ),
)


class NoResource(Exception):
    """No resource has this URI."""


async def read(uri: str, handle: RuntimeHandle) -> TextResourceContents:
    """The contents of a resource. Raises NoResource, and Refused when the runtime cannot say."""
    if uri == CATALOG:
        return _json(uri, catalog(handle))
    if uri == MODULE:
        return _json(uri, await handle.ask("module", {}, _nobody))
    if uri == SCHEMA_INDEX:
        return _json(uri, await handle.ask("schema", {}, _nobody))
    if uri in (STANDPOINTS, TIERS):
        part = {"construct": uri.removeprefix("argon://")}
        return _json(uri, await handle.ask("epistemics", part, _nobody))
    if uri.startswith(SCHEMA_PREFIX):
        return _json(uri, await _declaration(uri, handle))
    entry = handle.entry(uri.removeprefix(CODE_PREFIX)) if uri.startswith(CODE_PREFIX) else None
    if entry is None:
        raise NoResource(uri)
    return TextResourceContents(uri=uri, mime_type=_MARKDOWN, text=page.as_markdown(entry))


def catalog(handle: RuntimeHandle) -> dict[str, Json]:
    """Every code in short."""
    kept = ("code", "name", "severity", "status", "category", "title")
    entries = [entry for code in handle.codes() if (entry := handle.entry(code)) is not None]
    codes = [{key: row[key] for key in kept} | {"reserved": row["status"] == "reserved"} for row in entries]
    return {"schemaVersion": "1.0", "codes": codes}


async def _declaration(uri: str, handle: RuntimeHandle) -> dict[str, Json]:
    try:
        return await handle.ask("lookup", {"name": unquote(uri.removeprefix(SCHEMA_PREFIX))}, _nobody)
    except Refused as refused:
        if refused.body["code"] == "ARGON_RUNTIME_NOT_FOUND":
            raise NoResource(uri) from refused
        raise


def _json(uri: str, body: dict[str, Json]) -> TextResourceContents:
    return TextResourceContents(uri=uri, mime_type=_JSON, text=json.dumps(body, ensure_ascii=False, indent=1))


def _nobody(_: str) -> None:
    return None
