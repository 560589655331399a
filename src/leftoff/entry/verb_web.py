"""web: the page, for a browser on this machine."""

from __future__ import annotations

import gc

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.commands import Say
    from leftoff.entry.cli import Console
    from leftoff.entry.web.serve import Running

SUMMARY = (
    "Show it all in a browser, on this machine only: what is next, threads, sessions, decisions."
)
EXAMPLES = (
    "leftoff web --open",
    "leftoff web --port 8642",
    "leftoff web --write   # actions can be marked done, decisions answered",
)


def arguments(parser: Any) -> None:
    """Where it listens, and what it may do."""
    parser.add_argument(
        "--port", metavar="N", default="0", help="the port; 0, or none, is a free one"
    )
    parser.add_argument("--open", action="store_true", help="open it in the browser")
    parser.add_argument(
        "--write", action="store_true", help="let the page change things (default: it only reads)"
    )


def run(args: Any, console: Console, cwd: str) -> int:
    """Serve until Ctrl-C, or point at the server that runs already."""
    from leftoff.entry.calls import call_for
    from leftoff.entry.lang import say_in
    from leftoff.entry.loopback import port_of
    from leftoff.errors import LeftoffError

    say = say_in(args.lang or "", console.env)
    root = call_for(args, cwd=cwd, env=console.env, say=say, caller=None).store.root
    try:
        from leftoff.entry.web.serve import running
    except ModuleNotFoundError as error:
        hint = "install it: pip install 'leftoff[web]'"
        raise LeftoffError(f"the page needs the package {error.name}", hint=hint) from None
    port = port_of(args.port)
    known = running(root, console.env)
    if known and known.write == args.write and port in {0, known.port}:
        _told(known, args, console, say, "It is already running: {address}")
        return 0
    return _served(args, console, root, port, say)


def _served(args: Any, console: Console, root: str, port: int, say: Say) -> int:
    from leftoff.entry.web.scene import Site
    from leftoff.entry.web.serve import serve

    site = Site(
        root=root,
        env=console.env,
        token="",
        port=port,
        language=args.lang or "",
        now=args.now or "",
        write=args.write,
    )

    def begun(here: Running) -> None:
        _told(here, args, console, say, "Open {address}")
        print(say("Press Ctrl-C to stop."), file=console.err, flush=True)

    gc.enable()  # off for commands, which live for milliseconds; this may run for days
    try:
        serve(site, begun)
    except KeyboardInterrupt:
        print(file=console.err)
    return 0


def _told(here: Running, args: Any, console: Console, say: Say, text: str) -> None:
    """The address, once; it holds the token."""
    if args.json:
        facts = {"address": here.address, "root": here.root, "write": here.write}
        console.give("web", facts)
    else:
        print(say(text, address=here.address), file=console.out, flush=True)
    if args.open:
        import webbrowser

        webbrowser.open(here.address)
