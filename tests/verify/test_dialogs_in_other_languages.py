"""Tests of dialogs in unknown languages: found by resource ids and structure, never answered with yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from drawn_dialogs import LIGHT, Known, centred, dialog, page
from phone_frames import Phone

from handeye.blockers import Blocker, BlockerType, Grant
from handeye.blockers.detector import find_blocker
from handeye.elements import UIElement, UIState
from handeye.geometry import Box
from handeye.ocr import CachedReader
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen
from handeye_phone.system.texts import LANGUAGES

BACK = "BACK"
ALERT = ("android:id/button2", "android:id/button1")
FOREIGN = {"de": "german", "es": "spanish", "fr": "french", "ru": "russian", "ja": "japanese", "ar": "arabic"}


@dataclass
class SlowTree:
    """Android's provider: it costs seconds, so that it is asked only about what the picture leaves open."""

    state: UIState
    name: str = "uiautomator"
    slow: bool = True
    asked: int = 0

    def detect(self, screen: Screen) -> UIState:
        self.asked += 1
        return self.state


class ReadTree(SlowTree):
    """The same after a search has read it for this frame."""

    def remembered(self, screen: Screen) -> UIState:
        return self.state


def on_phone(phone: Phone) -> Blocker | None:
    """Blocker found by the frame and the tree, with a reader that knows no words; None without one."""
    screen = phone.frame()
    return find_blocker(screen, Known(), SlowTree(parse_hierarchy(phone.model.hierarchy(), screen)))


def way_out(blocker: Blocker | None) -> Box | str:
    """Box that is tapped to dismiss a blocker, or BACK."""
    assert blocker is not None
    assert blocker.dismiss_suggestion is not None
    return blocker.dismiss_suggestion.box or BACK


def asked(
    message: str, buttons: Sequence[tuple[str, str]], package: str = "org.example.shop", *, slow: bool = True
) -> tuple[Blocker, list[Box]]:
    """Blocker of a dialog with the buttons (text, resource id), and their boxes. Its words are read but do not help."""
    screen, reader = dialog([message], [text or "x" for text, _ in buttons])
    boxes = [line.box.expand(10) for line in reader.lines[1:]]
    root = UIElement("group", "", screen.box, id=0, metadata={"package": package})
    texts = [UIElement("text", "", reader.lines[0].box, text=message, id=1, parent=0, metadata={"package": package})]
    for at, ((text, name), box) in enumerate(zip(buttons, boxes, strict=True)):
        about = {"package": package, "id": name}
        texts.append(
            UIElement("button", "", box, text=text, id=at + 2, parent=0, interactive=True, enabled=True, metadata=about)
        )
    blocker = find_blocker(screen, reader, SlowTree(UIState(screen, (root, *texts)), slow=slow))
    assert blocker is not None
    return blocker, boxes


# -- permission requests


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize("more", ["", ",dark", ",rotation", ",density"])
def test_permission_dialog_is_refused_in_any_language(language: str, more: str) -> None:
    words, phone = LANGUAGES[language], Phone(f"permission,{FOREIGN[language]}{more}").open()
    blocker = on_phone(phone)
    assert blocker is not None
    assert blocker.type is BlockerType.PERMISSION
    assert way_out(blocker) == phone.box_of(words.deny)
    assert {grant: way.box for grant, way in blocker.grants.items()} == {
        Grant.ONCE: phone.box_of(words.once),
        Grant.WHILE_IN_USE: phone.box_of(words.while_in_use),
    }
    assert blocker.grant == blocker.grants[Grant.ONCE]
    assert blocker.request == words.location.format("微信")


@pytest.mark.parametrize("language", LANGUAGES)
def test_photo_access_dialog_has_three_answers(language: str) -> None:
    names = {"zh": "calm", "en": "english", **FOREIGN}
    words, phone = LANGUAGES[language], Phone(f"photo-choice,{names[language]}").open()
    blocker = on_phone(phone)
    assert blocker is not None
    assert blocker.type is BlockerType.PERMISSION
    assert way_out(blocker) == phone.box_of(words.deny)
    assert {grant: way.box for grant, way in blocker.grants.items()} == {
        Grant.SELECTED: phone.box_of(words.select_photos),
        Grant.ALL: phone.box_of(words.allow_all),
    }
    assert blocker.grant == blocker.grants[Grant.SELECTED]


