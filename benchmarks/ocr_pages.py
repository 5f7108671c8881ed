"""Pages of text with known truth, to measure text readers: drawn by headless Chromium, text boxes from its layout.

    python benchmarks/ocr_pages.py [FOLDER]

Makes 32 screens in FOLDER (default out/ocr_pages, not under version control): five kinds of page, Chinese and English,
light and dark, densities 1 to 3. Each NAME.png comes with NAME.json, a list of {"text", "box", "size", "whole"}, one
per line of text: `box` is the DOM range's rectangle [left, top, right, bottom] and `size` the font size in pixels of
the picture; a line that an edge cuts is not `whole`. Needs `chromium` and a Chinese font (Debian: chromium,
fonts-noto-cjk). A minute or two; the same pages every time.
"""

from __future__ import annotations

import html
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path("out/ocr_pages")
CHROMIUM = ("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-lcd-text")


@dataclass(frozen=True)
class Truth:
    """One line of text: `box` is its range's rectangle, `size` its font size, in pixels; not `whole`: cut by an edge."""

    text: str
    box: tuple[int, int, int, int]
    size: float
    whole: bool


@dataclass(frozen=True)
class Words:
    """Vocabulary of the pages of one language."""

    folders: tuple[str, ...]
    given: tuple[str, ...]
    family: tuple[str, ...]
    subjects: tuple[str, ...]
    details: tuple[str, ...]
    buttons: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    states: tuple[str, ...]
    menus: tuple[str, ...]
    marks: tuple[str, ...]


