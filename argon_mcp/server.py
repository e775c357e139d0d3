"""The server on the SDK's low-level kernel: lists, calls, reads; both eras of the protocol by the SDK."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError

from argon_lang import logs
from argon_lang.version import VERSION
from argon_mcp import resources
from argon_mcp.common import parsed
from argon_mcp.completing import completion
from argon_mcp.discover import NAME, TITLE, instructions
from argon_mcp.handle import Json, Refused, RuntimeHandle
from argon_mcp.local import Worker, internal
from argon_mcp.options import Options
from argon_mcp.promptbox import GUIDES
from argon_mcp.results import refusal_of, result_of
from argon_mcp.subscriptions import Publisher
from argon_mcp.tool import Call, Tool
from argon_mcp.toolbox import definition, listed
from argon_mcp.transport import streams
from argon_mcp.wire import Inbox, Outbox

Context = ServerRequestContext[Any, Any]
CACHE_HINTS: dict[Any, CacheHint] = {
    "tools/list": CacheHint(ttl_ms=3_600_000, scope="public"),
    "prompts/list": CacheHint(ttl_ms=3_600_000, scope="public"),
    "resources/list": CacheHint(ttl_ms=3_600_000, scope="public"),
    "resources/templates/list": CacheHint(ttl_ms=3_600_000, scope="public"),
    "resources/read": CacheHint(ttl_ms=0, scope="private"),
}
"""The lists never change while a server runs; what is read rests on the disk."""

log = logging.getLogger("argon.mcp")


class Handlers:
    """The requests of a client, answered from one runtime."""

    def __init__(self, handle: RuntimeHandle, options: Options) -> None:
        self.handle = handle
        self.options = options
        self.tools: dict[str, Tool[Any]] = {tool.name: tool for tool in listed(options)}
        self.publisher = Publisher()

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Every tool, in its order."""
        return types.ListToolsResult(tools=[definition(tool) for tool in self.tools.values()])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """One call; refusals and faults are results too."""
        tool, progress = self.tools[params.name], Progress(context)
        try:
            given = parsed(tool.given, params.arguments or {})
            call = Call(self.handle, self.options, _client(context), progress.stage)
            answer = await tool.answer(call, given)
            await progress.told()
            return result_of(tool, answer, self.options.max_bytes)
        except Refused as refused:
            return refusal_of(tool, refused.body)
        except Exception as error:
            log.error("fault in %s", tool.name, exc_info=error)
            return refusal_of(tool, internal(f"{type(error).__name__}: {error}") | {"retryable": False})

    async def list_resources(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """The resources with a fixed address."""
        return types.ListResourcesResult(resources=list(resources.RESOURCES))

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """The addresses with a placeholder."""
        return types.ListResourceTemplatesResult(resource_templates=list(resources.TEMPLATES))

    async def read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """One resource."""
        try:
            return types.ReadResourceResult(contents=[await resources.read(str(params.uri), self.handle)])
        except resources.NoResource as error:
            raise MCPError(
                code=types.INVALID_PARAMS, message=f"Unknown resource: {error}", data={"uri": str(error)}
            ) from error
        except Refused as refused:
            body = (refusal_of(None, refused.body).structured_content or {})["error"]
            raise MCPError(code=types.INTERNAL_ERROR, message=body["message"], data=body) from refused

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Tell the client when a resource changes."""
        self.publisher.subscribe(str(params.uri), _session(context), context.session)
        return types.EmptyResult()

    async def unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        """Tell it no longer."""
        self.publisher.unsubscribe(str(params.uri), _session(context))
        return types.EmptyResult()

    async def list_prompts(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """Every prompt."""
        return types.ListPromptsResult(prompts=[guide.listed() for guide in GUIDES.values()])

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """One prompt; an unknown one, or other arguments than it has, are refused before they come here."""
        return GUIDES[params.name].result(params.arguments or {})

    async def complete(self, _: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Completions of codes, declarations, facts and mutations, where the argument is one."""
        return types.CompleteResult(completion=await completion(params, self.handle))

    async def refuse_unknown(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Answer a tool, prompt or cursor that does not exist as the specification has it: invalid parameters."""
        params = ctx.params or {}
        name = params.get("name")
        if ctx.method == "tools/call" and isinstance(name, str) and name not in self.tools:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {name}", data={"name": name})
        if ctx.method == "prompts/get" and isinstance(name, str):
            _known_prompt(name, params.get("arguments") or {})
        if ctx.method.endswith("/list") and params.get("cursor") is not None:
            raise MCPError(code=types.INVALID_PARAMS, message="Unknown cursor: every list has one page")
        return await call_next(ctx)


def make_server(handlers: Handlers) -> Server[Any]:
    """The server of these handlers; era, framing and lifecycle are the SDK's."""
    server: Server[Any] = Server(
        NAME,
        version=VERSION,
        title=TITLE,
        instructions=instructions(),
        cache_hints=CACHE_HINTS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_subscribe_resource=handlers.subscribe,
        on_unsubscribe_resource=handlers.unsubscribe,
        on_subscriptions_listen=ListenHandler(handlers.publisher.bus),
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )
    server.middleware.append(handlers.refuse_unknown)
    return server


def run(inbox: Inbox, outbox: Outbox, options: Options, worker: Worker) -> None:
    """Serve the client until it goes."""
    logs.configure()
    asyncio.run(_serve(inbox, outbox, options, worker))


async def _serve(inbox: Inbox, outbox: Outbox, options: Options, worker: Worker) -> None:
    handlers = Handlers(worker, options)
    worker.on_reload(handlers.publisher.reloaded)
    server = make_server(handlers)
    async with streams(inbox, outbox) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options(NotificationOptions()))


def _known_prompt(name: str, arguments: Json) -> None:
    """Raise what an unknown prompt is answered with, or one whose arguments are others than it has."""
    if name not in GUIDES:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown prompt: {name}", data={"name": name})
    if not isinstance(arguments, dict):
        return  # the SDK says what is wrong with it
    known = GUIDES[name].arguments
    if unknown := [each for each in arguments if each not in known]:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown prompt arguments: {', '.join(unknown)}")
    if missing := [each for each in known if not arguments.get(each)]:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Missing prompt arguments: {', '.join(missing)}")


def _client(context: Context) -> str:
    """The name by which the client introduced itself."""
    params = context.session.client_params
    return params.client_info.name if params is not None else "unknown"


def _session(context: Context) -> str:
    """What tells a client of the older era from the others that are served at once; over pipes there is one."""
    return "" if context.request is None else str(context.request.headers.get(MCP_SESSION_ID_HEADER, ""))


class Progress:
    """Reports each stage of a call to a client that asked for it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._wanted = bool(context.meta and context.meta.get("progress_token") is not None)
        self._done = 0
        self._telling: list[asyncio.Task[None]] = []

    def stage(self, told: str) -> None:
        """A stage begins. Called on the event loop."""
        if self._wanted:
            self._done += 1
            report = self._context.session.report_progress(self._done, None, told)
            self._telling.append(asyncio.get_running_loop().create_task(report))

    async def told(self) -> None:
        """Wait until every stage is reported: nothing may come after the answer."""
        for task in self._telling:
            await task
