"""One question through every surface that has it: how each is asked, and the part of its answer that all must share.

A kind of question is a function that makes a `Question`; a surface that learns a kind is added in that one function,
and a new question is one row of the table in `test_parity.py`.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from argon_lang.cli.entry import main
from argon_lang.ide.definition import definition as ide_definition
from argon_lang.ide.hover import hover as ide_hover
from argon_lang.ide.references import references as ide_references
from argon_lang.ide.symbols import OutlineEntry, outline
from argon_lang.problems import Location
from argon_lang.queries.database import Database
from argon_lang.session.compiler import database_of
from argon_lang.session.project import Project
from argon_lang.text import LineIndex
from tests.support.lsp_client import Client as Editor
from tests.support.lsp_client import at
from tests.support.mcp_client import Client as Agent

Json = Any
Ask = Callable[["Surfaces"], Json]

PINNED = "2100-01-01"
"""The valid time of every read: one instant for two answers, and later than whatever is written here."""

RESTS_ON = ("moduleHash", "inputsDigest", "storeId", "generation", "view", "asOf")
SEVERITIES = {1: "error", 2: "warning", 3: "info"}


class Surfaces:
    """A project, with an agent's server and an editor's server on it, and the terminal beside."""

    def __init__(self, root: Path, agent: Agent, editor: Editor) -> None:
        self.root, self.agent, self.editor = root, agent, editor
        self.files = sorted(path.name for path in root.glob("*.ar"))
        editor.initialize(root, capabilities={"workspace": {"codeLens": {"refreshSupport": True}}})
        for file in self.files:
            editor.open(self.uri(file), self.text(file))

    def terminal(self, *words: str) -> Json:
        """What a command answers with `--json`; in this process, for the start of one takes longer than its answer."""
        place = () if words[0] == "explain" else ("--project", str(self.root))
        with redirect_stdout(StringIO()) as said:
            status = main([*words, "--json", *place])
        assert status in (0, 1), said.getvalue()
        return json.loads(said.getvalue())

    def command(self, name: str, *arguments: Json) -> Json:
        """What a command of the editor's server answers, as data."""
        asked = {"command": f"argon.{name}", "arguments": arguments}
        return self.editor.request("workspace/executeCommand", asked)["answer"]

    def uri(self, file: str) -> str:
        """The URI of a file."""
        return (self.root / file).as_uri()

    def text(self, file: str) -> str:
        """The saved text of a file."""
        return (self.root / file).read_text("utf-8")

    @cached_property
    def fork(self) -> str:
        """The handle of a fork with one write in it."""
        handle: str = self.agent.call("argon_fork_create", name="trial", ephemeral=False)["fork"]["fork"]
        self.agent.call("argon_fork_mutate", fork=handle, name="pay", args={"i": "march"})
        return handle

    @cached_property
    def database(self) -> Database:
        """The saved program, for what only the editor asks so far: the ide, asked without any server."""
        return database_of(Project.open(self.root).inputs())[1]

    def position(self, file: str, words: str, inside: int) -> tuple[int, int]:
        """Line and column of the first occurrence of some words, `inside` letters further."""
        return LineIndex(self.text(file)).position(self.text(file).index(words) + inside, "utf-16")

    def of_editor(self, place: Json) -> Json:
        """A location of the editor's as `(file, start, end)`."""
        path = Path(unquote(urlsplit(place["uri"]).path))
        return path.name, *_ends(place["range"])

    def of_ide(self, place: Location) -> Json:
        """A location of the ide's as `(file, start, end)`."""
        file = place.file.rsplit("/", 1)[-1]
        index = LineIndex(self.text(file))
        return file, index.position(place.start, "utf-16"), index.position(place.end, "utf-16")


@dataclass(frozen=True)
class Question:
    """A question, and how to ask it by surface. What the askers give must be equal."""

    name: str
    asks: Mapping[str, Ask]

    def answers(self, surfaces: Surfaces) -> dict[str, Json]:
        """The answer of each surface."""
        assert len(self.asks) >= 2, "asked once, a question agrees with anything"
        return {surface: ask(surfaces) for surface, ask in self.asks.items()}


# -- what is there -----------------------------------------------------------------------------------------------------