ENGLISH = Words(
    folders=(
        "Inbox",
        "Starred",
        "Snoozed",
        "Sent",
        "Drafts (3)",
        "Archive",
        "Spam",
        "Trash",
        "Work",
        "Travel",
        "Receipts",
    ),
    given=(
        "Alice",
        "Bob",
        "Priya",
        "Zoë",
        "Jean-Luc",
        "Samuel",
        "Wei",
        "Maria",
        "Olga",
        "Yusuf",
        "Ingrid",
        "Tom",
        "Fatima",
        "Hugh",
    ),
    family=(
        " Johnson",
        " Miller",
        " Natarajan",
        " Müller",
        " Petit",
        " O'Brien",
        " Lín",
        " dos Santos",
        " Ivanova",
        " Demir",
        " Berg",
        " Hill",
        " (Support)",
        "@example.com",
    ),
    subjects=(
        "Quarterly report ready for review",
        "Re: Lunch on Friday?",
        "Your invoice #20418 is due",
        "Build failed on main",
        "Welcome aboard",
        "Minutes of the planning meeting",
        "Password will expire in 3 days",
        "Fwd: Flight LH 1234 to Oslo",
        "Save the date",
        "New sign-in from Firefox",
        "Order shipped",
        "Photos from the weekend",
    ),
    details=(
        "please find attached the latest figures",
        "see you there at noon",
        "total amount $1,284.50",
        "12 tests passed, 1 failed",
        "click the link below to get started",
        "no action is needed",
        "gate closes 30 min before departure",
        "more information",
    ),
    buttons=(
        "Compose",
        "Reply",
        "Forward",
        "Mark as read",
        "Delete",
        "Refresh",
        "Cancel",
        "Save changes",
        "OK",
        "Learn more",
    ),
    settings=(
        ("Notifications", "Banners, sounds and badges"),
        ("Display & brightness", "Dark mode from sunset to sunrise"),
        ("Storage", "48.2 GB of 128 GB used"),
        ("Privacy", "Location, camera and microphone access"),
        ("About", "Version 7.4.1"),
        ("Language & region", "English (United Kingdom)"),
        ("Accounts", "2 accounts signed in"),
        ("Battery", "87% remaining"),
        ("Wi-Fi", "Connected to Office-5G"),
        ("Bluetooth", "Off"),
        ("Automatic updates", "Install overnight on Wi-Fi only"),
    ),
    columns=("Name", "Owner", "Modified", "Size", "Status", "Progress"),
    states=("Active", "Paused", "Failed", "Queued", "Done", "In review"),
    menus=("File", "Edit", "Selection", "View", "Go", "Run", "Terminal", "Help"),
    marks=(" · ", ", ", " - ", "; "),
)
CHINESE = Words(
    folders=(
        "收件箱",
        "星标邮件",
        "稍后处理",
        "已发送",
        "草稿箱 (3)",
        "归档",
        "垃圾邮件",
        "已删除",
        "工作",
        "旅行",
        "票据",
    ),
    given=("张", "李", "王", "欧阳", "陈", "赵", "周", "孙", "林", "黄", "何", "诸葛", "郑", "许"),
    family=("三", "三丰", "晓明", "娜娜", "建国", "六", "思远", "杰", "小雨", "文博", "静怡", "志强", "经理", "老师"),
    subjects=(
        "第三季度报告已可查看",
        "回复：周五一起吃饭吗？",
        "您的账单 #20418 即将到期",
        "主分支构建失败",
        "欢迎加入我们",
        "项目例会纪要",
        "密码将在 3 天后过期",
        "转发：航班 CA1234 飞往北京",
        "请预留时间",
        "检测到新的登录",
        "订单已发货",
        "周末的照片",
    ),
    details=(
        "附件为最新数据，请查收",
        "中午十二点见",
        "合计 ¥1,284.50",
        "12 项通过，1 项失败",
        "点击下方链接开始使用",
        "无需任何操作",
        "起飞前30分钟停止登机",
        "更多信息",
    ),
    buttons=("写邮件", "回复", "转发", "标为已读", "删除", "刷新", "取消", "保存修改", "确定", "了解更多"),
    settings=(
        ("通知管理", "横幅、声音和角标"),
        ("显示与亮度", "日落至日出使用深色模式"),
        ("存储空间", "已用 48.2 GB，共 128 GB"),
        ("隐私", "位置、相机和麦克风权限"),
        ("关于手机", "版本 7.4.1"),
        ("语言与地区", "简体中文（中国大陆）"),
        ("帐号与同步", "已登录 2 个帐号"),
        ("电池", "剩余 87%"),
        ("无线网络", "已连接 Office-5G"),
        ("蓝牙", "已关闭"),
        ("自动更新", "仅在夜间通过无线网络安装"),
    ),
    columns=("名称", "所有者", "修改时间", "大小", "状态", "进度"),
    states=("运行中", "已暂停", "失败", "排队中", "完成", "审核中"),
    menus=("文件", "编辑", "选择", "查看", "转到", "运行", "终端", "帮助"),
    marks=("，", "、", " · ", "；"),
)
LANGUAGES = {"en": ENGLISH, "zh": CHINESE}
FILES = (
    "report_final.docx",
    "IMG_2041.jpg",
    "backup-2026-03.tar.gz",
    "setup.exe",
    "README.md",
    "预算表.xlsx",
    "main.py",
    "notes.txt",
)
CODE = (
    "import json",
    "from pathlib import Path",
    "def load(path: str) -> dict[str, int]:",
    "    text = Path(path).read_text()",
    "    return json.loads(text)",
    "class Reader:",
    "    def __init__(self, name):",
    "        self.name = name or 'default'",
    "for index, item in enumerate(items):",
    "    if item.price > 100 and not item.sold:",
    "        total += item.price * 0.95",
    "    else:",
    "        raise ValueError(f'bad item {index}')",
    "# TODO: handle empty input",
    "print(len(result), 'rows')",
)
NAMES = ("item", "order", "user_id", "frame", "tokens", "box2", "lineEnd", "MAX_SIZE")
STYLE = """
*{box-sizing:border-box;margin:0;padding:0}
body{
 font:14px "Noto Sans","Noto Sans CJK SC",sans-serif;background:var(--page);color:var(--ink);
 width:WIDTHpx;height:HEIGHTpx;position:relative;overflow:hidden}
.light{
 --page:#fff;--panel:#f3f4f6;--ink:#1f2328;--soft:#6b7280;--line:#e5e7eb;--accent:#2563eb}
.dark{--page:#0f1115;--panel:#1b1f27;--ink:#e6e8eb;--soft:#9aa3af;--line:#2a2f3a;--accent:#3b82f6}
.bar{height:48px;display:flex;align-items:center;gap:16px;
 padding:0 16px;background:var(--panel);border-bottom:1px solid var(--line)}
.row{display:flex;align-items:center;gap:16px;white-space:nowrap;border-bottom:1px solid var(--line);padding:0 16px}
.soft{color:var(--soft)} .small{font-size:12px} .tiny{font-size:10px} .big{font-size:26px;font-weight:600} b{font-weight:600}
button{font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--line);border-radius:6px;padding:5px 12px}
button.main{background:var(--accent);color:#fff;border:0}
.grow{flex:1} .side{width:200px;background:var(--panel);height:HEIGHTpx;padding:8px 0;float:left}
.side div{padding:7px 20px} .rest{margin-left:200px}
.dot{width:36px;height:36px;
 border-radius:50%;flex:none;text-align:center;line-height:36px;color:#fff;font-weight:600}
.switch{width:36px;height:20px;border-radius:10px;background:var(--accent);flex:none}
table{border-collapse:collapse;width:100%;font-size:12px}
td,th{text-align:left;padding:6px 12px;border-bottom:1px solid var(--line)}
pre{font:13px "DejaVu Sans Mono",monospace;line-height:20px}
"""
# Each text node's lines, by the tops of its characters' rectangles, cut to the window and to what hides an overflow.
SCRIPT = """
const found=[],walk=document.createTreeWalker(document.body,NodeFilter.SHOW_TEXT);
while(walk.nextNode()){
 const node=walk.currentNode;if(node.parentElement.tagName==='SCRIPT')continue;
 const range=document.createRange(),size=parseFloat(getComputedStyle(node.parentElement).fontSize);
 const seen=[0,0,WIDTH,HEIGHT];
 for(let up=node.parentElement;up!==document.body;up=up.parentElement)if(getComputedStyle(up).overflowX==='hidden'){
  const r=up.getBoundingClientRect();seen[0]=Math.max(seen[0],r.left);seen[2]=Math.min(seen[2],r.right)}
 let line=null,at=0;
 const done=()=>{if(line&&line.text.trim()){const b=line.box;
  line.whole=b[0]>=seen[0]&&b[1]>=seen[1]&&b[2]<=seen[2]&&b[3]<=seen[3];
  line.box=[Math.max(b[0],seen[0]),Math.max(b[1],seen[1]),Math.min(b[2],seen[2]),Math.min(b[3],seen[3])];
  if(line.box[0]<line.box[2]&&line.box[1]<line.box[3])found.push(line)}line=null};
 for(const character of node.data){
  const from=at;at+=character.length;range.setStart(node,from);range.setEnd(node,at);
  const r=range.getBoundingClientRect();if(!r.width||(!character.trim()&&!line))continue;
  if(!line||Math.abs(line.box[1]-r.top)>2){done();if(!character.trim())continue;
   line={text:'',box:[r.left,r.top,r.right,r.bottom],size:size}}
  line.text+=character;if(character.trim())line.box[2]=r.right}
 done()}
document.title=JSON.stringify(found);
"""


