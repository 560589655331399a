"""The page: `leftoff web`. Server-rendered, loopback only, read-only unless asked otherwise.

A page is one file in `pages/`, found by discovery, and one template in `templates/`:

    ROUTE = "/threads/{name:path}"   Starlette's words; what fills the holes is `scene.path`
    TITLE = "Thread"                 English; has an entry in locale/zh_CN_web*.py
    TEMPLATE = "thread.html"         extends "base.html", fills {% block main %}
    KEY = "t"                        `g t` goes there; "" for none
    PLACE = 20                       where it stands in the menu; 0: not in the menu
    def facts(scene: Scene) -> dict[str, Any]

`facts` asks commands (`scene.answer("thread", "list")["data"]`) and computes nothing that a command
knows. A name that came with the request goes behind "--", so that it is never an option. What is
raised as LeftoffError becomes the error page of its kind. Keys that the base template reads:
`title` (else TITLE, translated), `crumb` (what stands before it: (text, address) or None).

In templates everything is escaped, stripped of what steers a screen, and redacted as it is put out
(`render.py`); markup made in Python (a chart) is `markupsafe.Markup`, and passes its texts through
`scene.clean` and `markupsafe.escape` itself. The content security policy allows no inline style or
script: classes only, rules in `static/*.css` (every css and js file there is linked by the base).
Given to each template: `scene`, `say`, `facts` keys by name; parts to use from `_parts.html`
(`{% from "_parts.html" import verdict, pager with context %}`). `data-row` on an element makes it a
stop of j and k; the first link in it opens with Enter. `<main>` is replaced when something changed.
"""