@pytest.mark.parametrize(("scenario", "words"), [("photo-choice", "zh"), ("photo-choice,english", "en")])
def test_photo_access_dialog_is_read_by_ocr(scenario: str, words: str, reader: CachedReader) -> None:
    phone = Phone(scenario).open()
    blocker = find_blocker(phone.frame(), reader)
    assert blocker is not None
    assert blocker.type is BlockerType.PERMISSION
    assert list(blocker.grants) == [Grant.SELECTED, Grant.ALL]
    place = way_out(blocker)
    assert isinstance(place, Box)
    assert phone.box_of(LANGUAGES[words].deny).contains(place.center)


@pytest.mark.parametrize(
    "package",
    [
        "com.android.permissioncontroller",
        "com.google.android.permissioncontroller",
        "com.android.packageinstaller",
        "com.maker.securitycenter",
    ],
)
@pytest.mark.parametrize(
    ("refuse", "allow", "grant"),
    [
        ("permission_deny_button", "permission_allow_button", Grant.ALL),
        ("permission_deny_and_dont_ask_again_button", "permission_allow_one_time_button", Grant.ONCE),
        ("permission_no_upgrade_button", "permission_allow_always_button", Grant.ALWAYS),
        ("permission_no_upgrade_one_time_button", "permission_allow_foreground_only_button", Grant.WHILE_IN_USE),
        ("permission_dont_allow_more_selected_button", "permission_allow_selected_button", Grant.SELECTED),
    ],
)
def test_resource_ids_identify_buttons_in_any_package(package: str, refuse: str, allow: str, grant: Grant) -> None:
    buttons = [("Sallitaan", f"{package}:id/{allow}"), ("Evätään", f"{package}:id/{refuse}")]
    blocker, (allowing, refusing) = asked("Saako Kartat nähdä sijainnin?", buttons, package)
    assert blocker.type is BlockerType.PERMISSION
    assert way_out(blocker) == refusing
    assert {each: way.box for each, way in blocker.grants.items()} == {grant: allowing}
    assert (blocker.grant is None) == (grant is Grant.ALWAYS)


@pytest.mark.parametrize("answers", [("仅在前台运行时同意", "拒绝"), ("Grant it", "Deny")])
def test_resource_ids_identify_request_with_unknown_grant_text(answers: tuple[str, str]) -> None:
    ids = ("com.maker:id/permission_allow_foreground_only_button", "com.maker:id/permission_deny_button")
    blocker, (granting, refusing) = asked("“微信”想要定位", list(zip(answers, ids, strict=True)))
    assert blocker.type is BlockerType.PERMISSION
    assert way_out(blocker) == refusing
    assert blocker.grants[Grant.WHILE_IN_USE].box == granting


@pytest.mark.parametrize(("tree", "known"), [(SlowTree, False), (ReadTree, True)])
def test_undimmed_request_is_found_in_cached_tree_only(tree: type[SlowTree], known: bool) -> None:
    phone = Phone("permission,french").open()
    screen = Screen.from_image(page(LIGHT))
    state = tree(parse_hierarchy(phone.model.hierarchy(), screen))
    blocker = find_blocker(screen, Known(), state)
    assert (blocker is not None and way_out(blocker) == phone.box_of(LANGUAGES["fr"].deny)) == known
    assert state.asked == 0


@pytest.mark.parametrize(
    "package", ["com.google.android.permissioncontroller", "com.lbe.security.miui", "com.vivo.permissionmanager"]
)
def test_permission_packages_may_use_alert_buttons(package: str) -> None:
    blocker, (refusing, granting) = asked(
        "Saako Kartat lähettää?", list(zip(("Evää", "Salli"), ALERT, strict=True)), package
    )
    assert blocker.type is BlockerType.PERMISSION
    assert way_out(blocker) == refusing
    assert {grant: way.box for grant, way in blocker.grants.items()} == {Grant.ALL: granting}


def test_installer_dialog_is_not_a_permission_request() -> None:
    blocker, (refusing, _) = asked(
        "Avviso", list(zip(("Annulla", "Continua"), ALERT, strict=True)), "com.android.packageinstaller"
    )
    assert (blocker.type, way_out(blocker)) == (BlockerType.DIALOG, refusing)


def test_allow_always_label_is_a_permanent_grant() -> None:
    ids = (
        "com.android.permissioncontroller:id/permission_deny_button",
        "com.android.permissioncontroller:id/permission_allow_button",
    )
    blocker, (_, granting) = asked(
        "是否允许“联系人”访问照片和视频？", list(zip(("禁止", "始终允许"), ids, strict=True)), slow=False
    )
    assert {grant: way.box for grant, way in blocker.grants.items()} == {Grant.ALWAYS: granting}
    assert blocker.grant is None


