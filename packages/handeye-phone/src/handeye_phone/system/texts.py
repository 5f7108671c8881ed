"""Texts of system dialogs and adverts, by language, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SystemWords:
    """Texts in one language. `{}` is the app's label; in `skip` and `skip_later` it is seconds."""

    location: str
    photos: str
    while_in_use: str
    once: str
    select_photos: str
    allow_all: str
    deny: str
    picker: str
    done: str
    crashed: str
    not_responding: str
    reopen: str
    close_app: str
    wait: str
    close: str
    skip: str
    skip_later: str
    advert: str
    offer: str
    hurry: str
    buy: str
    sale: str


LANGUAGES: Final[dict[str, SystemWords]] = {
    "zh": SystemWords(
        location="“{}”想使用您的位置信息?",
        photos="要允许“{}”访问此设备上的照片和视频吗？",
        while_in_use="仅在使用中允许",
        once="仅限这一次",
        select_photos="选择照片和视频",
        allow_all="全部允许",
        deny="拒绝",
        picker="选择照片",
        done="完成",
        crashed="{} 已停止运行",
        not_responding="{}没有响应",
        reopen="重新打开应用",
        close_app="关闭应用",
        wait="等待",
        close="关闭",
        skip="跳过 {}",
        skip_later="{}s 后可跳过",
        advert="广告",
        offer="限时特惠 满100减50",
        hurry="仅剩 3 小时，先到先得",
        buy="立即抢购",
        sale="双十一狂欢 全场五折",
    ),
    "en": SystemWords(
        location="Allow {} to access this device's location?",
        photos="Allow {} to access photos and videos on this device?",
        while_in_use="While using the app",
        once="Only this time",
        select_photos="Select photos and videos",
        allow_all="Allow all",
        deny="Don't allow",
        picker="Select photos",
        done="Done",
        crashed="{} has stopped",
        not_responding="{} isn't responding",
        reopen="Open app again",
        close_app="Close app",
        wait="Wait",
        close="Close",
        skip="Skip {}",
        skip_later="Skip in {}s",
        advert="Ad",
        offer="Today only: 50 % off",
        hurry="Only 3 hours left",
        buy="Buy now",
        sale="Everything at half price",
    ),
    "de": SystemWords(
        location="Zulassen, dass {} den Gerätestandort abruft?",
        photos="{} erlauben, auf Fotos und Videos auf diesem Gerät zuzugreifen?",
        while_in_use="Bei Nutzung der App",
        once="Nur dieses Mal",
        select_photos="Fotos und Videos auswählen",
        allow_all="Vollen Zugriff zulassen",
        deny="Nicht zulassen",
        picker="Fotos auswählen",
        done="Fertig",
        crashed="{} wurde beendet",
        not_responding="{} reagiert nicht",
        reopen="App wieder öffnen",
        close_app="App schließen",
        wait="Warten",
        close="Schließen",
        skip="Überspringen {}",
        skip_later="Noch {} s",
        advert="Anzeige",
        offer="Nur heute: 50 % Rabatt",
        hurry="Noch 3 Stunden",
        buy="Jetzt kaufen",
        sale="Alles zum halben Preis",
    ),
    "es": SystemWords(
        location="¿Permitir que {} acceda a la ubicación de este dispositivo?",
        photos="¿Permitir que {} acceda a las fotos y los vídeos de este dispositivo?",
        while_in_use="Mientras se usa la aplicación",
        once="Solo esta vez",
        select_photos="Seleccionar fotos y vídeos",
        allow_all="Permitir acceso completo",
        deny="No permitir",
        picker="Selecciona fotos",
        done="Hecho",
        crashed="La aplicación {} ha dejado de funcionar",
        not_responding="{} no responde",
        reopen="Volver a abrir la aplicación",
        close_app="Cerrar aplicación",
        wait="Esperar",
        close="Cerrar",
        skip="Saltar {}",
        skip_later="Faltan {} s",
        advert="Anuncio",
        offer="Solo hoy: 50 % de descuento",
        hurry="Quedan 3 horas",
        buy="Comprar ahora",
        sale="Todo a mitad de precio",
    ),
    "fr": SystemWords(
        location="Autoriser {} à accéder à la position de cet appareil ?",
        photos="Autoriser {} à accéder aux photos et vidéos sur cet appareil ?",
        while_in_use="Lorsque vous utilisez l'appli",
        once="Uniquement cette fois-ci",
        select_photos="Sélectionner des photos et vidéos",
        allow_all="Autoriser l'accès complet",
        deny="Ne pas autoriser",
        picker="Sélectionner des photos",
        done="Terminé",
        crashed="{} a cessé de fonctionner",
        not_responding="{} ne répond pas",
        reopen="Rouvrir l'application",
        close_app="Fermer l'application",
        wait="Attendre",
        close="Fermer",
        skip="Passer {}",
        skip_later="Encore {} s",
        advert="Annonce",
        offer="Aujourd'hui : -50 %",
        hurry="Plus que 3 heures",
        buy="Acheter",
        sale="Tout à moitié prix",
    ),
    "ru": SystemWords(
        location="Разрешить приложению {} доступ к данным о местоположении устройства?",
        photos="Разрешить приложению {} доступ к фото и видео на этом устройстве?",
        while_in_use="При использовании приложения",
        once="Только в этот раз",
        select_photos="Выбрать фото и видео",
        allow_all="Разрешить полный доступ",
        deny="Запретить",
        picker="Выберите фото",
        done="Готово",
        crashed="В работе приложения {} произошел сбой",
        not_responding="Приложение {} не отвечает",
        reopen="Перезапустить приложение",
        close_app="Закрыть приложение",
        wait="Подождать",
        close="Закрыть",
        skip="Пропустить {}",
        skip_later="Ещё {} с",
        advert="Реклама",
        offer="Только сегодня: скидка 50 %",
        hurry="Осталось 3 часа",
        buy="Купить сейчас",
        sale="Всё за полцены",
    ),
    "ja": SystemWords(
        location="このデバイスの位置情報へのアクセスを「{}」に許可しますか？",
        photos="このデバイス上の写真と動画へのアクセスを「{}」に許可しますか？",
        while_in_use="アプリの使用時のみ",
        once="今回のみ",
        select_photos="写真と動画を選択",
        allow_all="すべて許可",
        deny="許可しない",
        picker="写真を選択",
        done="完了",
        crashed="{}が停止しました",
        not_responding="{}は応答していません",
        reopen="アプリを再起動",
        close_app="アプリを閉じる",
        wait="待機",
        close="閉じる",
        skip="スキップ {}",
        skip_later="あと {} 秒",
        advert="広告",
        offer="本日限り 半額",
        hurry="残り 3 時間",
        buy="今すぐ購入",
        sale="全品半額セール",
    ),
    "ar": SystemWords(
        location="هل تريد السماح لتطبيق {} بالوصول إلى الموقع الجغرافي لهذا الجهاز؟",
        photos="هل تريد السماح لتطبيق {} بالوصول إلى الصور والفيديوهات على هذا الجهاز؟",
        while_in_use="أثناء استخدام التطبيق",
        once="هذه المرّة فقط",
        select_photos="اختيار صور وفيديوهات",
        allow_all="السماح بالوصول الكامل",
        deny="عدم السماح",
        picker="اختيار صور",
        done="تم",
        crashed="توقّف {}",
        not_responding="لا يستجيب {}",
        reopen="فتح التطبيق مجددًا",
        close_app="إغلاق التطبيق",
        wait="انتظار",
        close="إغلاق",
        skip="تخطي {}",
        skip_later="باقي {}",
        advert="إعلان",
        offer="اليوم فقط: خصم ٥٠٪",
        hurry="بقيت ٣ ساعات",
        buy="اشتر الآن",
        sale="كل شيء بنصف السعر",
    ),
}