def rows_of(name: str, words: Sequence[str], tool: str, given: Json, editor: Ask | None = None) -> Question:
    """Rows, with what they rest on."""
    asks: dict[str, Ask] = {
        "terminal": lambda on: _rows(on.terminal(*words, "--as-of", PINNED)),
        "agent": lambda on: _rows(on.agent.call(tool, **given, asOf=PINNED)),
    }
    return Question(name, asks if editor is None else {**asks, "editor": lambda on: _rows(editor(on))})


def query(name: str, **args: str) -> Question:
    """The rows of a declared query."""
    words = [f"{key}={value}" for key, value in args.items()]
    given = {"name": name, "args": args}
    by_editor = lambda on: on.command("runQuery", on.uri("root.ar"), name, args, {"asOf": PINNED})  # noqa: E731
    return rows_of(f"query {name} {args}", ["query", name, *words], "argon_query", given, by_editor)


def head(name: str) -> Question:
    """The rows of a predicate, concept, relation or check."""
    return rows_of(f"derive {name}", ["derive", name], "argon_derive", {"head": name})


def fact(text: str, depth: int = 6) -> Question:
    """The proof of a fact, or why there is none."""
    return Question(
        f"why {text}",
        {
            "terminal": lambda on: _proof(on.terminal("explain-fact", text, "--depth", str(depth), "--as-of", PINNED)),
            "agent": lambda on: _proof(on.agent.call("argon_explain_fact", fact=text, maxDepth=depth, asOf=PINNED)),
            "editor": lambda on: _proof(
                on.command("explainFact", on.uri("root.ar"), text, {"maxDepth": depth, "asOf": PINNED})
            ),
        },
    )


def counted(name: str) -> Question:
    """How many rows a head has now."""
    return Question(
        f"count {name}",
        {
            "terminal": lambda on: _count(on.terminal("derive", name)),
            "agent": lambda on: _count(on.agent.call("argon_derive", head=name)),
            "editor": lambda on: _lens(on, "rows", name),
        },
    )


def refusal(tool: str, given: Json, *words: str) -> Question:
    """A question that cannot be answered, or a write that may not be."""
    return Question(
        f"no {' '.join(words)}",
        {
            "terminal": lambda on: _error(on.terminal(*words)),
            "agent": lambda on: _error(on.agent.result(tool, **given)["structuredContent"]),
        },
    )


def trial(name: str, **args: str) -> Question:
    """The receipt of a write that is tried alone."""
    words = [f"{key}={value}" for key, value in args.items()]
    who = "user:ada"
    return Question(
        f"try {name} {args}",
        {
            "terminal": lambda on: _receipt(
                on.terminal("mutate", name, *words, "--dry-run", "--delta", "--principal", who)
            ),
            "agent": lambda on: _receipt(
                on.agent.call(
                    "argon_mutate", name=name, args=args, dryRun=True, includeDerivedDelta=True, principal=who
                )
            ),
        },
    )


def asked(source: str, **args: str) -> Question:
    """The rows of a query that is written on the spot."""
    words = [f"{key}={value}" for key, value in args.items()]
    given = {"source": source, "args": args}
    return rows_of(f"ask {source}", ["query", "--eval", source, *words], "argon_ad_hoc_query", given)


def statements(source: str, **args: str) -> Question:
    """The receipt of statements that are written on the spot, and tried alone."""
    words = [f"{key}={value}" for key, value in args.items()]
    who = "user:ada"
    return Question(
        f"try {source}",
        {
            "terminal": lambda on: _receipt(
                on.terminal("mutate", "--eval", source, *words, "--dry-run", "--delta", "--principal", who)
            ),
            "agent": lambda on: _receipt(
                on.agent.call(
                    "argon_ad_hoc_mutate",
                    source=source,
                    args=args,
                    dryRun=True,
                    includeDerivedDelta=True,
                    principal=who,
                )
            ),
        },
    )


def in_fork(name: str, **args: str) -> Question:
    """The rows of a declared query in a fork."""
    words = [f"{key}={value}" for key, value in args.items()]
    given = {"name": name, "args": args, "asOf": PINNED}
    return Question(
        f"in the fork, query {name} {args}",
        {
            "terminal": lambda on: _rows(on.terminal("query", name, *words, "--as-of", PINNED, "--fork", on.fork)),
            "agent": lambda on: _rows(on.agent.call("argon_fork_query", fork=on.fork, **given)),
            "agent, by the way": lambda on: _rows(on.agent.call("argon_query", fork=on.fork, **given)),
        },
    )