def test_permanent_refusal_is_the_last_choice() -> None:
    part = "com.android.permissioncontroller:id/permission"
    buttons = [
        ("A", f"{part}_deny_and_dont_ask_again_button"),
        ("B", f"{part}_deny_button"),
        ("C", f"{part}_allow_button"),
    ]
    blocker, boxes = asked("?", buttons)
    assert way_out(blocker) == boxes[1]


def test_request_without_refusal_is_left_with_back() -> None:
    blocker, _ = asked("Salli?", [("Salli", "com.android.permissioncontroller:id/permission_allow_button")])
    assert blocker.type is BlockerType.PERMISSION
    assert way_out(blocker) == BACK


# -- failed apps


@pytest.mark.parametrize("language", FOREIGN)
def test_hung_app_is_waited_for_in_any_language(language: str) -> None:
    phone = Phone(f"not-responding,{FOREIGN[language]}").open()
    blocker = on_phone(phone)
    assert blocker is not None
    assert blocker.type is BlockerType.ERROR
    assert way_out(blocker) == phone.box_of(LANGUAGES[language].wait)


@pytest.mark.parametrize("language", FOREIGN)
def test_crash_dialog_is_closed_in_any_language(language: str) -> None:
    phone = Phone(f"crash,{FOREIGN[language]}").open()
    for _ in range(phone.model.scenario.crash_after_taps):
        phone.tap("微信(3)")
    blocker = on_phone(phone)
    assert blocker is not None
    assert blocker.type is BlockerType.ERROR
    assert way_out(blocker) == phone.box_of(LANGUAGES[language].close_app)


# -- other dialogs


@pytest.mark.parametrize(
    ("message", "refuse", "agree"),
    [
        ("Eine neue Version ist da", "Abbrechen", "OK"),
        ("Näytetäänkö ilmoitukset?", "Peruuta", "Näytä"),
        ("Звук включить?", "Не сейчас", "Включить"),
        ("新しいバージョンがあります", "後で", "更新"),
        ("يتوفر إصدار جديد", "لاحقًا", "تحديث"),
    ],
)
def test_refusing_button_of_two_is_pressed(message: str, refuse: str, agree: str) -> None:
    blocker, (refusing, _) = asked(message, list(zip((refuse, agree), ALERT, strict=True)))
    assert blocker.type is BlockerType.DIALOG
    assert way_out(blocker) == refusing


def test_cancel_is_pressed_among_three_buttons() -> None:
    buttons = [("Verwerfen", ALERT[0]), ("Abbrechen", "android:id/button3"), ("Speichern", ALERT[1])]
    blocker, (_, cancel, _) = asked("Änderungen speichern?", buttons)
    assert (blocker.type, way_out(blocker)) == (BlockerType.DIALOG, cancel)


@pytest.mark.parametrize(
    ("message", "refuse", "agree"),
    [
        ("Vil du gemme dine ændringer?", "Slet", "Gem"),
        ("Vertrag verlängern?", "Kündigen", "Verlängern"),
        ("Noch im Warenkorb", "Jetzt kaufen", "Weiter einkaufen"),
        ("Подписка", "Отписаться", "Остаться"),
        ("ご契約について", "解約する", "続ける"),
        ("Tillåta aviseringar?", "Kanske sen", "Slå på"),
    ],
)
@pytest.mark.parametrize(
    "names", [ALERT, ("org.example.shop:id/negative_button", "org.example.shop:id/positive_button")]
)
def test_refusing_button_with_unknown_label_is_not_pressed(
    message: str, refuse: str, agree: str, names: tuple[str, str]
) -> None:
    blocker, _ = asked(message, list(zip((refuse, agree), names, strict=True)))
    assert (blocker.type, way_out(blocker)) == (BlockerType.DIALOG, BACK)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("com.shop:id/btn_cancel", "Cancel order"),
        ("com.shop:id/btn_cancel", "取消订单"),
        ("com.shop:id/btn_cancel", "Отменить заказ"),
        ("com.shop:id/btn_close", "Konto schließen"),
        ("com.android.dialer:id/reject", "Ablehnen"),
    ],
)
def test_button_label_can_overrule_its_resource_id(name: str, says: str) -> None:
    blocker, _ = asked("?", [(says, name), ("x", "com.shop:id/btn_keep")])
    assert way_out(blocker) == BACK


