"""The words that stand on the pages: five languages, our own."""
# ruff: noqa: E501 - lists of words

from __future__ import annotations

from typing import Final

Words = dict[str, list[str] | bool]


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def _language(space: bool, **parts: str) -> Words:
    return {"space": space, **{name: _split(text) for name, text in parts.items()}}


ENGLISH: Final = _language(
    True,
    actions="Save|Save as|Cancel|OK|Apply|Delete|Remove|Edit|Add|Create|New|Open|Close|Send|Reply|Forward|Share|Copy|Paste|Cut|"
    "Undo|Redo|Search|Find|Filter|Sort|Refresh|Reload|Import|Export|Download|Upload|Print|Sign in|Sign out|Log in|Register|"
    "Subscribe|Follow|Like|Comment|Buy now|Add to cart|Checkout|Pay|Confirm|Submit|Reset|Next|Previous|Back|Continue|Finish|"
    "Start|Stop|Pause|Play|Install|Update|Upgrade|Learn more|Get started|View details|Show all|Select|Browse…|Preview|Publish|"
    "Archive|Restore|Rename|Duplicate|Move to…|Try again|Dismiss|Allow|Deny|Accept all|Invite people|Book a table|Connect",
    nouns="Home|Dashboard|Inbox|Messages|Contacts|Calendar|Files|Photos|Music|Videos|Settings|Profile|Account|Security|Privacy|"
    "Notifications|Orders|Products|Customers|Invoices|Reports|Analytics|Projects|Tasks|Team|Members|Documents|Downloads|Trash|"
    "Favourites|History|Bookmarks|General|Appearance|Language|Region|Billing|Plans|Help|About|Support|Users|Roles|Permissions|"
    "Overview|Activity|Statistics|Inventory|Shipping|Payments|Reviews|Categories|Tags|Comments|Templates|Plugins|Themes|Sales|"
    "Email|Password|First name|Last name|Phone number|Address|City|Country|Company|Department|Date of birth|Quantity|Price|"
    "Status|Type|Size|Colour|Priority|Due date|Owner|Budget|Library|Playlist|Store|Wallet|Devices|Network|Storage|Weather",
    nav="File|Edit|View|Insert|Format|Tools|Window|Help|Run|Terminal|Go|Selection|Data|Table|Layout|Review|Build|Debug|Git|Image|Layer|Arrange",
    settings="Airplane mode|Wi-Fi|Bluetooth|Mobile data|Hotspot|Do not disturb|Dark mode|Automatic updates|Location|Show "
    "notifications|Sound|Vibration|Brightness|Auto-rotate|Night light|Battery saver|Remember me|Send me news|Public profile|"
    "Two-factor authentication|Read receipts|Spell check|Sync over Wi-Fi only|Show line numbers|Start at login|Use proxy|"
    "Data saver|Screen lock|Face unlock|Font size|Wallpaper|Backup|Developer options|About phone",
    states="Active|Inactive|Pending|Done|Failed|Paid|Draft|New|In progress|Shipped|Cancelled|Online|Offline|Approved",
    hints="Search…|Type a message|Enter your name|name@example.com|Optional|Select a date|Please choose|Your password|Filter by "
    "name|Add a comment|Where to?|Search products|Write something…|Enter amount|https://",
    names="Ann Lee|Bob Martin|Carla Diaz|Dan Wu|Erik Olsen|Faye Kim|Grace Hall|Henry Ford|Ivy Chen|Jack Ryan|Kate Moss|Liam "
    "Fox|Mia Wong|Noah Berg|Olga Petrov|Paul Adams|Quinn Blake|Rosa Silva|Sam Green|Tina Turner",
    sentences="The meeting moved to three o'clock.|The report of the third quarter is online.|Please approve it before Friday.|"
    "This version mends several faults.|Are you coming tonight?|I have sent you the files.|Your order has been shipped.|We could "
    "not save your changes.|Choose how you want to be notified.|Only people you follow can see this.|The quick brown fox jumps "
    "over the lazy dog.|Thanks, see you tomorrow!|Free shipping on orders over 50.|Your password must have eight characters.|"
    "Nothing here yet.|Delete this record? This cannot be undone.|You have 3 unread messages.|Last edited two hours ago",
)
CHINESE: Final = _language(
    False,
    actions="保存|另存为|取消|确定|应用|删除|移除|编辑|添加|新建|打开|关闭|发送|回复|转发|分享|复制|粘贴|剪切|撤销|重做|搜索|查找|筛选|"
    "排序|刷新|导入|导出|下载|上传|打印|登录|退出登录|注册|订阅|关注|点赞|评论|立即购买|加入购物车|去结算|付款|确认|提交|重置|下一步|"
    "上一步|返回|继续|完成|开始|停止|暂停|播放|安装|更新|升级|了解更多|查看详情|查看全部|选择|浏览|预览|发布|归档|恢复|重命名|移动到|"
    "重试|忽略|允许|拒绝|全部接受|邀请成员|预约|连接|领取优惠券|扫一扫|收藏|举报",
    nouns="首页|工作台|收件箱|消息|通讯录|日历|文件|照片|音乐|视频|设置|个人资料|账号|安全|隐私|通知|订单|商品|客户|发票|报表|数据分析|"
    "项目|任务|团队|成员|文档|下载|回收站|收藏夹|历史记录|书签|通用|外观|语言|地区|账单|套餐|帮助|关于|客服|用户管理|角色|权限|概览|动态|"
    "统计|库存|物流|支付|评价|分类|标签|评论|模板|插件|主题|邮箱|密码|姓名|手机号码|地址|城市|公司|部门|出生日期|数量|价格|状态|类型|尺寸|"
    "颜色|优先级|截止日期|负责人|预算|我的|发现|朋友圈|购物车|钱包|设备|网络|存储空间|天气|推荐|热门|外卖|地图",
    nav="文件|编辑|视图|插入|格式|工具|窗口|帮助|运行|终端|选择|数据|表格|布局|审阅|构建|调试|图像|图层|开始",
    settings="飞行模式|无线局域网|蓝牙|移动网络|个人热点|勿扰模式|深色模式|自动更新|定位服务|消息通知|声音|振动|亮度|自动旋转|护眼模式|"
    "省电模式|记住密码|接收短信通知|公开我的资料|两步验证|已读回执|拼写检查|仅在无线网络下同步|显示行号|开机启动|使用代理|流量节省|锁屏|"
    "面容识别|字体大小|壁纸|备份|开发者选项|关于手机",
    states="已启用|已停用|待审核|已完成|失败|已付款|草稿|新|进行中|已发货|已取消|在线|离线|已通过",
    hints="搜索|请输入|请输入用户名|请输入手机号码|请选择|选填|请选择日期|请输入密码|说点什么…|搜索商品|输入验证码|想去哪里|请输入金额|发消息…",
    names="张三|李四|王小明|陈静怡|赵六|刘洋|周杰|欧阳娜娜|孙悦|吴磊|郑爽|林志玲|何炅|高圆圆|马云飞|徐静|朱军|胡歌|郭靖|黄蓉",
    sentences="会议改到下午三点,地点不变|第三季度的报告已经上传|请在周五之前完成审批|新版本修复了若干问题|今晚一起吃饭吗?|文件已经发给你了|"
    "您的订单已发货|保存失败,请稍后重试|选择接收通知的方式|仅互相关注的人可见|谢谢,明天见!|满五十元包邮|密码至少八位|暂无数据|确定要删除这条记录吗?|"
    "您有三条未读消息|最后编辑于两小时前|收到,马上处理",
)
GERMAN: Final = _language(
    True,
    actions="Speichern|Speichern unter|Abbrechen|OK|Übernehmen|Löschen|Entfernen|Bearbeiten|Hinzufügen|Erstellen|Neu|Öffnen|"
    "Schließen|Senden|Antworten|Weiterleiten|Teilen|Kopieren|Einfügen|Ausschneiden|Rückgängig|Suchen|Filtern|Sortieren|"
    "Aktualisieren|Importieren|Exportieren|Herunterladen|Hochladen|Drucken|Anmelden|Abmelden|Registrieren|Abonnieren|Folgen|"
    "Kommentieren|Jetzt kaufen|In den Warenkorb|Zur Kasse|Bezahlen|Bestätigen|Absenden|Zurücksetzen|Weiter|Zurück|Fertig|"
    "Installieren|Mehr erfahren|Details anzeigen|Alle anzeigen|Durchsuchen…|Vorschau|Veröffentlichen|Zulassen|Ablehnen",
    nouns="Startseite|Übersicht|Posteingang|Nachrichten|Kontakte|Kalender|Dateien|Fotos|Musik|Einstellungen|Profil|Konto|Sicherheit|"
    "Datenschutz|Benachrichtigungen|Bestellungen|Produkte|Kunden|Rechnungen|Berichte|Projekte|Aufgaben|Mitglieder|Dokumente|"
    "Papierkorb|Favoriten|Verlauf|Lesezeichen|Allgemein|Darstellung|Sprache|Hilfe|Benutzer|Berechtigungen|Statistik|Lager|Versand|"
    "Zahlungen|Bewertungen|Kategorien|E-Mail-Adresse|Passwort|Vorname|Nachname|Telefonnummer|Straße|Ort|Land|Firma|Abteilung|"
    "Geburtsdatum|Menge|Preis|Status|Größe|Farbe|Fälligkeit|Geräte|Netzwerk|Speicher",
    nav="Datei|Bearbeiten|Ansicht|Einfügen|Format|Extras|Fenster|Hilfe|Ausführen|Daten|Tabelle|Überprüfen|Bild|Ebene",
    settings="Flugmodus|WLAN|Bluetooth|Mobile Daten|Nicht stören|Dunkles Design|Automatische Updates|Standort|Töne|Helligkeit|"
    "Angemeldet bleiben|Newsletter erhalten|Rechtschreibprüfung|Zeilennummern anzeigen|Bildschirmsperre|Schriftgröße|Sicherung",
    states="Aktiv|Inaktiv|Ausstehend|Erledigt|Fehlgeschlagen|Bezahlt|Entwurf|Neu|In Arbeit|Versandt",
    hints="Suchen …|Nachricht schreiben|Name eingeben|name@example.de|Optional|Bitte wählen|Datum auswählen|Betrag eingeben",
    names="Anna Müller|Jürgen Groß|Lena Schäfer|Max Weiß|Sophie Krüger|Felix Köhler|Emma Jäger|Paul Böhm|Ida Voß|Tim Özdemir",
    sentences="Die Besprechung beginnt um drei Uhr.|Der Bericht liegt im Ordner.|Bitte bis Freitag freigeben.|Ihre Bestellung ist "
    "unterwegs.|Die Änderungen wurden nicht gespeichert.|Bis morgen, danke!|Kostenloser Versand ab 50 Euro.|Noch keine Einträge.|"
    "Möchten Sie diesen Eintrag wirklich löschen?|Zuletzt bearbeitet vor zwei Stunden",
)
JAPANESE: Final = _language(
    False,
    actions="保存|名前を付けて保存|キャンセル|OK|適用|削除|編集|追加|新規作成|開く|閉じる|送信|返信|転送|共有|コピー|貼り付け|切り取り|"
    "元に戻す|検索|絞り込み|並べ替え|更新|インポート|ダウンロード|アップロード|印刷|ログイン|ログアウト|登録|フォローする|いいね|コメント|"
    "今すぐ買う|カートに入れる|購入手続きへ|確認|次へ|戻る|完了|開始|停止|再生|インストール|詳細を見る|すべて表示|参照…|許可|拒否",
    nouns="ホーム|ダッシュボード|受信トレイ|メッセージ|連絡先|カレンダー|ファイル|写真|音楽|動画|設定|プロフィール|アカウント|セキュリティ|"
    "プライバシー|通知|注文履歴|商品|顧客|請求書|レポート|プロジェクト|タスク|メンバー|ドキュメント|ゴミ箱|お気に入り|履歴|一般|外観|言語|ヘルプ|"
    "ユーザー|統計|在庫|配送|支払い|レビュー|カテゴリ|メールアドレス|パスワード|氏名|電話番号|住所|会社名|部署|生年月日|数量|価格|状態|サイズ",
    nav="ファイル|編集|表示|挿入|書式|ツール|ウィンドウ|ヘルプ|実行|データ|表|校閲|画像|レイヤー",
    settings="機内モード|モバイル通信|おやすみモード|ダークモード|自動アップデート|位置情報|通知を表示|サウンド|明るさ|画面の自動回転|省電力|"
    "ログイン状態を保持|スペルチェック|行番号を表示|画面ロック|文字サイズ|壁紙|バックアップ",
    states="有効|無効|保留中|完了|失敗|支払い済み|下書き|新着|進行中|発送済み",
    hints="検索|メッセージを入力|お名前を入力|任意|選択してください|日付を選択|金額を入力|パスワード",
    names="佐藤太郎|鈴木花子|高橋健|田中美咲|伊藤翔|渡辺結衣|山本大輔|中村さくら|小林誠|加藤愛",
    sentences="会議は三時に変更されました。|報告書をアップロードしました。|金曜日までに承認してください。|ご注文の商品を発送しました。|"
    "変更を保存できませんでした。|ありがとう、また明日!|五千円以上で送料無料|データがありません|この項目を削除しますか?|二時間前に編集",
)
RUSSIAN: Final = _language(
    True,
    actions="Сохранить|Сохранить как|Отмена|ОК|Применить|Удалить|Изменить|Добавить|Создать|Открыть|Закрыть|Отправить|Ответить|"
    "Переслать|Поделиться|Копировать|Вставить|Вырезать|Поиск|Найти|Фильтр|Обновить|Импорт|Экспорт|Скачать|Загрузить|Печать|Войти|"
    "Выйти|Регистрация|Подписаться|Купить|В корзину|Оформить заказ|Оплатить|Подтвердить|Далее|Назад|Готово|Установить|Подробнее|"
    "Показать все|Обзор…|Разрешить|Запретить",
    nouns="Главная|Панель|Входящие|Сообщения|Контакты|Календарь|Файлы|Фото|Музыка|Видео|Настройки|Профиль|Аккаунт|Безопасность|"
    "Уведомления|Заказы|Товары|Клиенты|Счета|Отчёты|Проекты|Задачи|Участники|Документы|Корзина|Избранное|История|Закладки|Общие|"
    "Внешний вид|Язык|Справка|Пользователи|Статистика|Склад|Доставка|Платежи|Отзывы|Почта|Пароль|Имя|Фамилия|Телефон|Адрес|Город|"
    "Страна|Компания|Отдел|Дата рождения|Количество|Цена|Статус|Размер|Цвет",
    nav="Файл|Правка|Вид|Вставка|Формат|Сервис|Окно|Справка|Запуск|Данные|Таблица|Слой",
    settings="Режим полёта|Мобильные данные|Не беспокоить|Тёмная тема|Автообновление|Геолокация|Звук|Яркость|Автоповорот|"
    "Запомнить меня|Получать новости|Проверка орфографии|Номера строк|Блокировка экрана|Размер шрифта|Обои|Резервная копия",
    states="Активен|Неактивен|Ожидание|Готово|Ошибка|Оплачен|Черновик|Новый|В работе|Отправлен",
    hints="Поиск…|Введите сообщение|Ваше имя|Необязательно|Выберите|Выберите дату|Введите сумму|Пароль",
    names="Иван Петров|Ольга Смирнова|Анна Кузнецова|Пётр Волков|Мария Соколова|Дмитрий Лебедев|Елена Козлова|Сергей Новиков",
    sentences="Встреча перенесена на три часа.|Отчёт уже загружен.|Пожалуйста, согласуйте до пятницы.|Ваш заказ отправлен.|"
    "Не удалось сохранить изменения.|Спасибо, до завтра!|Бесплатная доставка от 50 евро.|Пока ничего нет.|Удалить эту запись?|"
    "Изменено два часа назад",
)
LANGUAGES: Final[dict[str, Words]] = {"en": ENGLISH, "zh": CHINESE, "de": GERMAN, "ja": JAPANESE, "ru": RUSSIAN}
SHARES: Final = {"en": 0.38, "zh": 0.38, "de": 0.08, "ja": 0.08, "ru": 0.08}
