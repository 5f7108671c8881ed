"""
The sentences of runs in English, as code writes them, and in Chinese; how slots are read stands in `handeye.report.sentences`.

The first one that fits is taken, so a longer one stands before the shorter one that it begins or ends with.
"""

from __future__ import annotations

from typing import Final

# What makes a step's text: targets and expectations.
_WANTED: Final = (
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

# What verifiers have seen.
_EVIDENCE: Final = (
    ("{s1}, and was not there before", "{s1}，之前没有"),
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
    ("exact match", "完全一致"),
    ("token match", "整词一致"),
    ("substring match", "包含"),
    ("fuzzy match", "近似"),
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
    ("typed {n1} characters by {w1}", "用 {w1} 输入了 {n1} 个字符"),
    ("the field shows them", "输入框已显示"),
    ("the field is read as it was typed", "输入框里读到的与输入一致"),
    ("read {q1}, by {x1}", "读到{q1}（{x1}）"),
    ("another text stands there: {q1}", "那里是另一段文字：{q1}"),
    ("{q1} is read there ({l1})", "那里读到{q1}（{l1}）"),
    ("in place, as found by {w1}", "仍在原处（当初由 {w1} 找到）"),
    ("moved by {x1} px, as found by {w1}", "移动了 {x1} 像素（当初由 {w1} 找到）"),
)

# What happened on the way.
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
    ("waited for loading: {x1}", "等待加载：{x1}"),
    ("still in the way after {n1} dismissals: {x1}", "关闭 {n1} 次后仍在：{x1}"),
    ("popup: {x1}", "弹窗：{x1}"),
    ("dialog: {x1}", "对话框：{x1}"),
    ("permission: {x1}", "权限请求：{x1}"),
    ("ad: {x1}", "广告：{x1}"),
    ("error: {x1}", "错误提示：{x1}"),
    ("loading: {x1}", "加载中：{x1}"),
    ("keyboard: {x1}", "键盘：{x1}"),
)

# How a step or a run ended.
_ENDS: Final = (
    ("step {n1} ({x1}): {l1}", "第 {n1} 步（{x1}）：{l1}"),
    ("interrupted", "被中断"),
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
    ("{l1} was not found ({x1})", "没有找到{l1}（{x1}）"),
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
    ("{x1} is in the way, and only a person may answer it ({q1})", "{x1}挡在前面，只能由人来处理（{q1}）"),
    ("and the device could not be brought to its home screen: {x1}", "而且设备无法回到桌面：{x1}"),
)

FORMS: Final = (*_ENDS, *_NOTES, *_EVIDENCE, *_WANTED)
