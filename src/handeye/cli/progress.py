"""Progress lines of a run on a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.markup import escape

from handeye.report import Secrets, language_of, translated
from handeye.run import Event, EventKind, StepResult, StepStatus, TaskStatus

# Words of the progress lines, in Chinese and English.


Words = Mapping[str, str]

ENGLISH: Words = {
    "plan": "plan",
    "other_plan": "another plan",
    "steps": "steps",
    "fallback": "fallback",
    "blocker": "in the way",
    "device": "connection",
    "retry": "again",
    "verified": "verified",
    "success": "success",
    "failed": "failed",
    "aborted": "stopped",
    "interrupted": "interrupted",
    "needs_review": "needs review: done, but not proved",
}
CHINESE: Words = {
    "plan": "计划",
    "other_plan": "新计划",
    "steps": "步",
    "fallback": "备选动作",
    "blocker": "遇到阻挡",
    "device": "连接",
    "retry": "重试",
    "verified": "已验证",
    "success": "成功",
    "failed": "失败",
    "aborted": "已中止",
    "interrupted": "被中断",
    "needs_review": "需要复核：已执行，但无法证明",
}


WORDS: Mapping[str, Words] = {"en": ENGLISH, "zh": CHINESE}


_MARKS = {
    StepStatus.RUNNING: "[yellow]■[/]",
    StepStatus.SUCCESS: "[green]✓[/]",
    StepStatus.UNVERIFIED: "[cyan]·[/]",
    StepStatus.FAILED: "[red]✗[/]",
    StepStatus.SKIPPED: "[dim]–[/]",
}
_COLOURS = {TaskStatus.SUCCESS: "green", TaskStatus.NEEDS_REVIEW: "yellow"}


class Progress:
    """Listener that prints one line per step, and one per event between steps, such as a retry."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._language = language_of("")
        self._secrets = Secrets()
        self._planless = True

    @property
    def _words(self) -> Words:
        return WORDS[self._language]

    def __call__(self, event: Event) -> None:
        if event.plan is not None:
            self._secrets.learn(event.plan.steps)
        if event.step_result is not None:
            self._secrets.add_result(event.step_result)
        handler = {
            EventKind.RUN_STARTED: self._started,
            EventKind.PLANNED: self._planned,
            EventKind.REPLANNED: self._planned,
            EventKind.FALLBACK: self._on_the_way,
            EventKind.BLOCKER: self._on_the_way,
            EventKind.DEVICE: self._on_the_way,
            EventKind.RETRY: self._on_the_way,
            EventKind.STEP_FINISHED: self._step_finished,
            EventKind.RUN_FINISHED: self._finished,
        }.get(event.kind)
        if handler is not None:
            handler(event)

    def _started(self, event: Event) -> None:
        assert event.result is not None
        self._language = language_of(event.result.task)
        self._secrets, self._planless = Secrets(), True
        self._print(f"[bold]▶[/] [dim]{self._told(event.result.device)}[/]")

    def _planned(self, event: Event) -> None:
        """Print the task once, and only now: the plan tells which of its words are secret."""
        if event.plan is None or event.result is None:
            return
        words, word = self._words, "plan" if self._planless else "other_plan"
        if self._planless:
            self._task(event.result.task)
        self._print(
            f"[dim]  {words[word]}: {self._told(event.plan.module)}, {len(event.plan.steps)} {words['steps']}[/]"
        )

    def _task(self, task: str) -> None:
        self._planless = False
        self._print(f"  [bold]{self._told(task)}[/]")

    def _on_the_way(self, event: Event) -> None:
        self._print(f"     [yellow]↳ {self._words[event.kind.value]}[/] {self._sentence(event.message)}")

    def _step_finished(self, event: Event) -> None:
        result = event.step_result
        assert result is not None
        step = result.step
        mark = _MARKS.get(result.status, " ")
        text = self._told(step.description or step.action.value)
        self._print(f"  {mark} {step.step:>2} {text}  [dim]{result.elapsed_s:.1f} s{self._told(self._how(result))}[/]")
        if result.status is StepStatus.SUCCESS and result.verify_result is not None:
            evidence = "; ".join(result.verify_result.evidence)
            self._print(f"       [dim]{self._words['verified']}: {self._sentence(evidence)}[/]")
        elif result.status is StepStatus.RUNNING:
            self._print(f"       [yellow]{self._words['interrupted']}[/]")
        elif result.status is StepStatus.FAILED:
            self._print(f"       [red]{self._sentence(result.error_message)}[/]")

    def _how(self, result: StepResult) -> str:
        found = result.located
        if found is None or found.element is None:
            return ""
        return f"  {found.method_used} {found.confidence:.2f} {tuple(found.element.center)}"

    def _finished(self, event: Event) -> None:
        result = event.result
        if result is None:
            return
        if self._planless:
            self._task(result.task)
        colour = _COLOURS.get(result.status, "red")
        word = self._words.get(result.status.value, result.status.value)
        tail = f": {self._sentence(result.error_message)}" if result.error_message and not result.success else ""
        self._print(f"[bold {colour}]{word}[/]  {result.total_time:.1f} s{tail}")

    def _sentence(self, text: str) -> str:
        """Return a message of the run in the reader's language, escaped."""
        return escape(translated(self._secrets.hidden(text), self._language))

    def _told(self, text: str) -> str:
        return escape(self._secrets.hidden(text))

    def _print(self, text: str) -> None:
        self._console.print(text, highlight=False, soft_wrap=True)
