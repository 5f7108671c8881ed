"""Tests of routing: sentences with their module, task and slot values, or none. Near misses are listed together."""

from __future__ import annotations

import pytest

from handeye.apps import ModuleRegistry

REGISTRY = ModuleRegistry(environment={})

SENTENCES: tuple[tuple[str, str, dict[str, str]], ...] = (
    # 打开 …: an app, a module's own app, a switch, a page, an address, a chat
    ("打开微信", "wechat.open", {}),
    ("请帮我打开微信。", "wechat.open", {}),
    ("启动微信", "wechat.open", {}),
    ("open WeChat", "wechat.open", {}),
    ("打开微信读书", "system.open_app", {"app": "微信读书"}),
    ("打开“微信”", "system.open_app", {"app": "微信"}),
    ("打开相机", "system.open_app", {"app": "相机"}),
    ("打开相机应用", "system.open_app", {"app": "相机"}),
    ("open the app Calculator", "system.open_app", {"app": "Calculator"}),
    ("打开浏览器", "chrome.open", {}),
    ("打开谷歌浏览器", "chrome.open", {}),
    ("打开Chrome", "chrome.open", {}),
    ("launch the browser", "chrome.open", {}),
    ("打开网址example.com", "chrome.open_url", {"url": "https://example.com"}),
    ("打开https://a.b/c?d=e", "chrome.open_url", {"url": "https://a.b/c?d=e"}),
    ("go to news.example", "chrome.open_url", {"url": "https://news.example"}),
    ("打开设置", "system.open_settings", {}),
    ("打开系统设置", "system.open_settings", {}),
    ("open the settings", "system.open_settings", {}),
    ("打开飞行模式", "system.turn_on", {"setting": "飞行模式"}),
    ("开启飞行模式", "system.turn_on", {"setting": "飞行模式"}),
    ("打开手机的飞行模式开关", "system.turn_on", {"setting": "飞行模式"}),
    ("把飞行模式打开", "system.turn_on", {"setting": "飞行模式"}),
    ("turn on airplane mode", "system.turn_on", {"setting": "飞行模式"}),
    ("打开深色模式", "system.turn_on", {"setting": "深色模式"}),
    ("turn on dark mode", "system.turn_on", {"setting": "深色模式"}),
    ("Turn dark mode on!", "system.turn_on", {"setting": "深色模式"}),
    ("enable the dark theme", "system.turn_on", {"setting": "深色模式"}),
    ("打开勿扰", "system.turn_on", {"setting": "勿扰模式"}),
    ("打开NFC", "system.turn_on", {"setting": "NFC"}),
    ("turn on battery saver", "system.turn_on", {"setting": "省电模式"}),
    ("打开飞行模式游戏", "system.open_app", {"app": "飞行模式游戏"}),
    ("打开蓝牙", "system.turn_on_radio", {"radio": "蓝牙"}),
    ("打开ＷＬＡＮ", "system.turn_on_radio", {"radio": "WLAN"}),
    ("打开wifi", "system.turn_on_radio", {"radio": "WLAN"}),
    ("打开无线网络", "system.turn_on_radio", {"radio": "WLAN"}),
    ("turn on Wi-Fi", "system.turn_on_radio", {"radio": "WLAN"}),
    ("switch bluetooth on", "system.turn_on_radio", {"radio": "蓝牙"}),
    ("打开蓝牙音箱", "system.open_app", {"app": "蓝牙音箱"}),
    ("打开和张三的聊天", "wechat.open_chat", {"contact": "张三"}),
    ("打开微信和张三丰的聊天窗口", "wechat.open_chat", {"contact": "张三丰"}),
    # 关闭 …: only what can be closed
    ("关闭飞行模式", "system.turn_off", {"setting": "飞行模式"}),
    ("把深色模式关掉", "system.turn_off", {"setting": "深色模式"}),
    ("turn off do not disturb", "system.turn_off", {"setting": "勿扰模式"}),
    ("turn the dark mode off", "system.turn_off", {"setting": "深色模式"}),
    ("关闭蓝牙", "system.turn_off_radio", {"radio": "蓝牙"}),
    ("turn bluetooth off", "system.turn_off_radio", {"radio": "蓝牙"}),
    ("关闭微信", "", {}),
    ("关闭飞行模式游戏", "", {}),
    ("turn on", "", {}),
    ("把飞行模式", "", {}),
    # in the settings
    ("在设置里打开关于手机", "system.open_setting", {"item": "关于手机"}),
    ("到系统设置里找到电池", "system.open_setting", {"item": "电池"}),
    ("打开设置里的显示", "system.open_setting", {"item": "显示"}),
    ("open Battery in settings", "system.open_setting", {"item": "Battery"}),
    ("查看手机的Android版本", "system.read_about", {"item": "Android 版本"}),
    ("告诉我这台手机的序列号", "system.read_about", {"item": "序列号"}),
    ("what is my phone's build number?", "system.read_about", {"item": "版本号"}),
    ("查看手机的密码", "", {}),
    # back and home
    ("返回桌面", "system.go_home", {}),
    ("回到主屏幕", "system.go_home", {}),
    ("go home", "system.go_home", {}),
    ("返回", "system.back", {}),
    ("按返回键", "system.back", {}),
    ("press the back key", "system.back", {}),
    ("返回上一页", "system.previous_page", {}),
    ("回到上一个界面", "system.previous_page", {}),
    ("go back to the previous page", "system.previous_page", {}),
    ("返回微信首页", "wechat.home", {}),
    ("go back to the wechat home", "wechat.home", {}),
    ("返回微信", "", {}),
    # messages
    ("给张三发微信消息说你好", "wechat.send_message", {"contact": "张三", "message": "你好"}),
    ("给张三发微信说打开飞行模式", "wechat.send_message", {"contact": "张三", "message": "打开飞行模式"}),
    ("给“打开微信”发微信说“关闭蓝牙”", "wechat.send_message", {"contact": "打开微信", "message": "关闭蓝牙"}),
    ("微信发消息给王小明说好的", "wechat.send_message", {"contact": "王小明", "message": "好的"}),
    ('send "hello" to 张三 on WeChat', "wechat.send_message", {"contact": "张三", "message": "hello"}),
    (
        "send the text “see you at 8, ok?” to Ann via WeChat",
        "wechat.send_message",
        {"contact": "Ann", "message": "see you at 8, ok?"},
    ),
    ("用微信告诉李四：明天见", "wechat.send_message", {"contact": "李四", "message": "明天见"}),
    ("text Alice on wechat: see you", "wechat.send_message", {"contact": "Alice", "message": "see you"}),
    ("给张三发短信说你好", "", {}),
    ("给张三发微信", "", {}),
    ("把手机的Android版本发给张三", "wechat.send_phone_info", {"item": "Android 版本", "contact": "张三"}),
    ("把我的手机序列号用微信发给李雷", "wechat.send_phone_info", {"item": "序列号", "contact": "李雷"}),
    ("send my phone's serial number to Alice", "wechat.send_phone_info", {"item": "序列号", "contact": "Alice"}),
    ("把手机的密码发给张三", "", {}),
    ("把手机发给张三", "", {}),
    ("打开微信给张三发微信消息说你好", "wechat.send_message", {"contact": "张三", "message": "你好"}),
    ("打开微信，给张三发微信说你好", "wechat.send_message", {"contact": "张三", "message": "你好"}),
    (
        "给张三发微信说我先吃饭，然后去找他",
        "wechat.send_message",
        {"contact": "张三", "message": "我先吃饭，然后去找他"},
    ),
    ("给张三发微信说你好，再见", "wechat.send_message", {"contact": "张三", "message": "你好，再见"}),
    (
        "给张三发微信说“你好，然后打开飞行模式”",
        "wechat.send_message",
        {"contact": "张三", "message": "你好，然后打开飞行模式"},
    ),
    # two things in one sentence, which no template does; a message never holds the second one
    ("给张三发微信消息说你好，然后打开飞行模式", "", {}),
    ("给张三发微信说明天见，给李四发微信说后天见", "", {}),
    ("给张三发微信说你好并打开飞行模式", "", {}),
    ("text Alice on wechat: hi, then call 10086", "", {}),
    ("打开微信然后打开浏览器", "", {}),
    ("打开微信看看张三的朋友圈", "", {}),
    ("打开微信，给张三打电话", "", {}),
    ("打开飞行模式和蓝牙", "", {}),
    ("在设置里打开飞行模式和蓝牙", "", {}),
    ("open baidu.com and search cats", "", {}),
    ("搜索猫然后打开微信", "", {}),
    ("打开和平精英", "system.open_app", {"app": "和平精英"}),
    ("打开百度搜索", "system.open_app", {"app": "百度搜索"}),
    ("打开“龙和地下城”", "system.open_app", {"app": "龙和地下城"}),
    # addresses, and what only looks like one
    ("打开com.tencent.mm", "wechat.open", {}),
    ("launch com.android.chrome", "chrome.open", {}),
    ("打开com.example.app", "", {}),
    ("打开192.168.1.1:8080/a", "chrome.open_url", {"url": "https://192.168.1.1:8080/a"}),
    ("打开http://例子.中国", "chrome.open_url", {"url": "http://例子.中国"}),
    ("打开“https://example.com/猫”", "chrome.open_url", {"url": "https://example.com/猫"}),
    ("打开baidu.com搜索猫", "", {}),
    ("打开https://baidu.com搜索猫", "", {}),
    ("打开https://baidu.com/搜索猫", "", {}),
    ("打开example.com看看", "", {}),
    ("打开baidu.com，谢谢", "chrome.open_url", {"url": "https://baidu.com"}),
    ("打开1.5倍速", "system.open_app", {"app": "1.5倍速"}),
    ("打开A.B相册", "system.open_app", {"app": "A.B相册"}),
    ("打开报告.docx", "system.open_app", {"app": "报告.docx"}),
    ("visit 1.5", "", {}),
    # searching and calling
    ("搜索猫", "chrome.search", {"query": "猫"}),
    ("在浏览器里搜索打开微信", "chrome.search", {"query": "打开微信"}),
    ("search for turn on dark mode", "chrome.search", {"query": "turn on dark mode"}),
    ("在微信里搜索张三", "wechat.open_chat", {"contact": "张三"}),
    ("拨打10086", "system.call", {"number": "10086"}),
    ("打电话给张三", "", {}),
    ("音量调大", "system.volume_up", {}),
    ("", "", {}),
    ("打开", "", {}),
    ("订一张去火星的票", "", {}),
)


@pytest.mark.parametrize(("sentence", "template", "slots"), SENTENCES)
def test_sentences_route_to_task_and_slots(sentence: str, template: str, slots: dict[str, str]) -> None:
    handler = REGISTRY.route(sentence).handler
    fit = handler.match(sentence)
    assert (f"{handler.name}.{fit[0].name}" if fit else "") == template
    assert dict(fit[1].slots if fit else {}) == slots


def test_sentences_are_unique() -> None:
    assert len({sentence for sentence, _, _ in SENTENCES}) == len(SENTENCES)
