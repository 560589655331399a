// The page without this script can be read in full. It adds keys, and news as they come.
"use strict";
(() => {
  const body = document.body;
  const find = (what) => document.querySelector(what);
  const help = find("#help");
  const typing = () => /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName || "");

  // Rows: j and k walk over what is marked data-row.
  const rows = () => [...document.querySelectorAll("[data-row]")];
  const here = () => rows().findIndex((row) => row.contains(document.activeElement));
  function go(step) {
    const all = rows();
    if (!all.length) return;
    const at = here();
    const to = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))];
    const stop = to.querySelector("a, button") || to;
    if (stop === to) to.tabIndex = -1;
    stop.focus();
    to.scrollIntoView({ block: "nearest" });
  }

  // Keys. `g` waits for the letter of a page.
  let waiting = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && typing()) return document.activeElement.blur();
    if (typing() || help.open) return;
    if (waiting && Date.now() - waiting < 1500) {
      waiting = 0;
      const link = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
      if (link) { event.preventDefault(); location.href = link.href; }
      return;
    }
    const act = { j: () => go(1), k: () => go(-1), "/": () => find("#q")?.focus(),
      "?": () => help.showModal(), g: () => { waiting = Date.now(); } }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  const button = find("#help-button");
  button.hidden = false;
  button.addEventListener("click", () => help.showModal());

  // A picture of time that does not fit shows its newest end.
  const newest = () => document.querySelectorAll(".scroll:has(> .curve, > .bars, > .timeline)")
    .forEach((one) => { one.scrollLeft = one.scrollWidth; });
  newest();

  // News: the server says that something changed; the page fetches itself and changes its main part.
  let busy = false, again = false;
  async function refresh(news) {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"), news);
    } catch { /* the server went away: the browser asks again by itself */ }
    busy = false;
    if (again) { again = false; refresh(true); }
  }
  function show(fresh, news) {
    const old = find("main"), made = fresh.querySelector("main");
    if (!made || made.innerHTML === old.innerHTML) return;
    if (old.contains(document.activeElement) && typing()) return;
    const at = here(), open = [...old.querySelectorAll("details")].map((one) => one.open);
    old.replaceWith(document.adoptNode(made));
    newest();
    made.querySelectorAll("details").forEach((one, n) => { one.open = open[n] ?? one.open; });
    if (at >= 0) rows()[at]?.querySelector("a, button")?.focus({ preventScroll: true });
    document.title = fresh.title;
    if (news) find("#said").textContent = body.dataset.updated;
    body.dataset.refreshed = String(Number(body.dataset.refreshed || 0) + 1);
  }
  if (!body.dataset.live) return;
  const live = new EventSource(body.dataset.live);
  const dot = find("#live");
  live.addEventListener("ready", () => { dot.hidden = false; if (dot.dataset.was) refresh(true); dot.dataset.was = "1"; });
  live.addEventListener("change", () => refresh(true));
  live.addEventListener("again", () => refresh(false)); // ages grow; nobody need hear of that
  live.addEventListener("error", () => { dot.hidden = true; });
  addEventListener("pagehide", () => live.close());
})();
