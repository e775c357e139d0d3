"""What the server can do, as the answer to `initialize`: plain data that needs nothing imported.

The editor waits for this answer before it does anything else, so it is given before the protocol library, whose types
take several hundred milliseconds to import, is loaded. A test holds it against the features that are registered and
against the capabilities that pygls computes from them.
"""

from __future__ import annotations

from argon_lang.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from argon_lang.text import Encoding

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
NAME = "argon"
COMPLETION_TRIGGERS = (".", ":")
SIGNATURE_TRIGGERS = ("(", ",")
DIAGNOSTICS = {"identifier": NAME, "interFileDependencies": True, "workspaceDiagnostics": True}
COMMANDS = (
    "argon.runTest", "argon.runQuery", "argon.build", "argon.explainFact", "argon.showProof", "argon.explainCode",
)  # fmt: skip
PAGES = "argon"
"""The scheme of documents that are nowhere on disk."""

TYPED_TRIGGERS = ("}", ";", "\n")
MOVED = ({"glob": "**/*.ar", "matches": "file"}, {"glob": "**", "matches": "folder"})
"""What files and folders we want to be told of before they get other names."""

ACTION_KINDS = (
    "quickfix", "refactor", "refactor.extract", "refactor.inline", "source.fixAll", "source.organizeImports",
)  # fmt: skip
TOKEN_TYPES = (
    "namespace", "type", "class", "interface", "struct", "enum", "enumMember", "function", "method", "event",
    "parameter", "variable", "property", "keyword", "comment", "string", "number",
)  # fmt: skip
TOKEN_MODIFIERS = ("declaration", "readonly", "defaultLibrary", "documentation")
"""The legend of semantic tokens: that of `argon_lang.ide.tokens`, which is not imported here; a test compares them."""


def position_encoding(params: Mapping[str, Any]) -> Encoding:
    """The first encoding of the client that we know; UTF-16 when it names none, as the protocol has it."""
    general = params.get("capabilities", {}).get("general")
    offered = general.get("positionEncodings") if isinstance(general, dict) else None
    return next((known for each in offered or () for known in ENCODINGS if known == each), "utf-16")


def _prepares(params: Mapping[str, Any]) -> bool:
    """Whether the client asks before it renames: only such a one takes the form of the answer that says so."""
    document = params.get("capabilities", {}).get("textDocument")
    rename = document.get("rename") if isinstance(document, dict) else None
    return isinstance(rename, dict) and rename.get("prepareSupport") is True


def pulls(params: Mapping[str, Any]) -> bool:
    """Whether the client is to fetch diagnostics: only one that fetches them again when it is told to.

    Else an edit of one file would leave what the client shows of the others as it was.
    """
    document, workspace = (params.get("capabilities", {}).get(each) for each in ("textDocument", "workspace"))
    refresh = workspace.get("diagnostics") if isinstance(workspace, dict) else None
    fetches = isinstance(document, dict) and isinstance(document.get("diagnostic"), dict)
    return fetches and isinstance(refresh, dict) and refresh.get("refreshSupport") is True


def _told_of_moves(params: Mapping[str, Any]) -> dict[str, Any]:
    """That we want to hear of files before they are renamed, to a client that would tell us."""
    workspace = params.get("capabilities", {}).get("workspace")
    operations = workspace.get("fileOperations") if isinstance(workspace, dict) else None
    if not isinstance(operations, dict) or operations.get("willRename") is not True:
        return {}
    return {
        "fileOperations": {"willRename": {"filters": [{"scheme": "file", "pattern": dict(each)} for each in MOVED]}}
    }


def initialize_result(params: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to `initialize`."""
    fetched = {"diagnosticProvider": dict(DIAGNOSTICS)} if pulls(params) else {}
    return {
        "capabilities": {
            **fetched,
            "positionEncoding": position_encoding(params),
            "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
            "hoverProvider": True,
            "definitionProvider": True,
            "referencesProvider": True,
            "documentHighlightProvider": True,
            "documentSymbolProvider": True,
            "workspaceSymbolProvider": {"resolveProvider": True},
            "documentFormattingProvider": True,
            "codeLensProvider": {"resolveProvider": True},
            "executeCommandProvider": {"commands": list(COMMANDS)},
            "codeActionProvider": {"codeActionKinds": list(ACTION_KINDS), "resolveProvider": True},
            "completionProvider": {"triggerCharacters": list(COMPLETION_TRIGGERS), "resolveProvider": True},
            "signatureHelpProvider": {"triggerCharacters": list(SIGNATURE_TRIGGERS)},
            "declarationProvider": True,
            "typeDefinitionProvider": True,
            "implementationProvider": True,
            "documentLinkProvider": {"resolveProvider": False},
            "documentRangeFormattingProvider": {"rangesSupport": True},
            "documentOnTypeFormattingProvider": {
                "firstTriggerCharacter": TYPED_TRIGGERS[0],
                "moreTriggerCharacter": list(TYPED_TRIGGERS[1:]),
            },
            "renameProvider": {"prepareProvider": True} if _prepares(params) else True,
            "foldingRangeProvider": True,
            "selectionRangeProvider": True,
            "callHierarchyProvider": True,
            "typeHierarchyProvider": True,
            "inlayHintProvider": {"resolveProvider": False},
            "semanticTokensProvider": {
                "legend": {"tokenTypes": list(TOKEN_TYPES), "tokenModifiers": list(TOKEN_MODIFIERS)},
                "range": True,
                "full": {"delta": True},
            },
            "workspace": {
                "workspaceFolders": {"supported": True, "changeNotifications": True},
                "textDocumentContent": {"schemes": [PAGES]},
                **_told_of_moves(params),
            },
        },
        "serverInfo": {"name": NAME, "version": VERSION},
    }


def params_problem(params: object) -> str | None:
    """What is wrong with the parameters of an `initialize`, in a few words; None when one can work with them."""
    if not isinstance(params, dict):
        return "params must be an object"
    if not isinstance(params.get("capabilities"), dict):
        return "capabilities must be an object"
    general = params["capabilities"].get("general") or {}
    if not isinstance(general, dict) or not isinstance(general.get("positionEncodings") or [], list):
        return "general.positionEncodings must be a list"
    folders = params.get("workspaceFolders") or []
    if not isinstance(folders, list) or not all(isinstance(each, dict) for each in folders):
        return "workspaceFolders must be a list of objects"
    return None