def head_in_fork(name: str) -> Question:
    """The rows of a head in a fork."""
    return Question(
        f"in the fork, derive {name}",
        {
            "terminal": lambda on: _rows(on.terminal("derive", name, "--as-of", PINNED, "--fork", on.fork)),
            "agent": lambda on: _rows(on.agent.call("argon_fork_derive", fork=on.fork, head=name, asOf=PINNED)),
        },
    )


def fact_in_fork(text: str, depth: int = 6) -> Question:
    """The proof of a fact in a fork, or why there is none."""
    words = ("explain-fact", text, "--depth", str(depth), "--as-of", PINNED)
    given = {"fact": text, "maxDepth": depth, "asOf": PINNED}
    return Question(
        f"in the fork, why {text}",
        {
            "terminal": lambda on: _proof(on.terminal(*words, "--fork", on.fork)),
            "agent": lambda on: _proof(on.agent.call("argon_fork_explain", fork=on.fork, **given)),
        },
    )


def difference() -> Question:
    """What a fork changed."""
    told = ("created", "fields", "added", "removed", "violated", "fixed", "derived", "events", "conflicts", "diffHash")
    return Question(
        "what the fork changed",
        {
            "terminal": lambda on: _picked((*told, "moduleHash", "storeId"), on.terminal("fork", "diff", on.fork)),
            "agent": lambda on: _picked(
                (*told, "moduleHash", "storeId"), on.agent.call("argon_fork_diff", fork=on.fork)
            ),
        },
    )


def replay(name: str, key: str, **args: str) -> Question:
    """The receipt of a write that was done under a key, repeated."""
    words = [f"{key}={value}" for key, value in args.items()]
    return Question(
        f"repeat {name} {args}",
        {
            "terminal": lambda on: _receipt(on.terminal("mutate", name, *words, "--idempotency-key", key)),
            "agent": lambda on: _receipt(on.agent.call("argon_mutate", name=name, args=args, idempotencyKey=key)),
        },
    )


def computed(fn: str, **args: str) -> Question:
    """The value of a function."""
    words = [f"{key}={value}" for key, value in args.items()]
    return Question(
        f"compute {fn} {args}",
        {
            "terminal": lambda on: _value(on.terminal("compute", fn, *words, "--as-of", PINNED)),
            "agent": lambda on: _value(on.agent.call("argon_compute", fn=fn, args=args, asOf=PINNED)),
        },
    )


def violations(check: str | None = None) -> Question:
    """The violations that stand, of one check or of all."""
    words, given = ([check], {"check": check}) if check is not None else ([], {})
    return Question(
        f"checks {check or ''}",
        {
            "terminal": lambda on: _violations(on.terminal("checks", *words, "--as-of", PINNED)),
            "agent": lambda on: _violations(on.agent.call("argon_checks_current", **given, asOf=PINNED)),
        },
    )


def reasons(check: str | None = None, depth: int = 6) -> Question:
    """Why the violations stand, of one check or of all."""
    words, given = ([check], {"check": check}) if check is not None else ([], {})
    told = ("checks", *words, "--explain", "--depth", str(depth), "--as-of", PINNED)
    return Question(
        f"why {check or 'violations'}",
        {
            "terminal": lambda on: _violations(on.terminal(*told)),
            "agent": lambda on: _violations(on.agent.call("argon_why", **given, maxDepth=depth, asOf=PINNED)),
        },
    )


def suggestions(text: str, most: int = 3) -> Question:
    """The smallest changes that make a fact hold."""

    def shared(found: Json) -> Json:
        # Proofs of what would be broken rest on the instant of the trial.
        broken = [[_picked(("check", "fact", "prose", "severity"), each) for each in one["breaks"]] for one in found]
        return [{**one, "breaks": each} for one, each in zip(found, broken, strict=True)]

    return Question(
        f"what would make {text} hold",
        {
            "terminal": lambda on: shared(on.terminal("suggest", text, "--most", str(most))["suggestions"]),
            "agent": lambda on: shared(on.agent.call("argon_explain_fact", fact=text, suggest=most)["suggestions"]),
        },
    )


