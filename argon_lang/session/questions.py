"""The questions that a server puts to its worker process, by name: plain JSON in, plain JSON out.

Runtime answers are the envelopes of `argon_lang.runtime.envelopes` with three more fields, which say what they rest on:
`inputsDigest`, `staleArtifact`, `needsBuild`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Mutation
from argon_lang.problems import args
from argon_lang.runtime.envelopes import Answer, Json, Versioned
from argon_lang.runtime.forks import find_fork, state_of
from argon_lang.runtime.models import Models
from argon_lang.runtime.options import Depth, WriteOptions
from argon_lang.runtime.paging import Page, Paged, paged
from argon_lang.runtime.service import At, RuntimeService
from argon_lang.runtime.testing import report_of, run_tests
from argon_lang.runtime.wholes import too_large
from argon_lang.session import live, pages, source_questions
from argon_lang.session.adhoc import Kind, Snippet
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.declared import declaration
from argon_lang.session.dirty import dirty_workspace
from argon_lang.session.epistemics import epistemics
from argon_lang.session.project import limits_of
from argon_lang.session.refusals import error_body
from argon_lang.session.scenarios import run_scenarios, scenario_files
from argon_lang.session.serving import INCOMPATIBLE, Serving, Session
from argon_lang.session.status import status_of
from argon_lang.session.surroundings import module_resource, no_project, schema_index
from argon_lang.session.wire import build_report, check_report
from argon_lang.store.protocol import NO_STORE
from argon_lang.text import LineIndex
from argon_lang.workspace.sources import read_inputs

Given = Mapping[str, Any]
Stage = Callable[[str], None]
log = logging.getLogger("argon.session")


@dataclass(frozen=True)
class Request:
    """One question under way. `stage` tells whoever waits what is being done."""

    session: Session
    given: Given
    cancellation: Cancellation
    stage: Stage

    def serving(self, *, writing: bool = False, main: bool = False) -> Serving:
        """The module to answer from, on the fork that is asked for unless it has to be the `main` branch."""
        self.stage("comparing the module with the disk")
        found = self.session.ensure(self.cancellation, writing=writing)
        self.stage("reasoning")
        if (principal := self.given.get("principal")) is not None:
            log.info("asked by %s", principal)
        return found if main else found.on_fork(self.given.get("fork"), touch=not self.session.settings.read_only)

    def governed(self, service: RuntimeService, run: Callable[[Governor], Json]) -> Json:
        """Run under a governor that a cancellation of the request reaches."""
        governor = service.governor()
        with self.cancellation.then(governor.cancel):
            return run(governor)


def answer(name: str, request: Request) -> Json:
    """Answer the question of this name. Raises ArgonError, and KeyError for a name that is no question."""
    return QUESTIONS[name](request)


def _status(request: Request) -> Json:
    session = request.session
    try:
        project = session.project()
    except ArgonError as error:
        return no_project(session, error_body(error))
    found, active = status_of(project).dump(), session.active
    try:
        found["store"] |= _store(session)
    except ArgonError as error:
        found["error"] = error_body(error)
    found["limits"]["maxRows"] = session.settings.max_rows
    found["artifact"]["artifactLoaded"] = active is not None
    if active is not None:
        found["artifact"]["loadedHash"] = active.served.module_hash
    return found


def _store(session: Session) -> Json:
    """The store that answers, which is not the project's own when the settings say so."""
    store = session.store()
    snapshot = store.snapshot()
    known = {"exists": True, "id": str(snapshot.store_id)} if snapshot.store_id != NO_STORE else {}
    return {"kind": store.kind, "generation": snapshot.generation, "tx": snapshot.head, **known}


