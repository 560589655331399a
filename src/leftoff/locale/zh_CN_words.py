"""Chinese: the headings of help pages."""

TEXTS = {
    "examples:": "示例:",
    "options": "选项",
    "positional arguments": "参数",
    "usage: ": "用法: ",
}