def opened(text: str, depth: int = 6) -> Question:
    """The root of a shallow tree, opened by its id: the whole tree, whichever way one comes to it."""

    def agent(on: Surfaces) -> Json:
        shallow = on.agent.call("argon_explain_fact", fact=text, maxDepth=1, asOf=PINNED)
        root = (shallow.get("tree") or shallow["whyNot"])["rootId"]
        return _proof(on.agent.call("argon_expand_proof", nodeId=root, maxDepth=depth))

    return Question(
        f"opened {text}",
        {
            "terminal": lambda on: _proof(on.terminal("why-not", text, "--depth", str(depth), "--as-of", PINNED)),
            "agent": agent,
        },
    )


def opened_elsewhere(text: str, depth: int = 6) -> Question:
    """A node that one surface left folded, opened by its id on the others."""

    def folded(on: Surfaces) -> str:
        shallow = on.terminal("explain-fact", text, "--depth", "1", "--as-of", PINNED)
        return next(node["id"] for node in shallow["nodes"] if node.get("folded"))

    return Question(
        f"opened a node of {text}",
        {
            "terminal": lambda on: _proof(on.terminal("explain-fact", "--node", folded(on), "--depth", str(depth))),
            "agent": lambda on: _proof(on.agent.call("argon_expand_proof", nodeId=folded(on), maxDepth=depth)),
        },
    )


def outcomes(pattern: str) -> Question:
    """The outcomes of the package's tests."""
    return Question(
        f"test {pattern}",
        {
            "terminal": lambda on: _outcomes(on.terminal("test", "-k", pattern)),
            "agent": lambda on: _outcomes(on.agent.call("argon_test", pattern=pattern)),
            "editor": lambda on: _outcomes(_only(on.command("runTest", on.uri("root.ar")), pattern)),
        },
    )


def scenarios(pattern: str) -> Question:
    """The outcomes of the scenario files."""
    return Question(
        f"scenarios {pattern}",
        {
            "terminal": lambda on: _outcomes(on.terminal("run-scenario", "-k", pattern)),
            "agent": lambda on: _outcomes(on.agent.call("argon_test", pattern=pattern)),
        },
    )


def code(name: str) -> Question:
    """What a code means."""
    same = ("code", "name", "severity", "title", "message", "what", "why", "example", "fix")
    return Question(
        f"explain {name}",
        {
            "terminal": lambda on: _picked(same, on.terminal("explain", name)),
            "agent": lambda on: _picked(same, on.agent.call("argon_explain_code", code=name)),
            "editor": lambda on: _picked(same, on.command("explainCode", name)),
        },
    )


def status() -> Question:
    """Where things stand."""
    return Question(
        "status", {"terminal": lambda on: _status(on.terminal("status")), "agent": lambda on: _agent_status(on)}
    )


# -- the program -------------------------------------------------------------------------------------------------------


def diagnostics() -> Question:
    """Everything that is wrong, file by file; the editor says it of what it has open."""
    return Question(
        "diagnostics",
        {
            "terminal": lambda on: _report(on, on.terminal("check")),
            "agent": lambda on: _report(on, on.agent.call("argon_check")),
            "editor": _pushed,
        },
    )


def report() -> Question:
    """The same with all that is said of it, which only the wire form of a report holds."""
    return Question(
        "report",
        {
            "terminal": lambda on: _plain(on.terminal("check")),
            "agent": lambda on: _plain(on.agent.call("argon_check")),
        },
    )


def build() -> Question:
    """What came of a build, or why nothing did."""
    return Question(
        "build",
        {
            "terminal": lambda on: _built(on.terminal("build"), "diagnostics"),
            "agent": lambda on: _built(on.agent.call("argon_build"), "gateFailures"),
            "editor": lambda on: _built(on.command("build", on.uri("root.ar")), "diagnostics"),
        },
    )


def fixes() -> Question:
    """The edits that mend what is wrong."""
    return Question(
        "fixes",
        {
            "terminal": lambda on: _fixes(on.terminal("check")),
            "agent": lambda on: _fixes(on.agent.call("argon_check")),
            "editor": _offered,
        },
    )


def definition(file: str, words: str, inside: int = 0) -> Question:
    """Where the thing named in the midst of some words is declared."""
    return _named("definition", file, words, inside, ide_definition, {})


