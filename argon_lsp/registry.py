"""Every request about one document, and what the server registers with it."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from argon_lsp import convert
from argon_lsp.asking import Feature
from argon_lsp.capabilities import (
    ACTION_KINDS,
    COMPLETION_TRIGGERS,
    DIAGNOSTICS,
    MOVED,
    NAME,
    SIGNATURE_TRIGGERS,
    TOKEN_MODIFIERS,
    TOKEN_TYPES,
    TYPED_TRIGGERS,
)
from argon_lsp.features import (
    call_hierarchy_incoming,
    call_hierarchy_outgoing,
    code_action,
    code_action_resolve,
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
    on_type_formatting,
    prepare_call_hierarchy,
    prepare_rename,
    prepare_type_hierarchy,
    range_formatting,
    ranges_formatting,
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
    code_action_resolve,
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
    on_type_formatting,
    prepare_call_hierarchy,
    prepare_rename,
    prepare_type_hierarchy,
    range_formatting,
    ranges_formatting,
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


def _pattern(glob: str, matches: str) -> lsp.FileOperationPattern:
    return lsp.FileOperationPattern(glob, lsp.FileOperationPatternKind(matches))


OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(code_action_kinds=list(ACTION_KINDS), resolve_provider=True),
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(
        trigger_characters=list(COMPLETION_TRIGGERS), resolve_provider=True
    ),
    lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING: lsp.DocumentOnTypeFormattingOptions(
        first_trigger_character=TYPED_TRIGGERS[0], more_trigger_character=list(TYPED_TRIGGERS[1:])
    ),
    lsp.WORKSPACE_WILL_RENAME_FILES: lsp.FileOperationRegistrationOptions(
        [lsp.FileOperationFilter(_pattern(**each), "file") for each in MOVED]
    ),
    lsp.TEXT_DOCUMENT_RANGE_FORMATTING: lsp.DocumentRangeFormattingOptions(ranges_support=True),
    lsp.WORKSPACE_SYMBOL: lsp.WorkspaceSymbolOptions(resolve_provider=True),
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