@pytest.mark.parametrize(
    ("message", "buttons"),
    [
        # The refusal is the other button's word with a "not": it loses something.
        ("Änderungen speichern?", [("Nicht speichern", ALERT[0]), ("Speichern", ALERT[1])]),
        ("Enregistrer les modifications ?", [("Ne pas enregistrer", ALERT[0]), ("Enregistrer", ALERT[1])]),
        ("変更を保存しますか？", [("保存しない", ALERT[0]), ("保存する", ALERT[1])]),
        # Nobody knows to what it says No.
        ("¿Guardar los cambios?", [("No", ALERT[0]), ("Sí", ALERT[1])]),
        ("Angemeldet bleiben?", [("Nein", ALERT[0]), ("Ja", ALERT[1])]),
        ("Сохранить изменения?", [("Нет", ALERT[0]), ("Да", ALERT[1])]),
        # The message speaks of it: it does that.
        ("Bestellung stornieren?", [("Stornieren", ALERT[0]), ("Behalten", ALERT[1])]),
        ("¿Quieres cancelar la suscripción?", [("Cancelar", ALERT[0]), ("Mantener", ALERT[1])]),
        # A third way is one more that nobody knows.
        ("Muutokset?", [("Hylkää", ALERT[0]), ("Näytä ne", "android:id/button3"), ("Tallenna", ALERT[1])]),
        ("Entwurf noch nicht gesichert", [("Entwurf verwerfen", ALERT[0]), ("Weiter schreiben", ALERT[1])]),
        ("El borrador no está guardado", [("Borrar todo", ALERT[0]), ("Seguir", ALERT[1])]),
        ("下書きがあります", [("下書きを破棄", ALERT[0]), ("編集を続ける", ALERT[1])]),
        # In Chinese and English words tell, and these are none for Cancel.
        ("是否保留草稿？", [("舍弃", ALERT[0]), ("保留", ALERT[1])]),
        ("The draft was not saved", [("Toss it", ALERT[0]), ("Go on", ALERT[1])]),
        ("Which game library would you like?", [("None", ALERT[0]), ("Pick", ALERT[1])]),
        # It leads elsewhere.
        ("Mensagens temporárias estão ativas", [("Configurações", ALERT[0]), ("OK", ALERT[1])]),
        ("Die Spieldaten fehlen", [("Beenden", ALERT[0]), ("Auswählen", ALERT[1])]),
        # Only agreement is offered.
        ("Ihr Konto wird gelöscht", [("In Ordnung", ALERT[1])]),
        ("Tilisi poistetaan", [("Selvä", ALERT[1])]),
        ("ご注文が確定します", [("了解", ALERT[1])]),
    ],
)
def test_unclear_or_destructive_dialog_is_left_with_back(message: str, buttons: list[tuple[str, str]]) -> None:
    blocker, _ = asked(message, buttons)
    assert blocker.type in (BlockerType.DIALOG, BlockerType.UNKNOWN)
    assert way_out(blocker) == BACK


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("close", BlockerType.POPUP),
        ("btn_close", BlockerType.POPUP),
        ("dialog_dismiss_button", BlockerType.POPUP),
        ("tv_not_now", BlockerType.POPUP),
        ("iv_adClose", BlockerType.AD),
        ("splash_skip", BlockerType.AD),
    ],
)
def test_card_is_closed_by_its_close_id_button(name: str, kind: BlockerType) -> None:
    buttons = [("Jetzt kaufen", "org.example.shop:id/action"), ("", f"org.example.shop:id/{name}")]
    blocker, (_, closing) = asked("Nur heute: alles zum halben Preis", buttons)
    assert blocker.type is kind
    assert way_out(blocker) == closing


@pytest.mark.parametrize(
    "name", ["close_account", "cancel_order_button", "skip_payment", "dismiss_driver", "ok", "action"]
)
def test_button_id_with_extra_words_is_not_pressed(name: str) -> None:
    buttons = [("Jetzt kaufen", "org.example.shop:id/buy"), ("Weiter", f"org.example.shop:id/{name}")]
    blocker, _ = asked("Nur heute: alles zum halben Preis", buttons)
    assert way_out(blocker) == BACK


