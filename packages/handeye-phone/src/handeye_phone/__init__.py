"""The virtual phone: an ADB daemon with a drawn screen, for demos, tests and CI.

with VirtualPhone(scenario=Scenario.parse("permission,dark")) as phone:
    ...  # `adb connect` to phone.serial, then any adb client
    print(phone.state.to_dict())
"""

import lazy_loader

# Names load when they are first used: the model draws and brings fonts, and a reader of scenarios needs neither.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
