"""Tests of typing into auto-completing text fields, whose classes differ from EditText."""

from __future__ import annotations

import pytest

from handeye.actions import InputText, Tap
from handeye.devices import PhoneDevice
from handeye.errors import TextInputFailed
from handeye.screen import InputPoint
from handeye_phone.scenario import Scenario


@pytest.mark.parametrize("kind", ["AutoCompleteTextView", "MultiAutoCompleteTextView"])
def test_typed_text_is_read_back_from_completing_fields(phone: PhoneDevice, kind: str) -> None:
    phone.phone.set_scenario(Scenario(field_class=kind))
    phone.phone.call(lambda model: model.open_chat("张三"))
    phone.perform(Tap(InputPoint(450, 2180)))
    assert f'class="android.widget.{kind}"' in phone.dump_hierarchy()
    assert phone.perform(InputText("hello")).verified
    with pytest.raises(TextInputFailed):
        phone.perform(InputText("more", alone=True))
    assert phone.phone.state.draft == "hello"
