"""Vocabulary of dialogs, Chinese and English, as data: labels of buttons and patterns of messages."""

from __future__ import annotations

import re
from typing import Final

from handeye.blockers.base import Grant
from handeye.text import normalize


def _labels(labels: str) -> tuple[str, ...]:
    return tuple(normalize(label) for label in labels.split("|"))


# Labels of buttons, the preferred one first. Refusing is always safe; a person can still allow.
REFUSE: Final = _labels(
    "拒绝|不允许|禁止|不同意|拒绝且不再询问|拒绝并不再询问|拒绝并退出|Don't allow|Deny|Decline|Refuse|Ask app not to track"
    "|Deny & don't ask again|Deny and don't ask again|Disagree|Don't agree|不再选择|Don't select more"
)
# Labels by the extent of their grant.
GRANTS: Final[dict[Grant, tuple[str, ...]]] = {
    Grant.ONCE: _labels("仅限这一次|仅此一次|本次运行允许|允许一次|Only this time|Allow once"),
    Grant.WHILE_IN_USE: _labels(
        "仅在使用中允许|仅在使用期间允许|使用时允许|使用应用时允许|使用App时允许|使用期间允许|仅在使用该应用时允许"
        "|While using the app|Allow while using app|Allow while using the app"
    ),
    Grant.SELECTED: _labels(
        "选择照片|选择照片和视频|选择视频|选择更多|允许部分访问|Select photos|Select photos and videos|Select videos"
        "|Select more|Select more photos|Allow limited access"
    ),
    Grant.ALL: _labels(
        "允许|全部允许|允许全部|允许访问所有照片|允许完全访问|Allow|Allow all|Allow all photos|Allow full access"
        "|Allow access to all photos|Allow all photos and videos|同意并继续"
    ),
    Grant.ALWAYS: _labels("始终允许|总是允许|Allow all the time|Always allow|Always allow all|一律全部允许"),
}
# These refuse a request as well; in other dialogs "No" may be the answer that loses something.
REFUSE_REQUEST: Final = (*REFUSE, *_labels("否|No"))
YES: Final = _labels("好|好的|确定|OK|是|Yes")
# Buttons that postpone something. If the message contains the same word, the button may do it: "取消订单？ 取消 / 再想想".
POSTPONE: Final = _labels(
    "取消|稍后|稍后再说|以后再说|下次再说|暂不|暂不更新|暂不开启|以后|不了|不用了|不需要|忽略|跳过|残忍拒绝|不感兴趣|再想想"
    "|我再想想|留下|继续编辑|关闭|Cancel|Later|Not now|No thanks|No, thanks|Maybe later|Remind me later|Skip|Close"
    "|Stay|Stay here|Keep editing"
)
# The same in other languages: Android's own word for "Cancel" in its 84 languages, and "Later", "Not now" and "Close" in the
# largest.
POSTPONE_FOREIGN: Final = _labels(
    "Cancel·la|Annuller|لغو|キャンセル|გაუქმება|ਰੱਦ ਕਰੋ|ரத்துசெய்|Avbryt|Скасаваць|Abbrechen|रद्द गर्नुहोस्"
    "|రద్దు చేయి|Kanselleer|Отказ|ยกเลิก|Peruuta|रद्द करें|අවලංගු කරන්න|Hủy|Бас тарту|Откажи|Zrušiť|Скасувати|Ακύρωση"
    "|Cancelar|റദ്ദാക്കുക|Annuleren|Anuluj|Prekliči|Kanselahin|ይቅር|បោះបង់|বাতিল করুন|Batal|ರದ್ದುಮಾಡಿ|Цуцлах|취소"
    "|ຍົກເລີກ|Anulați|Anulo|إلغاء|Annuler|Odustani|रद्द करा|İptal|منسوخ کریں|বাতিল কৰক|Otkaži|Zrušit|Hætta við"
    "|Tühista|Annulla|Atšaukti|Utzi|રદ કરો|Mégse|Отмена|Khansela|Atcelt|ביטול|Ghairi|Չեղարկել|Жокко чыгаруу|မလုပ်တော့"
    "|Ləğv et|Bekor qilish|Später|Nicht jetzt|Vielleicht später|Nein danke|Nein, danke|Später erinnern|Überspringen"
    "|Plus tard|Non merci|Peut-être plus tard|Ignorer|Passer|Pas maintenant|Más tarde|Ahora no|No, gracias|No gracias"
    "|Quizás más tarde|Omitir|Saltar|Mais tarde|Agora não|Più tardi|Non ora|No grazie|No, grazie|Salta|Позже"
    "|Не сейчас|Нет, спасибо|Пропустить|Напомнить позже|Пізніше|Не зараз|後で|あとで|今はしない|スキップ|今はしません"
    "|나중에|건너뛰기|لاحقًا|ليس الآن|لا شكرًا|تخطي|Daha sonra|Şimdi değil|Później|Nie teraz|Nie, dziękuję|Pomiń"
    "|Later|Niet nu|Nanti|Để sau|Senare|Inte nu|Později|Teď ne|稍後|暫時不要"
)
# Buttons that close an error report. Waiting is milder than closing.
CLOSE_FAILED: Final = _labels(
    "等待|Wait|取消|Cancel|我知道了|知道了|Got it|Dismiss|关闭应用|Close app|关闭|Close|确定|OK|好|好的"
)
# The one button of a notice.
ACKNOWLEDGE: Final = _labels("我知道了|知道了|好的|好|确定|明白了|Got it|OK|Okay|Dismiss|Close|关闭|I understand")
# Those of them that may also agree to what the message announces.
AGREES: Final = frozenset(ACKNOWLEDGE) - frozenset(_labels("关闭|Close|Dismiss"))
# Further buttons that distinguish a dialog from a page. They agree to something, or lose something: they are never pressed.
OTHERS: Final = _labels(
    "确认|是|否|保存|不保存|删除|继续|同意|更新|立即更新|立即安装|安装|去设置|前往设置|打开|发送|退出|立即开启|开启|重试|应用信息"
    "|Yes|No|Save|Don't save|Discard|Delete|Continue|Confirm|Agree|Accept|Update|Update now|Rate now|Settings|Open|Retry|Send"
    "|Open settings|Exit|Leave|Turn on|Enable|Install|App info|Apply"
)
_GRANTING: Final = tuple(label for labels in GRANTS.values() for label in labels)
ALL_BUTTONS: Final = frozenset((*REFUSE, *_GRANTING, *POSTPONE, *CLOSE_FAILED, *ACKNOWLEDGE, *OTHERS))
# On a page that could not be loaded: loading it again changes nothing else.
RETRY: Final = _labels(
    "重试|点击重试|点我重试|重新加载|重新载入|刷新|刷新重试|点击刷新|刷新试试|Retry|Try again|Tap to retry|Reload|Refresh"
)
RETRY_FOREIGN: Final = _labels(
    "Erneut versuchen|Nochmal versuchen|Réessayer|Reintentar|Volver a intentar|Intentar de nuevo|Tentar novamente"
    "|Tentar de novo|Riprova|Повторить|Повторить попытку|Попробовать снова|Повторити|Спробувати знову|再試行"
    "|もう一度試す|다시 시도|재시도|إعادة المحاولة|حاول مرة أخرى|Tekrar dene|Yeniden dene|Spróbuj ponownie|Ponów"
    "|Opnieuw proberen|Coba lagi|Thử lại|Försök igen|Prøv igen|Prøv igjen|Yritä uudelleen|Zkusit znovu|Reîncearcă"
    "|Újra|Δοκιμάστε ξανά|ลองอีกครั้ง|फिर से कोशिश करें|נסה שוב|重試|再試一次"
)

