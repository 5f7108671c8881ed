"""Parse permission requests: which app asks for which permissions. Every word of a request has to be understood."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from handeye.blockers.base import Blocker
from handeye.blockers.dialog_vocabulary import GRANTS, REFUSE_REQUEST, YES
from handeye.text import normalize

# Data: Android's own permission requests in languages other than Chinese and English.


# The app and the request: German, Spanish, French, Italian, Portuguese, Russian, Ukrainian, Japanese, Korean, Arabic,
# Turkish, Polish, Dutch, Indonesian, Vietnamese, Swedish, Czech, and Chinese in traditional characters.
_FOREIGN_SENTENCES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<app>.+?) erlauben, (?P<what>.+)",
        r"zulassen, dass (?:die app )?(?P<app>.+?) (?P<what>(?:auf|den|bilder|audio\w*|anrufe|sms|geräte) .+)",
        r"darf (?P<app>.+?) (?P<what>auf .+)",
        r"(?:quieres )?permitir que (?:la aplicación )?(?P<app>.+?)"
        r" (?P<what>(?:acceda|haga|tome|saque|grabe|envíe|te envíe|encuentre|busque|detecte) .+)",
        r"(?:autoriser|permettre) (?:à )?(?:l'appli(?:cation)? )?(?P<app>.+?) (?:à |d')(?P<what>.+)",
        r"(?:vuoi )?consentire (?:all'app |a )(?P<app>.+?) di (?P<what>.+)",
        r"(?:pretende |quer )?permitir que (?:o app |a app |a aplicação )?(?P<app>.+?)"
        r" (?P<what>(?:acesse|aceda|tire|grave|gerencie|faça|envie|encontre) .+)",
        r"(?:разрешить|открыть|предоставить) приложению (?P<app>.+?)"
        r" (?P<what>(?:доступ|снимать|записывать|совершать|отправлять|находить|обнаруживать) .+)",
        r"(?:надати|дозволити) (?:додатку|застосунку|програмі) (?P<app>.+?)"
        r" (?P<what>(?:доступ|робити|знімати|записувати|здійснювати|надсилати|знаходити) .+)",
        r"(?P<what>.+)を「(?P<app>.+)」に許可しますか",
        r"「?(?P<app>.+?)」?に(?P<what>.+)を許可しますか",
        r"(?P<app>.+?)에서 (?P<what>.+)도록 허용하시겠습니까",
        r"هل تريد السماح (?:لتطبيق|لخدمة|لـ) ?(?P<app>.+?) (?P<what>ب.+)",
        r"(?P<app>.+?) uygulamasının (?P<what>.+) izin verilsin mi",
        r"(?:zezwolić|pozwolić) aplikacji (?P<app>.+?) na (?P<what>.+)",
        r"(?P<app>.+?) (?:toegang geven tot|toestaan om|toestemming geven om) (?P<what>.+)",
        r"izinkan (?P<app>.+?) (?P<what>(?:mengakses|mengambil|merekam|melakukan|mengirim|menemukan) .+)",
        r"cho phép (?P<app>.+?) (?P<what>(?:truy cập|chụp|ghi âm|thực hiện|gửi|tìm).*)",
        r"vill du (?:ge|tillåta att) (?P<app>.+?) (?P<what>(?:åtkomst till|behörighet att|skickar|får) .+)",
        r"povolit aplikaci (?P<app>.+?)"
        r" (?P<what>(?:přístup|fotit|pořizovat|nahrávat|uskutečňovat|odesílat|vyhledávat) .+)",
        r"要?允許「?(?P<app>.+?)」?(?P<what>(?:存取|拍|錄|撥打|傳送|尋找).+)嗎",
    )
)
# The requested permissions, by the names of PERMISSIONS. All that match count; a part that nothing matches is ignored.
_KINDS: Final = {
    kind: re.compile(pattern)
    for kind, pattern in {
        "location": r"standort|ubicación|la position|posizione|o local deste|localização|местоположени|геоданих"
        r"|місцезнаходження|розташування|位置情報|위치|الموقع|konumu|lokalizacji|locatie|lokasi|vị trí"
        r"|位置資訊|plats|poloze",
        "camera": r"bilder und videos auf|(?:haga|tome|saque) fotos|prendre des photos|scattare foto|tire fotos"
        r"|снимать фото|робити знімки|знімати фото|撮影|촬영|التقاط|fotoğraf çek|robienie zdjęć"
        r"|foto's te maken|mengambil (?:gambar|foto)|chụp ảnh|ta (?:bilder|foton)|fotit|pořizovat|拍照|拍攝",
        "microphone": r"audioaufnahm|grabe audio|enregistrer (?:des contenus audio|du contenu audio|l'audio)"
        r"|registrare audio|grave [áa]udio|записывать аудио|записувати аудіо|録音|녹음|تسجيل (?:ال)?صوت"
        r"|ses kayd|nagrywanie dźwięku|audio op te nemen|merekam audio|ghi âm|spela in ljud|nahrávat zvuk|錄音",
        "contacts": r"kontakte|contactos|contacts|contatti|contatos|контакт|連絡先|연락처|주소록|جهات الاتصال|kişilerin"
        r"|kontaktów|contacten|kontak\b|danh bạ|kontaktům|聯絡人",
        "calendar": r"kalender|calendario|calendário|calendrier|agenda|календар|カレンダー|캘린더|التقويم|takvim|kalendarz"
        r"|lịch của|kalendáři|日曆",
        "call log": r"anrufliste|registros? de (?:las )?llamadas|journa(?:l|ux) d'appels|registr[io] chiamate"
        r"|registr?os? de chamadas|список вызовов|списку вызовов|журнал\w* викликів|通話履歴|통화 기록"
        r"|سجلّ? مكالمات|arama kayıt|rejestrów połączeń|gesprekslijst|log panggilan|nhật ký cuộc gọi"
        r"|samtalslogg|seznamu telefonních|通話記錄",
        "phone": r"\banrufe\b|(?:haga|realice|gestione|administre)\b.*llamadas|appels téléphoniques|telefonate"
        r"|(?:faça|gira|gerencie)\b.*chamadas|звонки|дзвінк|電話の発信|전화를 걸|المكالمات الهاتفية|telefon et"
        r"|połączeń telefonicznych|telefoongesprekken|mengelola panggilan|quản lý cuộc gọi|telefonsamtal"
        r"|telefonní hovory|撥打電話",
        "sms": r"\bsms|messages texte|رسائل|簡訊|短訊",
        "photos": r"(?:auf|weitere) fotos und videos|fotos y (?:a )?(?:los )?v[ií]deos|photos et (?:aux )?vidéos"
        r"|foto e (?:ai )?video|fotos e (?:aos |os )?vídeos|к фото и видео|до фото (?:та|й|і) відео"
        r"|写真と動画へのアクセス|사진 및 동영상에 액세스|사진과 동영상에 액세스|الصور والفيديو"
        r"|fotoğraflara? ve videolara|do zdjęć i filmów|foto's en video's|mengakses foto dan video"
        r"|vào ảnh và video|foton och videor|k fotkám a videím|存取.*相片和影片",
        "storage": r"medien und dateien|foto-, |archivos|fichiers|\bfile\b|arquivos|ficheiros|файлам|файлів|ファイル|파일"
        r"|الملفات|والملفات|dosya|plików|bestanden|\btệp|filer|souborům|檔案|musik|música|musique|musica|музык"
        r"|音楽|음악|الموسيقى|müzik|muzyk|muziek",
        "notifications": r"benachrichtigungen|notificaciones|notifications|notifiche|notificações|уведомлени|сповіщен|通知|알림"
        r"|إشعارات|bildirim|powiadomie|meldingen|notifikasi|thông báo|aviseringar|oznámení",
        "nearby devices": r"in der nähe|cercanos|à proximité|nelle vicinanze|vicini\b|próximos|por perto|поблизости|рядом"
        r"|поблизу|付近|近くの|근처|المجاورة|القريبة|yakındaki|w pobliżu|in de buurt|di sekitar|gần|i närheten"
        r"|v okolí|附近",
        "sensors": r"vitalfunktionen|constantes vitales|signos vitales|signes vitaux|parametri vitali|sinais vitais",
        "activity": r"körperliche aktivität|actividad física|activités? physiques?|attività fisica|atividade física",
    }.items()
}
_MARKS: Final = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ENDS: Final = ' ?¿.!؟;。»«"“”„'


def foreign_request(sentence: str) -> tuple[str, frozenset[str]] | None:
    """
    Return the app that asks, and the names of the requested permissions; None when the sentence is not known. Not every word
    has to be understood: the system's own sentence asks for one thing.

    >>> foreign_request("Zulassen, dass Karten auf deine Kontakte zugreift?")
    ('karten', frozenset({'contacts'}))
    """
    plain = unicodedata.normalize("NFKC", _MARKS.sub("", sentence)).casefold().replace("’", "'").replace("\u0307", "")
    text = " ".join(plain.split()).strip(_ENDS)
    for pattern in _FOREIGN_SENTENCES:
        if (found := pattern.fullmatch(text)) is not None:
            kinds = frozenset(kind for kind, words in _KINDS.items() if words.search(found["what"]))
            return (found["app"].strip(_ENDS), kinds) if kinds else None
    return None


# Permissions, and their names in the requests of Android and iOS, Chinese and English. Every kind that a request names has to
# be allowed: a request for the camera "and to record audio" is two.
PERMISSIONS: Final[dict[str, tuple[str, ...]]] = {
    "location": ("location", "位置", "定位", "地理位置"),
    "camera": (
        "camera",
        "take pictures",
        "take photos",
        "record video",
        "record videos",
        "相机",
        "摄像头",
        "拍照",
        "拍摄",
        "拍摄照片",
        "录像",
        "录制视频",
    ),
    "microphone": ("microphone", "record audio", "麦克风", "录音", "录制音频"),
    "contacts": ("contacts", "address book", "通讯录", "联系人"),
    "photos": ("photos", "photos and videos", "照片和视频", "photo library", "gallery", "照片", "相册", "图片"),
    "storage": ("storage", "files", "media", "music", "存储", "文件", "媒体", "音乐", "视频", "videos"),
    "phone": ("phone calls", "phone state", "phone", "拨打", "打电话", "电话", "通话状态", "设备信息"),
    "call log": ("call log", "call logs", "通话记录"),
    "sms": ("sms", "sms messages", "text messages", "短信"),
    "calendar": ("calendar", "日历", "日程"),
    "notifications": ("notifications", "通知", "推送通知"),
    "nearby devices": (
        "nearby devices",
        "bluetooth",
        "relative position",
        "附近的设备",
        "附近设备",
        "这些设备的相对位置",
        "蓝牙",
    ),
    "local network": ("local network", "本地网络", "局域网"),
    "activity": ("physical activity", "fitness", "motion", "身体活动", "健身", "运动数据", "健康"),
    "sensors": ("body sensors", "vital signs", "heart rate", "身体传感器", "心率", "生命体征"),
    "tracking": ("track", "跟踪", "追踪"),
    "clipboard": ("clipboard", "paste from", "剪贴板", "粘贴"),
    "overlay": ("display over other apps", "draw over", "悬浮窗", "显示在其他应用"),
    "installing": ("install", "unknown apps", "安装"),
    "accounts": ("accounts", "账号", "帐号", "账户"),
    "screen": (
        "recording or casting",
        "record your screen",
        "screen capture",
        "录制屏幕",
        "投屏",
        "截取屏幕",
        "屏幕上显示的",
    ),
    "administration": ("device admin", "accessibility", "vpn", "root", "超级用户", "设备管理", "无障碍"),
}
_BY_WORD: Final = {normalize(word): kind for kind, words in PERMISSIONS.items() for word in (kind, *words)}

# No system's request is longer. A truncated one would lack other permissions that it asks for.
_LONGEST: Final = 300
_QUOTES: Final = str.maketrans(dict.fromkeys("“”„「」『』＂", '"') | dict.fromkeys("‘’＇", "'"))
# Complete sentences of requests, with the app and what it asks for: Android's and iOS's own, Chinese and English.
_SENTENCES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r'(?:是否)?要?允许\s*(?:"(?P<quoted>[^"]+)"|(?P<app>[^"，。,.?\s]+?))\s*(?:应用)?'
        r"(?P<what>(?:访问|使用|获取|读取|查看|拍摄|拍照|录制|录音|拨打|发送|推送|向[您你]|给[您你]|查找).*)",
        r'"(?P<quoted>[^"]+)"\s*(?:应用)?(?:想要?|请求|申请|需要|要求|希望)(?P<what>.+)',
        r'(?:do you want to )?allow (?:"(?P<quoted>[^"]+)"|(?P<app>[^"]+?)) to (?P<what>.+)',
        r'(?:"(?P<quoted>[^"]+)"|(?P<app>[^"]+?)) (?:would like|wants|is requesting|requests|needs) to (?P<what>.+)',
    )
)
# Words around the requested permissions that ask for nothing themselves. Words that change, send or delete are not included.
_AROUND: Final = (
    r"访问|使用|获取|读取|查看|查找|向?[您你](?:的|发送)?|给[您你]发送|(?:向[您你]|给[您你])?(?:发送|推送)(?=消息通知|通知|推送通知)|消息(?=通知)|发送和查看|管理通话|连接到这些设备|(?:以及)?确定|[此该]?设备(?:上的?|的)"
    r"|的|上|相关|精确|大致|在?(?:使用期间|使用该应用时|使用应用时)"
    r"|access|use|read|view|find|connect to|determine the|send you|send and view|make and manage|make"
    r"|(?:this |the |your )?device's"
    r"|(?:on|of|from) (?:your|this|the) device|about|your|you|the|of|approximate|precise"
    r"|while (?:using the app|you use the app|you are using the app|the app is in use)"
)
_AND: Final = r"和|与|及|以及|或|并|、|，|,|and|or|&"
# "Location data" is the location; "location and data" is more.
_SOMETHING: Final = r"信息|内容|数据|权限|传感器|data|information|content"
_ASKED: Final = "|".join(
    re.escape(word)
    for word in sorted({word for kind, words in PERMISSIONS.items() for word in (kind, *words)}, key=len, reverse=True)
)
_PART: Final = re.compile(
    rf"\s*(?:(?P<asked>{_ASKED})|(?P<around>{_AROUND})|(?P<some>{_SOMETHING})|(?P<and>{_AND}))(?![a-z])"
)
# Labels of answers, and the choice that Android offers next to them for a location.
_ANSWERS: Final = frozenset(
    (
        *REFUSE_REQUEST,
        *(label for labels in GRANTS.values() for label in labels),
        *YES,
        *map(normalize, ("Precise", "Approximate", "精确", "大致", "确切位置", "大致位置")),
    )
)
_LONGEST_ANSWER: Final = 5


@dataclass(frozen=True, slots=True)
class Request:
    """A request of `app` for `kinds`, by their names in PERMISSIONS."""

    app: str
    kinds: frozenset[str]


def read_request(words: str) -> Request | None:
    """
    Return what the words of a request ask for. None when they are no request, or when a single word is not understood: it may
    be another requested permission. If the app's name contains a permission, that counts as requested as well.

    >>> read_request("“地图”想使用您的位置信息? 拒绝 允许")
    Request(app='地图', kinds=frozenset({'location'}))
    >>> read_request("“地图”想使用您的位置和人脸信息? 拒绝 允许") is None
    True
    """
    if len(words) > _LONGEST:
        return None
    text = unicodedata.normalize("NFKC", _without_answers(words).translate(_QUOTES)).casefold()
    for sentence in _SENTENCES:
        found = sentence.fullmatch(text.rstrip("?.。吗 "))
        if found is not None:
            named = found.groupdict()
            app = (named.get("quoted") or named.get("app") or "").strip()
            kinds = _kinds(named["what"])
            return Request(app, kinds | asked_for(app)) if app and kinds else None
    return None


def request_of(blocker: Blocker) -> Request | None:
    """
    Return what a blocker asks for, parsed from all of its words, or in other languages from the sentence that the tree
    identifies as the system's: that asks for one thing, and all permissions that it mentions count. None when it is not
    understood.
    """
    if not blocker.request:
        return read_request(blocker.words)
    if (request := read_request(blocker.request)) is not None:
        return request
    found = foreign_request(blocker.request)
    return Request(found[0], found[1] | asked_for(found[0])) if found is not None else None


def asked_for(words: str) -> frozenset[str]:
    """Return the permissions that are named anywhere in `words`."""
    plain = normalize(words)
    return frozenset(kind for word, kind in _BY_WORD.items() if word in plain)


def kind_of(name: str) -> str | None:
    """Return the permission with the Chinese or English name `name`, by its name in PERMISSIONS; None for an unknown one."""
    return _BY_WORD.get(normalize(name))


def _kinds(what: str) -> frozenset[str]:
    """Return the permissions that are named; empty when some word is unknown."""
    kinds: set[str] = set()
    here: set[str | None] = set()
    at = 0
    while at < len(what):
        part = _PART.match(what, at)
        if part is None:
            return frozenset()
        if part["asked"]:
            kinds.add(_BY_WORD[normalize(part["asked"])])
        here.add(part.lastgroup)
        at = part.end()
        if part["and"] or at == len(what):
            if "some" in here and "asked" not in here:
                return frozenset()
            here.clear()
    return frozenset(kinds)


def _without_answers(words: str) -> str:
    """Return the words without the buttons, which are below the request."""
    parts = words.split()
    while parts:
        taken = next((n for n in range(_LONGEST_ANSWER, 0, -1) if normalize("".join(parts[-n:])) in _ANSWERS), 0)
        if not taken:
            break
        del parts[-taken:]
    return " ".join(parts)