def file_name(chance: random.Random) -> str:
    return chance.choice(FILES).replace(".", f"_{chance.randint(1, 99)}.", 1)


def person(words: Words, chance: random.Random) -> str:
    return html.escape(chance.choice(words.given) + chance.choice(words.family))


def detail(words: Words, chance: random.Random) -> str:
    """Return words that hardly ever repeat on a page: a reader that caches its crops would look better than it is."""
    first, second = chance.sample(words.details, 2)
    return first + chance.choice(words.marks) + second


def subject(words: Words, chance: random.Random) -> str:
    return chance.choice(words.subjects) + chance.choice(
        ("", f" [{chance.randint(100, 999)}]", f" {chance.randint(2, 40)}/40")
    )


def mail(words: Words, chance: random.Random) -> str:
    folders = "".join(f"<div>{folder}</div>" for folder in words.folders)
    rows = "".join(
        f'<div class=row style="height:38px"><b style="width:170px">{person(words, chance)}</b>'
        f"<span>{subject(words, chance)}</span><span class='soft grow'>{detail(words, chance)}</span>"
        f"<span class='small soft'>{chance.randint(0, 23):02}:{chance.randint(0, 59):02}</span></div>"
        for _ in range(24)
    )
    tools = "".join(f"<button>{text}</button>" for text in words.buttons[1:7])
    main = f"<button class=main>{words.buttons[0]}</button>"
    return f"<div class=side>{folders}</div><div class=rest><div class=bar>{main}{tools}</div>{rows}</div>"


