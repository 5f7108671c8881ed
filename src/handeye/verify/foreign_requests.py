"""Android's own sentences that ask for a permission, in languages beyond Chinese and English, as data."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Who asks for what: German, Spanish, French, Italian, Portuguese, Russian, Ukrainian, Japanese, Korean, Arabic, Turkish,
# Polish, Dutch, Indonesian, Vietnamese, Swedish, Czech, and Chinese in traditional characters.
_SENTENCES: Final = tuple(
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
# What they ask for, by the names of PERMISSIONS. All that fits counts; a part that nothing fits asks for nothing.
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
    The app that asks, and the names of what it asks for. None when it is none of the sentences. This is not read to the last
    word: the system's own sentence asks for one thing.

    >>> foreign_request("Zulassen, dass Karten auf deine Kontakte zugreift?")
    ('karten', frozenset({'contacts'}))
    """
    plain = unicodedata.normalize("NFKC", _MARKS.sub("", sentence)).casefold().replace("’", "'").replace("\u0307", "")
    text = " ".join(plain.split()).strip(_ENDS)
    for pattern in _SENTENCES:
        if (found := pattern.fullmatch(text)) is not None:
            kinds = frozenset(kind for kind, words in _KINDS.items() if words.search(found["what"]))
            return (found["app"].strip(_ENDS), kinds) if kinds else None
    return None
