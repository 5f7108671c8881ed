"""
Messages that only tell: of something that is done or over, that is not there, or that failed.

This is a list of what is known to be harmless, never one of what does harm: of "Your order will be placed now. [OK]" nobody can
list all. A message has to consist of these to its last word for its OK to be pressed; any other is left with BACK.
"""

from __future__ import annotations

import re
from typing import Final

# Longer messages are no plain notices.
_LONGEST: Final = 120
_STOP: Final = r"[,.;:!~，。；：！、…·'\"]*"

_THING: Final = (
    r"(?:登录|支付|锁屏)?密码|头像|昵称|资料|个人信息|信息|设置|文件|图片|视频|照片|内容|数据|链接|操作|任务|反馈|意见|评论|评价|申请|消息|邮件"
    r"|记录|订单|页面|文档|草稿|名称|语言|主题|网络|服务器?|系统|功能|页面|应用|地址|验证码|缓存"
)
_DEED: Final = (
    r"保存|复制|修改|更改|设置|提交|上传|下载|更新|绑定|收藏|分享|添加|完成|发布|发送|登录|签到|领取|导出|导入|同步|连接|关注|取消|删除|加载"
    r"|操作|清理|处理|注册|打开|刷新|获取|请求|创建|安装"
)
_EVENT: Final = r"活动|直播|比赛|投票|报名|课程|会议|抢购|链接|页面|内容|二维码|验证码|优惠券?"
_CHINESE: Final = (
    r"(?:温馨|系统|友情)?提示|通知|公告|消息|注意",
    rf"(?:您的|你的)?(?:{_THING})?(?:已经?)?(?:{_DEED})(?:成功|完成|完毕|失败)(?:了)?",
    rf"(?:您的|你的)?(?:{_THING})?已经?(?:成功)?(?:{_DEED})(?:至?到?(?:剪贴板|相册|收藏|本地))?(?:了)?",
    rf"(?:本次|该|此|当前)?(?:{_EVENT})(?:已经?|尚未|还未|暂未|未)(?:结束|开始|截止|失效|过期|删除|下架)(?:了)?",
    r"(?:暂无|暂时没有|没有)(?:更多|新的?)?(?:数据|内容|消息|记录|订单|结果|更新|版本)(?:了)?",
    r"(?:当前)?(?:已经?|已经是|已是|是)最新版本?(?:了)?|(?:当前)?无需更新",
    r"(?:系统|服务器?|网络|该?功能)(?:正在)?(?:维护中?|繁忙|升级中|异常|错误)|(?:该|此|本)?功能(?:暂未|尚未|未)开放|敬请期待",
    r"(?:当前)?(?:设备|版本|系统|地区)?(?:暂不|不)支持(?:该|此|本)?(?:功能|操作)",
    r"网络(?:连接)?(?:异常|错误|失败|超时|不给力|开小差了?)|请求超时|连接失败|(?:程序|应用|系统)?(?:出错了|发生错误)|无法连接到?(?:网络|服务器)",
    r"请(?:您)?(?:稍后|稍候|晚点)(?:再试|重试|再来)(?:一?次)?|请?检查(?:您的|你的)?网络(?:连接|设置)?(?:后(?:再试|重试))?",
    r"(?:谢谢|感谢)(?:您|你)?(?:的)?(?:反馈|支持|参与|使用|理解|配合)?",
)
_ENGLISH_THING: Final = (
    r"(?:(?:your|the|all)(?:new)?)?(?:password|profile|picture|settings?|changes?|files?|photos?|videos?|messages?|feedback|link|data|document"
    r"|draft|name|page|content|task|operation|request|connection|server|network|download|upload|update|app)"
)
_ENGLISH_DONE: Final = (
    r"saved|copied(?:to(?:the)?clipboard)?|changed|updated|uploaded|downloaded|sent|submitted|completed?|deleted|added|removed"
    r"|successful|finished|failed|timedout|expired|closed"
)
_ENGLISH: Final = (
    r"notice|note|information|info|tip|message|success|done|error|oops|sorry|alert",
    rf"(?:{_ENGLISH_THING})?(?:was|were|has|have|hasbeen|havebeen)?(?:successfully)?(?:{_ENGLISH_DONE})(?:successfully)?",
    r"(?:there(?:is|are))?no(?:new|more)?(?:updates?|results?|messages?|data|content)(?:available|found)?",
    r"(?:you(?:'re|are))?(?:already)?uptodate|youhavethelatestversion",
    r"thereisanewlook|what'snew|welcomeback|comingsoon",
    r"somethingwentwrong|networkerror|connectionfailed|unabletoconnect|(?:the)?serverisbusy|requesttimedout|anerroroccurred",
    r"(?:please)?(?:tryagain|comeback)(?:later)?|(?:please)?check(?:your)?(?:network|internet)?connection(?:andtryagain)?",
    r"this(?:feature|function)(?:is)?(?:not(?:yet)?|un)(?:available|supported)(?:yet)?|thank(?:you|s)(?:for(?:your)?feedback)?",
)
_FORMS: Final = "|".join((*_CHINESE, *_ENGLISH))
# Each form is taken as it matches first and never again: some overlap, and tried in all ways they would take for ever.
_NOTICE: Final = re.compile(rf"{_STOP}(?>(?:{_FORMS}){_STOP})++")
# An app that is named in front of it: the one thing in a notice that cannot be known.
_STOPPED: Final = re.compile(
    r"(?:unfortunately|很抱歉|抱歉)?[,，]?[“\"「]?(?P<app>[^,.;:!?，。；：！？将会]{1,20})[”\"」]?"
    r"(?:已停止运行|屡次停止运行|一直停止运行|keepsstopping|hasstopped)[.。]?"
)


def is_notice(message: str) -> bool:
    """
    Whether a message, normalised, only tells something: its OK then does nothing but close it.

    >>> is_notice("密码修改成功"), is_notice("将转账500元给李四")
    (True, False)
    """
    if not message or len(message) > _LONGEST:
        return False
    return _NOTICE.fullmatch(message) is not None


def is_crash(message: str) -> bool:
    """Whether a message, normalised, says no more than that an app has stopped."""
    return len(message) <= _LONGEST and _STOPPED.fullmatch(message) is not None
