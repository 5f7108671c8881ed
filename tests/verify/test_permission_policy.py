"""Tests of the permission policy: it decides on every request, and never grants an unknown one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.blockers import Blocker, BlockerType, DismissSuggestion, Grant, PermissionPolicy
from handeye.blockers.permission_requests import PERMISSIONS, Request, foreign_request, read_request
from handeye.errors import PersonNeeded, UsageError

REFUSE = DismissSuggestion("tap", "text:拒绝")
GRANT = DismissSuggestion("tap", "text:允许")


def request(words: str, grant: DismissSuggestion | None = GRANT) -> Blocker:
    return Blocker(BlockerType.PERMISSION, "a permission request", REFUSE, words=words, grant=grant)


@pytest.mark.parametrize(
    ("allowed", "words", "granted"),
    [
        (["位置"], "“微信”想使用您的位置信息? 仅在使用中允许 拒绝", True),
        (["location"], "“微信”想使用您的位置信息?", True),
        (["位置"], "Allow Maps to access this device's location?", True),
        (["相机"], "“微信”想使用您的位置信息?", False),
        # All that is asked for has to be allowed.
        (["camera"], "Allow Zoom to take pictures and record audio?", False),
        (["camera", "麦克风"], "Allow Zoom to take pictures and record audio?", True),
        # Of one app only.
        (["微信:位置"], "“微信”想使用您的位置信息?", True),
        (["微信:位置"], "“微信助手”想使用您的位置信息?", False),
        (["微信：位置"], "允许微信获取此设备的位置信息吗？", True),
        (["Maps:location"], "Allow Maps to access this device's location?", True),
        (["Maps:location"], "Allow Evil Maps to access this device's location?", False),
        # An app that is called like a permission asks for both.
        (["camera"], "“位置精灵”想使用您的相机", False),
        # What is not known is not granted.
        (list(PERMISSIONS), "“微信”想使用您的灵魂", False),
        (list(PERMISSIONS), "", False),
        ([], "“微信”想使用您的位置信息?", False),
        # Beside what is known it asks for more.
        (["location"], "允许“地图”获取您的位置和人脸信息？", False),
        (["location"], "Allow Maps to access your location and passwords?", False),
        (["location"], "允许“地图”访问位置信息和支付信息吗", False),
        (["location"], "允许“地图”访问位置信息和数据吗", False),
        (["location"], "Allow Maps to access your location and data?", False),
        (["location"], "Allow Maps to access your location data?", True),
        (["location", "sms"], "Allow Maps to access location and read your messages", False),
        (["location"], "允许地图使用位置及修改系统设置", False),
        (["location"], "Allow Maps to access this device’s location all the time?", False),
        (["contacts"], "Allow Mail to access and delete your contacts?", False),
        (["location"], "“地图”想使用您的位置信息? 我们会把它分享给合作伙伴 允许 拒绝", False),
        (["location"], "“地图”想使用您的位置信息? " + "允许 " * 100, False),
        # The app is the one that asks.
        (["微信:location"], "“微信”红包助手提示 允许访问您的位置？", False),
        (["微信:location"], "Flashlight wants to access your location, like “微信” does", False),
        (["微信:location"], "“手电筒”想使用您的位置信息，“微信”也是", False),
        (["Maps:location"], "Maps says: allow Flashlight to access your location?", False),
    ],
)
def test_only_listed_permissions_are_granted(allowed: list[str], words: str, granted: bool) -> None:
    assert PermissionPolicy("allow-listed", allowed).dismissal(request(words)) is (GRANT if granted else REFUSE)


def test_default_policy_refuses_listed_permissions() -> None:
    assert PermissionPolicy().choice == "deny"
    assert PermissionPolicy().dismissal(request("location")) is REFUSE
    assert PermissionPolicy("deny", ["location"]).dismissal(request("location")) is REFUSE


def test_permission_without_grant_button_is_refused() -> None:
    assert PermissionPolicy("allow-listed", ["location"]).dismissal(request("location", None)) is REFUSE


@pytest.mark.parametrize(("answer", "way"), [(True, GRANT), (False, REFUSE), (None, None)])
def test_ask_policy_asks_a_person(answer: bool | None, way: DismissSuggestion | None) -> None:
    asked: list[Blocker] = []

    def ask(blocker: Blocker) -> bool | None:
        asked.append(blocker)
        return answer

    wanted = request("“微信”想使用您的位置信息?")
    assert PermissionPolicy("ask", ask=ask).dismissal(wanted) is way
    assert asked == [wanted]


def test_ask_policy_without_callback_decides_nothing() -> None:
    assert PermissionPolicy("ask").dismissal(request("location")) is None


def test_policy_ignores_other_blockers() -> None:
    other = Blocker(BlockerType.DIALOG, "a dialog", REFUSE, words="location", grant=GRANT)
    for policy in (PermissionPolicy(), PermissionPolicy("ask"), PermissionPolicy("allow-listed", ["location"])):
        assert policy.dismissal(other) is REFUSE


@pytest.mark.parametrize("entry", ["灵魂", "", "微信:", "everything", "*"])
def test_allow_entry_without_known_permission_is_refused(entry: str) -> None:
    with pytest.raises(UsageError, match="there are: location"):
        PermissionPolicy("allow-listed", [entry])


def test_unknown_policy_choice_is_refused() -> None:
    with pytest.raises(UsageError, match="allow-listed"):
        PermissionPolicy("always")  # type: ignore[arg-type]


@given(st.text(max_size=80))
def test_any_request_text_is_parsed_safely(words: str) -> None:
    asked = read_request(words)
    assert asked is None or (asked.app.strip() and asked.kinds <= set(PERMISSIONS))
    assert PermissionPolicy("allow-listed", ["sensors"]).dismissal(request(words)) in (REFUSE, GRANT)


@pytest.mark.parametrize(
    ("words", "app", "kinds"),
    [
        ("Allow Zoom to take pictures and record video?  While using the app  Don’t allow", "zoom", {"camera"}),
        (
            "Allow Maps to access this device's location? Precise Approximate Only this time Don't allow",
            "maps",
            {"location"},
        ),
        ("“Maps” Would Like to Use Your Location Don’t Allow OK", "maps", {"location"}),
        ("Allow Chat to send and view SMS messages?", "chat", {"sms"}),
        ("Allow News to send you notifications? Allow Don't allow", "news", {"notifications"}),
        ("允许“微信”发送通知吗？ 拒绝 允许", "微信", {"notifications"}),
        ("允许“微信”向您发送通知吗？ 不允许 允许", "微信", {"notifications"}),
        ("是否允许微信推送通知？ 禁止 允许", "微信", {"notifications"}),
        ("“微信”想给您发送通知 不允许 允许", "微信", {"notifications"}),
        ("Allow Music to access photos, media, and files on your device?", "music", {"photos", "storage"}),
        (
            "Allow Hub to find, connect to, and determine the relative position of nearby devices?",
            "hub",
            {"nearby devices"},
        ),
        ("要允许“相册”拍摄照片和录制视频吗？", "相册", {"camera", "photos"}),
        ("是否允许“电台”录音？ 仅限这一次 拒绝", "电台", {"microphone"}),
        ("允许“信使”向您发送通知吗？", "信使", {"notifications"}),
        ("要允许“健康助手”访问与您的生命体征相关的传感器数据吗？", "健康助手", {"sensors", "activity"}),
    ],
)
def test_system_permission_sentences_are_understood(words: str, app: str, kinds: set[str]) -> None:
    asked = read_request(words)
    assert asked is not None
    assert asked == Request(app, frozenset(kinds))


@pytest.mark.parametrize(
    "words", ["允许“微信”发送短信吗？", "允许“微信”发送通知和删除短信吗？", "允许“微信”发送邮件通知吗？"]
)
def test_broader_send_request_is_not_notification_permission(words: str) -> None:
    assert read_request(words) is None


# -- how far


WAYS = {grant: DismissSuggestion("tap", f"text:{grant}") for grant in Grant}


def offering(request: str, *grants: Grant) -> Blocker:
    """A request whose sentence the tree has named, and what it offers."""
    ways = {grant: WAYS[grant] for grant in grants}
    mildest = next((way for grant, way in ways.items() if grant is not Grant.ALWAYS), None)
    return Blocker(
        BlockerType.PERMISSION, "a permission request", REFUSE, None, request, mildest, grants=ways, request=request
    )


LOCATION = "Zulassen, dass Karten den Gerätestandort abruft?"
PHOTOS = "Karten erlauben, auf Fotos und Videos auf diesem Gerät zuzugreifen?"


@pytest.mark.parametrize(
    ("allowed", "request_", "offers", "granted"),
    [
        ("location=once", LOCATION, (Grant.ONCE, Grant.WHILE_IN_USE), Grant.ONCE),
        ("位置=仅在使用中", LOCATION, (Grant.ONCE, Grant.WHILE_IN_USE), Grant.WHILE_IN_USE),
        ("location=always", LOCATION, (Grant.WHILE_IN_USE, Grant.ALWAYS), Grant.ALWAYS),
        ("Karten:location=while-in-use", LOCATION, (Grant.ONCE, Grant.WHILE_IN_USE), Grant.WHILE_IN_USE),
        ("photos=selected", PHOTOS, (Grant.SELECTED, Grant.ALL), Grant.SELECTED),
        ("照片＝全部", PHOTOS, (Grant.SELECTED, Grant.ALL), Grant.ALL),
        # Without a word on how far: as little as it offers, and never for always.
        ("location", LOCATION, (Grant.ONCE, Grant.WHILE_IN_USE, Grant.ALWAYS), Grant.ONCE),
        ("photos", PHOTOS, (Grant.SELECTED, Grant.ALL), Grant.SELECTED),
        ("location", LOCATION, (Grant.ALWAYS,), None),
        # What is not listed is refused, whatever it offers.
        ("camera=once", LOCATION, (Grant.ONCE,), None),
        ("Wetter:location=once", LOCATION, (Grant.ONCE,), None),
    ],
)
def test_allow_entry_sets_the_grant_scope(
    allowed: str, request_: str, offers: tuple[Grant, ...], granted: Grant | None
) -> None:
    how = PermissionPolicy("allow-listed", [allowed]).dismissal(offering(request_, *offers))
    assert how == (WAYS[granted] if granted is not None else REFUSE)


@pytest.mark.parametrize(
    ("allowed", "offers"),
    [
        ("location=once", (Grant.WHILE_IN_USE, Grant.ALL)),
        ("location=while-in-use", (Grant.ALL,)),
        ("location=selected", (Grant.ONCE, Grant.WHILE_IN_USE)),
        ("location=all", (Grant.ONCE, Grant.WHILE_IN_USE)),
        ("location=always", (Grant.ONCE, Grant.WHILE_IN_USE)),
    ],
)
def test_unavailable_grant_scope_is_reported_without_substitute(allowed: str, offers: tuple[Grant, ...]) -> None:
    with pytest.raises(PersonNeeded, match=f"does not offer '{allowed.partition('=')[2]}', only '{offers[0]}"):
        PermissionPolicy("allow-listed", [allowed]).dismissal(offering(LOCATION, *offers))


def test_combined_request_uses_the_milder_grant_scope() -> None:
    policy = PermissionPolicy("allow-listed", ["camera=once", "microphone=while-in-use"])
    wanted = offering("Allow Zoom to take pictures and record audio?", Grant.ONCE, Grant.WHILE_IN_USE)
    assert policy.dismissal(wanted) == WAYS[Grant.ONCE]


@pytest.mark.parametrize("answer", [Grant.SELECTED, "selected"])
def test_person_can_answer_with_a_grant_scope(answer: Grant) -> None:
    policy = PermissionPolicy("ask", ask=lambda blocker: answer)
    assert policy.dismissal(offering(PHOTOS, Grant.SELECTED, Grant.ALL)) == WAYS[Grant.SELECTED]
    with pytest.raises(PersonNeeded, match="does not offer 'selected'"):
        policy.dismissal(offering(PHOTOS, Grant.ALL))


def test_answer_without_grant_scope_is_refused() -> None:
    with pytest.raises(UsageError, match="'yes' does not say how far"):
        PermissionPolicy("ask", ask=lambda blocker: "yes").dismissal(offering(PHOTOS, Grant.ALL))  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("entry", ["photos=some", "photos=", "location=forever", "微信:位置=也许"])
def test_allow_entry_with_invalid_scope_is_refused(entry: str) -> None:
    with pytest.raises(UsageError, match=r"how far.*once, while-in-use, selected, all, always"):
        PermissionPolicy("allow-listed", [entry])


# Android's own sentences (frameworks/base and PermissionController).
@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Zulassen, dass die App Karten den Gerätestandort abruft?", "location"),
        ("Karten erlauben, Bilder und Videos aufzunehmen?", "camera"),
        ("Karten erlauben, dir Benachrichtigungen zu senden?", "notifications"),
        ("¿Quieres permitir que Karten haga fotos y grabe vídeos?", "camera"),
        ("¿Permitir que Karten acceda a tus contactos?", "contacts"),
        ("¿Permitir que Karten acceda a las fotos y los vídeos de este dispositivo?", "photos"),
        ("Autoriser l’appli Karten à accéder à la position de cet appareil ?", "location"),
        ("Permettre à Karten d'accéder à votre agenda ?", "calendar"),
        ("Consentire all'app Karten di registrare audio?", "microphone"),
        ("Permitir que o app Karten gerencie e faça chamadas telefônicas?", "phone"),
        ("Разрешить приложению Karten доступ к фото, мультимедиа и файлам на устройстве?", "storage"),
        ("Дозволити додатку Karten робити знімки та записувати відео?", "camera"),
        ("このデバイスの位置情報へのアクセスを「Karten」に許可しますか？", "location"),
        ("Karten에서 사진을 촬영하고 동영상을 녹화하도록 허용하시겠습니까?", "camera"),
        ("\u200fهل تريد السماح لتطبيق Karten بالوصول إلى جهات الاتصال؟", "contacts"),
        ("Karten uygulamasının bu cihazın konumuna erişmesine izin verilsin mi?", "location"),
        ("Zezwolić aplikacji Karten na wysyłanie i wyświetlanie SMS-ów?", "sms"),
        ("Karten toegang geven tot je gesprekslijsten?", "call log"),
        ("Izinkan Karten mengakses kalender?", "calendar"),
        ("Cho phép Karten truy cập vào danh bạ của bạn?", "contacts"),
        ("Vill du ge Karten åtkomst till dina kontakter?", "contacts"),
        ("Povolit aplikaci Karten přístup k poloze tohoto zařízení?", "location"),
        ("要允許「Karten」存取這個裝置的位置資訊嗎？", "location"),
    ],
)
def test_foreign_permission_sentences_are_understood(sentence: str, kind: str) -> None:
    assert foreign_request(sentence) == ("karten", {kind})
    offers = offering(sentence, Grant.ONCE)
    assert PermissionPolicy("allow-listed", [kind]).dismissal(offers) == WAYS[Grant.ONCE]
    other = "sensors" if kind != "sensors" else "camera"
    assert PermissionPolicy("allow-listed", [other]).dismissal(offers) == REFUSE


@pytest.mark.parametrize(
    "sentence",
    [
        "Saako Karten oikeuden nähdä tämän laitteen sijainnin?",  # a language that is not here
        "Saako Standort ottaa kuvia?",  # an app that is called like a permission
        "Zulassen, dass Karten auf deine Seele zugreift?",
        "Standort",
        "",
    ],
)
def test_unknown_foreign_request_is_refused(sentence: str) -> None:
    assert foreign_request(sentence) is None
    assert PermissionPolicy("allow-listed", list(PERMISSIONS)).dismissal(offering(sentence, Grant.ONCE)) == REFUSE


def test_nearby_devices_request_is_not_location_permission() -> None:
    sentence = (
        "¿Permitir que Karten encuentre dispositivos cercanos, se conecte a ellos y determine su ubicación relativa?"
    )
    assert PermissionPolicy("allow-listed", ["location"]).dismissal(offering(sentence, Grant.ALL)) == REFUSE
