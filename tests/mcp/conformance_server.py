"""The server over HTTP with the fixtures that the public conformance suite asks for: `python -m … PORT DIR`.

The suite calls tools, resources and prompts of fixed names. They are mounted beside the real ones here and nowhere
else. What asks the client for something in the middle of a call is left out: no tool of Argon does that.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from typing import Any

import mcp_types as types
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError

from argon_lang.session.listening import listener
from argon_mcp.http import serve_on
from argon_mcp.local import start_worker
from argon_mcp.options import Options
from argon_mcp.server import Context, Handlers, make_server

PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c63f8cfc0f01f00050001ff5659c3b30000000049454e44ae426082"
    )
).decode()
SILENCE = base64.b64encode(
    bytes.fromhex("524946462400000057415645666d74201000000001000100401f0000401f0000010008006461746100000000")
).decode()
STEPS = (0, 50, 100)
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


def text(words: str) -> types.TextContent:
    return types.TextContent(text=words)


def embedded(uri: str, words: str, mime: str = "text/plain") -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=mime, text=words))


CONTENTS: dict[str, list[Any]] = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_image_content": [types.ImageContent(data=PIXEL, mime_type="image/png")],
    "test_audio_content": [types.AudioContent(data=SILENCE, mime_type="audio/wav")],
    "test_embedded_resource": [embedded("test://embedded-resource", "This is an embedded resource content.")],
    "test_multiple_content_types": [
        text("Multiple content types test:"),
        types.ImageContent(data=PIXEL, mime_type="image/png"),
        embedded("test://mixed-content-resource", '{"test": "data", "value": 123}', "application/json"),
    ],
    "test_tool_with_progress": [text("done")],
    "test_missing_capability": [text("ok")],
    "test_streaming_elicitation": [text("nothing was asked")],
    "test_logging_tool": [text("nothing was logged to the client")],
    "test_trigger_tool_change": [text("ok")],
    "test_trigger_prompt_change": [text("ok")],
    "json_schema_2020_12_tool": [text("ok")],
}
SCHEMA_2020: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
RESOURCES: dict[str, Any] = {
    "test://static-text": types.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
    ),
    "test://static-binary": types.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=PIXEL),
    "test://watched-resource": types.TextResourceContents(uri="test://watched-resource", text="watched"),
}
PROMPTS: dict[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
}


class Fixtures(Handlers):
    """The handlers of the real server, with the fixtures beside."""

    async def list_tools(self, context: Context, params: Any) -> types.ListToolsResult:
        found = await super().list_tools(context, params)
        names = [*CONTENTS, "test_error_handling"]
        schemas = {"json_schema_2020_12_tool": SCHEMA_2020}
        more = [types.Tool(name=each, description=each, input_schema=schemas.get(each, NOTHING)) for each in names]
        return types.ListToolsResult(tools=[*found.tools, *more])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name == "test_error_handling":
            words = "This tool intentionally returns an error for testing"
            return types.CallToolResult(content=[text(words)], is_error=True)
        if params.name not in CONTENTS:
            return await super().call_tool(context, params)
        if params.name in ("test_tool_with_progress", "test_streaming_elicitation"):
            for step in STEPS:
                await context.session.report_progress(step, 100)
        capabilities = context.session.client_capabilities
        if params.name == "test_missing_capability" and not (capabilities and capabilities.sampling):
            raise MCPError(
                code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
                message="sampling is required",
                data={"requiredCapabilities": {"sampling": {}}},
            )
        if params.name == "test_trigger_tool_change":
            await self.publisher.bus.publish(ToolsListChanged())
        if params.name == "test_trigger_prompt_change":
            await self.publisher.bus.publish(PromptsListChanged())
        return types.CallToolResult(content=CONTENTS[params.name])

    async def list_resources(self, context: Context, params: Any) -> types.ListResourcesResult:
        found = await super().list_resources(context, params)
        more = [types.Resource(uri=uri, name=uri) for uri in RESOURCES]
        return types.ListResourcesResult(resources=[*found.resources, *more])

    async def list_templates(self, context: Context, params: Any) -> types.ListResourceTemplatesResult:
        found = await super().list_templates(context, params)
        more = types.ResourceTemplate(uri_template="test://template/{id}/data", name="template")
        return types.ListResourceTemplatesResult(resource_templates=[*found.resource_templates, more])

    async def read_resource(self, context: Context, params: Any) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri in RESOURCES:
            return types.ReadResourceResult(contents=[RESOURCES[uri]])
        if uri.startswith("test://template/"):
            name = uri.split("/")[3]
            body = json.dumps({"id": name, "templateTest": True, "data": f"Data for ID: {name}"})
            content = types.TextResourceContents(uri=uri, mime_type="application/json", text=body)
            return types.ReadResourceResult(contents=[content])
        return await super().read_resource(context, params)

    async def list_prompts(self, context: Context, params: Any) -> types.ListPromptsResult:
        found = await super().list_prompts(context, params)
        more = []
        for name, wanted in PROMPTS.items():
            arguments = [types.PromptArgument(name=each, required=True) for each in wanted]
            more.append(types.Prompt(name=name, description=name, arguments=arguments))
        return types.ListPromptsResult(prompts=[*found.prompts, *more])

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        given = params.arguments or {}
        contents: list[Any]
        match params.name:
            case "test_simple_prompt":
                contents = [text("This is a simple prompt for testing.")]
            case "test_prompt_with_arguments":
                contents = [text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")]
            case "test_prompt_with_embedded_resource":
                contents = [
                    embedded(given["resourceUri"], "Embedded resource content for testing."),
                    text("Please process the embedded resource above."),
                ]
            case "test_prompt_with_image":
                image = types.ImageContent(data=PIXEL, mime_type="image/png")
                contents = [image, text("Please analyze the image above.")]
            case _:
                return await super().get_prompt(context, params)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=each) for each in contents])

    async def refuse_unknown(self, ctx: Context, call_next: Any) -> Any:
        """The refusals of the real server, but for the fixtures."""
        name = (ctx.params or {}).get("name")
        if name in PROMPTS or name in CONTENTS or name == "test_error_handling":
            return await call_next(ctx)
        return await super().refuse_unknown(ctx, call_next)


async def main(port: int, folder: str) -> None:
    options = Options(project=folder)
    worker = start_worker(options)
    handlers = Fixtures(worker, options)
    worker.on_reload(handlers.publisher.reloaded)
    with listener("127.0.0.1", port) as bound:
        print(bound.getsockname()[1], flush=True)
        await serve_on(bound, make_server(handlers), None)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
