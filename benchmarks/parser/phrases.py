"""
People's names for icons, and the icons of the held-out sets that each one means.

Each row was written before any model was trained, and every icon that it calls right was checked by eye: `icons.py
--sheet` draws them all. Names of icons are the sets' own without their style (held_icons.plain_name).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

NOTHING = r"(?!)"
"""Matches no name: the set has no such icon under a name that another set uses for it."""


@dataclass(frozen=True)
class Phrase:
    """
    One thing, in English and Chinese words, and the icons that show it.

    `right` matches whole names. `near` matches a part of names of icons that show the thing too, or nearly: they are
    neither asked for nor shown next to it, because the phrase would be ambiguous. `instead` replaces `right` in sets
    that call another drawing so.
    """

    english: str
    chinese: str
    right: str
    near: str
    instead: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _near(self) -> re.Pattern[str]:
        return re.compile(self.near)

    def names(self, icon_set: str, name: str) -> bool:
        """Return True if the phrase names the icon of that plain name in that set."""
        return re.fullmatch(self.instead.get(icon_set, self.right), name) is not None

    def may_stand_beside(self, icon_set: str, name: str) -> bool:
        """Return True if that icon is clearly another one."""
        return not (self.names(icon_set, name) or self._near.search(name))


_FACES = r"face|smil|laugh|emoji|mood|sentiment|child|kiss|grin|emoticon|frown|meh|happy|sad|angry|hug|tired|dizzy"

PHRASES = (
    Phrase("magnifying glass", "放大镜", r"search|magnifying-glass", r"search|magnif|zoom|loupe|find"),
    Phrase(
        "paper plane", "纸飞机", r"send|send-horizontal|paper-plane|promotion", r"send|plane|promot|near-me|navigation"
    ),
    Phrase(
        "three dots",
        "三个点",
        r"ellipsis(-h|-v|-vertical)?|more-(horiz|vert|horizontal|vertical)|dots-(horizontal|vertical)",
        r"more|ellipsis|dots|pending|overflow|drag|typing|sms|textsms|pattern|grip|password|comment|message|chat|linear",
        {"ant-design": "ellipsis|more", "ep": "more"},
    ),
    Phrase("shopping cart", "购物车", r"shopping-cart|cart-shopping", r"cart|basket|trolley|shop"),
    Phrase(
        "trash can",
        "垃圾桶",
        r"trash|trash-2|trash-can|delete",
        r"trash|delete|\bbin\b|recycl|auto-delete",
        {"lucide": "trash|trash-2", "feather": "trash|trash-2"},
    ),
    Phrase("gear", "齿轮", r"settings|setting|cog|gear", r"cog|gear|setting|manufactur|tool"),
    Phrase(
        "bell",
        "铃铛",
        r"bell(-ring)?|notifications(-none|-active)?",
        r"bell|notif|alarm|ring",
        {"ant-design": "bell", "ep": "bell"},
    ),
    Phrase(
        "house",
        "房子",
        r"home|house|home-filled",
        r"home|house|cottage|villa|roof|gite|cabin|chalet|real-estate|foundation",
    ),
    Phrase(
        "heart",
        "爱心",
        r"heart|favorite|favorite-border",
        r"heart|favorite|health|cardio|ecg|love|suit|volunteer|loyalty",
    ),
    Phrase(
        "download arrow",
        "下载",
        r"download|download-2|file-download",
        r"download|save|get-app|install|south|archive|tray|inbox|import|vertical-align-bottom|bottom|down",
    ),
    Phrase(
        "upload arrow",
        "上传",
        r"upload|upload-2|file-upload",
        r"upload|publish|share|export|north|outbox|top|\bup\b|eject",
    ),
    Phrase(
        "microphone",
        "麦克风",
        r"mic|mic-none|microphone|microphone-lines|audio",
        r"mic\b|microphone|audio|voice|record|speech",
    ),
    Phrase(
        "padlock",
        "锁",
        r"lock|lock-closed|lock-keyhole|lock-outline",
        r"lock\b|lock-|locked|https|encrypt|password|secur|privacy",
    ),
    Phrase(
        "camera",
        "相机",
        r"camera|camera-alt|photo-camera|camera-retro|camera-filled",
        r"camera|photo|vibration|aperture|see|shutter|capture",
        {"ic": "camera-alt|photo-camera", "material-symbols": "photo-camera"},
    ),
    Phrase(
        "video camera",
        "摄像机",
        r"video|videocam|video-camera",
        r"video|cam\b|camera|film|movie|duo|record",
        {"radix-icons": NOTHING},
    ),
    Phrase(
        "telephone receiver",
        "电话听筒",
        r"phone|call|phone-enabled|local-phone|phone-filled",
        r"phone|call|dial|ring|settings-phone",
    ),
    Phrase(
        "envelope",
        "信封",
        r"mail|email|envelope|envelope-closed",
        r"mail|envelope|message|inbox|post|draft|letter|unread",
    ),
    Phrase(
        "calendar",
        "日历",
        r"calendar(-today|-month|-days?|-week|-1|-range|-alt)?|event|today",
        r"calendar|event|today|date|schedul|invitation|day|month|week|planner",
    ),
    Phrase(
        "clock",
        "时钟",
        r"clock|clock-\d+|schedule|access-time|query-builder|clock-circle",
        r"clock|time|schedul|history|alarm|watch|pace|update|query-builder|hour|minute|tachometer|speed|gauge",
        {"ant-design": "clock-circle"},
    ),
    Phrase(
        "user profile",
        "用户",
        r"user|user-round|person|account-circle|circle-user|circle-user-round|avatar",
        r"user|person|people|account|avatar|profile|man\b|woman|child|face|contact|group|identity|human|id-card|team|supervis|patient|head",
        {"fa6-solid": "user|circle-user"},
    ),
    Phrase(
        "group of people",
        "一群人",
        r"users|users-round|user-group|user-round-group|group|groups|groups-2|people|people-group|team",
        r"user|person|people|account|group|team|family|man\b|woman|child|contact|human|diversity|supervis|crowd|face",
        {"lucide": "users|users-round|user-group|user-round-group", "ant-design": "team", "radix-icons": NOTHING},
    ),
    Phrase(
        "map pin",
        "地图定位",
        r"map-pin|location|location-on|location-dot|location-pin|map-marker|environment|fmd-good|place|room",
        r"map|pin\b|pin-|location|marker|place|room|fmd|environment|near-me|explore|where|gps|locat|address|distance|share-eta|tour",
        {"ep": "location", "fa6-solid": "location-dot|location-pin"},
    ),
    Phrase(
        "play button",
        "播放",
        r"play|play-arrow|play-circle|circle-play|video-play|play-square",
        r"play\b|play-|slideshow|resume|^start|youtube|caret-right|arrow-right|triangle|smart-display|not-started|video|motion|autoplay",
    ),
    Phrase("pause button", "暂停", r"pause|pause-circle|circle-pause|video-pause", r"pause"),
    Phrase(
        "undo arrow",
        "撤销",
        r"undo|undo-2|arrow-rotate-left|rotate-left|reset|rotate-ccw",
        r"undo|reply|rotate-(left|ccw)|counter-clockwise|ccw|revert|restore|back\b|return|replay|history|turn-left|left-curved"
        r"|up-left|down-left|reset|rollback|refresh|renew|restart|turn",
        {"ic": "undo", "material-symbols": "undo", "ant-design": "undo", "lucide": "undo|undo-2"},
    ),
    Phrase(
        "refresh",
        "刷新",
        r"refresh|reload|sync|refresh-c?cw|arrows-rotate|autorenew|cached|rotate",
        r"refresh|reload|sync|rotat|renew|cached|loop|update|cycle|repeat|restart|replay|recycl|redo|undo|swap|change|history"
        r"|restor|publish|spin|clockwise|convert|retry|orbit|retweet",
    ),
    Phrase(
        "speaker volume",
        "音量",
        r"volume-(up|down|high|low|1|2)|speaker-(loud|moderate)|sound",
        r"volume|speaker|sound|mute|audio|megaphone|announc|campaign|bullhorn|hearing|loud|notification",
    ),
    Phrase(
        "muted speaker",
        "静音",
        r"volume-(off|xmark|x)|speaker-off|no-sound",
        r"volume|speaker|sound|mute|audio-off",
        {"fa6-solid": "volume-xmark", "ep": NOTHING},
    ),
    Phrase(
        "wifi",
        "无线网络",
        r"wifi|signal-wifi-4-bar|network-wifi",
        r"wifi|signal|network|hotspot|wireless|rss|cast|contactless|nfc|podcast|antenna|sensor|radio",
    ),
    Phrase("bluetooth", "蓝牙", r"bluetooth", r"bluetooth"),
    Phrase(
        "battery",
        "电池",
        r"battery(-full|-half|-quarter|-three-quarters|-empty|-low|-medium|-charging|-std)?",
        r"battery|charg|power|energy",
    ),
    Phrase(
        "sun",
        "太阳",
        r"sun|sunny|light-mode|wb-sunny|brightness-(5|7|high)",
        r"sun|light|bright|day|weather|clear|wb-|flare|exposure|solar|uv|heat|star",
    ),
    Phrase(
        "moon",
        "月亮",
        r"moon|moon-night|dark-mode|bedtime|nightlight|mode-night",
        r"moon|night|dark|bedtime|sleep|bright|clear|eclipse|disturb",
    ),
    Phrase(
        "eye",
        "眼睛",
        r"eye|visibility|eye-open|remove-red-eye|view",
        r"eye|visib|view|preview|watch|look|show|hide",
        {"lucide": "eye"},
    ),
    Phrase(
        "crossed-out eye",
        "划掉的眼睛",
        r"eye-(off|slash|none|invisible)|visibility-off|hide",
        r"eye|visib|view|hide|preview|look|show",
        {"material-symbols": "visibility-off"},
    ),
    Phrase(
        "bookmark",
        "书签",
        r"bookmark|bookmark-border|turned-in(-not)?|collection-tag",
        r"bookmark|turned|book|ribbon|label|tag|save|class|flag|award",
    ),
    Phrase(
        "star",
        "星星",
        r"star|star-border|grade|star-filled",
        r"star|grade|favor|hotel|review|magic|sparkl|award|rate|rating|auto-awesome|stars|medal|asterisk",
    ),
    Phrase("thumbs up", "点赞", r"thumb-up|thumbs-up|like", r"thumb|like|recommend|hand"),
    Phrase("thumbs down", "大拇指向下", r"thumb-down|thumbs-down|dislike", r"thumb|like|recommend|hand"),
    Phrase("printer", "打印机", r"print|printer|local-printshop", r"print(?!s)|fax"),
    Phrase(
        "pencil",
        "铅笔",
        r"pencil|edit|pen|edit-2|edit-3|pencil-[12]|mode-edit",
        r"pen\b|pen-|pencil|edit|draw|creat|writ|compos|marker|brush|ink|highlight|stylus|sign|border-color|note|review|design"
        r"|feather|quill|form|signature",
    ),
    Phrase(
        "folder",
        "文件夹",
        r"folder|folder-(open|closed|opened)",
        r"folder|director|project|snippet|topic|source|tab\b|inventory",
    ),
    Phrase(
        "funnel",
        "漏斗",
        r"filter|filter-alt|funnel",
        r"filter|funnel|sort|cocktail|martini|wine|bar\b",
        {"ic": "filter-alt", "material-symbols": "filter-alt", "radix-icons": NOTHING},
    ),
    Phrase(
        "globe",
        "地球",
        r"globe|public|language|globe-(africa|americas|asia|europe|2)|earth(-africa|-americas|-asia|-europe|-oceania)?|global",
        r"globe|earth|public|language|world|travel|web|vpn|internet|network|planet|captive|chrome|browse|global|ie\b|ball",
        {"fa6-solid": "globe|earth-(africa|americas|asia|europe|oceania)"},
    ),
    Phrase("qr code", "二维码", r"qrcode|qr-code|qr-code-2", r"qr|barcode|scan|matrix"),
    Phrase(
        "gift box",
        "礼物盒",
        r"gift|card-giftcard|redeem|present",
        r"gift|present|redeem|reward|package|box|season|birthday",
    ),
    Phrase("paperclip", "回形针", r"paperclip|paper-clip|attach-file|attachment", r"attach|clip"),
    Phrase(
        "smiley face",
        "笑脸",
        r"smile|mood|face-(smile|grin|laugh|smile-beam|grinning|slightly-smiling)|sentiment-(satisfied|very-satisfied|satisfied-alt)"
        r"|emoji-emotions|insert-emoticon|tag-faces|face",
        _FACES,
        {
            "ic": "mood|emoji-emotions|tag-faces|sentiment-(satisfied|very-satisfied|satisfied-alt)|insert-emoticon",
            "material-symbols": "mood|sentiment-(satisfied|very-satisfied|excited)",
        },
    ),
    Phrase(
        "back arrow",
        "返回箭头",
        r"arrow-left|arrow-left-long|arrow-back|arrow-back-ios(-new)?|west|chevron-left|angle-left|back|left|navigate-before",
        r"left|back|west|before|previous|return|undo|reply|exit|login|logout|start|first|rewind|keyboard-tab|east|input|open-in",
        {
            "ic": "arrow-back|arrow-back-ios(-new)?|west|chevron-left|navigate-before",
            "material-symbols": "arrow-back|arrow-back-ios(-new)?|west|chevron-left",
        },
    ),
    Phrase(
        "plus sign",
        "加号",
        r"plus|add|plus-circle|add-circle|circle-plus|square-plus",
        r"plus|add|\bnew\b|creat|medic|hospital|cross|post-|zoom-in|control-point|exposure|health|aid|emergency|syringe|calculator",
    ),
    Phrase(
        "check mark",
        "对勾",
        r"check|done|check-circle|circle-check|select",
        r"check|done|select|tick|verif|approv|task|complet|success|finish|valid|correct|todo|ok\b|published|available|rule|fact",
        {"ant-design": "check|check-circle", "material-symbols": "check|done-outline|check-circle"},
    ),
    Phrase(
        "close cross",
        "叉号",
        r"close|x|xmark|cross-[12]|close-bold",
        r"clos|\bx\b|xmark|times|cross|cancel|clear|disabl|multipl|remov|exit|dismiss|off\b|error|delet|fail|wrong|ban|busy|highlight-off",
        {"ant-design": "close"},
    ),
    Phrase(
        "hamburger menu",
        "三条横线的菜单",
        r"menu|bars|hamburger-menu",
        r"menu|bars|reorder|list|align|justify|density|drag|notes|subject|toc|stack|rows|headline|dehaze|segment|sort|grip|equal"
        r"|text|format|paragraph|view|filter|operation|layer|line|stream|agenda|tune|burger|server|wrap|divider|storage|database|"
        r"horizontal|content|table|order|legend|summar|article",
        {"ep": NOTHING, "ant-design": "menu"},
    ),
    Phrase(
        "shield",
        "盾牌",
        r"shield|security|safety|shield-halved|shield-(check|half)|gpp-good|verified-user",
        r"shield|secur|safe|gpp|protect|guard|moderator|privacy|policy|admin|verif|health|police|insur|encrypt",
        {"ant-design": "safety|safety-certificate"},
    ),
    Phrase("key", "钥匙", r"key|vpn-key|key-round", r"key(?!board)|password|passkey"),
    Phrase(
        "headphones",
        "耳机",
        r"headphones|headset|headphones-simple|customer-service",
        r"head|ear|customer|hear|listen|support",
    ),
    Phrase("trophy", "奖杯", r"trophy|trophy-1|emoji-events", r"trophy|award|medal|events|cup|reward|prize|milit|winn"),
    Phrase(
        "light bulb",
        "灯泡",
        r"lightbulb|bulb|emoji-objects",
        r"light|bulb|idea|lamp|tips|incandescent|objects|tungsten|battery",
    ),
    Phrase(
        "coffee cup",
        "咖啡杯",
        r"coffee|mug-hot|mug-saucer|local-cafe|coffee-cup|free-breakfast",
        r"coffee|mug|cup|cafe|tea|breakfast|beverage|drink|glass|brew|bowl|beer",
    ),
    Phrase(
        "airplane",
        "飞机",
        r"plane|plane-up|airplanemode-active|flight|local-airport|travel",
        r"plane|air|flight|travel|takeoff|land|jet|send|depart|arriv|connecting",
    ),
    Phrase(
        "car",
        "汽车",
        r"car|car-side|directions-car|time-to-leave|drive-eta|car-front",
        r"car\b|car-|taxi|vehicle|van\b|auto|driv|truck|ev-|bus|crash|leave|shuttle|suv|garage|traffic|wash|toll|transport|speed",
    ),
    Phrase(
        "delivery truck",
        "货车",
        r"truck|local-shipping|truck-(fast|moving|front)|van|delivery-truck-speed",
        r"truck|ship|van\b|deliver|fire|freight|transport|tractor|rv\b|pickup|dump|mov|bus|car\b|ambulance|shuttle|trolley|auto",
        {"ep": "van"},
    ),
    Phrase("bug", "虫子", r"bug|bug-report", r"bug|pest|insect|debug|spider|mosquito|virus|adb|locust|worm|bee"),
    Phrase(
        "flag",
        "旗子",
        r"flag|outlined-flag|emoji-flags|tour",
        r"flag|tour|report|golf|assistant|mark|mile|goal|pennant|banner",
    ),
    Phrase("scissors", "剪刀", r"scissors|scissor|cut|content-cut", r"scissor|cut"),
    Phrase(
        "chain link",
        "链接",
        r"link|link-[12]|insert-link",
        r"link|chain|url|connect|dataset|join|attach",
    ),
    Phrase(
        "question mark",
        "问号",
        r"help|question|question-(mark|circle|filled|mark-circled)|circle-question(-mark)?|help-circle",
        r"help|question|quiz|unknown|support|faq|listed|indeterminate|psychology|tip",
        {"ep": "question"},
    ),
    Phrase("credit card", "银行卡", r"credit-card|payment", r"card|pay|wallet|money|subscription|id-|credit|bank|atm"),
)