def _check(request: Request) -> Json:
    project = request.session.project()
    overlay = {
        project.root.relative(each["path"], project.root.root): each["text"] for each in request.given["overlay"]
    }
    request.stage("checking")
    inputs = read_inputs(project.root, overlay=overlay, memo=project.memo)
    checked = request.session.program.check(inputs, request.cancellation, fast=request.given["mode"] == "fast")
    wanted = tuple(project.root.relative(path, project.root.root) for path in request.given["filePaths"])
    for path in wanted:
        if path not in checked.texts and not (project.root.root / path).exists():
            raise ArgonError("ARGON_INPUT_UNREADABLE", args(path=path, found="no such file or folder"))
    report = check_report(checked.only(wanted)).dump()
    lines = {
        file: LineIndex(checked.texts.get(file, ""))
        for file in {each["span"]["file"] for each in report["diagnostics"]}
    }
    for each in report["diagnostics"]:
        each["sourceLine"] = lines[each["span"]["file"]].line_text(each["span"]["start"]["line"])
    return report | {"needsBuild": request.session.disk().state().dirty}


def _build(request: Request) -> Json:
    request.stage("building")
    built = request.session.build(request.cancellation, force=request.given["force"])
    texts = request.session.project().texts() if not built.result.ok else {}
    report = build_report(built.result, texts).dump()
    report |= {"reloaded": built.reloaded, "needsBuild": built.needs_build, "staleArtifact": built.reason is not None}
    if built.result.ok:
        snapshot = request.session.store().snapshot()
        report |= {"storeId": str(snapshot.store_id), "generation": snapshot.generation}
    if built.reason is not None:
        report["error"] = error_body(built.reason)
    return report


def _query(request: Request) -> Json:
    given = request.given
    return _rows(
        request,
        ["query", given["name"], given["args"]],
        lambda service, at, governor: service.query(
            given["name"], given["args"], at, governor, truth4=_truth4(request)
        ),
    )


def _derive(request: Request) -> Json:
    head = request.given["head"]
    return _rows(
        request,
        ["derive", head],
        lambda service, at, governor: service.derive(head, at, governor, truth4=_truth4(request)),
    )


def _rows(request: Request, question: Json, ask: Callable[[RuntimeService, At, Governor], Answer]) -> Json:
    """Rows, whole or by the page. A page is bounded by `maxRows`, the whole of which it is a part by the project's."""
    return _pages(request, question, ask, "rows")


def _pages(
    request: Request,
    question: Json,
    ask: Callable[[RuntimeService, At, Governor], Paged],
    field: str,
    known: Serving | None = None,
) -> Json:
    serving, page = known or request.serving(), request.given.get("page")
    service, most = serving.service, serving.service.limits.max_rows
    if page is None:
        found = request.governed(service, lambda governor: ask(service, _at(request), governor))
        return _stamped(serving, found)
    if page["size"] > most:
        raise too_large(page["size"], most)
    whole = limits_of(request.session.disk().manifest())
    service = replace(service, limits=replace(whole, max_rows=max(whole.max_rows, most)))
    cut = Page(page["size"], page.get("cursor"))
    found = request.governed(
        service, lambda governor: paged(question, _at(request), cut, lambda at: ask(service, at, governor), field)
    )
    return _stamped(serving, found)


def _ad_hoc_query(request: Request) -> Json:
    given = request.given
    serving = request.serving()
    service, snippet = _with_source(request, serving, "query")
    query = snippet.query()
    return _pages(
        request,
        ["ad hoc", given["source"], given["args"]],
        lambda limited, at, governor: replace(service, limits=limited.limits).ask(
            query, given["args"], at, governor, truth4=_truth4(request)
        ),
        "rows",
        serving,
    )


def _ad_hoc_mutate(request: Request) -> Json:
    given = request.given
    serving = _writing(request)
    service, snippet = _with_source(request, serving, "mutate")
    mutation = snippet.mutation()
    run = lambda governor: service.run(mutation, given["args"], _options(given), governor)  # noqa: E731
    return _stamped(serving, request.governed(service, run))


def _with_source(request: Request, serving: Serving, kind: Kind) -> tuple[RuntimeService, Snippet]:
    """A text of the caller's, and a service over the module that it was checked against."""
    inputs = read_inputs(request.session.project().root, memo=request.session.project().memo)
    if inputs.digest != serving.inputs_digest:
        raise dirty_workspace()
    snippet = request.session.ad_hoc.compile(inputs, request.given["source"], kind)
    served = snippet.served_with(serving.service.served)
    models = serving.service.models if served.program is serving.service.served.program else Models()
    return replace(serving.service, served=served, models=models), snippet