def settings(words: Words, chance: random.Random) -> str:
    groups = []
    for size in (15, 14, 16):
        rows = "".join(
            f'<div class=row style="height:56px;font-size:{size}px"><div class=grow><div>{title}</div>'
            f"<div class='small soft'>{about}</div></div>"
            + chance.choice(("<div class=switch></div>", f"<button>{chance.choice(words.buttons)}</button>"))
            + "</div>"
            for title, about in chance.sample(words.settings, len(words.settings))
        )
        groups.append(
            f"<div style='flex:1;padding:16px'><div class=big>{chance.choice(words.settings)[0]}</div>{rows}</div>"
        )
    return f"<div style='display:flex;gap:24px'>{''.join(groups)}</div>"


def table(words: Words, chance: random.Random) -> str:
    cards = "".join(
        f"<div style='flex:1;background:var(--panel);padding:12px'><div class='small soft'>{title}</div>"
        f"<div class=big>{chance.randint(1000, 99999):,}</div><div class=tiny>+{chance.uniform(0.1, 9.9):.1f}%</div></div>"
        for title in words.columns
    )
    head = "".join(f"<th>{column}</th>" for column in words.columns)
    rows = "".join(
        f"<tr><td>{file_name(chance)}</td><td>{person(words, chance)}</td>"
        f"<td>2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}</td><td>{chance.uniform(1, 900):.1f} KB</td>"
        f"<td>{chance.choice(words.states)}</td><td class=tiny>{detail(words, chance)}</td></tr>"
        for _ in range(28)
    )
    return f"<div style='display:flex;gap:12px;padding:16px'>{cards}</div><table><tr>{head}</tr>{rows}</table>"


def editor(words: Words, chance: random.Random) -> str:
    menu = "".join(f"<span>{text}</span>" for text in words.menus)
    tree = "".join(f"<div style='padding:3px 20px'>{file_name(chance)}</div>" for _ in range(18))
    lines = [chance.choice(CODE).replace("item", chance.choice(NAMES)) for _ in range(46)]
    code = "\n".join(html.escape(line) for line in lines)
    bar = f"<div class='bar small' style='height:30px'>{menu}</div>"
    status = (
        f"<span class=tiny>UTF-8</span><span class=tiny>Python 3.12</span><span class=tiny>{words.states[0]}</span>"
    )
    code = f"<pre class=rest style='padding:8px 24px'>{code}</pre>"
    status = f"<div class=bar style='position:absolute;bottom:0;height:24px'>{status}</div>"
    return f"{bar}<div class='side small'>{tree}</div>{code}{status}"


