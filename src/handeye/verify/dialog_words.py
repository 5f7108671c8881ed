"""The words of dialogs, Chinese and English, as data: what their buttons say, and what their messages are about."""

from __future__ import annotations

import re
from typing import Final

from handeye.blockers.base import Grant
from handeye.locate.match_text import normalize


def _labels(labels: str) -> tuple[str, ...]:
    return tuple(normalize(label) for label in labels.split("|"))


# Labels of buttons, the preferred one first. To refuse is always safe; a person can still allow.
REFUSE: Final = _labels(
    "拒绝|不允许|禁止|不同意|拒绝且不再询问|拒绝并不再询问|拒绝并退出|Don't allow|Deny|Decline|Refuse|Ask app not to track"
    "|Deny & don't ask again|Deny and don't ask again|Disagree|Don't agree|不再选择|Don't select more"
)
# How far each of them grants.
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
# To a request these are an answer as well; to anything else "No" may be the one that loses something.
REFUSE_REQUEST: Final = (*REFUSE, *_labels("否|No"))
YES: Final = _labels("好|好的|确定|OK|是|Yes")
# Buttons that put something off. What they say in a message as well they may do: "取消订单？ 取消 / 再想想".
LATER: Final = _labels(
    "取消|稍后|稍后再说|以后再说|下次再说|暂不|暂不更新|暂不开启|以后|不了|不用了|不需要|忽略|跳过|残忍拒绝|不感兴趣|再想想"
    "|我再想想|留下|继续编辑|关闭|Cancel|Later|Not now|No thanks|No, thanks|Maybe later|Remind me later|Skip|Close"
    "|Stay|Stay here|Keep editing"
)
# The same in other languages: Android's own word for "Cancel" in its 84 languages, and "Later", "Not now" and "Close" in the
# largest.
LATER_ABROAD: Final = _labels(
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
# To an error: what ends it. To wait is milder than to close.
CLOSE_FAILED: Final = _labels(
    "等待|Wait|取消|Cancel|我知道了|知道了|Got it|Dismiss|关闭应用|Close app|关闭|Close|确定|OK|好|好的"
)
# The one button of a notice.
ACKNOWLEDGE: Final = _labels("我知道了|知道了|好的|好|确定|明白了|Got it|OK|Okay|Dismiss|Close|关闭|I understand")
# Those of them that may as well agree to what the message says will happen.
AGREES: Final = frozenset(ACKNOWLEDGE) - frozenset(_labels("关闭|Close|Dismiss"))
# Further buttons that tell a dialog from a page. They agree to something, or lose something: nobody presses them here.
OTHERS: Final = _labels(
    "确认|是|否|保存|不保存|删除|继续|同意|更新|立即更新|立即安装|安装|去设置|前往设置|打开|发送|退出|立即开启|开启|重试|应用信息"
    "|Yes|No|Save|Don't save|Discard|Delete|Continue|Confirm|Agree|Accept|Update|Update now|Rate now|Settings|Open|Retry|Send"
    "|Open settings|Exit|Leave|Turn on|Enable|Install|App info|Apply"
)
_GRANTING: Final = tuple(label for labels in GRANTS.values() for label in labels)
ALL_BUTTONS: Final = frozenset((*REFUSE, *_GRANTING, *LATER, *CLOSE_FAILED, *ACKNOWLEDGE, *OTHERS))
# On a page that could not be loaded: to ask for it again changes nothing else.
RETRY: Final = _labels(
    "重试|点击重试|点我重试|重新加载|重新载入|刷新|刷新重试|点击刷新|刷新试试|Retry|Try again|Tap to retry|Reload|Refresh"
)
RETRY_ABROAD: Final = _labels(
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
# What browsers of the Chromium family put under it (net/base/net_error_list.h, and their probes of the name server).
ERROR_CODE: Final = re.compile(r"(?:net::?)?err_[a-z_]{4,}|dns_probe_[a-z_]{4,}", re.IGNORECASE)
LOADING: Final = re.compile(
    r"(?:正在)?(?:加载|载入|处理|连接|登录|刷新|请求)中|正在(?:加载|载入|处理|连接|登录|刷新)|请稍[候等后](?!再|重|尝试)|loading|pleasewait|justamoment"
)
SKIP: Final = re.compile(
    r"跳过广告|skipads?|跳过(?:广告)?[(（|]?(\d{1,2})(?:s|秒)?[)）]?|(\d{1,2})(?:s|秒)?\|?跳过(?:广告)?"
    r"|skip(?:ads?)?[(|]?(\d{1,2})s?\)?|(\d{1,2})s?\|?skip(?:ads?)?"
)
# It counts down, and cannot be skipped yet.
NOT_YET: Final = re.compile(
    r"\d{1,2}(?:s|秒)?(?:后|之后)(?:可以?|即可)?(?:跳过|关闭)(?:广告)?|(?:youcan)?skip(?:ads?)?in\d{1,2}(?:s|seconds)?"
)
# A request names who wants what; without that, "Don't allow" beside OK may refuse anything.
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
