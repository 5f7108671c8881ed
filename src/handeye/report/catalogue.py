"""Chinese translations of the messages of a run.

Evidence, notes and errors are written to events and JSON in English. `translated` returns the Chinese of the most frequent
ones for display; a message without a translation is shown in English. Quoted parts (screen text, app names, step descriptions)
are not translated.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# English message patterns and their Chinese translations; `_SLOT_PATTERNS` below defines the slots. The first matching pattern
# wins, so a longer pattern must precede a shorter one with the same beginning or end.

# Targets and expectations of a step.
_TARGETS: Final = (
    ("{q1}", "{q1}"),
    ("text {q1} is there anew", "新出现文字{q1}"),
    ("text {q1} is there", "有文字{q1}"),
    ("text {q1} is gone", "文字{q1}消失"),
    ("image {q1} is there", "有图片{q1}"),
    ("app 'home' is in front", "桌面在前台"),
    ("app {q1} is in front", "应用{q1}在前台"),
    ("the screen changed", "屏幕有变化"),
    ("its switch is on", "开关为打开"),
    ("its switch is off", "开关为关闭"),
    ("in the row of {q1}: {s1}", "{q1}一行：{s1}"),
    ("text {q1}", "文字{q1}"),
    ("image {q1}", "图片{q1}"),
    ("list item {s1}", "列表项 {s1}"),
    ("button {s1}", "按钮 {s1}"),
    ("{s1} or {s2}", "{s1}或{s2}"),
)

# Blockers that cover a page.
_BLOCKERS: Final = (
    ("a permission request", "权限请求"),
    ("an advert", "广告"),
    ("an advert without a ✕", "没有关闭按钮的广告"),
    ("a full-screen advert that counts down: {q1}", "倒计时的全屏广告：{q1}"),
    ("a full-screen advert", "全屏广告"),
    ("a dialog that asks for a person", "需要人来处理的对话框"),
    ("a dialog that only offers to agree or to lose something", "只能同意或放弃的对话框"),
    ("a dialog with a ✕", "带关闭按钮的对话框"),
    ("a dialog", "对话框"),
    ("a pop-up with a ✕", "带关闭按钮的弹窗"),
    ("a pop-up that can be closed", "可关闭的弹窗"),
    ("a notice", "提示"),
    ("a card over the page whose buttons are not known", "页面上方按钮不明的卡片"),
    ("an error message without a known button", "没有可用按钮的错误提示"),
    ("an error message", "错误提示"),
    ("a page that could not be loaded", "加载失败的页面"),
    ("a loading message over the page", "页面上方的加载提示"),
    ("the page is loading: {q1}", "页面正在加载：{q1}"),
    ("the page is loading: a turning ring", "页面正在加载：转动的圆圈"),
    ("the keyboard covers the field it types into", "键盘挡住了正在输入的输入框"),
    ("the keyboard", "键盘"),
)

# Evidence of the verifiers.
_EVIDENCE: Final = (
    ("{s1}, and was not there before", "{s1}，之前没有"),
    ("{s1}, below {q1}, which stood below it before", "{s1}，位于{q1}下方，而之前在它上方"),
    ("{s1}, but stood there before as well", "{s1}，但之前就有"),
    ("{s1}, but there is no earlier frame to tell whether it is new", "{s1}，但没有之前的画面，无法判断是否新出现"),
    ("{s1}, but {x1} may hide it", "{s1}，但可能被遮住（{x1}）"),
    ("the text {q1} is there in its region ({l1})", "指定区域内有文字{q1}（{l1}）"),
    ("the text {q1} is there in the row of {q2} ({l1})", "{q2}一行有文字{q1}（{l1}）"),
    ("the text {q1} is there ({l1})", "屏幕上有文字{q1}（{l1}）"),
    ("the text {q1} is not on the screen in its region", "指定区域内没有文字{q1}"),
    ("the text {q1} is not on the screen in the row of {q2}", "{q2}一行没有文字{q1}"),
    ("the text {q1} is not on the screen", "屏幕上没有文字{q1}"),
    ("the text {q1} is gone", "文字{q1}已消失"),
    ("the text {q1} is still there", "文字{q1}仍在"),
    ("no text could be read on the page, which does not say that {q1} is gone", "页面上读不到文字，不能说明{q1}已消失"),
    ("the tree has {q1} where {q2} was read with {n1}", "控件树里是{q1}，从画面读到{q2}（{n1}）"),
    ("the tree has {q1}, not {q2}, where {q3} was read with {n1}", "控件树里是{q1}，不是{q2}，从画面读到{q3}（{n1}）"),
    ("the tree has {q1} below all that stood there, and had none before", "控件树里{q1}在原有内容下方，之前没有"),
    ("the tree has {q1} below all that stood there, and had {n1} before", "控件树里{q1}在原有内容下方，之前有 {n1} 处"),
    ("{q1} has too few characters that a text reader knows", "{q1}里能识别的字符太少"),
    ("{q1} stands there, read with doubt", "那里读到{q1}，但没有把握"),
    (
        "the phone says that its volume went: {w1} from {n1} to {n2} of {n3}",
        "手机显示音量（{w1}）从 {n1} 变为 {n2}，最大 {n3}",
    ),
    ("BACK led from {w1} to {w2}, which was open beneath it", "返回键从 {w1} 回到下面的 {w2}"),
    ("exact match", "完全一致"),
    ("normalised match", "一致"),
    ("unread match", "部分字符读不出，其余一致"),
    ("label match", "其中一项一致"),
    ("decorated match", "除快捷键等附加符号外一致"),
    ("variant match", "简繁或重音不同，其余一致"),
    ("wrapped match", "换行后一致"),
    ("title match", "书名号中的文字一致"),
    ("part match", "为其中一部分"),
    ("negated match", "带否定词"),
    ("{n1} lines", "{n1} 行"),
    ("{n1} characters read differently", "{n1} 个字符读法不同"),
    ("its first {n1} characters are above the screen", "开头 {n1} 个字符在屏幕上方"),
    ("{n1} that no reader knows left out", "略去 {n1} 个无法识别的字符"),
    ("token match", "整词一致"),
    ("substring match", "包含"),
    ("misread match", "除易混字符外一致"),
    ("the screen did not change", "屏幕没有变化"),
    ("the screen changed by {n1} %", "屏幕变化 {n1} %"),
    ("its switch is on, as it is drawn", "从画面看，开关已打开"),
    ("its switch is off, as it is drawn", "从画面看，开关已关闭"),
    ("its switch is on, as the tree says", "从控件树看，开关已打开"),
    ("its switch is off, as the tree says", "从控件树看，开关已关闭"),
    ("nothing was expected that can be seen", "没有可以从画面判断的期望"),
    ("what was expected is not seen", "没有看到期望的结果"),
    ("nothing happened: try the step again", "没有反应：重试这一步"),
    ("it could not be decided whether the step did what it should", "无法判断这一步是否达到目的"),
    ("another page came up than was expected", "出现的不是期望的页面"),
    ("no vision model is configured to judge {q1}", "没有配置视觉模型来判断{q1}"),
    ("say of the text in quotes no more than that it is there, or is gone", "对引号里的文字，请只说有或没有"),
    ("put the text that must be seen in quotes", "请给必须看到的文字加上引号"),
    ("it stood there before, and nothing changed: that proves nothing", "之前就有，而且没有变化：不能证明什么"),
    ("the device does not say which app is in front", "设备没有说明哪个应用在前台"),
    ("the device does not say which app is its home screen", "设备没有说明哪个应用是桌面"),
    ("which app is in front could not be asked: {x1}", "无法查询前台应用：{x1}"),
    ("the home screen is in front, as after a crash", "桌面在前台，像是应用崩溃了"),
    ("before it was {w1}", "之前是 {w1}"),
    ("{w1} is in front, before it was {w2}", "{w1} 在前台，之前是 {w2}"),
    ("{w1} is in front", "{w1} 在前台"),
    ("BACK was pressed {n1} times", "按了 {n1} 次返回键"),
    ("typed {n1} characters by key events", "用按键输入了 {n1} 个字符"),
    ("typed {n1} characters by {w1}", "用 {w1} 输入了 {n1} 个字符"),
    ("the field shows them", "输入框已显示"),
    ("its pictures are not kept: they may show a secret", "未保存画面：其中可能有机密"),
    ("the field is read as it was typed", "输入框里读到的与输入一致"),
    ("read {q1}, by {x1}", "读到{q1}（{x1}）"),
    ("another text stands there: {q1}", "那里是另一段文字：{q1}"),
    ("{q1} was found for what was typed, and reads otherwise", "按输入的文字找到的是{q1}，两者不同"),
    (
        "{q1} is what the words mean with a probability of {n1} only, and what cannot be taken back needs {n2}: say its label",
        "这些话指的是{q1}的概率只有 {n1}，而无法撤回的操作需要 {n2}：请直接说出它的文字",
    ),
    ("{q1} is read there ({l1})", "那里读到{q1}（{l1}）"),
    ("in place, as found by {w1}", "仍在原处（当初由 {w1} 找到）"),
    ("moved by {x1} px, as found by {w1}", "移动了 {x1} 像素（当初由 {w1} 找到）"),
)

# Notes of steps.
_NOTES: Final = (
    ("fallback {w1}: {x1}", "备选动作 {w1}：{x1}"),
    ("attempt {n1} of {n2}", "第 {n1} 次，共 {n2} 次"),
    ("not needed: {l1}", "不需要：{l1}"),
    ("{s1} holds: {l1}", "{s1}，成立：{l1}"),
    ("{s1} does not hold: {l1}", "{s1}，不成立：{l1}"),
    ("{s1} is not decided: {l1}", "{s1}，无法判断：{l1}"),
    ("passed over: {l1}", "已略过：{l1}"),
    ("it is not needed", "不需要"),
    ("before the act: {l1}", "操作之前：{l1}"),
    ("no other plan: {l1}", "没有其他计划：{l1}"),
    ("no other plan, so the first one again: {l1}", "没有其他计划，从头执行原计划：{l1}"),
    ("{w1} is not in front any more, as after a crash: {w2} is", "{w1} 已不在前台，像是崩溃了：现在是 {w2}"),
    ("the link was lost during {w1}: {x1}", "{w1} 时连接中断：{x1}"),
    ("the device is gone, and waited for, {n1} s at most: {x1}", "设备断开，最多等待 {n1} 秒：{x1}"),
    ("the device is back after {n1} s", "{n1} 秒后设备恢复连接"),
    ("dismissed {l1}", "已关闭{l1}"),
    ("granted {l1}", "已允许{l1}"),
    ("waited for loading: {l1}", "等待加载：{l1}"),
    ("waited for {l1}", "等待{l1}"),
    ("still in the way after {n1} dismissals: {l1}", "关闭 {n1} 次后仍在：{l1}"),
    # The description of a known blocker already contains its type.
    ("popup: {s1}", "{s1}"),
    ("dialog: {s1}", "{s1}"),
    ("permission: {s1}", "{s1}"),
    ("ad: {s1}", "{s1}"),
    ("error: {s1}", "{s1}"),
    ("loading: {s1}", "{s1}"),
    ("keyboard: {s1}", "{s1}"),
    ("popup: {l1}", "弹窗：{l1}"),
    ("dialog: {l1}", "对话框：{l1}"),
    ("permission: {l1}", "权限请求：{l1}"),
    ("ad: {l1}", "广告：{l1}"),
    ("error: {l1}", "错误提示：{l1}"),
    ("loading: {l1}", "加载中：{l1}"),
    ("keyboard: {l1}", "键盘：{l1}"),
)

# Notes of the locator strategies that were tried.
_ATTEMPTS: Final = (
    ("{w1}: absent", "{w1}：没有"),
    ("{w1}: no reference image is asked for", "{w1}：没有指定参考图"),
    ("{w1}: no text is asked for", "{w1}：没有指定文字"),
    ("{w1}: too doubtful: {n1} is below {n2} ({x1})", "{w1}：把握不够，{n1} 低于 {n2}（{x1}）"),
    ("{w1}: too doubtful: {n1} is below {n2}", "{w1}：把握不够，{n1} 低于 {n2}"),
)

# Errors and other endings of a step or a run.
_ENDINGS: Final = (
    ("step {n1} ({x1}): {l1}", "第 {n1} 步（{x1}）：{l1}"),
    ("interrupted", "被中断"),
    ("no app module knows how to do {q1}", "没有应用模块会做{q1}"),
    ("known wordings that come near: {x1}", "相近的说法：{x1}"),
    ("{w1} is busy: another process is running a task on it", "{w1} 正忙：另一个进程正在它上面执行任务"),
    ("{w1} is busy: process {n1} is running a task on it", "{w1} 正忙：进程 {n1} 正在它上面执行任务"),
    (
        "{w1} went away and did not come back in time (adb says: {x1}). {l1}",
        "{w1} 已断开，没有及时恢复（adb：{x1}）。{l1}",
    ),
    ("{w1} went away and did not come back in time. {l1}", "{w1} 已断开，没有及时恢复。{l1}"),
    ("Check the cable or the network, and that the phone is awake", "请检查数据线或网络，并确认手机已唤醒"),
    ("then connect again", "然后重新连接"),
    ("wait for its end, or stop that process", "请等待结束，或停止该进程"),
    ("{q1} is not there. adb says: {x1}", "找不到设备{q1}。adb：{x1}"),
    ("the phone is locked", "手机已锁屏"),
    ("the picture is black: {l1}", "画面全黑：{l1}"),
    ("picture: it is black: {l1}", "画面：全黑，{l1}"),
    ("display {n1} is dark", "显示屏 {n1} 没有点亮"),
    ("lit is {x1}: write ?display={n1}", "点亮的是 {x1}：请写 ?display={n1}"),
    ("{w1} forbids pictures of its window", "{w1} 禁止截取它的窗口"),
    ("only the accessibility tree shows it", "只有控件树能看到它"),
    ("nothing says why: its page may be black", "原因不明：页面可能本来就是黑的"),
    ("{q1} on the device ended with exit code {n1}: {l1}", "设备上的命令{q1}以退出码 {n1} 结束：{l1}"),
    (
        "{w1} is installed for user {x1} only, not for user {n1}. Name the user: --user {n2}, or ?user={n3} at the end of the "
        "device's URI",
        "{w1} 只为用户 {x1} 安装，没有为用户 {n1} 安装。请指明用户：--user {n2}，或在设备 URI 末尾加 ?user={n3}",
    ),
    ("there is no user {n1} on {w1}", "{w1} 上没有用户 {n1}"),
    ("{w1} is not installed on {w2}", "{w2} 上没有安装 {w1}"),
    ("install it first", "请先安装"),
    ("unlock it, and keep it from locking itself while a task runs", "请先解锁，并避免它在任务运行时自动锁屏"),
    ("the phone sleeps and does not wake up", "手机在休眠，无法唤醒"),
    ("switch its display on", "请点亮屏幕"),
    ("every step was done, but nothing proves the goal", "每一步都已执行，但无法证明目标已达成"),
    ("every step was done, but that does not prove the task: {l1}", "每一步都已执行，但不能证明任务已完成：{l1}"),
    ("what is seen at the plan's end says nothing of the task", "计划结束时看到的内容与任务无关"),
    ("what was done before is not proved: {x1}", "之前执行的步骤没有得到证明：{x1}"),
    ("a fault in the program has ended the run", "程序出错，任务已结束"),
    ("it may have been sent or done all the same", "可能已经发送或执行"),
    ("look at the chat or page where it would stand", "请先查看聊天或相应的页面"),
    ("if it was not sent or done, run the task again", "如果没有发送或执行，请重新运行任务"),
    ("look before doing it again", "重做之前请先查看"),  # runs of earlier versions
    (
        "nothing was done: {l1} may have been done already, and nobody knows what a second time would do",
        "没有执行：{l1}可能已经执行过，没人知道再做一次会怎样",
    ),
    ("nothing was done: {l1}", "没有执行：{l1}"),
    ("nothing was done, because {l1}", "没有执行，因为{l1}"),
    ("nothing was done again: in step {n1} ({l2}) {l1}", "没有重做：第 {n1} 步（{l2}），{l1}"),
    ("nothing was done again: in step {n1} {l1}", "没有重做：第 {n1} 步，{l1}"),
    (
        "it may have been done already, and nobody knows what a second time would do",
        "可能已经执行过，没人知道再做一次会怎样",
    ),
    ("if it was not, or may be done again, run the task itself again", "如果没有执行，或可以再做一次，请重新运行任务"),
    ("it was not done again: {l1}", "没有重做：{l1}"),
    ("it cannot be taken back, and may have been done already", "无法撤回，而且可能已经执行过"),
    ("its text, or one that says the same, may have been sent already", "这段文字或同样意思的文字可能已经发送过"),
    ("its text, or a part of it, may have been sent already", "这段文字或其中一部分可能已经发送过"),
    (
        "it was tried on this very screen before and did not help: the run goes in a circle",
        "在同一个画面上已经试过，没有用：任务在原地打转",
    ),
    ("{l1} was not found ({l2})", "没有找到{l1}（{l2}）"),
    ("{l1} fits {n1} places equally well", "有 {n1} 处同样符合{l1}"),
    ("none was chosen", "没有选择任何一处"),
    ("the first page was not reached with {n1} times BACK: {l1}", "按了 {n1} 次返回键仍未回到首页：{l1}"),
    (
        "the first page was not reached: the screen no longer changes with BACK ({l1})",
        "没有回到首页：按返回键后画面不再变化（{l1}）",
    ),
    ("{q1} was searched for, and not found", "搜索了{q1}，没有找到"),
    ("what the earlier run typed may still stand in its field", "上次输入的内容可能仍在输入框里"),
    ("empty it, and run the task again", "请清空后重新运行任务"),
    ("{l1} is in the way, and only a person may answer it ({q1})", "{l1}挡在前面，只能由人来处理（{q1}）"),
    ("{l1} is in the way, and does not offer {q1}, only {q2} ({q3})", "{l1}挡在前面，不提供{q1}，只提供{q2}（{q3}）"),
    ("the photos that the app may see are to be chosen on the phone", "请在手机上选择应用可以访问的照片"),
    ("and the device could not be brought to its home screen: {x1}", "而且设备无法回到桌面：{x1}"),
)

TRANSLATIONS: Final = (*_ENDINGS, *_NOTES, *_ATTEMPTS, *_EVIDENCE, *_BLOCKERS, *_TARGETS)


# The first letter of a slot's name is its type: q quotation, n number, w one word, x any text, s a sentence that must have a
# translation, l a sentence that is left in English if it has none.
_QUOTED: Final = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|“[^”]*”"""
_SLOT_PATTERNS: Final = {"q": _QUOTED, "n": r"[\d.]+", "w": r"\S+", "x": r".+", "s": r".+", "l": r".+"}
_SLOT: Final = re.compile(r"\{(\w+)\}")
_SEPARATOR: Final = re.compile(rf"(?<!\w)(?:{_QUOTED})(?!\w)|(?P<between>; |, )|(?P<opens>\()|(?P<closes>\))")
_MAX_LENGTH: Final = 2_000
"""Longest text, in characters, that is translated: an error may quote a whole page, and no message of a run itself is
longer."""
_MAX_DEPTH: Final = 4
"""Depth of nested sentences: "step 3 (...): not needed: A or B holds: C" has four."""


