"""What `handeye model check` says, in English and Chinese."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

Words = Mapping[str, str]

ENGLISH: Final[Words] = {
    "ok": "ok",
    "failed": "FAILED",
    "unknown": "-",
    "reachable": "reachable",
    "key": "accepts the key",
    "no_key": "works without a key",
    "pictures": "sees pictures",
    "answer": "answers in a form that can be read",
    "coordinates": "says where things are",
    "model": "{model} at {address}, as the family {profile}",
    "read": "it read the word on a new picture",
    "not_read": "it found a button on a new picture, but read its word as {said!r}",
    "blind": "it did not read the word on the picture, and found nothing there: {said!r}",
    "counted": "{counting}, {order}, {off:.0f} px from the middle of a button of {width} x {height} px",
    "elsewhere": "its place is not the button, by any reading: {said!r}",
    "beside": "{counting}, {order}, but {off:.0f} px from the middle of a button of {width} x {height} px: beside it",
    "as_profile": "as the profile says",
    "against": "the profile {profile} reads it otherwise",
    "set_profile": "set LLM_PROFILE={first} ({others}these profiles read this answer right), and check again",
    "set_profile_one": "set LLM_PROFILE={first}, whose profile reads this answer right, and check again",
    "no_profile": "no profile makes this a hit; choose another model",
    "inconclusive": "what is known of this family is not certain; this check is what counts",
    "cost": "{usage}, {each:.1f} s a call",
    "0-1": "0-1",
    "0-100": "percent",
    "0-1000": "0-1000",
    "pixels of the picture sent": "pixels of the picture sent",
    "pixels of the whole frame": "pixels of the whole frame, which it was not shown",
    "x first": "x first",
    "y first": "y first",
}
CHINESE: Final[Words] = {
    "ok": "正常",
    "failed": "失败",
    "unknown": "-",
    "reachable": "可以连接",
    "key": "接受密钥",
    "no_key": "无需密钥即可使用",
    "pictures": "能看图",
    "answer": "回答可以读懂",
    "coordinates": "能说出位置",
    "model": "{model}，地址 {address}，按 {profile} 系列",
    "read": "读出了新图上的单词",
    "not_read": "找到了新图上的按钮，但把单词读成了 {said!r}",
    "blind": "没有读出图上的单词，也没有找到任何东西：{said!r}",
    "counted": "{counting}，{order}，距 {width} x {height} 像素按钮的中心 {off:.0f} 像素",
    "elsewhere": "无论怎样解读，它说的位置都不是那个按钮：{said!r}",
    "beside": "{counting}，{order}，但距 {width} x {height} 像素按钮的中心 {off:.0f} 像素：点在了旁边",
    "as_profile": "与配置一致",
    "against": "配置 {profile} 的解读与此不同",
    "set_profile": "请设置 LLM_PROFILE={first}（{others}这些配置能正确解读），然后再次检查",
    "set_profile_one": "请设置 LLM_PROFILE={first}（能正确解读），然后再次检查",
    "no_profile": "没有任何配置能让它命中，请换一个模型",
    "inconclusive": "该系列的资料并不确定，以本次检查为准",
    "cost": "{calls} 次调用，token 输入 {tokens_in} 输出 {tokens_out}，${cost:.4f}（{unpriced} 次无价格），每次 {each:.1f} 秒",
    "0-1": "0-1",
    "0-100": "百分比",
    "0-1000": "0-1000",
    "pixels of the picture sent": "所发图片的像素",
    "pixels of the whole frame": "整个画面的像素（它并未看到）",
    "x first": "x 在前",
    "y first": "y 在前",
}


def words() -> Words:
    """Chinese when HANDEYE_LANG begins with "zh": there is no task whose language could be taken."""
    return CHINESE if os.environ.get("HANDEYE_LANG", "").lower().startswith("zh") else ENGLISH
