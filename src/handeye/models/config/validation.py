"""Validation of numbers that users set, such as limits and prices."""

from __future__ import annotations

import ipaddress
import socket
import sys
from typing import Final, TypeGuard

_MOST_SHOWN = 40


def is_amount(value: object) -> TypeGuard[int | float]:
    """
    Return True if `value` is a finite number from 0 up: no NaN, no bool, no text, and no integer that is larger than
    any float.
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max


def is_count(value: object) -> TypeGuard[int | float]:
    """Return True if `value` is an amount of whole things."""
    return is_amount(value) and value == int(value)


def short_repr(value: object) -> str:
    """
    Return `repr(value)` for an error message, shortened: a number may have thousands of digits, which Python refuses to
    print.
    """
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"


# Hosts on the local network, to which plain http is allowed because the traffic does not leave it.


Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Suffixes of names that no public resolver should know: servers on the local network.
_LOCAL_SUFFIXES: Final = (".localhost", ".local", ".lan", ".internal", ".home.arpa")


def may_be_private_host(host: str) -> bool:
    """
    Return True if `host` is this machine, an address that is not routed publicly, or a name that should resolve to one:
    without a dot (docker's service names), or with a local suffix. The address that a name resolves to is checked when
    the connection is made: some public names have no dot.
    """
    address = address_of(host)
    if address is not None:
        return is_private_address(address)
    return "." not in host or host.lower().endswith(_LOCAL_SUFFIXES)


def address_of(host: str) -> Address | None:
    """
    Return the address that `host` spells, as connecting would read it: 134744072 and 0x08080808 are 8.8.8.8. None for a
    name.
    """
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def is_private_address(address: Address) -> bool:
    """Return True if the address is this machine's, or not routed publicly."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return not (mapped or address).is_global
