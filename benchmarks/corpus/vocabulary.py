"""The words that the pages are made of, per language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    people: tuple[str, ...]  # some are the beginning of others
    departments: tuple[str, ...]
    states: tuple[str, ...]
    columns: tuple[str, str, str, str, str]
    row_actions: tuple[str, str]
    fields: tuple[str, ...]
    hints: tuple[str, ...]
    choices: tuple[str, ...]
    actions: tuple[str, ...]  # look-alikes beside each other: Save, Save as
    pages: tuple[str, str]  # previous, next
    tabs: tuple[str, ...]
    menus: tuple[str, ...]
    settings: tuple[str, ...]
    titles: tuple[str, ...]
    questions: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]
    sentences: tuple[str, ...]
    search: str


CHINESE = Words(
    people=(
        "张三",
        "张三丰",
        "李四",
        "王小明",
        "王小明明",
        "陈静",
        "陈静怡",
        "赵六",
        "刘洋",
        "刘洋洋",
        "周杰",
        "欧阳娜娜",
    ),
    departments=("财务部", "人事部", "研发一部", "研发二部", "市场部", "法务部"),
    states=("已启用", "已停用", "待审核", "已完成"),
    columns=("姓名", "部门", "入职日期", "状态", "操作"),
    row_actions=("编辑", "删除"),
    fields=("用户名", "手机号码", "邮箱地址", "联系地址", "公司名称", "备用邮箱"),
    hints=("请输入用户名", "请输入手机号码", "请输入邮箱地址", "请输入联系地址", "请输入公司名称", "选填"),
    choices=("接收短信通知", "接收邮件通知", "公开我的资料", "记住密码", "自动登录"),
    actions=("保存", "另存为", "保存并继续", "取消", "重置", "提交审核", "导出数据", "导入数据"),
    pages=("上一页", "下一页"),
    tabs=("基本信息", "安全设置", "通知设置", "操作日志"),
    menus=("文件", "编辑", "视图", "插入", "格式", "工具", "窗口", "帮助"),
    settings=(
        "飞行模式",
        "蓝牙",
        "移动网络",
        "个人热点",
        "通知管理",
        "声音与振动",
        "显示与亮度",
        "壁纸",
        "隐私",
        "电池",
        "存储空间",
        "关于手机",
    ),
    titles=("员工管理", "账号设置", "订单列表", "系统设置", "消息中心", "项目文档"),
    questions=("确定要删除这条记录吗?", "是否保存对文档的更改?", "退出后需要重新登录,是否继续?"),
    answers=(("取消", "确定"), ("不保存", "保存"), ("再想想", "退出登录")),
    sentences=(
        "会议改到下午三点,地点不变",
        "第三季度的报告已经上传",
        "请在周五之前完成审批",
        "服务器将于今晚维护两小时",
        "新版本修复了若干问题",
    ),
    search="搜索",
)
ENGLISH = Words(
    people=(
        "Ann Lee",
        "Ann Leeson",
        "Bob Martin",
        "Carla Diaz",
        "Dan Wu",
        "Dana Wu",
        "Erik Olsen",
        "Faye Kim",
        "Li Wei",
        "Li Weiwei",
    ),
    departments=("Finance", "Finance EU", "Research", "Marketing", "Legal", "Support"),
    states=("Active", "Inactive", "Pending", "Done"),
    columns=("Name", "Department", "Start date", "Status", "Actions"),
    row_actions=("Edit", "Delete"),
    fields=("First name", "Last name", "Email address", "Phone number", "Company", "Street"),
    hints=("Your first name", "Your last name", "name@example.com", "+49 30 123456", "Where you work", "Optional"),
    choices=("Send me news", "Send me offers", "Remember me", "Public profile", "Sign in automatically"),
    actions=("Save", "Save as", "Save and close", "Cancel", "Reset", "New Encounter", "Save Encounter", "Export"),
    pages=("Previous", "Next"),
    tabs=("General", "Security", "Notifications", "Audit log"),
    menus=("File", "Edit", "View", "Insert", "Format", "Tools", "Window", "Help"),
    settings=(
        "Airplane mode",
        "Bluetooth",
        "Mobile network",
        "Hotspot",
        "Notifications",
        "Sound",
        "Display",
        "Wallpaper",
        "Privacy",
        "Battery",
        "Storage",
        "About phone",
    ),
    titles=("Employees", "Account", "Orders", "Preferences", "Messages", "Documents"),
    questions=("Delete this record?", "Do you want to save your changes?", "You will have to sign in again. Continue?"),
    answers=(("Cancel", "OK"), ("Don't save", "Save"), ("Stay", "Sign out")),
    sentences=(
        "The meeting moved to three o'clock",
        "The report of the third quarter is online",
        "Please approve it before Friday",
        "The server is down for two hours tonight",
        "This version mends several faults",
    ),
    search="Search",
)
TRADITIONAL = Words(
    people=("張三", "張三豐", "李四", "王小明", "陳靜", "陳靜怡", "趙六", "劉洋", "歐陽娜娜"),
    departments=("財務部", "人事部", "研發一部", "研發二部", "市場部", "法務部"),
    states=("已啟用", "已停用", "待審核", "已完成"),
    columns=("姓名", "部門", "到職日期", "狀態", "操作"),
    row_actions=("編輯", "刪除"),
    fields=("使用者名稱", "手機號碼", "電子郵件", "聯絡地址", "公司名稱", "備用郵件"),
    hints=("請輸入使用者名稱", "請輸入手機號碼", "請輸入電子郵件", "請輸入聯絡地址", "請輸入公司名稱", "選填"),
    choices=("接收簡訊通知", "接收郵件通知", "公開我的資料", "記住密碼", "自動登入"),
    actions=("儲存", "另存新檔", "儲存並繼續", "取消", "重設", "送出審核", "匯出資料", "匯入資料"),
    pages=("上一頁", "下一頁"),
    tabs=("基本資料", "安全設定", "通知設定", "操作紀錄"),
    menus=("檔案", "編輯", "檢視", "插入", "格式", "工具", "視窗", "說明"),
    settings=(
        "飛航模式",
        "藍牙",
        "行動網路",
        "個人熱點",
        "通知管理",
        "聲音與震動",
        "顯示與亮度",
        "桌布",
        "隱私權",
        "電池",
        "儲存空間",
        "關於手機",
    ),
    titles=("員工管理", "帳號設定", "訂單列表", "系統設定", "訊息中心", "專案文件"),
    questions=("確定要刪除這筆紀錄嗎?", "是否儲存對文件的變更?", "登出後需要重新登入,是否繼續?"),
    answers=(("取消", "確定"), ("不儲存", "儲存"), ("再想想", "登出")),
    sentences=("會議改到下午三點,地點不變", "第三季的報告已經上傳", "請在週五之前完成審批", "伺服器將於今晚維護兩小時"),
    search="搜尋",
)
GERMAN = Words(
    people=("Jörg Groß", "Jörg Großmann", "Änne Weiß", "Uwe Köhler", "Lena Maß", "Ida Böhm"),
    departments=("Buchhaltung", "Personal", "Entwicklung", "Vertrieb", "Recht", "Technik"),
    states=("Aktiv", "Inaktiv", "Offen", "Fertig"),
    columns=("Name", "Abteilung", "Beginn", "Status", "Aktionen"),
    row_actions=("Ändern", "Löschen"),
    fields=("Vorname", "Nachname", "E-Mail-Adresse", "Telefonnummer", "Firma", "Straße"),
    hints=("Ihr Vorname", "Ihr Nachname", "name@beispiel.de", "+49 30 123456", "Ihre Firma", "Freiwillig"),
    choices=("Neuigkeiten senden", "Angebote senden", "Angemeldet bleiben", "Profil zeigen", "Gerät merken"),
    actions=(
        "Speichern",
        "Speichern unter",
        "Schließen",
        "Abbrechen",
        "Zurücksetzen",
        "Prüfen",
        "Ausführen",
        "Einfügen",
    ),
    pages=("Zurück", "Weiter"),
    tabs=("Allgemein", "Sicherheit", "Mitteilungen", "Protokoll"),
    menus=("Datei", "Bearbeiten", "Ansicht", "Einfügen", "Format", "Extras", "Fenster", "Hilfe"),
    settings=(
        "Flugmodus",
        "Bluetooth",
        "Mobilfunk",
        "Hotspot",
        "Mitteilungen",
        "Töne",
        "Anzeige",
        "Hintergrund",
        "Datenschutz",
        "Akku",
        "Speicher",
        "Über das Telefon",
    ),
    titles=("Beschäftigte", "Konto", "Aufträge", "Einstellungen", "Nachrichten", "Dokumente"),
    questions=(
        "Diesen Eintrag löschen?",
        "Sollen die Änderungen gespeichert werden?",
        "Danach ist eine neue Anmeldung nötig.",
    ),
    answers=(("Abbrechen", "OK"), ("Verwerfen", "Speichern"), ("Bleiben", "Abmelden")),
    sentences=(
        "Die Besprechung beginnt um drei Uhr",
        "Der Bericht des dritten Quartals liegt vor",
        "Bitte bis Freitag prüfen",
        "Der Server steht heute Nacht zwei Stunden",
    ),
    search="Suchen",
)
LANGUAGES = {"zh": CHINESE, "en": ENGLISH, "zh-Hant": TRADITIONAL, "de": GERMAN}

# What a person might ask for on such a screen, and which is another thing than its neighbour here.
NEAR_MISSES = (
    ("Save", "Save as"),
    ("Save Encounter", "New Encounter"),
    ("Sign in", "Sign up"),
    ("Sign out", "Sign in"),
    ("Active", "Inactive"),
    ("Previous", "Next"),
    ("First name", "Last name"),
    ("Send me news", "Send me mail"),
    ("Airplane mode", "Airplay mode"),
    ("Import", "Export"),
    ("张三", "张三丰"),
    ("张三", "张二"),
    ("陈静怡", "陈静宜"),
    ("上一页", "下一页"),
    ("已启用", "已停用"),
    ("导入数据", "导出数据"),
    ("研发一部", "研发三部"),
    ("接收短信通知", "接收短信通告"),
    ("手机号码", "手机密码"),
    ("保存", "不保存"),
    ("確定", "確認"),
    ("儲存", "儲值"),
    ("Speichern", "Speicher"),
    ("Aktiv", "Inaktiv"),
    ("Vorname", "Nachname"),
)
# A word and another one that turns the text around it into another text.
SWAPS = (
    ("Olsen", "Olson"),
    ("Martin", "Marten"),
    ("Kim", "Kin"),
    ("Diaz", "Dias"),
    ("Leeson", "Leesen"),
    ("third", "first"),
    ("Friday", "Monday"),
    ("two hours", "ten hours"),
    ("three", "seven"),
    ("mends", "sends"),
    ("news", "mail"),
    ("Phone", "Plane"),
    ("Email", "Legal"),
    ("Köhler", "Köhner"),
    ("Böhm", "Böhme"),
    ("drei", "zwei"),
    ("Freitag", "Montag"),
    ("今晚", "明晚"),
    ("三点", "四点"),
    ("第三", "第二"),
    ("第三", "第四"),
    ("周五", "周一"),
    ("三點", "四點"),
    ("週五", "週一"),
    ("手机", "手表"),
    ("短信", "微信"),
    ("邮件", "信件"),
    ("公司", "公寓"),
    ("娜娜", "娜妮"),
    ("小明", "小朋"),
    ("刘洋", "刘样"),
    ("上传", "上架"),
)
# Words that turn a label into its opposite.
NEGATIONS = (
    "not",
    "don't",
    "no",
    "never",
    "cannot",
    "nicht",
    "kein",
    "不",
    "未",
    "勿",
    "别",
    "無",
    "无",
    "没有",
    "沒有",
)
# What people ask for by itself, and what often stands in longer labels.
WORDS_ALONE = (
    "Save",
    "Delete",
    "Agree",
    "Allow",
    "Account",
    "Sign",
    "failed",
    "Speichern",
    "保存",
    "删除",
    "同意",
    "允许",
    "账号",
    "儲存",
    "刪除",
)
# The same characters in the other Chinese script, enough for the words above.
TO_TRADITIONAL = str.maketrans(
    "张陈静赵刘欧阳务发审项状态编辑删号码邮联络称备选接讯记录设动导载数据输请户确认视图插格窗关于隐私电储间员订单统消项文档会议点变显声振蓝网热个击页闭启丰",
    "張陳靜趙劉歐陽務發審項狀態編輯刪號碼郵聯絡稱備選接訊記錄設動導載數據輸請戶確認視圖插格窗關於隱私電儲間員訂單統消項文檔會議點變顯聲振藍網熱個擊頁閉啟豐",
)
TO_SIMPLIFIED = {new: old for old, new in TO_TRADITIONAL.items()}
