"""The server on the official SDK: what the protocol asks is answered by the modules beside this.

Commands run in threads of their own. Those that only read may run at once; those that write wait
for each other, and end what they began though nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
import sys
import warnings
from functools import partial
from threading import Thread

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from leftoff import __version__
from leftoff.entry.mcp import places, prompts, resources, schemas
from leftoff.entry.mcp.answers import Seat, failure, reply, spoken, tried
from leftoff.entry.mcp.tools import INSTRUCTIONS, PROJECT, tools_of
from leftoff.entry.mcp.words import known_tool
from leftoff.errors import LeftoffError, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from leftoff.core.model import Finding

    T = TypeVar("T")
    After = Callable[[], Sequence[Finding]]

NAME = "leftoff"
AFTER = "leftoff.after"
"""In the scope of an HTTP request: what is to be done once its answer was sent."""
PATIENCE = 5
"""Seconds that a client gets for saying which folders are open in it."""


class McpServer:
    """One server: its seat, and what waits until an answer is on its way."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.tools = tools_of(seat.profile)
        self.after: dict[types.RequestId, After] = {}
        self._writing = anyio.Lock()
        self.server = Server(
            NAME,
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    async def _list_tools(self, _: Any, params: Any) -> types.ListToolsResult:
        _one_page(params)
        listed = [types.Tool.model_validate(schemas.listed(tool)) for tool in self.tools]
        return types.ListToolsResult(tools=listed)

    async def _call_tool(
        self, ctx: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            tool = known_tool(params.name, self.tools)
        except Usage as error:
            raise self._refusal(error) from None
        given = params.arguments or {}
        roots = await _roots(ctx) if given.get(PROJECT) else ()
        progress = _progress(ctx)
        work = partial(reply, tool, given, self.seat, roots, progress)
        done = await (in_thread(work) if tool.reads else self._written(work))
        if done.after:
            self._keep(ctx, done.after)
        text = types.TextContent(text=done.text)
        return types.CallToolResult(
            content=[text], structured_content=done.body, is_error=done.failed
        )

    async def _written(self, work: Callable[[], T]) -> T:
        """One at a time; what has begun is not left half done."""
        async with self._writing:
            with anyio.CancelScope(shield=True):
                done = await in_thread(work)
            return done  # noqa: RET504  # behind the scope, which could have left it out

    def _keep(self, ctx: Any, after: After) -> None:
        if ctx.request is not None:
            ctx.request.scope[AFTER].append(after)
        elif ctx.request_id is not None:
            self.after[ctx.request_id] = after

    async def _list_resources(self, _: Any, params: Any) -> types.ListResourcesResult:
        found, following = await self._asked(
            lambda: resources.listed(self.seat, (params and params.cursor) or "")
        )
        known = [types.Resource.model_validate(one) for one in found]
        return types.ListResourcesResult(resources=known, next_cursor=following or None)

    async def _list_templates(self, _: Any, params: Any) -> types.ListResourceTemplatesResult:
        _one_page(params)
        known = [
            types.ResourceTemplate(uri_template=uri, name=uri.split("/")[-2], description=about)
            for uri, about in resources.TEMPLATES
        ]
        return types.ListResourceTemplatesResult(resource_templates=known)

    async def _read_resource(self, _: Any, params: Any) -> types.ReadResourceResult:
        found = await self._asked(lambda: resources.read(self.seat, str(params.uri)))
        known = [types.TextResourceContents.model_validate(one) for one in found]
        return types.ReadResourceResult(contents=[*known])

    async def _list_prompts(self, _: Any, params: Any) -> types.ListPromptsResult:
        _one_page(params)
        say = spoken(self.seat, self.seat.env, self.seat.cwd)
        known = [
            types.Prompt(
                name=one.name,
                description=one.about,
                arguments=[
                    types.PromptArgument(name=name, description=about, required=False)
                    for name, about in one.args
                ],
            )
            for one in prompts.offered(self.seat.profile, say)
        ]
        return types.ListPromptsResult(prompts=known)

    async def _get_prompt(self, _: Any, params: Any) -> types.GetPromptResult:
        say = spoken(self.seat, self.seat.env, self.seat.cwd)
        try:
            given = params.arguments or {}
            about, text = prompts.text_of(params.name, given, self.seat.profile, say)
        except Usage as error:
            raise self._refusal(error) from None
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=about, messages=[message])

    async def _asked(self, work: Callable[[], T]) -> T:
        """The same for what is no tool: an error is one of the protocol, with ours as its data."""
        found = await in_thread(lambda: tried(work, self.seat, "resources"))
        if isinstance(found, LeftoffError):
            raise self._refusal(found)
        return found

    def _refusal(self, error: LeftoffError) -> MCPError:
        told = failure(error, self.seat)
        return MCPError(types.INVALID_PARAMS, told.text, told.body)

    async def written(self, request: types.RequestId) -> None:
        """The answer to a request is out: now for what had to wait for that."""
        after = self.after.pop(request, None)
        if after:
            await settle(after)


async def settle(after: After) -> None:
    """Do what had to wait, though the client leaves; who reads our log is told of trouble."""
    with anyio.CancelScope(shield=True):
        for finding in await in_thread(after):
            print(f"leftoff: {finding.told}", file=sys.stderr)


async def in_thread(work: Callable[[], T]) -> T:
    """The result of some work. Who is cancelled does not wait for it, nor does the end of us."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        value, failed = None, True
        try:
            value, failed = work(), False
        finally:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, done, value, failed)

    Thread(target=run, daemon=True, name="leftoff command").start()
    return await done


def _resolve(done: asyncio.Future[Any], value: Any, failed: bool) -> None:
    if done.done():
        return
    if failed:
        done.set_exception(RuntimeError("the command broke off"))
    else:
        done.set_result(value)


def _one_page(params: Any) -> None:
    """Short lists come whole: there is no cursor that could be one of theirs."""
    if params is not None and params.cursor:
        raise MCPError(types.INVALID_PARAMS, "that cursor does not belong to this call")


async def _roots(ctx: Any) -> tuple[str, ...]:
    """The folders that are open in the client, where it says so."""
    offers = ctx.session.client_capabilities
    if not (offers and offers.roots) or not ctx.session.can_send_request:
        return ()
    with anyio.move_on_after(PATIENCE), warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        try:
            found = await ctx.session.list_roots()
        except MCPError:
            return ()
        return places.paths_of(str(one.uri) for one in found.roots)
    return ()


def _progress(ctx: Any) -> Callable[[int, int], None] | None:
    """Tells a client that asked for it how far long work is, in steps of a hundredth."""
    if not (ctx.meta and ctx.meta.get("progress_token") is not None):
        return None
    loop, told = asyncio.get_running_loop(), [-1]

    def tell(done: int, total: int) -> None:
        step = done * 100 // max(total, 1)
        if step > told[0] and not loop.is_closed():
            told[0] = step
            asyncio.run_coroutine_threadsafe(ctx.session.report_progress(done, total), loop)

    return tell