@lru_cache(maxsize=512)
def translated(text: str, language: str) -> str:
    """Return `text`, a message of a run, in `language` ("zh" or "en"); unchanged if no translation is known."""
    if language != "zh" or len(text) > _MAX_LENGTH:
        return text
    return _translate_clauses(text, 0)


def _translate_clauses(text: str, depth: int) -> str:
    clauses = _split(text, "; ")
    in_chinese = [_translate_sentence(clause, depth) for clause in clauses]
    if not any(in_chinese):
        return text
    return "；".join(known or clause for known, clause in zip(in_chinese, clauses, strict=True))


def _translate_sentence(text: str, depth: int) -> str | None:
    """
    Return the Chinese of a sentence, or of several that are separated by commas, or None if one of them has no
    translation.
    """
    if depth > _MAX_DEPTH:
        return None
    for pattern, chinese in _PATTERNS:
        if (found := pattern.fullmatch(text)) is not None:
            slots = {name: _fill_slot(name, value, depth) for name, value in found.groupdict().items()}
            filled = {name: value for name, value in slots.items() if value is not None}
            if len(filled) == len(slots):
                return chinese.format(**filled)
    parts = _split(text, ", ")
    known = (
        [each for part in parts if (each := _translate_sentence(part, depth + 1)) is not None] if len(parts) > 1 else []
    )
    return "，".join(known) if known and len(known) == len(parts) else None


def _fill_slot(name: str, value: str, depth: int) -> str | None:
    if name[0] == "s":
        return _translate_sentence(value, depth + 1)
    if name[0] == "l":
        return _translate_clauses(value, depth + 1)
    if name[0] == "q" and "\\" not in value:
        return f"“{value[1:-1]}”"
    return value


def _split(text: str, separator: str) -> list[str]:
    """Split `text` at each `separator` outside quotations and brackets."""
    cuts, depth = [], 0
    for found in _SEPARATOR.finditer(text):
        depth = max(0, depth + bool(found["opens"]) - bool(found["closes"]))
        if found["between"] == separator and not depth:
            cuts.append(found.span())
    begins, ends = [0, *(end for _, end in cuts)], [*(begin for begin, _ in cuts), len(text)]
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _pattern(english: str) -> re.Pattern[str]:
    pieces = _SLOT.split(english)
    parts = (
        f"(?P<{piece}>{_SLOT_PATTERNS[piece[0]]})" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)
    )
    return re.compile("".join(parts), re.DOTALL)


_PATTERNS: Final = tuple((_pattern(english), chinese) for english, chinese in TRANSLATIONS)