ADVERT_MARKS: Final = _labels("广告|推广|赞助|Ad|Ads|Sponsored|Advertisement")
# All of these are searched in normalised words, which have no blanks.
FAILED: Final = re.compile(
    r"停止运行|无响应|没有响应|keepsstopping|hasstopped|isn't?responding|notresponding|出错了|发生错误|网络异常|网络错误|连接失败|加载失败"
    r"|网络连接失败|网络不给力|网络开小差|服务器异常|请求超时|网络超时|somethingwentwrong|networkerror|connectionfailed|unabletoconnect"
)
UNREACHABLE: Final = re.compile(
    FAILED.pattern
    + r"|无网络|没有网络|网络未连接|未连接到互联网|无法访问此网站|无法连接|检查网络|can'?tbereached|nointernet"
    r"|no(?:network)?connection|you'?reoffline|couldn'?tload|failedtoload"
    r"|keine(?:internet)?verbindung|(?:pas|aucune)(?:de)?connexion|sinconexi[oó]n|semconex[aã]o|nessunaconnessione"
    r"|нет(?:подключения|соединения|интернета)|接続できません|オフライン|인터넷에연결|geenverbinding|brakpołączenia"
)
# Error codes of Chromium-based browsers (net/base/net_error_list.h, and their DNS probes).
ERROR_CODE: Final = re.compile(r"(?:net::?)?err_[a-z_]{4,}|dns_probe_[a-z_]{4,}", re.IGNORECASE)
LOADING: Final = re.compile(
    r"(?:正在)?(?:加载|载入|处理|连接|登录|刷新|请求)中|正在(?:加载|载入|处理|连接|登录|刷新)|请稍[候等后](?!再|重|尝试)|loading|pleasewait|justamoment"
)
SKIP: Final = re.compile(
    r"跳过广告|skipads?|跳过(?:广告)?[(（|]?(\d{1,2})(?:s|秒)?[)）]?|(\d{1,2})(?:s|秒)?\|?跳过(?:广告)?"
    r"|skip(?:ads?)?[(|]?(\d{1,2})s?\)?|(\d{1,2})s?\|?skip(?:ads?)?"
)
# A countdown until the advert can be skipped.
NOT_YET: Final = re.compile(
    r"\d{1,2}(?:s|秒)?(?:后|之后)(?:可以?|即可)?(?:跳过|关闭)(?:广告)?|(?:youcan)?skip(?:ads?)?in\d{1,2}(?:s|seconds)?"
)
# A request names an app and a permission; without that, "Don't allow" next to OK may refuse anything.
REQUEST: Final = re.compile(
    r"(?:想要?|请求|申请|需要|要求)(?:您的)?(?:访问|使用|获取|读取|开启|打开|给您?发送|拍摄|录制|查找)|权限|访问您的|使用您的|(?:是否)?允许.{1,40}(?:访问|使用|获取|读取|拍|录|拨|发送|查找)"
    r"|wouldliketo|wantsto|allow.{1,40}to(?:access|use|take|record|send|make|read|find|manage|connect)"
)
# Only a person may answer these.
PERSON: Final = re.compile(
    r"支付密码|输入密码|锁屏密码|验证指纹|指纹验证|刷脸|人脸识别|短信验证码|拖动滑块|滑动验证|滑块验证|完成验证|安全验证|人机验证|请先?登录|登录已?(?:过期|失效)|登录状态已?失效"
    r"|captcha|notarobot|verify(?:that)?you'?(?:re|are)?(?:a)?human|enter(?:your)?(?:password|pin|passcode)|confirmyour(?:pin|password|pattern)"
    r"|(?:please|youneedto)(?:signin|login)|session(?:has)?expired|touchid|faceid"
)