def references(file: str, words: str, inside: int = 0) -> Question:
    """Everywhere that it is named."""
    return _named("references", file, words, inside, ide_references, {"context": {"includeDeclaration": True}})


def hover(file: str, words: str, inside: int = 0) -> Question:
    """What is said of it."""

    def ide(on: Surfaces) -> Json:
        found = ide_hover(on.database, f"lease/{file}", on.text(file).index(words) + inside)
        return found.markdown if found is not None else None

    def editor(on: Surfaces) -> Json:
        place = at(on.uri(file), *on.position(file, words, inside))
        found = on.editor.request("textDocument/hover", place)
        return found["contents"]["value"] if found is not None else None

    return Question(f"hover {words!r} in {file}", {"ide": ide, "editor": editor})


def symbols(file: str) -> Question:
    """The outline of a file."""

    def tree(entries: Sequence[OutlineEntry]) -> Json:
        return [(each.name, tree(each.children)) for each in entries]

    def told(entries: Sequence[Json]) -> Json:
        return [(each["name"], told(each.get("children", ()))) for each in entries]

    def editor(on: Surfaces) -> Json:
        return told(on.editor.request("textDocument/documentSymbol", {"textDocument": {"uri": on.uri(file)}}))

    return Question(
        f"symbols of {file}", {"ide": lambda on: tree(outline(on.database, f"lease/{file}")), "editor": editor}
    )


def layout(file: str) -> Question:
    """The canonical layout of a file, as a difference."""

    def terminal(on: Surfaces) -> Json:
        return next(each.get("diff", "") for each in on.terminal("fmt", "--diff")["files"] if each["file"] == file)

    def editor(on: Surfaces) -> Json:
        given = {"textDocument": {"uri": on.uri(file)}, "options": {"tabSize": 4, "insertSpaces": True}}
        edits = on.editor.request("textDocument/formatting", given) or []
        old, new = on.text(file), _edited(on.text(file), edits)
        lines = [each.splitlines(keepends=True) for each in (old, new)]
        return "".join(difflib.unified_diff(*lines, file, file))

    return Question(f"layout of {file}", {"terminal": terminal, "editor": editor})


def _named(
    method: str, file: str, words: str, inside: int, ask: Callable[..., Sequence[Location]], more: Json
) -> Question:
    def ide(on: Surfaces) -> Json:
        found = ask(on.database, f"lease/{file}", on.text(file).index(words) + inside)
        return sorted(on.of_ide(each) for each in found)

    def editor(on: Surfaces) -> Json:
        place = at(on.uri(file), *on.position(file, words, inside), **more)
        return sorted(on.of_editor(each) for each in on.editor.request(f"textDocument/{method}", place))

    return Question(f"{method} of {words!r} in {file}", {"ide": ide, "editor": editor})


# -- what must be equal ------------------------------------------------------------------------------------------------


def _picked(keys: Sequence[str], answer: Json) -> Json:
    return {key: answer.get(key) for key in keys}


def _rows(answer: Json) -> Json:
    shared = ("columns", "rowCount", "hidden", *RESTS_ON)
    return _picked(shared, answer) | {"values": [row["values"] for row in answer["rows"]]}


def _count(answer: Json) -> Json:
    return answer["rowCount"], answer["generation"]


def _lens(on: Surfaces, kind: str, name: str) -> Json:
    """The numbers in the words of a lens."""
    for file in on.files:
        for lens in on.editor.request("textDocument/codeLens", {"textDocument": {"uri": on.uri(file)}}):
            data = lens["data"]
            if data["kind"] == kind and data["symbol"]["path"].rsplit("::", 1)[-1] == name:
                title = on.editor.request("codeLens/resolve", lens)["command"]["title"]
                return tuple(map(int, re.findall(r"\d+", title)))
    raise AssertionError(f"no lens {kind} above {name}")


def _only(report: Json, pattern: str) -> Json:
    """The part of a report of all tests that a pattern would choose; nothing in it may have failed."""
    tests = [each for each in report["tests"] if pattern in each["name"] and not each["module"].endswith(".toml")]
    assert {each["outcome"] for each in report["tests"]} == {"passed"}
    return report | {"tests": tests, "passed": len(tests)}


def _proof(answer: Json) -> Json:
    tree = answer.get("tree") or answer.get("whyNot") or {key: answer[key] for key in ("rootId", "nodes")}
    return _picked(("fact", "derived", "truth4", "prose", *RESTS_ON), answer) | tree


