"""The English words that the phrase grammar knows."""

from __future__ import annotations

from typing import Final

from handeye.roles import ROLES
from handeye.target.values import COLOURS as COLOUR_NAMES
from handeye.target.values import Position, RelationKind


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    """One entry per line or comma."""
    return frozenset(entry.strip() for line in text.splitlines() for entry in line.split(",") if entry.strip())


# Said before what is meant, and no part of it.
POLITE: Final = _phrases("please, could you, can you, would you, kindly, then, i want to, i want you to")
# Nobody labels a control "click the ...": these always ask.
ASKING: Final = _phrases(
    """click on, click onto, click at, click, tap on, tap at, tap, double click on, double click, double tap on, double tap
    right click on, right click, long press on, long press, press on, press, touch on, hit on
    point to, point at, hover over"""
)
# Labels begin with these too (Select all, Find in page, Go to settings).
MAYBE_ASKING: Final = _phrases(
    """select on, select, choose, pick, find, find me, go to, go on, move to, take, open, check, look for, navigate to, locate
    focus on, touch, hit, where is"""
)
# After a verb that labels begin with, these belong to it: check out, open in, open with.
PARTICLES: Final = _set("out up in off with until by within inside over after before behind near under around")
# After any verb, these make a label with it: Tap to retry, Press any key, Click here.
GO_ON: Final = _set("to here for and any again me twice release")
# A search box is known by its word, not only by its kind.
NAMED_ROLES: Final = _set("search message comment")
# What people say before a name: the text Terms of use, the button Download.
LEADING_ROLES: Final = _phrases(
    "text, button, icon, image, tab, link, input, checkbox, radio, switch, item, menu item, heading, combo box"
)
# Of two words for a kind, these say what the text is on: the text private photos.
LABELLED_ROLES: Final = _set("text button tab link")
ARTICLES: Final = _set("the a an")
# Said of everything on a screen.
PAGES: Final = _set("page webpage screen screenshot website site display app window view webview interface")
PAGE_ADJECTIVES: Final = _set("the a this web current whole entire app phone mobile main")

_NUMBERS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
ORDINALS: Final = {
    **{word: number for number, word in enumerate(_NUMBERS, 1)},
    **{f"{word}{end}": -number for number, word in enumerate(_NUMBERS, 1) for end in (" last", " to last")},
    **{"last": -1, "very last": -1, "very first": 1, "last but one": -2, "forth": 4, "topmost": 1},
}
# After these, an ordinal is a part of a label: First name, Last seen, second hand.
NOT_COUNTED: Final = _set("name names seen hand class aid updated modified week month year night day time party line")

SIDES: Final = {
    word: position
    for position, text in {
        Position.TOP: "top upper uppermost topmost",
        Position.BOTTOM: "bottom lower bottommost",
        Position.LEFT: "left leftmost",
        Position.RIGHT: "right rightmost",
        Position.CENTER: "center centre middle",
    }.items()
    for word in text.split()
}
SIDE_NOUNS: Final = _set("corner side part end edge area portion section hand")
# The side of an anchor as a relation to it.
SIDE_RELATIONS: Final = {Position.LEFT: RelationKind.LEFT_OF, Position.RIGHT: RelationKind.RIGHT_OF}
# "From the bottom" counts backwards; from the middle, or from these corners, nobody can tell.
BACKWARDS: Final = (Position.BOTTOM, Position.RIGHT, Position.BOTTOM_RIGHT)
UNCOUNTED: Final = (Position.CENTER, Position.TOP_RIGHT, Position.BOTTOM_LEFT)
OF_SIDE: Final = _phrases("next to, side of, of, to, from, beside, side to, than, with")

LEADS: Final = _set("which that who")
IS: Final = _set("is are was be being it's")
PLACED: Final = _set("present located placed shown situated found seen positioned appearing displayed given there")
JUST: Final = _set("just immediately directly exactly immediate right only")

