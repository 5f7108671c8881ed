"""Building blocks of screens: sizes in dp become pixels here, and widgets become scene nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from handeye import typeface
from handeye.geometry import Box, Size
from handeye_phone.drawing.scene import Align, FillPaint, IconPaint, Label, Node, Paint, Scroller, TapHandler, TextField
from handeye_phone.drawing.theme import Theme

RowBuilder = Callable[[Box], Node]


@dataclass(frozen=True, slots=True)
class LayoutContext:
    """Layout context of a screen. `top` and `bottom` are the pixels that system bars and keyboard cover."""

    size: Size
    density: int
    theme: Theme
    top: int
    bottom: int
    now: float
    clock: str
    focus: TextField | None = None

    def dp(self, value: float) -> int:
        """Convert density-independent pixels to pixels, as Android: dpi / 160."""
        return round(value * self.density / 160)

    @property
    def screen(self) -> Box:
        return Box(0, 0, self.size.width, self.size.height)

    @property
    def body(self) -> Box:
        """The screen without system bars and keyboard."""
        return Box(0, self.top, self.size.width, max(self.top, self.size.height - self.bottom))

    @property
    def landscape(self) -> bool:
        return self.size.width > self.size.height

    # ---- widgets

    def text(
        self,
        box: Box,
        text: str,
        size: float,
        color: str,
        *,
        rid: str = "",
        align: Align = "left",
        weight: int = 400,
        inset: float = 0,
        lines: int = 1,
        on_tap: TapHandler | None = None,
        paint: tuple[Paint, ...] = (),
    ) -> Node:
        """A TextView; more than `lines` lines are cut with an ellipsis."""
        px, room = self.dp(size), box.width - 2 * self.dp(inset)
        if lines == 1:
            shown = [typeface.ellipsize(text, px, room)]
        else:
            shown = typeface.wrap(text, px, room)
            if len(shown) > lines:
                rest = "".join(shown[lines - 1 :])
                shown = [*shown[: lines - 1], typeface.ellipsize(rest, px, room)]
        label = Label(tuple(shown), px, color, align, weight, inset=self.dp(inset))
        return Node(box=box, cls="android.widget.TextView", rid=rid, text=text, paint=(*paint, label), on_tap=on_tap)

    def icon(
        self,
        box: Box,
        name: str,
        px: float,
        *,
        tint: str = "",
        desc: str = "",
        rid: str = "",
        on_tap: TapHandler | None = None,
        paint: tuple[Paint, ...] = (),
    ) -> Node:
        """An ImageView, or an ImageButton when it can be tapped; `px` is the drawn size in dp."""
        return Node(
            box=box,
            cls="android.widget.ImageButton" if on_tap else "android.widget.ImageView",
            rid=rid,
            desc=desc,
            paint=(*paint, IconPaint(name, self.dp(px), tint, self.theme.dark)),
            on_tap=on_tap,
        )

    def button(
        self,
        box: Box,
        text: str,
        on_tap: TapHandler,
        *,
        fill: str = "",
        color: str = "",
        size: float = 15,
        radius: float = 6,
        rid: str = "",
        weight: int = 500,
        enabled: bool = True,
        align: Align = "center",
        inset: float = 0,
    ) -> Node:
        """A Button with a text."""
        paint: tuple[Paint, ...] = (FillPaint(fill, self.dp(radius)),) if fill else ()
        shown = typeface.ellipsize(text, self.dp(size), box.width)
        label = Label((shown,), self.dp(size), color or self.theme.text, align, weight, inset=self.dp(inset))
        return Node(
            box=box,
            cls="android.widget.Button",
            rid=rid,
            text=text,
            paint=(*paint, label),
            on_tap=on_tap if enabled else None,
            enabled=enabled,
        )

    def edit(
        self,
        box: Box,
        field: TextField,
        size: float,
        *,
        rid: str = "",
        inset: float = 10,
        password: bool = False,
        paint: tuple[Paint, ...] = (),
    ) -> Node:
        """An EditText: shows the lines around the caret, the caret itself when it has the focus, its hint when empty."""
        px, pad = self.dp(size), self.dp(inset)
        focused = field is self.focus
        step = round(px * 1.35)
        shown = "•" * len(field.text) if password else field.text
        spans = typeface.wrap_spans(shown, px, max(px, box.width - 2 * pad))
        row = max(index for index, (start, _) in enumerate(spans) if start <= field.caret or index == 0)
        visible = max(1, (box.height - self.dp(8)) // step)
        first = max(0, min(row - visible + 1, len(spans) - visible))
        part = spans[first : first + visible]
        lines = tuple(shown[start:end] for start, end in part)
        top = (box.height - step * len(part)) // 2
        color = self.theme.text
        if not field.text:
            lines, color = (typeface.ellipsize(field.hint, px, box.width - 2 * pad),), self.theme.faint
        label = Label(lines, px, color, inset=pad, top=top, line_height=step)
        caret: tuple[Node, ...] = ()
        if focused:
            start = spans[row][0]
            x = box.left + pad + round(typeface.width(shown[start : field.caret], px))
            y = box.top + top + (row - first) * step
            bar = Box(x, y + step // 8, x + max(2, self.dp(1.5)), y + step - step // 8)
            caret = (Node(box=bar, paint=(FillPaint(self.theme.accent),), dumped=False),)

        def place(x: float, y: float) -> None:
            line = min(max(0, int((y - box.top - top) // step)), len(part) - 1)
            field.move(_nearest(shown, part[line], px, x - box.left - pad))

        return Node(
            box=box,
            cls="android.widget.EditText",
            rid=rid,
            field=field,
            focused=focused,
            password=password,
            paint=(*paint, label),
            kids=caret,
            clip=True,
            place_caret=place,
        )

    def switch(self, box: Box, on: bool, *, rid: str = "android:id/switch_widget", desc: str = "") -> Node:
        """A Switch's picture; the row around it takes the tap."""
        width, height, knob = self.dp(52), self.dp(32), self.dp(24 if on else 18)
        left, top = box.right - width, (box.top + box.bottom - height) // 2
        theme = self.theme
        fill = FillPaint(
            theme.system if on else theme.page,
            height // 2,
            outline="" if on else theme.dim,
            outline_px=0 if on else self.dp(1.5),
        )
        middle = (left + width - height // 2) if on else (left + height // 2)
        y = (box.top + box.bottom) // 2
        dot = Box(middle - knob // 2, y - knob // 2, middle - knob // 2 + knob, y - knob // 2 + knob)
        return Node(
            box=Box(left, top, left + width, top + height),
            cls="android.widget.Switch",
            rid=rid,
            desc=desc,
            paint=(fill,),
            checkable=True,
            checked=on,
            kids=(Node(box=dot, paint=(FillPaint(theme.on_system if on else theme.dim, knob // 2),), dumped=False),),
        )

    def divider(self, left: int, right: int, y: int) -> Node:
        """A hairline."""
        line = Box(left, y, right, y + max(1, self.dp(0.6)))
        return Node(box=line, paint=(FillPaint(self.theme.line),), dumped=False)

    def column(
        self,
        box: Box,
        scroller: Scroller,
        rows: Sequence[tuple[int, RowBuilder]],
        *,
        rid: str = "list",
        paint: tuple[Paint, ...] = (),
        cls: str = "androidx.recyclerview.widget.RecyclerView",
    ) -> Node:
        """A vertical list of (height, builder); only rows that can be seen are built, as a RecyclerView does."""
        offset = scroller.fit(box.height, sum(height for height, _ in rows))
        kids, y = [], box.top - offset
        for height, build in rows:
            if y + height > box.top and y < box.bottom and height > 0:
                kids.append(build(Box(box.left, y, box.right, y + height)))
            y += height
        kids.extend(self._scroll_bar(box, scroller))
        return Node(box=box, cls=cls, rid=rid, kids=tuple(kids), scroller=scroller, clip=True, paint=paint)

    def _scroll_bar(self, box: Box, scroller: Scroller) -> tuple[Node, ...]:
        if scroller.limit <= 0 or scroller.offset <= 0 or scroller.offset >= scroller.limit:
            return ()
        length = max(self.dp(24), int(box.height * box.height / (box.height + scroller.limit)))
        top = box.top + int((box.height - length) * scroller.offset / scroller.limit)
        bar = Box(box.right - self.dp(5), top, box.right - self.dp(2), top + length)
        return (Node(box=bar, paint=(FillPaint(self.theme.faint, self.dp(2)),), dumped=False),)

    def page(self, kids: Sequence[Node], *, fill: str = "") -> Node:
        """The root of an app's window."""
        return Node(
            box=self.screen,
            cls="android.widget.FrameLayout",
            paint=(FillPaint(fill or self.theme.page),),
            kids=tuple(kids),
        )

    def card(self, box: Box, kids: Sequence[Node], *, radius: float = 16, fill: str = "", shadow: float = 8) -> Node:
        """A raised, rounded panel that takes the touches that miss its contents."""
        paint = FillPaint(fill or self.theme.raised, self.dp(radius), shadow=self.dp(shadow))
        return Node(box=box, cls="android.widget.LinearLayout", paint=(paint,), kids=tuple(kids), block=True)

    def with_bottom(self, bottom: int) -> LayoutContext:
        """Return the same with another inset below."""
        return replace(self, bottom=bottom)


def _nearest(text: str, span: tuple[int, int], px: int, x: float) -> int:
    """Return the index in `text` of the gap between characters that is nearest to `x` pixels from the line's start."""
    used = 0.0
    for index in range(*span):
        step = typeface.advance(text[index], px)
        if x < used + step / 2:
            return index
        used += step
    return span[1]
