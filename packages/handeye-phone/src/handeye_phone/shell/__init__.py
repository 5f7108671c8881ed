"""The shell of the virtual phone: mksh, toybox and Android commands, none of which touches this computer."""