def _error(answer: Json) -> Json:
    return _picked(("code", "message", "help", "retryable"), answer["error"])


def _receipt(answer: Json) -> Json:
    events = [(each["op"], each["fact"]) for each in answer["events"]]
    shared = ("dryRun", "replayed", "generation", "storeId", "derivedDelta", "moduleHash", "diagnostics")
    return _picked(shared, answer) | {"events": events, "minted": len(answer["minted"])}


def _value(answer: Json) -> Json:
    value = answer["value"]
    return _picked(("type", "emissions", *RESTS_ON), answer), value.get("value", value)


def _violations(answer: Json) -> Json:
    return _picked(("violations", "clean", *RESTS_ON), answer)


def _outcomes(report: Json) -> Json:
    tests = [{key: value for key, value in each.items() if key != "durationMs"} for each in report["tests"]]
    return _picked(("passed", "failed", "errors", "inconclusive", "moduleHash"), report), tests


def _status(said: Json) -> Json:
    store, artifact = said["store"], said["artifact"]
    return (
        _picked(("root", "manifest", "package"), said["project"]),
        (artifact["path"], artifact["moduleHash"]),
        (store["kind"], store["id"], store["generation"], store["tx"]),
        (said["sourceDirty"], said["inputsDigest"]),
    )


def _agent_status(on: Surfaces) -> Json:
    told = on.agent.call("argon_status")
    artifact, store = told["artifact"], told["store"]
    assert artifact["loadedHash"] == artifact["onDiskHash"] == told["moduleHash"]
    return (
        _picked(("root", "manifest", "package"), told["project"]),
        (artifact["path"], artifact["onDiskHash"]),
        (store["kind"], told["storeId"], told["generation"], store["tx"]),
        (told["sourceDirty"], told["inputsDigest"]),
    )


def _ends(span: Json) -> Json:
    return tuple((span[end]["line"], span[end]["character"]) for end in ("start", "end"))


def _report(on: Surfaces, report: Json) -> Json:
    found: dict[str, list[Json]] = {file: [] for file in on.files}
    for each in report["diagnostics"]:
        place = each["span"]
        found[place["file"]].append((each["code"], each["severity"], each["message"], *_ends(place)))
    return found


def _plain(report: Json) -> Json:
    found = [{key: value for key, value in each.items() if key != "sourceLine"} for each in report["diagnostics"]]
    return report["inputsDigest"], report["summary"], found


def _built(report: Json, failures: str) -> Json:
    codes = [each["code"] for each in report.get(failures, ()) if each["severity"] == "error"]
    return _picked(("ok", "inputsDigest", "moduleHash", "artifact"), report) | {"codes": codes}


def _pushed(on: Surfaces) -> Json:
    return {file: [_told(each) for each in on.editor.diagnostics(on.uri(file), 1)] for file in on.files}


def _told(each: Json) -> Json:
    message = each["message"].partition("\n")[0]
    return each["code"], SEVERITIES[each["severity"]], message, *_ends(each["range"])


def _fixes(report: Json) -> Json:
    return sorted(
        (fix["title"], [(edit["span"]["file"], edit["text"], *_ends(edit["span"])) for edit in fix["edits"]])
        for each in report["diagnostics"]
        for fix in each["fixes"]
    )


def _offered(on: Surfaces) -> Json:
    found = []
    for file in on.files:
        for each in on.editor.diagnostics(on.uri(file), 1):
            context = {"diagnostics": [each], "only": ["quickfix"]}
            given = {"textDocument": {"uri": on.uri(file)}, "range": each["range"], "context": context}
            for action in on.editor.request("textDocument/codeAction", given):
                edits = [
                    (Path(urlsplit(uri).path).name, edit["newText"], *_ends(edit["range"]))
                    for uri, changes in action["edit"]["changes"].items()
                    for edit in changes
                ]
                found.append((action["title"], edits))
    return sorted(found)


def _edited(text: str, edits: Sequence[Json]) -> str:
    index = LineIndex(text)
    for edit in sorted(edits, key=lambda each: _ends(each["range"]), reverse=True):
        start, end = (index.offset(*each, "utf-16") for each in _ends(edit["range"]))
        text = text[:start] + edit["newText"] + text[end:]
    return text