def _batch(request: Request) -> Json:
    given = request.given
    serving = _writing(request)
    service = serving.service
    steps = [(each["name"], each["args"]) for each in given["steps"]]
    found = request.governed(service, lambda governor: service.batch(steps, _options(given), governor))
    return _stamped(serving, found)


def _whole(request: Request) -> Json:
    heads, k3 = request.given.get("heads"), bool(request.given["projectK3"])
    return _pages(
        request,
        ["whole", heads, k3],
        lambda service, at, governor: service.whole(heads, at, governor, k3=k3),
        "facts",
    )


def _checks(request: Request) -> Json:
    serving = request.serving()
    service, check = serving.service, request.given.get("check")
    return _stamped(serving, request.governed(service, lambda governor: service.checks(check, _at(request), governor)))


def _why(request: Request) -> Json:
    serving, given = request.serving(), request.given
    service, proof = serving.service, Depth(given["maxDepth"])
    found = request.governed(
        service,
        lambda governor: service.checks(
            given.get("check"), _at(request), governor, proof=proof, violation=given.get("violation")
        ),
    )
    return _stamped(serving, found)


def _expand(request: Request) -> Json:
    serving, given = request.serving(), request.given
    depth, node = Depth(given["maxDepth"], given["maxAlternatives"]), given.get("nodeId")
    service = serving.service
    if node is not None:
        found = request.governed(service, lambda governor: service.expand(node, depth, governor))
    else:
        found = request.governed(
            service, lambda governor: service.explain(given["fact"], _at(request), depth, governor)
        )
    return _stamped(serving, found)


def _compute(request: Request) -> Json:
    serving, given = request.serving(), request.given
    service = serving.service
    found = request.governed(
        service, lambda governor: service.compute(given["fn"], given["args"], _at(request), governor)
    )
    return _stamped(serving, found)


def _test(request: Request) -> Json:
    serving = request.serving()
    service = serving.service
    with ExitStack() as cancelled:

        def governor() -> Governor:
            made = service.governor()
            cancelled.enter_context(request.cancellation.then(made.cancel))
            return made

        pattern, run = request.given.get("pattern"), request.given["run"]
        tests = run_tests(service.served, pattern, service.clock, governor, run).tests
        root = request.session.project().root
        files, limits = scenario_files(root), service.limits
        told = run_scenarios(root, files, pattern, service.served, service.clock, limits, governor, run)
    return _stamped(serving, report_of(service.served, [*tests, *told]))


def _explain(request: Request) -> Json:
    serving, given = request.serving(), request.given
    depth = Depth(given["maxDepth"], given["maxAlternatives"])
    service = serving.service
    found = request.governed(service, lambda governor: service.explain(given["fact"], _at(request), depth, governor))
    return _stamped(serving, found)


def _suggest(request: Request) -> Json:
    serving, given = request.serving(), request.given
    service, compiled = serving.service, _compiling(request, serving)
    found = request.governed(
        service,
        lambda governor: service.suggest(given["fact"], compiled, given["most"], given.get("standpoint"), governor),
    )
    return _stamped(serving, found)


def _compiling(request: Request, serving: Serving) -> Callable[[str], Mutation]:
    """How texts of statements are read in the module that serves. Raises `DIRTY_WORKSPACE` when it is an older one."""
    project = request.session.project()
    inputs = read_inputs(project.root, memo=project.memo)
    if inputs.digest != serving.inputs_digest:
        raise dirty_workspace()
    return lambda text: request.session.ad_hoc.compile(inputs, text, "mutate").mutation()


def _mutate(request: Request) -> Json:
    given = request.given
    serving = _writing(request)
    service, options = serving.service, _options(given)
    found = request.governed(service, lambda governor: service.mutate(given["name"], given["args"], options, governor))
    return _stamped(serving, found)


def _writing(request: Request, *, main: bool = False) -> Serving:
    """The module to write under. Raises `ARGON_RUNTIME_CAPABILITY_REQUIRED` where nothing may be written."""
    if request.session.settings.read_only:
        raise ArgonError(
            "ARGON_RUNTIME_CAPABILITY_REQUIRED",
            args(name="mutate", expected="write"),
            details={"capability": "write"},
        )
    return request.serving(writing=not request.given["dryRun"], main=main)