# Resource ids of dialogs' buttons, as data: they are the same in every language.


# The ids of AOSP's GrantPermissionsActivity, which vendors keep when they rename its package. A refusal that is not permanent
# comes first; keeping what was granted before ("no upgrade", "don't select more") refuses the rest.
PERMISSION_REFUSALS: Final = (
    "permission_deny_button",
    "permission_no_upgrade_button",
    "permission_no_upgrade_one_time_button",
    "permission_dont_allow_more_selected_button",
    "permission_deny_and_dont_ask_again_button",
    "permission_no_upgrade_and_dont_ask_again_button",
    "permission_no_upgrade_one_time_and_dont_ask_again_button",
)
PERMISSION_GRANTS: Final[dict[Grant, tuple[str, ...]]] = {
    Grant.ONCE: ("permission_allow_one_time_button",),
    Grant.WHILE_IN_USE: ("permission_allow_foreground_only_button",),
    Grant.SELECTED: ("permission_allow_selected_button",),
    Grant.ALL: ("permission_allow_button", "permission_allow_all_button"),
    Grant.ALWAYS: ("permission_allow_always_button",),
}
PERMISSION_MESSAGE: Final = "permission_message"
PERMISSION_PARTS: Final = frozenset(
    (PERMISSION_MESSAGE, *PERMISSION_REFUSALS, *(name for names in PERMISSION_GRANTS.values() for name in names))
)
# Buttons of Android's report of an app that hangs or has crashed. Waiting is milder than closing.
FAILED_APP: Final = ("aerr_wait", "aerr_close")
# The buttons of Android's AlertDialog, and their equivalents in other libraries: the one that agrees, the one that refuses,
# and a third one.
POSITIVE, NEGATIVE, NEUTRAL = "positive", "negative", "neutral"
_ALERT: Final = {"button1": POSITIVE, "button2": NEGATIVE, "button3": NEUTRAL}

