"""
Verbatim replies that resemble a place but are none: (family, reply).

No click may follow from them; the tests leave open if they count as "not found" or as unreadable.
"""

# ruff: noqa: E501 - a reply is one line
from __future__ import annotations

from typing import Final

CUT: list[tuple[str, str]] = [
    *((family, "(100,200),(300,4") for family in ("uground", "gta1", "seeclick", "showui")),
    ("ui-venus", "[100,200],[300,40"),
    ("florence-2", "a<loc_10><loc_20><loc_30><loc_40><loc_5"),
    ("molmo", '<point x="10" y="20" alt="a">a</point><point x="3'),
    ("doubao-seed", "<bbox>1 2 3 4</bbox><bb<bbox"),
    ("qwen3-vl", '[{"bbox_2d":[100,200,300,400],"label":"Save"},{"bbox_2d":[500,600,700'),
    ("qwen3-vl", '[{"bbox_2d":[100,200,300,400],"label":"Save"}'),
    ("generic", '{"candidates":[{"bbox":[100,200,300,400]},{"bbox":[5'),
]  # fmt: skip

NO_BEFORE_A_PLACE: list[tuple[str, str]] = [
    (family, f"{words} {place}")
    for words in (
        "The Save button cannot be found.",
        "The Save button can't be seen here.",
        "The Save button could not be located.",
        "There isn't a Save button. Closest:",
        "No Save button exists.",
        "The Save button is missing.",
        "I must decline.",
        "Unable to comply.",
        "This violates policy.",
        "截图中没有保存按钮",
        "There is no Save button.\nThe answer is",
    )
    for family, place in (("uground", "(500, 500)"), ("glm-v", "<|begin_of_box|>[[1,2,3,4]]<|end_of_box|>"), ("generic", '{"found": true, "bbox": [1, 2, 3, 4]}'), ("doubao-seed", "<bbox>1 2 3 4</bbox>"))
]  # fmt: skip

NO_AROUND_THE_ANSWER: list[tuple[str, str]] = [
    ("glm-v", "I cannot find the button in the screenshot. <|begin_of_box|>[[100,200,300,400]]<|end_of_box|>"),
    ("glm-v", "<|begin_of_box|>[[100,200,300,400]]<|end_of_box|> But the button is not visible."),
    ("autoglm", 'The button is not on the screen.<answer>do(action="Tap", element=[500,500])</answer>'),
    ("glm-v", "<|begin_of_box|>[[1,2,3,4]]<|end_of_box|> or <|begin_of_box|>[[5,6,7,8]]<|end_of_box|>"),
    ("mai-ui", '<answer>{"coordinate": [1, 2]}</answer><answer>{"coordinate": [3, 4]}</answer>'),
]  # fmt: skip

NO_INSIDE_JSON: list[tuple[str, str]] = [
    *(
        ("qwen3-vl", f'{{"bbox_2d":[100,200,300,400], {member}}}')
        for member in (
            '"visible":false', '"success":false', '"present":false', '"target_found":false', '"status":"not_found"',
            '"error":"element not found"', '"label":"not found"', '"reason":"The Save button is not visible on the screen"',
            '"error":{"code":4}', '"description":"I could not find it"',
        )
    ),
    ("qwen3-vl", '{"status":"not_found","result":{"bbox_2d":[100,200,300,400]}}'),
    ("claude", '{"found":true,"xmin":1,"ymin":2,"xmax":3,"ymax":4,"reason":"I could not find the Save button; this is Delete"}'),
    ("molmo", '<point x="10" y="20" alt="Save">There are none</point>'),
    ("internvl", "<ref>not found</ref><box>[[1,2,3,4]]</box>"),
]  # fmt: skip

THOUGHTS: list[tuple[str, str]] = [
    ("doubao-seed", "<seed:think>maybe <bbox>100 200 300 400</bbox>? no</seed:think>No."),
    ("autoglm", "<think>Maybe I'd answer <answer>do(action=\"Tap\", element=[100,200])</answer> but wait that is Delete"),
    ("uground", "<thinking>Perhaps (10,20)</thinking> not here"),
    ("uground", "<reasoning>Perhaps (10,20)</reasoning> not here"),
    ("uground", "<thinking>Perhaps (10,20)"),
    ("claude", '<think>{"found":true,"xmin":1,"ymin":2,"xmax":3,"ymax":4}</think>Nothing there, sorry.'),
    ("qwen3-vl", "◁think▷[1, 2]◁/think▷not here"),
]  # fmt: skip

LOOSE_ARGUMENTS: list[tuple[str, str]] = [
    ("opencua", "pyautogui.click(x=1,443, y=343)"),
    ("opencua", "click(x=100, y=200, width=300, height=40)"),
    ("opencua", "click(x=100, y=200, x2=300, y2=400)"),
    ("opencua", "click(x=100,y=200,x=700,y=600)"),
    ("opencua", "click(x=100,y=200,X=700)"),
    ("ui-tars-1.5", "Action: click(start_box='(1,2)', start_box='(3,4)')"),
    ("ui-tars-1.5", "Action: click(start_box='(1,2)', x=30)"),
    ("cogagent", "CLICK(box=[[065,031,145,065]], element_type='button', element_info='Save', box=[[900,900,950,950]], element_info='x')"),
    ("qwen3-vl", "<tool_call><function=click><parameter=x>1</parameter><parameter=y>2</parameter><parameter=x>9</parameter></function></tool_call>"),
    ("molmo", '<point x="10" y="20" alt="a" x="90" y="95">a</point>'),
    ("molmo", '<point x="44,5" y="63,5" alt="a">a</point>'),
    ("molmo", '<points x1="1" y1="2" x2="3" alt="a">a</points>'),
]  # fmt: skip

CONTRADICTING_NAMES: list[tuple[str, str]] = [
    ("generic", '{"found":true,"xmin":100,"ymin":200,"xmax":300,"ymax":400,"left":500,"top":500,"right":600,"bottom":600}'),
    ("generic", '{"x":100,"y":200,"x1":500,"y1":500,"x2":600,"y2":600}'),
    ("generic", '{"x0":10,"y0":20,"x1":500,"y1":500,"x2":600,"y2":600}'),
    ("generic", '{"x":100,"y":200,"x2":600,"y2":600}'),
    ("generic", '{"x":100,"y":200,"cx":300,"cy":400}'),
    ("generic", '{"bbox":[1,2,3,4],"box":[5,6,7,8]}'),
]  # fmt: skip

IN_A_SENTENCE: list[tuple[str, str]] = [
    ("uground", "The Save button is absent; the dialog is (800, 600) in size"),
    ("uground", "The dialog is (800, 600) in size"),
    ("aria-ui", "Step [1, 2]: I look for Save."),
    ("ui-venus", "Sizes [200, 40]."),
    ("uground", "(100,200),(300,400)"),
    ("showui", "[0.1, 0.2], [0.3, 0.4]"),
    ("seeclick", "Thought: at (0.1, 0.2)?\nAnswer: (0.3, 0.4)"),
]  # fmt: skip

REFUSED: Final = [
    *CUT, *NO_BEFORE_A_PLACE, *NO_AROUND_THE_ANSWER, *NO_INSIDE_JSON, *THOUGHTS, *LOOSE_ARGUMENTS, *CONTRADICTING_NAMES,
    *IN_A_SENTENCE,
]  # fmt: skip
