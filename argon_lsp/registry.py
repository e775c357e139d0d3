"""Every request about one document, and what the server registers with it."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Feature
from argon_lsp.capabilities import (
    COMPLETION_TRIGGERS,
    DIAGNOSTICS,
    NAME,
    SIGNATURE_TRIGGERS,
    TOKEN_MODIFIERS,
    TOKEN_TYPES,
)
from argon_lsp.features import (
    call_hierarchy_incoming,
    call_hierarchy_outgoing,
    code_action,
    completion,
    completion_resolve,
    declaration,
    definition,
    document_highlight,
    document_link,
    document_symbol,
    folding_range,
    formatting,
    hover,
    implementation,
    inlay_hint,
    prepare_call_hierarchy,
    prepare_rename,
    prepare_type_hierarchy,
    range_formatting,
    references,
    rename,
    selection_range,
    semantic_tokens,
    semantic_tokens_delta,
    semantic_tokens_range,
    signature_help,
    type_definition,
    type_hierarchy_subtypes,
    type_hierarchy_supertypes,
)

FEATURES: tuple[Feature, ...] = (
    call_hierarchy_incoming,
    call_hierarchy_outgoing,
    code_action,
    completion,
    completion_resolve,
    declaration,
    definition,
    document_highlight,
    document_link,
    document_symbol,
    folding_range,
    formatting,
    hover,
    implementation,
    inlay_hint,
    prepare_call_hierarchy,
    prepare_rename,
    prepare_type_hierarchy,
    range_formatting,
    references,
    rename,
    selection_range,
    semantic_tokens,
    semantic_tokens_delta,
    semantic_tokens_range,
    signature_help,
    type_definition,
    type_hierarchy_subtypes,
    type_hierarchy_supertypes,
)

_LEGEND = lsp.SemanticTokensLegend(list(TOKEN_TYPES), list(TOKEN_MODIFIERS))

PULLED = lsp.DiagnosticOptions(
    inter_file_dependencies=DIAGNOSTICS["interFileDependencies"] is True,
    workspace_diagnostics=DIAGNOSTICS["workspaceDiagnostics"] is True,
    identifier=NAME,
)

OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(
        trigger_characters=list(COMPLETION_TRIGGERS), resolve_provider=True
    ),
    lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: lsp.SignatureHelpOptions(trigger_characters=list(SIGNATURE_TRIGGERS)),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: _LEGEND,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: _LEGEND,
}


def document_of(params: Any) -> str:
    """The document that a request is about: its own, or that of the answer whose item it goes on from."""
    uri: str = params.text_document.uri if hasattr(params, "text_document") else _earlier(params)["document"]
    return uri


def _earlier(params: Any) -> dict[str, Any]:
    found: dict[str, Any] = convert.data(getattr(params, "item", params))
    return found