def phone(words: Words, chance: random.Random) -> str:
    colours = ("#ef4444", "#10b981", "#8b5cf6", "#f59e0b", "#0ea5e9")
    rows = "".join(
        f'<div class=row style="height:68px"><div class=dot style="background:{chance.choice(colours)}"></div>'
        f"<div class=grow style='overflow:hidden'><div>{person(words, chance)}</div>"
        f"<div class='small soft'>{detail(words, chance)}</div></div>"
        f"<div class='tiny soft'>{chance.randint(8, 20)}:15</div></div>"
        for _ in range(9)
    )
    tabs = "".join(f"<span class='tiny grow' style='text-align:center'>{text}</span>" for text in words.folders[:4])
    footer = f"<div class=bar style='position:absolute;bottom:0;width:100%'>{tabs}</div>"
    return f"<div class=bar><b>{words.folders[0]}</b></div>{rows}{footer}"


# Kind of page, window in CSS pixels, density.
SCREENS = (
    (mail, (1920, 1080), 1.0),
    (settings, (1920, 1080), 1.0),
    (table, (1920, 1080), 1.0),
    (editor, (1920, 1080), 1.0),
    (table, (1280, 720), 1.5),
    (mail, (1280, 800), 2.0),
    (settings, (960, 540), 2.0),
    (phone, (520, 960), 3.0),  # headless Chromium makes no window narrower than 500
)


def render(folder: Path = FOLDER) -> list[Path]:
    """Draw what is missing in `folder`; return the pictures, sorted. Raises RuntimeError without a working Chromium."""
    if not shutil.which(CHROMIUM[0]):
        raise RuntimeError("chromium is needed to draw the pages; on Debian: apt-get install chromium fonts-noto-cjk")
    folder.mkdir(parents=True, exist_ok=True)
    for name, page, window, density in _pages():
        if not (folder / f"{name}.json").exists():
            _draw(folder / f"{name}.png", page, window, density)
    return sorted(folder.glob("*.png"))


def truth_of(picture: Path) -> list[Truth]:
    """Return the lines of text on a picture that `render` made."""
    items = json.loads(picture.with_suffix(".json").read_text("utf-8"))
    return [Truth(item["text"], tuple(item["box"]), item["size"], item["whole"]) for item in items]


def _pages() -> Iterator[tuple[str, str, tuple[int, int], float]]:
    for index, (kind, window, density) in enumerate(SCREENS):
        for language, words in LANGUAGES.items():
            for theme in ("light", "dark"):
                body = kind(words, random.Random(f"{index} {language} {theme}"))
                head = f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>"
                page = f"{head}<body class={theme}>{body}<script>{SCRIPT}</script>"
                for name, length in zip(("WIDTH", "HEIGHT"), window, strict=True):
                    page = page.replace(name, str(length))
                yield f"{kind.__name__}_{language}_{theme}_{density:g}x", page, window, density


def _draw(picture: Path, page: str, window: tuple[int, int], density: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, "utf-8")
        shape = (f"--window-size={window[0]},{window[1]}", f"--force-device-scale-factor={density}")
        common = (*CHROMIUM, f"--user-data-dir={folder}/profile", *shape)
        shown = subprocess.run((*common, "--dump-dom", source.as_uri()), capture_output=True, text=True, check=True)
        subprocess.run((*common, f"--screenshot={picture.resolve()}", source.as_uri()), capture_output=True, check=True)
    title = re.search(r"<title>(.*?)</title>", shown.stdout, re.DOTALL)
    if title is None:
        raise RuntimeError(f"Chromium told nothing of {picture.name}: {shown.stderr[-300:]}")
    lines = json.loads(html.unescape(title[1]))
    for line in lines:
        line["text"] = line["text"].strip()
        line["box"] = [round(value * density) for value in line["box"]]
        line["size"] *= density
    picture.with_suffix(".json").write_text(json.dumps(lines, ensure_ascii=False, indent=0), "utf-8")


if __name__ == "__main__":
    pictures = render(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
    print(f"{len(pictures)} pictures, {sum(len(truth_of(picture)) for picture in pictures)} lines of text")