def _options(given: Given) -> WriteOptions:
    return WriteOptions(
        given["includeDerivedDelta"],
        given["dryRun"],
        given.get("idempotencyKey"),
        given.get("principal"),
        given.get("standpoint"),
    )


def _fork_create(request: Request) -> Json:
    given = request.given
    serving = _writing(request)
    made = serving.service.create_fork(given["name"], principal=given.get("principal"), ephemeral=given["ephemeral"])
    return _stamped(serving, made) | {"state": made.fork.state}


def _fork_diff(request: Request) -> Json:
    serving, handle = request.serving(main=True), request.given["fork"]
    service = serving.service
    found = request.governed(service, lambda governor: service.fork_diff(handle, governor))
    return _stamped(serving, found) | {"state": found.fork.state}


def _fork_abort(request: Request) -> Json:
    serving = _writing(request, main=True)
    ended = serving.service.abort_fork(request.given["fork"])
    return _stamped(serving, ended) | {"state": f"fork {ended.fork.name} aborted"}


def _fork_promote(request: Request) -> Json:
    given = request.given
    serving = _writing(request, main=True)
    service, options = serving.service, _options(given)
    run = lambda governor: service.promote_fork(given["fork"], given["expectDiffHash"], options, governor)  # noqa: E731
    found = request.governed(service, run)
    done = "would be promoted" if given["dryRun"] else f"promoted as tx {found.tx}"
    return _stamped(serving, found) | {"state": f"fork {found.promoted_from} {done}"}


def _module(request: Request) -> Json:
    return module_resource(request.serving())


def _schema(request: Request) -> Json:
    return schema_index(request.serving())


def _lookup(request: Request) -> Json:
    serving, name = request.serving(), request.given.get("name")
    found = schema_index(serving) if name is None else declaration(serving.service.served, name)
    return found | _stamp(serving)


def _epistemics(request: Request) -> Json:
    serving = request.serving()
    return epistemics(serving.service.served, request.given.get("construct")) | _stamp(serving)


def _page(request: Request) -> Json:
    return pages.rendered(request, lambda name, given: QUESTIONS[name](replace(request, given=given)))


def _at(request: Request) -> At:
    return At(request.given.get("asOf"), request.given.get("asOfTx"), request.given.get("standpoint"))


def _truth4(request: Request) -> bool:
    """Reads have the rows that are not Is too, unless they ask for those that are alone."""
    return not request.given.get("projectK3", False)


def _stamped(serving: Serving, found: Versioned) -> Json:
    return found.dump() | _stamp(serving)


def _stamp(serving: Serving) -> dict[str, Json]:
    stamp: dict[str, Json] = {
        "inputsDigest": serving.inputs_digest,
        "staleArtifact": serving.stale,
        "needsBuild": serving.needs_build,
    }
    if serving.reason is not None:
        stamp["diagnosticCodes"] = [INCOMPATIBLE]
    if serving.fork is not None:
        stamp["state"] = state_of(find_fork(serving.service.store, serving.fork))
    return stamp


QUESTIONS: Mapping[str, Callable[[Request], Json]] = {
    **source_questions.QUESTIONS,
    "status": _status,
    "check": _check,
    "build": _build,
    "query": _query,
    "derive": _derive,
    "explain": _explain,
    "expand": _expand,
    "why": _why,
    "suggest": _suggest,
    "mutate": _mutate,
    "adHocQuery": _ad_hoc_query,
    "adHocMutate": _ad_hoc_mutate,
    "batch": _batch,
    "forkCreate": _fork_create,
    "forkDiff": _fork_diff,
    "forkAbort": _fork_abort,
    "forkPromote": _fork_promote,
    "whole": _whole,
    "checks": _checks,
    "compute": _compute,
    "test": _test,
    "lookup": _lookup,
    "epistemics": _epistemics,
    "module": _module,
    "schema": _schema,
    "count": live.counted,
    "page": _page,
}
"""Every question by name."""
