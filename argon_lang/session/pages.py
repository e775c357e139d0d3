"""Answers of a project as documents to read: Markdown, or a page of HTML for a proof.

The answer itself travels beside the document, so nobody has to read it out of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.runtime.drawings.page import page as html
from argon_lang.runtime.drawings.tree import Drawn, boxes, drawn
from argon_lang.runtime.drawings.values import plain
from argon_lang.runtime.envelopes import ProofNode
from argon_lang.text import Encoding, LineIndex

if TYPE_CHECKING:
    from argon_lang.session.questions import Request

Json = Any
_ROWS = 500
"""Rows of a table that a person reads; the answer beside it has all of them."""

_SIGNS = {"passed": "✓", "failed": "✗", "error": "✗", "inconclusive": "?", "listed": "·"}


def rendered(request: Request, answer: Callable[[str, Mapping[str, Json]], Json]) -> Json:
    """`{"answer", "title", "text", "form"}` of the question `of` with what is `given` to it; `answer` answers it.

    Of tests also `marks`, where they failed and why, in columns of the client's `encoding`. Raises those of the
    question.
    """
    of = request.given["of"]
    found = answer(of, request.given["given"])
    if of == "test":
        found = _only(found, request.given.get("only"))
    title, text = _PAGES[of](found)
    form, marks = "markdown", [*_marks(request, found)] if of == "test" else []
    if request.given.get("form") == "html":
        form, text = "html", html(_tree(found), title, found["prose"])
    return {"answer": found, "title": title, "text": f"{text.rstrip()}\n", "form": form, "marks": marks}


# -- tests -------------------------------------------------------------------------------------------------------------


def _only(found: Json, path: str | None) -> Json:
    """The report of the one test with a path, or of all. Raises `ARGON_RUNTIME_NOT_FOUND`."""
    if path is None:
        return found
    tests = [each for each in found["tests"] if f"{each['module']}::{each['name']}" == path]
    if not tests:
        raise ArgonError("ARGON_RUNTIME_NOT_FOUND", args(kind="test", name=path), details={"name": path})
    ends = [each["outcome"] for each in tests]
    counts = {"passed": "passed", "failed": "failed", "errors": "error", "inconclusive": "inconclusive"}
    return found | {"tests": tests} | {field: ends.count(end) for field, end in counts.items()}


def _tests(found: Json) -> tuple[str, str]:
    counts = ((found[field], field) for field in ("passed", "failed", "errors", "inconclusive"))
    title = ", ".join(f"{count} {word}" for count, word in counts if count or word == "passed")
    lines = [f"# {title}"]
    for each in found["tests"]:
        lines += [
            "",
            f"## {_SIGNS[each['outcome']]} {each['name']}",
            "",
            f"`{each['module']}`, {each['durationMs']} ms",
        ]
        for failure in each.get("failures", ()):
            lines += ["", *_failure(failure)]
    return title, "\n".join(lines)


def _failure(failure: Json) -> Iterator[str]:
    place = failure.get("span")
    yield failure["message"] + (f" ({place['file']}:{place['start']['line'] + 1})" if place is not None else "")
    if "left" in failure or "right" in failure:
        yield from ("", f"`{plain(failure.get('left'))}` against `{plain(failure.get('right'))}`")
    if (explanation := failure.get("explanation")) is not None:
        yield from ("", explanation["prose"], "", *_fenced(_tree(explanation)))


def _marks(request: Request, found: Json) -> Iterator[Json]:
    """Where tests failed, and why in words."""
    project = request.session.project()
    encoding: Encoding = request.given["encoding"]
    texts = project.texts() if found["failed"] + found["errors"] else {}
    for test in found["tests"]:
        for failure in test.get("failures", ()) if test["outcome"] in ("failed", "error") else ():
            place = failure.get("span") or test.get("span")
            if place is None or place["file"] not in texts:
                continue
            index = LineIndex(texts[place["file"]])
            ends = (index.offset(place[end]["line"], place[end]["character"], "utf-16") for end in ("start", "end"))
            start, end = (dict(zip(("line", "character"), index.position(at, encoding), strict=True)) for at in ends)
            span = {"file": str(project.root.root / place["file"]), "start": start, "end": end}
            yield {"span": span, "test": test["name"], "message": _why(failure)}


def _why(failure: Json) -> str:
    explanation = failure.get("explanation")
    tree = [explanation["prose"], *_lines(_tree(explanation))] if explanation is not None else []
    return "\n".join((failure["message"], *tree))


# -- trees, rows, builds -----------------------------------------------------------------------------------------------


def _tree(explanation: Json) -> Drawn:
    return drawn([ProofNode.model_validate(each) for each in explanation["nodes"]], explanation["rootId"])


def _lines(top: Drawn) -> Iterator[str]:
    for depth, box in boxes(top):
        more = (f"{box.missing} more, not drawn",) if box.missing else ()
        beside = " · ".join((*box.notes, *more))
        yield f"{'  ' * depth}{box.label}" + (f"  ({beside})" if beside else "")


def _fenced(top: Drawn) -> list[str]:
    lines = [*_lines(top)]
    fence = "`" * max(3, 1 + max((len(line) - len(line.lstrip("`")) for line in lines), default=0))
    return [f"{fence}text", *lines, fence]


def _explanation(found: Json) -> tuple[str, str]:
    title = f"why {found['fact']}" if found["derived"] else f"why not {found['fact']}"
    return title, "\n".join([f"# {title}", "", found["prose"], "", *_fenced(_tree(found))])


def _rows(found: Json) -> tuple[str, str]:
    count = found["rowCount"]
    title = f"{count} row{'s' * (count != 1)}"
    names = [each["name"] for each in found["columns"]]
    rows = [[*map(plain, each["values"])] for each in found["rows"]]
    told = [each.get("truth4", "Is") for each in found["rows"]]
    if any(each != "Is" for each in told):
        names, rows = [*names, "truth4"], [[*row, each] for row, each in zip(rows, told, strict=True)]
    lines = [f"# {title}", "", f"at generation {found['generation']}, {found['asOf']['valid']}", ""]
    if names:
        lines += [_cells(names), _cells(["---"] * len(names)), *(_cells(row) for row in rows[:_ROWS])]
    if len(rows) > _ROWS:
        lines += ["", f"{len(rows) - _ROWS} more rows, not shown"]
    return title, "\n".join(lines)


def _cells(values: Sequence[str]) -> str:
    shown = (" ".join(each.replace("\\", "\\\\").replace("|", "\\|").split("\n")) for each in values)
    return f"| {' | '.join(shown)} |"


def _build(found: Json) -> tuple[str, str]:
    if found["ok"]:
        done = "built" if found["wroteOxbin"] else "current"
        return f"{done} {found['moduleHash'][:16]}", f"# {done}\n\n`{found['artifact']}`: `{found['moduleHash']}`"
    errors = [each for each in found["diagnostics"] if each["severity"] == "error"]
    title = f"not built: {len(errors)} error{'s' * (len(errors) != 1)}"
    placed = ((each, each["span"]) for each in errors)
    lines = [f"- {at['file']}:{at['start']['line'] + 1} `{each['code']}` {each['message']}" for each, at in placed]
    return title, "\n".join([f"# {title}", "", *lines])


_PAGES: Mapping[str, Callable[[Json], tuple[str, str]]] = {
    "test": _tests,
    "query": _rows,
    "explain": _explanation,
    "build": _build,
}
"""Title and Markdown of each answer that has a page."""
