"""Report of a run as one self-contained HTML file: no server, no network, no library."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final, get_args

from handeye.errors import InvalidImage, UsageError
from handeye.files import write_text
from handeye.report.catalogue import translated
from handeye.report.labels import LANGUAGES, LOCALES, language_of
from handeye.report.record import Picture, RunRecord, StepRecord, local_time, picture_webp
from handeye.run import TaskResult
from handeye.target import Outcome
from handeye.usage import Usage
from handeye.visible import visible

BUDGET: Final = 2_600_000
"""Characters for the pictures; with everything else the file stays under 3 MB."""

PICTURE_SIZES: Final = ((480, 68), (360, 62), (300, 56), (240, 50), (180, 45), (120, 40))
"""Shorter side in pixels and WebP quality, tried in this order until all pictures fit the budget. At 480 the smallest
text of a phone is still legible when enlarged; 360 is the size that the report was specified with."""

_OUTCOMES: Final = frozenset(get_args(Outcome))
"""CSS classes of the attempt rows; any other outcome in a file gets none."""
_MARKS: Final = {
    "success": "✓",
    "failed": "✕",
    "needs_review": "?",
    "unverified": "?",
    "aborted": "■",
    "interrupted": "■",
    "skipped": "–",
    "done": "•",
}


def write_html(result: TaskResult | RunRecord, path: str | Path, *, lang: str | None = None) -> Path:
    """
    Write the report of `result` to `path`, and return the path. `lang` is "zh" or "en"; by default, the language of the
    task.

    Raises UsageError for another language and WriteFailed if the file cannot be written. A frame that cannot be read is
    replaced by a note.
    """
    return write_text(Path(path), render(result, lang=lang), private=True)


def render(result: TaskResult | RunRecord, *, lang: str | None = None) -> str:
    """Return the report as a string; arguments and errors as for `write_html`."""
    record = result if isinstance(result, RunRecord) else RunRecord.of(result)
    lang = language_of(record.task) if lang is None else lang
    if lang not in LANGUAGES:
        raise UsageError(f"there is no report in {lang!r}; languages are {', '.join(LANGUAGES)}")
    return _Page(record, lang).whole()


def escape(text: object) -> str:
    """Return untrusted text escaped for an element or a quoted attribute; control characters are made visible."""
    return html.escape(visible(str(text)), quote=True)


def _resource(name: str) -> str:
    return (files("handeye.report") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def embed(pictures: Mapping[str, object]) -> dict[str, str]:
    """Return the frames as data URIs by name, within BUDGET in total unless the smallest size still exceeds it."""
    uris: dict[str, str] = {}
    for side, quality in PICTURE_SIZES:
        uris, used = {}, 0
        for name, source in pictures.items():
            try:
                encoded = picture_webp(source, side=side, quality=quality)  # type: ignore[arg-type]
            except InvalidImage:
                continue
            uris[name] = "data:image/webp;base64," + base64.b64encode(encoded).decode()
            used += len(uris[name])
            if used > BUDGET:
                break
        if used <= BUDGET:
            break
    return uris


class _Page:
    def __init__(self, record: RunRecord, lang: str) -> None:
        self._run = record
        self._lang = lang
        self._words = LANGUAGES[lang]
        self._uris = embed(record.pictures)

    def word(self, key: str, **values: object) -> str:
        """Return a label of the page; an unknown key (a status of a later release) is shown unchanged."""
        if key not in self._words:
            return escape(key)  # never a format string: it may come from a file
        return escape(self._words[key].format(**values))

    def sentence(self, text: str) -> str:
        """Return a message of the run in the page's language."""
        return escape(translated(text, self._lang))

    def whole(self) -> str:
        style, script = _resource("page.css"), _resource("page.js")
        policy = (
            f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
            "base-uri 'none'; form-action 'none'"
        )
        title = f"{self.word(self._run.status)} · {escape(self._run.task)}"
        return (
            f'<!doctype html>\n<html lang="{LOCALES[self._lang]}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
            f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
            f"{self._frames()}<main>\n{self._header()}{self._timeline()}</main>\n"
            f"<footer>{self.word('made_by', version=self._run.version or '-')}</footer>\n"
            f'<dialog id="viewer" aria-label="{self.word("enlarge")}"><div id="stage"></div>'
            f'<p id="caption"></p><button id="close" aria-label="{self.word("close")}">✕</button></dialog>\n'
            f"<script>{script}</script>\n</body>\n</html>\n"
        )

    def _frames(self) -> str:
        """Return the definitions of the frames, each once; the steps refer to them."""
        sizes = {
            picture.name: picture
            for step in self._run.steps
            for picture in (step.before, step.after)
            if picture is not None and picture.name in self._uris
        }
        images = "".join(
            f'<image id="f-{escape(name)}" width="{size.width}" height="{size.height}" href="{self._uris[name]}"/>\n'
            for name, size in sizes.items()
        )
        return f'<svg class="frames" width="0" height="0" aria-hidden="true"><defs>\n{images}</defs></svg>\n'

    def _header(self) -> str:
        run = self._run
        proved = sum(step.status == "success" for step in run.steps)
        facts = (
            ("total", self.seconds(run.total_s)),
            ("steps", self.word("verified_steps", done=proved, all=len(run.steps)) if run.steps else ""),
            ("module", escape(run.template or run.module)),
            ("plan", self._plan()),
            ("device", escape(run.device)),
            ("started", escape(local_time(run.started, "%Y-%m-%d %H:%M:%S %z"))),
            ("models", self.usage(run.usage) if run.usage else ""),
        )
        rows = "".join(
            f"<div><dt>{self.word(key)}</dt><dd><bdi>{value}</bdi></dd></div>" for key, value in facts if value
        )
        error = f'<p class="error" dir="auto">{self.sentence(run.error)}</p>' if run.error else ""
        goal = (
            f'<p class="goal"><span>{self.word("goal")}</span><bdi>{escape(run.success_criteria)}</bdi></p>'
            if run.success_criteria
            else ""
        )
        return (
            f'<header class="{self.status(run.status)}"><p class="status"><span class="mark" aria-hidden="true">'
            f"{_MARKS.get(run.status, '·')}</span>{self.word(run.status)}</p>"
            f'<h1 dir="auto">{escape(run.task)}</h1>{error}{goal}<dl>{rows}</dl>{self._time_bar()}</header>\n'
        )

    def _plan(self) -> str:
        """Return the origin of the plan, and how often it was replaced or resumed."""
        run = self._run
        parts = [self.word(run.origin)] if run.origin else []
        parts += [self.word(key, n=n) for key, n in (("replans", run.replans), ("resumed", run.resumed)) if n]
        return " · ".join(parts)

    def _time_bar(self) -> str:
        """Return a bar whose segments are the durations of the steps."""
        total = sum(max(0.0, step.elapsed_s) for step in self._run.steps)
        if total <= 0:
            return ""
        parts, at = "", 0.0
        for step in self._run.steps:
            width = max(0.0, step.elapsed_s) / total * 1000
            label = f"{self.word('step', n=step.number)} · {self.seconds(step.elapsed_s)} · {escape(step.description)}"
            parts += (
                f'<a href="#step-{step.number}"><rect class="{self.status(step.shown_status)}" x="{at:.2f}" y="0" '
                f'width="{max(0.5, width - 2):.2f}" height="10" rx="2"><title>{label}</title></rect></a>'
            )
            at += width
        return (
            f'<figure class="time"><figcaption>{self.word("time")}</figcaption>'
            f'<svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="{self.word("time")}">{parts}</svg>'
            "</figure>"
        )

    def _timeline(self) -> str:
        if not self._run.steps:
            return f'<p class="empty">{self.word("no_steps")}</p>\n'
        return '<ol class="steps">\n' + "".join(self._step(step) for step in self._run.steps) + "</ol>\n"

    def _step(self, step: StepRecord) -> str:
        status = self.status(step.shown_status)
        return (
            f'<li id="step-{step.number}" class="step {status}">\n'
            f'<div class="rail"><span class="number">{step.number}</span></div>\n'
            f'<div class="what"><h2 dir="auto">{escape(step.description or step.action)}</h2>\n'
            f'<p class="facts">{self._facts(step)}</p>{self._error(step)}{self._verdict(step)}{self._notes(step)}'
            f"{self._attempts(step)}</div>\n"
            f'<div class="shots">{self._shots(step)}</div>\n'
            "</li>\n"
        )

    def _facts(self, step: StepRecord) -> str:
        status = step.shown_status
        chips = [
            f'<span class="chip {self.status(status)}"><span aria-hidden="true">{_MARKS.get(status, "·")}</span> '
            f"{self.word(status)}</span>",
            f'<span class="chip action">{self.word(step.action)}</span>',
        ]
        if step.method:
            sure = f" {step.confidence:.0%}" if step.confidence is not None else ""
            chips.append(f'<span class="chip method">{escape(step.method)}{sure}</span>')
        if step.retries:
            chips.append(f'<span class="chip warn">{self.word("retries", n=step.retries)}</span>')
        chips.append(f'<span class="elapsed">{self.seconds(step.elapsed_s)}</span>')
        details = [self.sentence(step.target)] if step.target else []
        if step.usage:
            details.append(f"{self.word('models')}: {self.usage(step.usage)}")
        if step.value is not None:
            details.append(f"{self.word('value')}: {escape(step.value)}")
        details += [f"{escape(key)}: {escape(value)}" for key, value in step.params.items()]
        return "".join(chips) + "".join(f'<span class="detail" dir="auto">{detail}</span>' for detail in details)

    def _error(self, step: StepRecord) -> str:
        return f'<p class="error" dir="auto">{self.sentence(step.error)}</p>\n' if step.error else ""

    def _verdict(self, step: StepRecord) -> str:
        expected = (
            f'<span class="expected">{self.word("expected")}: <bdi>{self.sentence(step.expected)}</bdi></span>'
            if step.expected
            else ""
        )
        if step.verified is None and not (step.evidence or step.verdict or expected):
            return ""
        kind = {True: "yes", False: "no", None: "open"}[step.verified]
        lines = [*step.evidence, *([step.verdict] if step.verdict and step.verdict not in step.evidence else [])]
        if step.shown_status == "done":
            kind, lines = "none", list(step.evidence)
        if step.blocker:
            lines.append(f"{self._words['blocker']}: {translated(step.blocker, self._lang)}")
        head = f"<strong>{self.word(f'verdict_{kind}')}</strong>{expected}"
        return f'<div class="verdict {kind}">{head}{self._items(lines)}</div>\n'

    def _items(self, lines: Iterable[str]) -> str:
        shown = "".join(f'<li dir="auto">{self.sentence(line)}</li>' for line in lines)
        return f"<ul>{shown}</ul>" if shown else ""

    def _notes(self, step: StepRecord) -> str:
        notes = [note for note in step.notes if note not in step.evidence]  # a message of the device may be both
        if not notes:
            return ""
        return f'<div class="notes"><strong>{self.word("notes")}</strong>{self._items(notes)}</div>\n'

    def _attempts(self, step: StepRecord) -> str:
        if not step.attempts:
            return ""
        heads = "".join(f"<th>{self.word(key)}</th>" for key in ("strategy", "outcome", "confidence", "ms", "note"))
        rows = "".join(
            f'<tr class="{each.outcome if each.outcome in _OUTCOMES else "neutral"}">'
            f"<td>{escape(each.strategy)}</td><td>{self.word(each.outcome)}</td>"
            f'<td class="n">{"" if each.confidence is None else f"{each.confidence:.2f}"}</td>'
            f'<td class="n">{each.elapsed_ms:.0f} ms</td><td dir="auto">{self.sentence(each.note)}</td></tr>'
            for each in step.attempts
        )
        return (
            f"<details><summary>{self.word('attempts')} ({len(step.attempts)})</summary>"
            f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div></details>\n'
        )

    def _shots(self, step: StepRecord) -> str:
        if step.before is not None and step.before == step.after:
            return self._shot(step, step.before, "same")
        return self._shot(step, step.before, "before") + self._shot(step, step.after, "after")

    def _shot(self, step: StepRecord, picture: Picture | None, which: str) -> str:
        if picture is None:
            return ""
        name = f"{self.word('step', n=step.number)} · {self.word(which)}"
        caption = f"<figcaption>{self.word(which)}</figcaption>"
        if picture.name not in self._uris:
            return f'<figure><p class="missing">{self.word("no_picture")}</p>{caption}</figure>'
        overlay = _overlay(step, picture) if which != "after" else ""
        return (
            f'<figure><button class="shot" aria-label="{self.word("enlarge")}: {name}">'
            f'<svg viewBox="0 0 {picture.width} {picture.height}" role="img" aria-label="{name}">'
            f'<use href="#f-{escape(picture.name)}"/>{overlay}</svg></button>{caption}</figure>'
        )

    def status(self, status: str) -> str:
        """Return the CSS class for a status; "neutral" for an unknown one."""
        return status if status in _MARKS else "neutral"

    def usage(self, usage: Usage) -> str:
        """Return the model usage as text."""
        cost, seconds = f"${usage.cost:.4f}", f"{usage.seconds:.1f}"
        tokens = {"tokens_in": f"{usage.tokens_in:,}", "tokens_out": f"{usage.tokens_out:,}"}
        parts = [self.word("usage", calls=usage.calls, cost=cost, s=seconds, **tokens)]
        for key, number in (
            ("cached", usage.tokens_cached),
            ("unpriced", usage.unpriced),
            ("estimated", usage.estimated),
        ):
            if number:
                parts.append(self.word(key, n=f"{number:,}"))
        return "; ".join(parts)

    def seconds(self, amount: float) -> str:
        return self.word("seconds", s=f"{amount:.1f}" if amount >= 0.95 else f"{amount:.2f}")


def _overlay(step: StepRecord, picture: Picture) -> str:
    """Return the bounding boxes of the element and the other candidates as SVG, in pixels of the frame."""
    shapes = "".join(_rect(box, "candidate") for box in step.candidates if box != step.box)
    if step.box is not None:
        left, top, right, bottom = step.box
        radius = max(picture.width, picture.height) / 190
        middle = f'cx="{(left + right) / 2:.0f}" cy="{(top + bottom) / 2:.0f}"'
        shapes += (
            _rect(step.box, "halo") + _rect(step.box, "box") + f'<circle class="point" {middle} r="{radius:.0f}"/>'
        )
    return shapes


def _rect(box: tuple[int, int, int, int], kind: str) -> str:
    left, top, right, bottom = box
    return f'<rect class="{kind}" x="{left}" y="{top}" width="{max(1, right - left)}" height="{max(1, bottom - top)}" rx="8"/>'