@pytest.mark.parametrize(
    ("message", "buttons", "way"),
    [
        ("Neue Version verfügbar", ["Später", "Aktualisieren"], 0),
        ("Hay una nueva versión", ["Cancelar", "Actualizar"], 0),
        ("Une mise à jour est disponible", ["Pas maintenant", "Installer"], 0),
        ("Доступна новая версия", ["Отмена", "Обновить"], 0),
        ("Gefällt dir die App?", ["Nein, danke", "Bewerten"], 0),
        ("¿Cancelar el pedido?", ["Cancelar", "Volver"], None),
        ("Uusi versio", ["Myöhemmin", "Päivitä"], None),
    ],
)
def test_known_words_decide_without_resource_ids(message: str, buttons: list[str], way: int | None) -> None:
    screen, reader = dialog([message], buttons)
    found = way_out(find_blocker(screen, reader))
    assert found == (BACK if way is None else reader.lines[1 + way].box)


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize("more", ["", ",rotation"])
def test_advert_is_closed_in_any_language(language: str, more: str) -> None:
    phone = Phone(f"advert,{FOREIGN[language]}{more}").open()
    place = way_out(on_phone(phone))
    assert isinstance(place, Box)
    assert phone.box_of(LANGUAGES[language].close).contains(place.center)


@pytest.mark.parametrize("language", FOREIGN)
def test_splash_advert_is_waited_for_and_skipped(language: str) -> None:
    words, phone = LANGUAGES[language], Phone(f"countdown,{FOREIGN[language]}").open()
    phone.time += 1.6
    blocker = on_phone(phone)
    assert blocker is not None
    assert (blocker.type, way_out(blocker)) == (BlockerType.AD, phone.box_of(words.skip.format(3)))
    phone.time += 1.2
    blocker = on_phone(phone)
    assert blocker is not None
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.action == "wait"
    phone.time += 2
    assert on_phone(phone) is None


@pytest.mark.parametrize(
    ("texts", "again"),
    [
        (["Keine Verbindung", "Prüfe dein Netzwerk", "Erneut versuchen"], 2),
        (["Sin conexión a Internet", "Reintentar"], 1),
        (["Нет подключения к сети", "Повторить"], 1),
        (["接続できません", "再試行"], 1),
        (["Réessayer"], None),
        (["Zahlung fehlgeschlagen", "Erneut versuchen"], None),
        (["Paiement refusé", "Réessayer"], None),
        (["Заказ выполнен", "Повторить"], None),
        (["Keine Bestellungen", "Aktualisieren"], None),
    ],
)
def test_failed_page_is_retried_in_any_language(texts: list[str], again: int | None) -> None:
    screen, reader = centred(texts, LIGHT)
    blocker = find_blocker(screen, reader)
    assert (blocker is not None) == (again is not None)
    if again is not None:
        assert blocker is not None
        assert blocker.type is BlockerType.ERROR
        assert way_out(blocker) == reader.lines[again].box


@pytest.mark.parametrize(("slow", "kind"), [(True, BlockerType.AD), (False, None)])
def test_desktop_window_close_button_is_not_an_advert(slow: bool, kind: BlockerType | None) -> None:
    phone = Phone("countdown,german").open()
    phone.time += 1.6
    screen = phone.frame()
    tree = SlowTree(parse_hierarchy(phone.model.hierarchy(), screen), slow=slow)
    blocker = find_blocker(screen, Known(), tree)
    assert (blocker.type if blocker is not None else None) is kind


def test_close_id_on_undimmed_page_is_not_dialog() -> None:
    screen = Screen.from_image(page(LIGHT))
    about = {"id": "org.example.shop:id/close", "package": "org.example.shop"}
    close = UIElement("button", "", Box(900, 100, 980, 180), id=1, interactive=True, enabled=True, metadata=about)
    assert find_blocker(screen, Known(), SlowTree(UIState(screen, (close,)))) is None


@pytest.mark.parametrize(
    ("package", "kept"), [("org.example.shop", False), ("com.google.android.permissioncontroller", True)]
)
def test_permission_text_counts_only_in_system_windows(package: str, kept: bool) -> None:
    """An app may use the same id for its own text, and understate what its button grants."""
    sentence = "Karten erlauben, auf den Standort dieses Geräts zuzugreifen?"
    screen, reader = dialog([sentence], ["Zulassen", "Ablehnen"])
    names = ("permission_message", "permission_allow_button", "permission_deny_button")
    elements = [UIElement("group", "", screen.box, id=0, metadata={"package": package})]
    for at, (line, name) in enumerate(zip(reader.lines, names, strict=True)):
        about = {"package": package, "id": f"{package}:id/{name}"}
        elements.append(
            UIElement("button" if at else "text", "", line.box, text=line.text, id=at + 1, parent=0, metadata=about)
        )
    blocker = find_blocker(screen, reader, SlowTree(UIState(screen, tuple(elements)), slow=False))
    assert blocker is not None
    assert (blocker.type, bool(blocker.request)) == (BlockerType.PERMISSION, kept)
