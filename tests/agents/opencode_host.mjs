// Plays OpenCode: loads the plugin that it is given, drives its hooks, prints what came of it.
import { pathToFileURL } from "node:url"
const [plugin, directory] = process.argv.slice(2)
const { LeftoffPlugin } = await import(pathToFileURL(plugin))
const parents = { child: "ses_1" }
const client = { session: { get: async ({ path }) => ({ data: { id: path.id, parentID: parents[path.id] } }) } }
const hooks = await LeftoffPlugin({ client, directory })
const event = (type, properties) => hooks.event({ event: { type, properties } })
const say = (sessionID, id, text) =>
  hooks["chat.message"]({ sessionID }, { message: { id, agent: "build" }, parts: [{ type: "text", text }, { type: "file" }] })
const system = async (sessionID, ...own) => {
  const output = { system: own }
  await hooks["experimental.chat.system.transform"]({ sessionID, model: {} }, output)
  return output.system
}
const answer = async (sessionID, id, text, input, summary) => {
  await event("message.updated", { info: { id, role: "assistant", sessionID, summary, modelID: "m", tokens: { input, cache: { read: 5, write: 1 } } } })
  await event("message.part.updated", { part: { type: "text", text, messageID: id, sessionID } })
}

await event("session.created", { info: { id: "ses_1" } })
await event("session.created", { info: { id: "ses_2", parentID: "ses_1" } })
await say("ses_1", "msg_1", "hello")
await hooks["chat.params"]({ sessionID: "ses_1", agent: "title", model: { id: "small", limit: { context: 7 } } })
await hooks["chat.params"]({ sessionID: "ses_1", agent: { name: "build" }, model: { id: "m", limit: { context: 1000 } } })
const first = await system("ses_1")
const title = await system("ses_1", "You are a title generator. You output ONLY a thread title.")
await answer("ses_1", "msg_2", "the answer", 100)
await say("ses_2", "msg_3", "a subtask")
await event("session.idle", { sessionID: "ses_2" })
await event("session.idle", { sessionID: "ses_1" })
await say("resumed", "msg_4", "again")
await say("child", "msg_5", "a resumed subtask")
const compacting = { context: [] }
await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, compacting)
await answer("ses_1", "msg_6", "the summary", 100, true)
await event("session.compacted", { sessionID: "ses_1" })
const env = {}
await hooks["shell.env"]({ sessionID: "ses_1" }, { env })
await event("session.error", {})
await event("of a later version", undefined)
await event("session.created", undefined)
await hooks["chat.message"](undefined, undefined)
console.log(JSON.stringify({ first, title, last: await system("ses_1"), child: await system("ses_2"), compacting: compacting.context, env }))
