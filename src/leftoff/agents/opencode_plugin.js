// leftoff for OpenCode: tells leftoff's hook what happens in a session, and hands its texts to the model.
// Written by `leftoff setup`, removed by `leftoff uninstall`. It never throws, waits a bounded time,
// and is silent where leftoff is not installed any more.
import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

const RUN = "@RUN@"
const SECONDS = { start: 10, prompt: 5, stop: 5, compacting: 10, compacted: 5 }
const TITLING = "You are a title generator" // begins the system prompt of the request for a session's title
const ASIDE = new Set(["title", "summary", "compaction"]) // requests of OpenCode's own, not of the session

const sessions = new Map() // id -> what is known of the session in this process

const known = (id) => {
  if (!sessions.has(id)) sessions.set(id, { begun: false, created: false, child: undefined, context: "", note: "" })
  return sessions.get(id)
}

const contextOf = (text) => {
  try {
    const reply = JSON.parse(text)
    return typeof reply?.context === "string" ? reply.context : ""
  } catch {
    return ""
  }
}

// One call of the hook. Its answer is a text for the model, or "" for none and for any trouble.
const call = (event, payload) =>
  new Promise((resolve) => {
    try {
      if (!existsSync(RUN)) return resolve("")
      const child = spawn(RUN, ["opencode", event], { cwd: payload.cwd, stdio: ["pipe", "pipe", "ignore"] })
      let said = ""
      const timer = setTimeout(() => { child.kill("SIGKILL"); resolve("") }, SECONDS[event] * 1000)
      child.stdout.on("data", (data) => { said += data })
      child.on("error", () => { clearTimeout(timer); resolve("") })
      child.on("close", () => { clearTimeout(timer); resolve(contextOf(said)) })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve("")
    }
  })

// The same for events after which the program may end at once: nothing would wait for a promise.
const callNow = (event, payload) => {
  if (!existsSync(RUN)) return ""
  const options = { cwd: payload.cwd, input: JSON.stringify(payload), timeout: SECONDS[event] * 1000, killSignal: "SIGKILL" }
  return contextOf(String(spawnSync(RUN, ["opencode", event], options).stdout ?? ""))
}

// A hook of ours that cannot harm its caller.
const safe = (hook) => async (...given) => {
  try {
    await hook(...given)
  } catch {
    // the session goes on without us
  }
}

export const LeftoffPlugin = async ({ client, directory }) => {
  const payloadOf = (id, more) => {
    const { context, window, model } = known(id).usage ?? {}
    return { session: id, cwd: directory, context, window, model, ...more }
  }

  // A compaction has no id of its own: it is the one after the last answer.
  const compaction = (id) => payloadOf(id, { message: known(id).answering ?? String(Date.now()) })

  // A session of a subagent has a parent. A resumed one was not announced: then OpenCode is asked.
  const isChild = async (id) => {
    const session = known(id)
    if (session.child === undefined) {
      const asked = await client.session.get({ path: { id } }).catch(() => undefined)
      session.child = Boolean(asked?.data?.parentID)
    }
    return session.child
  }

  const begin = async (id) => {
    const session = known(id)
    if (session.begun) return
    session.begun = true
    session.context = await call("start", payloadOf(id, { source: session.created ? "startup" : "resume" }))
  }

  const measure = (session, info) => {
    const { input = 0, cache = {} } = info.tokens ?? {}
    const context = input + (cache.read ?? 0) + (cache.write ?? 0)
    if (context && !info.summary) session.usage = { ...session.usage, context, model: info.modelID }
    session.answering = info.id
    session.summing = Boolean(info.summary)
  }

  const happened = {
    "session.created": ({ info }) => {
      Object.assign(known(info.id), { created: true, child: Boolean(info.parentID) })
    },
    "session.deleted": ({ info }) => { sessions.delete(info.id) },
    "session.error": ({ sessionID, error }) => { if (sessionID) known(sessionID).error = error?.name ?? "error" },
    "message.updated": ({ info }) => { if (info.role === "assistant") measure(known(info.sessionID), info) },
    "message.part.updated": ({ part }) => {
      const session = known(part.sessionID)
      if (part.type === "text" && part.messageID === session.answering) session.answer = part.text
    },
    "session.idle": ({ sessionID }) => {
      const session = known(sessionID)
      if (!session.begun) return
      const { answering: message, answer, error } = session
      session.answer = session.error = undefined
      callNow("stop", payloadOf(sessionID, { message, answer, error }))
    },
    "session.compacted": ({ sessionID }) => {
      const session = known(sessionID)
      if (!session.begun) return
      const summary = session.summing ? session.answer : undefined
      session.usage = { ...session.usage, context: 0 }
      session.answer = undefined
      session.context = callNow("compacted", { ...compaction(sessionID), answer: summary }) || session.context
    },
  }

  return {
    event: safe(async ({ event }) => { happened[event.type]?.(event.properties) }),

    "chat.message": safe(async ({ sessionID }, { message, parts }) => {
      if (await isChild(sessionID)) return
      await begin(sessionID)
      const texts = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      const more = { message: message.id, agent: message.agent, prompt: texts.join("\n") }
      known(sessionID).note = await call("prompt", payloadOf(sessionID, more))
    }),

    "chat.params": safe(async ({ sessionID, agent, model }) => {
      const session = known(sessionID)
      const window = model?.limit?.context
      if (window && !ASIDE.has(agent?.name ?? agent)) session.usage = { ...session.usage, window, model: model.id }
    }),

    // The system prompt is made anew for every request and never stored: what was said once must stand in each.
    // The title is to be that of the prompt, and its request costs no more for us.
    "experimental.chat.system.transform": safe(async ({ sessionID }, { system }) => {
      if (system[0]?.startsWith(TITLING)) return
      const session = sessions.get(sessionID)
      for (const text of [session?.context, session?.note]) if (text) system.push(text)
    }),

    "experimental.session.compacting": safe(async ({ sessionID }, { context }) => {
      if (!known(sessionID).begun) return
      const text = await call("compacting", compaction(sessionID))
      if (text) context.push(text)
    }),

    "shell.env": safe(async ({ sessionID }, { env }) => {
      if (sessionID && known(sessionID).begun) env.LEFTOFF_SESSION = `opencode/${sessionID}`
    }),
  }
}
