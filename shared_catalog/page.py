"""An entry as a page for people, plain text or Markdown, from its JSON object (`wire.EntryObject`).

Both the full path (`render.py`) and the fast one (`fast.py`) draw with this module, so they cannot differ in words.
Standard library only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Object = dict[str, Any]


def as_text(entry: Object) -> str:
    """A page for a terminal: no markup but the backquotes, code indented by four columns."""
    parts = [f"{_heading(entry)}\n{entry['title']}", f"  {_kind(entry)}: {entry['message']}"]
    if entry["status"] != "live":
        parts.append(f"  {entry['status']}: {entry['reason']}")
    parts += [f"What\n{_indent(entry['what'], 2)}", f"Why\n{_indent(entry['why'], 2)}"]
    parts.append(_block("Example", entry["exampleProse"], entry["example"]))
    parts += [_block(_fix_title(fix), fix["prose"], fix["snippets"]) for fix in entry["fix"]]
    if entry["related"] or entry["seeAlso"]:
        parts.append("See also\n" + _indent("\n".join(_see_also(entry)), 2))
    return "\n\n".join(parts) + "\n"


def as_markdown(entry: Object, level: int = 1) -> str:
    """A page for an editor or a site; its title is a heading of `level`."""
    mark = "#" * level
    parts = [f"{mark} {entry['code']} {entry['name']}", f"**{entry['title']}** ({_facts(entry)})"]
    parts.append(f"Message: {_code(entry['message'])}")
    if entry["status"] != "live":
        parts.append(f"*{entry['status'].capitalize()}: {entry['reason']}.*")
    parts += [f"{mark}# What", entry["what"], f"{mark}# Why", entry["why"], f"{mark}# Example"]
    parts += _fenced(entry["exampleProse"], entry["example"])
    for fix in entry["fix"]:
        parts += [f"{mark}# {_fix_title(fix)}", *_fenced(fix["prose"], fix["snippets"])]
    if entry["related"] or entry["seeAlso"]:
        parts += [f"{mark}# See also", "\n".join(f"- {line}" for line in _see_also(entry))]
    return "\n\n".join(parts) + "\n"


def _kind(entry: Object) -> str:
    return str(entry["severity"])


def _heading(entry: Object) -> str:
    return f"{_kind(entry)}[{entry['code']}] {entry['name']} ({_facts(entry)})"


def _facts(entry: Object) -> str:
    facts = [entry["category"], entry["status"], f"since {entry['since']}"]
    if entry["httpStatus"] is not None:
        facts += [f"HTTP {entry['httpStatus']}", "retryable" if entry["retryable"] else "not retryable"]
    return ", ".join(facts)


def _fix_title(fix: Object) -> str:
    return f"Fix: {fix['fixClass']}" if fix["fixClass"] else "Fix"


def _see_also(entry: Object) -> list[str]:
    lines = [f"{row['code']}: {row['title']}" for row in entry["related"]]
    return lines + [line for line in entry["seeAlso"].splitlines() if line]


def _indent(text: str, columns: int) -> str:
    return "\n".join(" " * columns + line if line else "" for line in text.splitlines())


def _block(title: str, prose: str, snippets: list[Object]) -> str:
    named = len(snippets) > 1
    parts = [_indent(prose, 2)] if prose else []
    for snippet in snippets:
        file = f"  {snippet['file']}:\n" if named and snippet["file"] else ""
        parts.append(file + _indent(snippet["text"], 4))
    return f"{title}\n" + "\n\n".join(parts)


def _fenced(prose: str, snippets: list[Object]) -> list[str]:
    named = len(snippets) > 1
    parts = [prose] if prose else []
    for snippet in snippets:
        if named and snippet["file"]:
            parts.append(f"`{snippet['file']}`:")
        parts.append(f"```{snippet['lang']}\n{snippet['text']}```")
    return parts


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"
