"""Chinese for what `resume` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "({n} older: leftoff resume --json)": "（另有 {n} 个较早的：leftoff resume --json）",
    "(a person)": "（某人）",
    "(it is gone)": "（已不存在）",
    "(none)": "（无）",
    "it leads out of the project": "它指向项目之外",
    "unknown": "未知",
    "Content:": "内容：",
    "Your previous prompt was:": "你上一条提示词是：",
    "The prompt in full:": "完整提示词：",
    "Nothing was replayed.": "没有重放任何提示词。",
    "a notice of the client, no prompt": "客户端的通知，不是提示词",
    "{n} blocked prompt{s} were saved while context was overloaded:": (
        "上下文过载时保存了 {n} 条被拦下的提示词："
    ),
    "Also waiting: {n} blocked prompt(s) (leftoff resume --replay)": (
        "另有 {n} 条被拦下的提示词在等待（leftoff resume --replay）"
    ),
    "Stale pending-prompt sentinel detected (session-id MISMATCH: was {old}, current {now})": (
        "发现其他会话留下的提示词（会话 id 不一致：原为 {old}，当前为 {now}）"
    ),
    "Resuming task: {task}. Branch: {branch}. Last intent: {intent}.": (
        "继续任务：{task}。分支：{branch}。最近意图：{intent}。"
    ),
    "In-flight artifacts: {n} paths.": "进行中的文件：{n} 个。",
    "Open questions: {n} items.": "未决问题：{n} 个。",
    "Read these now:": "现在请读取：",
    "Multiple pending-restore sentinels found.": "有多个待恢复的记录。",
    "Nothing was left for a next session.": "没有为下一个会话留下任何东西。",
    " (given to the live session {name})": "（已交给仍在运行的会话 {name}）",
    " (left by the live session {name})": "（由仍在运行的会话 {name} 留下）",
    "Task: {task}  Branch: {branch} (checkpoint: {date})": (
        "任务：{task}  分支：{branch}（断点：{date}）"
    ),
    "{path} (cannot be read: {why})": "{path}（无法读取：{why}）",
    "Manual recovery — please paste the checkpoint content above and I will reconstruct state.": (
        "手动恢复：请粘贴以上断点内容，我来重建状态。"
    ),
    "The last session itself: {command}": "回到上一个会话本身：{command}",
    "You do not start from zero: your memory is {path}": "你不是从零开始：你的记忆在 {path}",
    "{path} ({age}), given to the live session {session}": (
        "{path}（{age}），已交给进行中的会话 {session}"
    ),
}

MESSAGES: dict[str, str] = {
    "it was used, but could not be moved to the trash: {reason}": (
        "它已被使用，但无法移入回收站：{reason}"
    ),
    "it will be offered again": "它会被再次提供",
    "it could not be moved to the trash: {reason}": "无法移入回收站：{reason}",
    "the record stays; leftoff resume --pick skip goes past it": (
        "记录保留；leftoff resume --pick skip 可跳过它"
    ),
    "a record points at {path}, which is gone": "有一条记录指向 {path}，而它已不存在",
    "a record points at {path}, which does not belong to this project": (
        "有一条记录指向 {path}，而它不属于这个项目"
    ),
    "{task} was given to the live session {session}": "{task} 已交给进行中的会话 {session}",
    "none of these: look for the newest checkpoint": "都不是：查找最新的断点",
    "Which session do you want to restore? Enter a number, or 'skip'": (
        "要恢复哪个会话？请输入编号，或输入 'skip'"
    ),
    "no blocked prompt waits here": "这里没有被拦下的提示词",
    "The edited text of this prompt": "这条提示词修改后的文字",
    "there is no pipe to read the edited text from": "这里没有管道可读取修改后的文字",
    "write --edited TEXT": "请写 --edited TEXT",
    "Replay which? [{answers}]": "重放哪些？[{answers}]",
    "Run it now? [{answers}]": "现在运行吗？[{answers}]",
    "leave it": "不理会",
    "give it back as it was typed": "按原样交回",
    "give back an edited version": "交回修改后的版本",
    "put it into the trash": "移入回收站",
    "name the files to read": "列出要读取的文件",
    "read nothing now": "现在什么都不读",
    "Re-fire reads on artifacts now? [y / n]": "现在重新读取这些文件吗？[y / n]",
    "the file is gone": "文件已不存在",
    "the folder is gone, with the files in it: {n}": "文件夹已不存在，其中有 {n} 个文件",
    "the checkpoint still names it": "断点仍然提到它",
    "the row is missing: {reason}": "没有写入该行：{reason}",
    "the whole document, then continue or restart": "显示整个文档，然后继续或重新开始",
    "what sessions left for the next one": "各会话为下一个会话留下了什么",
    "which one, if several match: a number, a name, or skip; given twice: the second try": (
        "有多个时选哪一个：编号、名称或 skip；写两次即第二次回答"
    ),
    "give blocked prompts back: y, n, all, 2, 1,3, edit 1, none, delete": (
        "交回被拦下的提示词：y、n、all、2、1,3、edit 1、none、delete"
    ),
    "whether to name the files in flight for reading": "是否列出进行中的文件以供读取",
    "the edited prompt, for --replay edit; - reads a pipe": (
        "修改后的提示词，配合 --replay edit；- 表示从管道读取"
    ),
    "the calling session, if it cannot be detected": "无法判断时，指明是哪个会话在调用",
    "Continue from here, or restart?": "从这里继续，还是重新开始？",
    "it was fixed by hand: continue from here": "已手动修复：从这里继续",
    "Session-id mismatch: sentinel is from a prior session. Using it anyway.": (
        "会话 id 不一致：记录来自之前的会话，仍然使用。"
    ),
    "it is for another task ({task}) than {thread}": "它属于另一个任务（{task}），不是 {thread}",
    "the session {session} that left it still runs": "留下它的会话 {session} 仍在运行",
    "work on it in one session at a time": "同一时间只在一个会话中处理它",
    "the live session {other} works on {id}, too": "仍在运行的会话 {other} 也在处理 {id}",
    "{thread} belongs to the live session {holder}": "{thread} 属于仍在运行的会话 {holder}",
    '"leftoff resume {thread}" works on it here as well': (
        "运行 leftoff resume {thread} 即可在这里一同处理"
    ),
    "a blocked prompt cannot be read: {why}": "有一条被拦下的提示词无法读取：{why}",
    "open the file: what can still be read of the prompt is there": (
        "打开该文件：提示词中仍可读的部分就在其中"
    ),
    "it was given to the live session {session} already": "它已交给进行中的会话 {session}",
    "this session left it itself; it holds nothing new here": (
        "它正是本会话留下的：其中没有新内容"
    ),
}
