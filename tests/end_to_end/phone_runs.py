"""Outcome of a whole run, as the run and the phone report it."""

from __future__ import annotations

from dataclasses import dataclass, field

from handeye.devices import PhoneDevice
from handeye.run import Event, TaskResult


@dataclass
class Run:
    """Outcome of a run, as the run reports it (`result`) and as the phone does (`sent`: to whom, what)."""

    result: TaskResult
    sent: list[tuple[str, str]]
    app: str
    input_method_kept: bool
    events: list[Event] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    @property
    def notes(self) -> str:
        return "\n".join(note for step in self.result.step_results for note in step.notes)


def mine(phone: PhoneDevice) -> list[tuple[str, str]]:
    """The messages of ours that the phone holds."""
    chats = phone.phone.state.to_dict()["messages"]
    return [(name, each["text"]) for name, chat in chats.items() for each in chat if each["from"] == "me"]


def input_method(phone: PhoneDevice) -> str:
    return phone.phone.call(lambda model: model.input_method)
