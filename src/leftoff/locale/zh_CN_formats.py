"""Chinese: what is said of documents that break the rules of their format."""

MESSAGES = {
    '"{field}" has no item "{name}": it has {n}, counted from 0': (
        "“{field}” 没有条目 “{name}”：它有 {n} 个，从 0 数起"
    ),
    '"{field}" has no item "{name}": it is empty': "“{field}” 没有条目 “{name}”：它是空的",
    '"{key}" is not a field': "“{key}” 不是字段",
    '"{key}" is not a field of this document': "“{key}” 不是此文档的字段",
    '"{key}" stands for the name of a field in usage texts: write --status=blocked': (
        "“{key}” 在用法说明中代表字段名：请写成 --status=blocked"
    ),
    '"{name}" goes too deep: an item holds texts': "“{name}” 层级太深：条目只保存文本",
    '"{name}" has no element "{step}"': "“{name}” 没有元素 “{step}”",
    '"{name}" is a text, not a list': "“{name}” 是文本，不是列表",
    '"{name}" is a text: nothing can be set below it ({path})': (
        "“{name}” 是文本：不能设置其下的内容 ({path})"
    ),
    '"{name}" is not a list': "“{name}” 不是列表",
    '"{name}" is one item: only = can set it': "“{name}” 是单个条目：只能用 = 设置",
    '"{name}" appears twice in one object; the last one counts': (
        "“{name}” 在同一对象中出现两次；以最后一个为准"
    ),
    '"{name}" takes a text': "“{name}” 需要文本",
    '"{word}" is not a kind of pending file': "“{word}” 不是待处理文件的种类",
    '"{word}" is not a status of a Markdown checkpoint': "“{word}” 不是 Markdown 断点的状态",
    "--new-key adds a key to the header": "--new-key 可在头部添加键",
    "7 to 40 hexadecimal digits": "7 到 40 位十六进制数字",
    "Completion belongs to archived checkpoints only": "Completion 只属于已归档的断点",
    "Few decisions recorded ({n}, recommend >= 2)": "记录的决定太少（{n} 项，建议 >= 2）",
    "Invalid status '{word}', defaulting to 'active'": "状态 '{word}' 无效，按 'active' 处理",
    "Missing YAML frontmatter (recommended: checkpoint, created, anchor)": (
        "缺少 YAML 头部（建议包含：checkpoint、created、anchor）"
    ),
    "Missing required frontmatter field: {key}": "缺少必需的头部字段：{key}",
    "Missing required section: {marks} {name}": "缺少必需的节：{marks} {name}",
    "Missing required subsection: {marks} {name}": "缺少必需的小节：{marks} {name}",
    "Play-By-Play has few entries ({n}, recommend >= 2)": (
        "Play-By-Play 的条目太少（{n} 条，建议 >= 2）"
    ),
    "a checkpoint is current or active; it is complete when it is archived": (
        "断点的状态是 current 或 active；归档后即为完成"
    ),
    "a line of the header is neither a key nor a comment": "头部有一行既不是键也不是注释",
    "a list": "列表",
    "a number": "数字",
    "a number has too many digits": "数字的位数过多",
    "a pending restore is one line: the path of a checkpoint": "待恢复文件只有一行：断点的路径",
    "a pending restore names one path": "待恢复文件只写一个路径",
    "a pidfile says skill=NAME and pid=NUMBER": "pidfile 应写明 skill=NAME 和 pid=NUMBER",
    "a row of the cost ledger begins with a session id": "成本账本的一行以会话 id 开头",
    "a row of the cost ledger has 6 to 8 columns, this one {n}": (
        "成本账本的一行有 6 到 8 列，这一行有 {n} 列"
    ),
    "a text": "文本",
    "a text in quotes does not end": "引号中的文本没有结束",
    "a text in quotes has a backslash that means nothing": "引号中的文本含有无意义的反斜杠",
    "a text in quotes runs over the end of its line": "引号中的文本跨越了行尾",
    "a time": "时间",
    "a whole number": "整数",
    "an attribution reads usd=..;tok=..;src=..": "归属应写成 usd=..;tok=..;src=..",
    "an item is a text, or an object with a text": "条目是文本，或带有 text 的对象",
    "an object": "对象",
    "another section {name}; the one in line {n} counts": "重复的节 {name}；以第 {n} 行的为准",
    "checkpoint": "断点",
    "config.{key} has no effect: it must be a number above 0": (
        "config.{key} 不起作用：它必须是大于 0 的数字"
    ),
    "config.{key} has no effect: it must be true or false": (
        "config.{key} 不起作用：它必须是 true 或 false"
    ),
    "leftoff update {name} --config.{key}:json=VALUE": (
        "请运行 leftoff update {name} --config.{key}:json=VALUE"
    ),
    "choose with leftoff update {name} --resolve {path}=ours or {again}=theirs": (
        "请用 leftoff update {name} --resolve {path}=ours 或 {again}=theirs 选择"
    ),
    'close it with a line "---"': "请用一行 “---” 结束它",
    "cost.total_usd ({total}) exceeds cost.budget_usd ({budget}) — budget gate tripped": (
        "cost.total_usd ({total}) 超过 cost.budget_usd ({budget})——已触发预算关口"
    ),
    'did you mean "{word}"? to add a key of your own, use --new-key': (
        "你是指 “{word}” 吗？要添加自己的键，请用 --new-key"
    ),
    "expected a colon": "应为冒号",
    "expected a comma": "应为逗号",
    "expected a name in double quotes": "应为双引号中的名称",
    'filename {file} does not match skill="{skill}" (expected {name}.checkpoint.json)': (
        '文件名 {file} 与 skill="{skill}" 不符（应为 {name}.checkpoint.json）'
    ),
    "keep one version of the marked lines, then run leftoff validate": (
        "请只保留标记行的一个版本，然后运行 leftoff validate"
    ),
    "line {n} holds a NUL": "第 {n} 行含有 NUL",
    "line {n} is a conflict marker of git": "第 {n} 行是 git 的冲突标记",
    'line {n}: merge conflict marker "{mark}"': "第 {n} 行：合并冲突标记 “{mark}”",
    "line {n}: {reason}": "第 {n} 行：{reason}",
    'missing required field "{name}"': "缺少必需字段 “{name}”",
    "more than one ticket has the role source; usually a single one started the work": (
        "有多个工单的 role 为 source；通常只有一个是工作的起点"
    ),
    "nested more than {n} levels deep": "嵌套超过 {n} 层",
    "no context_primer — resume will have to re-read the project; add key_decisions + "
    "generated_files": (
        "没有 context_primer——resume 将不得不重新阅读项目；请添加 key_decisions + generated_files"
    ),
    "no field is named": "没有指定字段",
    "no progress_table — recommended for in_progress checkpoints so resume can show position": (
        "没有 progress_table——建议 in_progress 断点带上它，以便 resume 显示进度"
    ),
    'nothing can be set at "{step}" below a plain value': "普通值之下不能有 “{step}”",
    "one comma too many": "多了一个逗号",
    "replace that value": "请替换那个值",
    "save": "保存文件",
    "sess- and small letters or digits, or a UUID": "sess- 加小写字母或数字，或 UUID",
    "session id": "会话 id",
    "sessions[{at}].seq {n} appears more than once": "sessions[{at}].seq {n} 出现多次",
    "resolve it by hand, then try again": "请手动处理，然后重试",
    "small letters or digits with dashes between them": "以连字符分隔的小写字母或数字",
    "the Thread ID is {id}, the folder {folder}": "Thread ID 是 {id}，文件夹是 {folder}",
    "the file is empty": "文件为空",
    "the header does not end": "文件头没有结尾",
    'the key "{key}" was probably copied from a usage text': (
        "键 “{key}” 很可能是从用法说明中照抄的"
    ),
    "the {part} is empty": "{part}为空",
    'there is no "{name}" in this format': "此格式没有 “{name}”",
    "there is no # Checkpoint: NAME": "没有 # Checkpoint: NAME",
    "there is no section ## {name}": "没有 ## {name} 一节",
    "there is no section Next Steps": "没有 Next Steps 一节",
    'threadId "{id}" is not the name of its folder "{folder}"': (
        "threadId “{id}” 与文件夹名 “{folder}” 不符"
    ),
    "to add a key of your own, use --new-key": "要添加自己的键，请用 --new-key",
    "to replace its value, write --{name}=VALUE": "要替换它的值，请写 --{name}=VALUE",
    "true or false": "true 或 false",
    "unresolved conflict at {path}: the value of {part} waits here": (
        "{path} 处的冲突未解决：{part}的值在此等待选择"
    ),
    "use --{name}=TEXT to replace it": "用 --{name}=TEXT 替换它",
    "use the id or the number of one": "请用某个元素的 id 或序号",
    "write NAME=VALUE with the name of a field": "请写成 NAME=VALUE，NAME 为字段名",
    "{key} is given twice in the header; the last one counts": (
        "{key} 在头部出现两次；以最后一个为准"
    ),
    '{key} is not an ISO-8601 time: "{text}"': "{key} 不是 ISO-8601 时间：“{text}”",
    "{name}: ### {title} is missing": "{name}：缺少 ### {title}",
    "{name}: ### {title} is not filled in": "{name}：### {title} 没有内容",
    "{name}: nobody has stated it": "{name}：无人说明",
    "{name}: section is not filled in": "{name}：此节没有内容",
    "{name}: the heading has no ISO-8601 time": "{name}：标题没有 ISO-8601 时间",
    "{name}: the table has no column {title}": "{name}：表格没有 {title} 列",
    '{name}: {key} "{word}" is none of {words}': "{name}：{key} “{word}” 不在 {words} 之中",
    "{n} sessions are active; only the last one can be": (
        "有 {n} 个活动的会话；只有最后一个可以是活动的"
    ),
    '{where} "{id}" is already the id of {name}[{at}]': "{where} “{id}” 已是 {name}[{at}] 的 id",
    "{where} ({updated}) is before created_at ({created})": (
        "{where} ({updated}) 早于 created_at ({created})"
    ),
    "{where} ({value}) exceeds max ({most})": "{where} ({value}) 超过 max ({most})",
    "{where} must be ISO-8601 UTC": "{where} 必须是 ISO-8601 UTC 时间",
    "{where} must be a boolean (opt-in state)": "{where} 必须是布尔值（是否选择加入）",
    '{where} must be a non-empty array when status is "in_progress" (the next session reads '
    "next_actions[0] first)": (
        "状态为 “in_progress” 时 {where} 必须是非空数组（下一个会话首先读取 next_actions[0]）"
    ),
    "{where} must be a non-negative number": "{where} 必须是非负数",
    "{where} must be a positive number": "{where} 必须是正数",
    "{where} must be a string (a shell command to self-verify completion)": (
        "{where} 必须是字符串（用于自行验证完成的 shell 命令）"
    ),
    "{where} must be a string (anonymous handle)": "{where} 必须是字符串（匿名标识）",
    "{where} must be a string (local sink path)": "{where} 必须是字符串（本地存放路径）",
    "{where} must be a string handle or an object { enabled, id?, sink?, since? }": (
        "{where} 必须是字符串标识，或对象 { enabled, id?, sink?, since? }"
    ),
    "{where} must be a string or { text, done_when? }": (
        "{where} 必须是字符串或 { text, done_when? }"
    ),
    '{where} must be a supported on-disk schema version ("1.0" or "1.1"); got {value}. This is '
    "the wire-format version, not the checkpoint-protocol skill release version.": (
        "{where} 必须是受支持的磁盘格式版本（“1.0” 或 “1.1”）；实际为 {value}。这是存储格式的版本，"
        "不是 checkpoint-protocol 技能的发布版本。"
    ),
    "{where} must be an object (oc-cost-ops spend attribution)": (
        "{where} 必须是对象（oc-cost-ops 成本归属）"
    ),
    "{where} must be an object mapping name → number": "{where} 必须是“名称 → 数字”的对象",
    "{where} must be one of {words}": "{where} 必须是以下之一：{words}",
    '{where} must be one of {words} (got "{value}")': (
        "{where} 必须是以下之一：{words}（实际为 “{value}”）"
    ),
    '{where} must be one of {words} (got "{value}") — the priority engine routes on this': (
        "{where} 必须是以下之一：{words}（实际为 “{value}”）——优先级引擎以此分派"
    ),
    "{where} must be {least} or more": "{where} 不能小于 {least}",
    "{where} must be {part}": "{where} 必须是{part}",
    "{where} must have {most} elements at most": "{where} 最多有 {most} 个元素",
    "{where} needs at least id + description": "{where} 至少需要 id + description",
    "{where} required": "{where} 必填",
    "{where} required (string — which rubric produced the score)": (
        "{where} 必填（字符串——给出分数的评分标准）"
    ),
    "{where} string must be non-empty": "{where} 字符串不能为空",
    '{where}.blocking="{id}" does not match any progress_table.id — dangling reference?': (
        '{where}.blocking="{id}" 与任何 progress_table.id 都不匹配——引用悬空？'
    ),
    "{where}.{key}: a ticket is kept by its id and url, never with its text": (
        "{where}.{key}：工单只保存 id 和 url，不保存正文"
    ),
    "{word} is not a JSON value": "{word} 不是 JSON 值",
}
