"""
Messages for an act that the task does not allow: the words in question, and how to ask for it. For a Chinese task the Chinese
message comes first; the English one after it is for the model, which is asked again.
"""

from __future__ import annotations

from typing import Final

from handeye.plan.consent.effects import ACCOUNT, CALLING, DELETE, GRANT, INSTALL, PAY, POWER, SEND, SHARE, Act

_CHINESE: Final = {
    SEND.name: "发送或发布内容",
    SHARE.name: "分享或回复内容",
    PAY.name: "付款、转账或下单",
    DELETE.name: "删除或清除内容",
    GRANT.name: "授予权限或同意条款",
    INSTALL.name: "安装应用",
    ACCOUNT.name: "退出登录",
    CALLING.name: "拨打电话",
    POWER.name: "关机或重启",
}


def not_asked(act: Act, control: str, task: str) -> str:
    """Return the message for a control whose act the task does not order."""
    english = (
        f"the task does not ask to {act.name}, as {control!r:.80} does; these words would ask for it: {act.example}"
    )
    return _in_language_of(task, f"任务没有要求{_CHINESE[act.name]}，而{control!r:.80}会这样做", english)


def not_clear(clause: str, act: Act, task: str) -> str:
    """Return the message for a clause that is not understood and may take the order back."""
    english = f"what {clause!r:.80} means for it is not understood; plain orders alone would be, such as: {act.example}"
    return _in_language_of(task, f"不确定任务里的{clause!r:.80}是什么意思，因此不执行；请只写明确的命令", english)


def not_whole(message: str, task: str) -> str:
    """Return the message for a text that is not exactly the dictated message."""
    english = (
        f"{message!r:.80} is not the whole message of the task; put its words in quotation marks: send “hello” to Ann"
    )
    return _in_language_of(
        task, f"{message!r:.80}不是任务里完整的消息；请把原话放进引号，例如：给张三发送“明天见”", english
    )


def _in_language_of(task: str, chinese: str, english: str) -> str:
    is_chinese = any("\u4e00" <= char <= "\u9fff" for char in task)
    return f"{chinese} ({english})" if is_chinese else english