# Ids of buttons that only close something, without the words that any id may have. An id with another word as well
# ("cancel_order", "close_account") may do more.
_CLOSING_IDS: Final = frozenset(
    {"close", "skip", "dismiss", "later", "cancel", "notnow", "nothanks", "maybelater", "reject"}
)
_COMMON_ID_WORDS: Final = frozenset(
    (
        *(
            "btn",
            "button",
            "iv",
            "img",
            "image",
            "icon",
            "ic",
            "tv",
            "text",
            "txt",
            "view",
            "layout",
            "container",
            "handler",
        ),
        *(
            "dialog",
            "popup",
            "pop",
            "modal",
            "card",
            "banner",
            "ad",
            "ads",
            "advert",
            "splash",
            "interstitial",
            "native",
        ),
        *("sheet", "top", "bottom", "left", "right", "all", "default", "md"),
    )
)
ADVERTS: Final = frozenset({"ad", "ads", "advert", "interstitial", "splash"})
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of(name: str) -> tuple[str, ...]:
    """
    Return the words of a resource id's last part.

    >>> words_of("iv_adClose")
    ('iv', 'ad', 'close')
    """
    return tuple(word.casefold() for word in _WORD.findall(name))


def is_closing_id(name: str) -> bool:
    """
    Return True if a button with that id only closes what it is on.

    >>> is_closing_id("btn_ad_close"), says_close("close_account"), says_close("cancel_order_button")
    (True, False, False)
    """
    return _distinctive_words(name) in _CLOSING_IDS


def answer_of(name: str) -> str | None:
    """
    Return which of a dialog's buttons has that id: POSITIVE, NEGATIVE or NEUTRAL; None for any other id.

    >>> answer_of("button2"), answer_of("md_buttonDefaultPositive"), answer_of("negative_feedback")
    ('negative', 'positive', None)
    """
    said = _ALERT.get(name) or _distinctive_words(name)
    return said if said in (POSITIVE, NEGATIVE, NEUTRAL) else None


def _distinctive_words(name: str) -> str:
    """Return the id's words that remain without those that any id may have."""
    return "".join(word for word in words_of(name) if word not in _COMMON_ID_WORDS)


# Messages that only inform: that something is done or over, does not exist, or failed. An allow list of harmless messages,
# never a list of harmful ones: "Your order will be placed now. [OK]" has too many variants to list. Every word of a message
# has to match for its OK to be pressed; any other is left with BACK.


# Longer messages are no notices.
_LONGEST: Final = 120
_STOP: Final = r"[,.;:!~，。；：！、…·'\"]*"

_THING: Final = (
    r"(?:登录|支付|锁屏)?密码|头像|昵称|资料|个人信息|信息|设置|文件|图片|视频|照片|内容|数据|链接|操作|任务|反馈|意见|评论|评价|申请|消息|邮件"
    r"|记录|订单|页面|文档|草稿|名称|语言|主题|网络|服务器?|系统|功能|页面|应用|地址|验证码|缓存"
)
_ACTION: Final = (
    r"保存|复制|修改|更改|设置|提交|上传|下载|更新|绑定|收藏|分享|添加|完成|发布|发送|登录|签到|领取|导出|导入|同步|连接|关注|取消|删除|加载"
    r"|操作|清理|处理|注册|打开|刷新|获取|请求|创建|安装"
)
_EVENT: Final = r"活动|直播|比赛|投票|报名|课程|会议|抢购|链接|页面|内容|二维码|验证码|优惠券?"
_CHINESE: Final = (
    r"(?:温馨|系统|友情)?提示|通知|公告|消息|注意",
    rf"(?:您的|你的)?(?:{_THING})?(?:已经?)?(?:{_ACTION})(?:成功|完成|完毕|失败)(?:了)?",
    rf"(?:您的|你的)?(?:{_THING})?已经?(?:成功)?(?:{_ACTION})(?:至?到?(?:剪贴板|相册|收藏|本地))?(?:了)?",
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
# Each form is matched possessively, without backtracking: some overlap, and trying all combinations would take exponential
# time.
_NOTICE: Final = re.compile(rf"{_STOP}(?>(?:{_FORMS}){_STOP})++")
# The app's name is the one part of such a notice that cannot be known.
_STOPPED: Final = re.compile(
    r"(?:unfortunately|很抱歉|抱歉)?[,，]?[“\"「]?(?P<app>[^,.;:!?，。；：！？将会]{1,20})[”\"」]?"
    r"(?:已停止运行|屡次停止运行|一直停止运行|keepsstopping|hasstopped)[.。]?"
)


def is_notice(message: str) -> bool:
    """
    Return True if a normalised message only informs: its OK then only closes it.

    >>> is_notice("密码修改成功"), is_notice("将转账500元给李四")
    (True, False)
    """
    if not message or len(message) > _LONGEST:
        return False
    return _NOTICE.fullmatch(message) is not None


def is_crash(message: str) -> bool:
    """Return True if a normalised message only reports that an app has stopped."""
    return len(message) <= _LONGEST and _STOPPED.fullmatch(message) is not None
