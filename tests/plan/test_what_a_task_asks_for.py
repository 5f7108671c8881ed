"""Tests of which actions a task orders, and which it only mentions, forbids, asks about or postpones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.plan import ACCOUNT, CALLING, DELETE, PAY, SEND, SHARE, Act
from handeye.plan.consent.clauses import clauses
from handeye.plan.consent.effects import ACTS, GRANT, INSTALL, only_looks, orders_act

ASKED: list[tuple[Act, str]] = [
    *(
        (PAY, task)
        for task in (
            "在淘宝上付款购买购物车里的东西",
            "帮我把外卖的订单付了",
            "给张三转账50元",
            "能帮我给张三转账50吗",
            "看看购物车，然后付款",
            "看看购物车并付款",
            "看看购物车里有什么，有的话就付款",
            "帮我看一下外卖，选第一家下单",
            "去外卖软件看看，再下单一份盖饭",
            "给手机充值50元",
            "打开支付宝给张三转账50",
            "打开支付宝转账50元给张三",
            "用支付宝给张三转账50",
            "用支付宝付款",
            "别忘了给张三转账50",
            "我想给张三转账50",
            "如果下雨就给张三转账50",
            "帮我把订单付了好吗",
            "去淘宝买个充电器",
            "点击“付款”",
            "微信给张三转账20",
            "麻烦你帮我买两张电影票",
            "先看看余额，再付款",
            "check the cart and buy it",
            "order a pizza in the app",
            "buy the first one",
            "could you please order a pizza?",
            "place an order for the pizza",
            "please make a payment of 50 to Ann",
            "pay 50 yuan",
            "would you pay for the order?",
            "I want you to buy the first one",
            "don't forget to pay the bill",
            "go to the shop and buy milk",
            "tap “Pay”",
            "in the shop, order the blue one",
        )
    ),
    *(
        (DELETE, task)
        for task in (
            "删除和张三的聊天",
            "请把和张三的聊天删除掉",
            "帮我把相册里的最后一张照片删了",
            "把抖音卸载了",
            "把这条聊天记录删了",
            "把购物车清空了吧",
            "找到张三的聊天，把它删除",
            "找到张三的聊天把它删除",
            "搜索张三的聊天并删除",
            "可以帮我删除和张三的聊天吗？",
            "看看购物车，然后把它清空",
            "卸载抖音",
            "删除不用的照片",
            "删除聊天记录",
            "把不用的应用卸载掉",
            "在相册里删除最后一张照片",
            "从通讯录删除张三",
            "你能把照片删了吗",
            "能不能把照片删掉",
            "can you delete the chat with Ann?",
            "what about deleting, please delete the last photo",
            "delete this photo",
            "find the last mail from Ann and delete it",
            "open the photo, delete it",
            "open the photo which I took and delete it",
            "delete the photo which I took",
            "see the chat with Ann, then block her",
            "delete photos I do not need",
            "clear the cart",
            "tap the delete button",
            "点击删除按钮",
            "please remove Ann from the group",
        )
    ),
    *(
        (CALLING, task)
        for task in (
            "打电话给13800138000",
            "麻烦拨一下13800138000的电话",
            "打给张三13800138000",
            "给妈妈打个电话",
            "拨打10086",
            "make a call to 13800138000",
            "please make a call to 13800138000",
            "would you call 13800138000?",
            "call Ann",
        )
    ),
    *(
        (act, task)
        for act in (SEND, SHARE)
        for task in (
            "告诉张三“我没空”",
            "发消息告诉张三我没空",
            "回复张三说好的，谢谢",
            "帮我用微信跟张三讲“你好”",
            "给他发送“你好”",
            "向张三发送消息",
            "把明天见发给张三",
            "转告张三我不来了",
            "看看谁给我点赞了并回复他谢谢",
            "在微信上给张三留言说我不来了",
            "打开和张三的聊天发“你好”",
            "张三的电话是13800138000，别打给他，发微信说你好",
            "把照片分享到朋友圈",
            "send hello to Ann",
            "text Ann that I am late",
            "leave a comment “nice” on the post of Ann",
            "give Ann a reply: ok",
            "reply hello to Ann",
            "can you tell Ann that I am late?",
            "forward the mail to Bob",
        )
    ),
    (GRANT, "给微信开相机权限"),
    (GRANT, "allow the camera"),
    (INSTALL, "安装微信读书"),
    (INSTALL, "下载地图软件"),
    (ACCOUNT, "退出登录"),
    (ACCOUNT, "log out of the shop"),
]

NOT_ASKED: list[tuple[Act, str]] = [
    *(
        (PAY, task)
        for task in (
            "打开支付宝",
            "请打开支付宝，看一看首页",
            "打开支付宝里的蚂蚁森林，点一下树",
            "用支付宝扫一扫门口的码",
            "把支付宝的亮度调高",
            "打开买菜软件，把字体调大",
            "在订票软件里把字体调大",
            "把充值卡的照片发给张三",
            "在贷款计算器里算一下",
            "打开我的借阅证",
            "点亮付费会员的图标",
            "打开付费通知",
            "打开支付宝的付款码",
            "打开支付设置，把指纹关了",
            "打开付款记录",
            "看看张三的消息，不要给他转账",
            "别帮张三付款，打开他的聊天",
            "打开张三的聊天，千万别替他付款",
            "我不想转账，打开微信的服务页",
            "先不转账，打开微信的服务页",
            "看一看支付宝余额，不要转账",
            "如果张三没回我就别转账",
            "不要付款和转账",
            "在微信里取消付款",
            "张三让我付款，看看他的二维码对不对",
            "读一下张三的消息，他说要买票",
            "翻译“请付款”",
            "转账前先看看余额",
            "老板催我付款",
            "张三付款了",
            "付款了",
            "你付款了吗",
            "要不要付款",
            "可以转账吗",
            "看看有没有人付款",
            "打开微信看看是不是要付款",
            "在日历里新建付款提醒",
            "用计算器计算贷款利息",
            "告诉张三我不想付款",
            "给张三发消息说记得付款",
            "给张三发消息说我到了，付款吧",
            "在淘宝里看看我的订单",
            "查一下怎么充值",
            "把张三的付款二维码截图",
            "当我没付款",
            "如果他付款",
            "check my order status",
            "where can I buy batteries? search the web",
            "open the Pay app",
            "open the chat with Ann, do not ever pay her",
            "open the shop, but never under any circumstances buy anything",
            "open the shop but avoid buying, I mean do not let it buy",
            "tap on the tip of the day",
            "Ann asked me to pay",
            "translate “please pay”",
            "before you pay, check the balance",
            "can I pay here?",
            "should I buy it?",
            "do not open, order or buy anything",
            "tell Ann to pay the bill",
            "my order",
            "did Bob pay?",
            "open the order page",
        )
    ),
    *(
        (DELETE, task)
        for task in (
            "打开相册，不要把照片删除",
            "打开微信，不要不小心删除聊天",
            "打开设置，不要误点恢复出厂设置",
            "给张三打个电话问他删没删除",
            "看看张三发的删除通知，然后截图",
            "查一下怎么删除聊天记录",
            "看看有没有人删除了我",
            "把和张三的聊天置顶",
            "张三删除了我",
            "告诉张三我删除了照片",
            "搜索“删除微信好友”",
            "打开最近删除",
            "看看删除的照片",
            "能删除聊天吗",
            "张三要我删除照片",
            "format the text bold",
            "clear night wallpaper, please set it",
            "set a block of time in the calendar",
            "open the photo, don't delete it",
            "how do I delete a chat",
            "search for delete account",
            "is it deleted",
            "do not call, text or delete anyone",
            "Ann wants me to delete it",
            "if you delete it",
            "show the delete button",
        )
    ),
    *(
        (CALLING, task)
        for task in (
            "不要给13800138000打电话，打开微信",
            "打开和张三的聊天，别再打13800138000的电话",
            "看看13800138000有没有打过电话给我",
            "张三的电话是13800138000，别打给他，发微信说你好",
            "请看看电话号码13800138000是谁的",
            "打开张三的留言板",
            "turn the ring volume up",
            "whose phone number is 13800138000?",
            "don't ever call 13800138000",
            "open the call log",
        )
    ),
    *(
        (act, task)
        for act in (SEND, SHARE)
        for task in (
            "打开张三的聊天，不要给他发“你好”",
            "打开张三的聊天，别跟他说你好",
            "别给张三发消息，看看他发了什么",
            "告诉我张三说了什么",
            "张三问我明天来不来，看看他还说了什么",
            "看小说",
            "打开发现页面",
            "张三说他到了",
            "看看张三发了什么",
            "先别发",
            "open the chat with Ann, don't tell her hello",
            "open Ann's chat. Do not under any circumstances send her “hello”",
            "tell me what Ann said",
            "show the message from Ann",
        )
    ),
    (GRANT, "打开权限设置"),
    (GRANT, "他同意了"),
    (GRANT, "不要允许任何权限"),
    (GRANT, "never allow the camera"),
    (INSTALL, "打开安装记录"),
    (INSTALL, "我没安装抖音"),
    (ACCOUNT, "退出微信"),
    (ACCOUNT, "don't log out"),
]


@pytest.mark.parametrize(("act", "task"), ASKED, ids=lambda each: getattr(each, "name", each))
def test_order_requests_its_action(act: Act, task: str) -> None:
    assert orders_act(task, act)
    assert not only_looks(task)


@pytest.mark.parametrize(("act", "task"), NOT_ASKED, ids=lambda each: getattr(each, "name", each))
def test_mentioned_action_without_an_order_is_not_requested(act: Act, task: str) -> None:
    assert not orders_act(task, act)


@given(st.text("打开不要给张三付款转账，。！? 别把删了吗say pay“”don't\n", max_size=60))
def test_any_task_text_is_split_into_clauses(task: str) -> None:
    read = clauses(task)
    assert all(len(clause.text) == len(clause.said) for clause in read)
    for act in ACTS:
        orders_act(task, act)


@given(st.sampled_from([each for each in ASKED if "，" not in each[1] and "," not in each[1] and "“" not in each[1]]))
def test_quoted_action_is_not_requested(pair: tuple[Act, str]) -> None:
    act, task = pair
    assert not orders_act(f"翻译“{task}”", act)
    assert not orders_act(f"看看“{task}”的意思", act)