_RELATIONS: Final = {
    RelationKind.BESIDE: "next to, adjacent to, beside, besides, beside to, alongside, by the side of, along side, behind",
    RelationKind.NEAR: "near, near to, close to, nearest to, closest to, around",
    RelationKind.ABOVE: "above, on top of, over, above to, above of",
    RelationKind.BELOW: "below, under, beneath, underneath, below to, below of, down to, down from, under to",
    RelationKind.BEFORE: "before, previous to, prior to, preceding",
    RelationKind.AFTER: "after",
    RelationKind.ROW: """in the row of, in the row with, in the same row as, on the row of, in the row, in row, on the line of
    on the same line as, in the line of, in the row for, in the same row with, on the same row as, of the row""",
    RelationKind.COLUMN: "in the column of, in the column, in the same column as, in column, of the column",
    RelationKind.IN: "inside, inside of, within, in, into, on, from, at, contained in",
}
RELATIONS: Final = {words: kind for kind, text in _RELATIONS.items() for words in _phrases(text)}
# Prepositions that labels are full of (Sign in, Turn on, Back to top, Log in after restart): they relate two things only where
# the words before them already name a kind of control, or where an article follows.
LOOSE: Final = _set("in into on from at over before after around under within inside behind near")

# Introduce the text on a control.
SAYING: Final = _phrases(
    """says, saying, reads, reading, named, called, labeled, labelled, titled, with the text, with text, with the label
    having the text, having a text, has the text, with the name, with the title, with the word, with the words, containing
    contains, having, has, with, like, for, of, as, with a, with an, has a, has an, having a, having an, containing the text
    contains the text, with the number, with the symbol, marked, along with"""
)
# Of these, what follows names a control only when the words before are nothing but its kind (the logo of cvs; Terms of use).
SAYING_LOOSELY: Final = _phrases("of, for, like, as, with, with a, with an, reading, has, having, contains")
# How a thing looks: a text reader and a tree cannot tell.
LOOKS: Final = _set(
    """red green blue yellow white black orange pink purple brown gray grey golden light dark color colour colored coloured
    circular circle round rounded square rectangular triangular shaped shape small big large little mini tiny highlighted
    bold pink entire complete whole colorful"""
)
COLOURS: Final = {name: name for name in COLOUR_NAMES} | {"grey": "gray", "violet": "purple"}
COLOUR_WORDS: Final = _set("color colour colors colours colored coloured")
# Say only that a name follows: the letter G.
ANNOUNCING: Final = _set("letter number digit word words phrase")
# Whose something is, unless the word with 's is no name: What's new, Today's deals.
NO_OWNERS: Final = _set(
    """it that this there here what who where how when why let he she one today yesterday tomorrow tonight day week month year
    world children men women kid kids people everyone user users everybody mother father valentine"""
)
# What labels do with a thing of some kind: New tab, Copy link.
DEEDS: Final = _set(
    """new add close open copy edit delete remove save view share insert show hide choose select upload download change
    rename create next previous other all more my no duplicate move pin switch reopen restore private incognito
    every this that current"""
)
# Say what is not meant, where they stand before a neighbour, a verb or a quotation, or after a kind of control.
NEGATIONS: Final = _set(
    """not don't don’t doesn't doesn’t isn't isn’t aren't aren’t never except excluding without unlike neither nor instead"""
)
# Kinds of controls that no label ends with; and those that one does seldom, when it is not about a deed.
ALWAYS_KINDS: Final = _phrases(
    """spin button, spin box, spinbox
    button, btn, icon, checkbox, check box, tick box, text box, textbox, text field, input box, input field
    radio button, combo box, dropdown, menu item, toggle switch, search box, search bar, search field"""
)
BARE_KINDS: Final = _phrases("switch, toggle, slider, tab, menu, logo, symbol, drop down, field")
LOOSE_KINDS: Final = frozenset(
    (RelationKind.IN, RelationKind.NEAR, RelationKind.BEFORE, RelationKind.AFTER, RelationKind.BETWEEN)
)
JOINS: Final = _set("and but")
# Beside a quotation, these change nothing.
IDLE: Final = frozenset[str]().union(
    ARTICLES, LOOKS, PAGES, LEADS, IS, {"please", ","}, *ROLES.values(), *(entry.split() for entry in SAYING)
)
