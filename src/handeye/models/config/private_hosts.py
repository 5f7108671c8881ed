"""Which hosts are in the same house: plain http may go there, because nobody else reads it on the way."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Names that no public resolver should know: a server in the same house.
_HOUSE_SUFFIXES: Final = (".localhost", ".local", ".lan", ".internal", ".home.arpa")


def may_be_near(host: str) -> bool:
    """
    Whether `host` is this machine or an address that only the local network knows, or a name that should be one: without a dot
    (docker's service names), or with a suffix of the house. What a name really stands for is looked at when it is connected to:
    some public names have no dot.
    """
    address = address_of(host)
    if address is not None:
        return is_near(address)
    return "." not in host or host.lower().endswith(_HOUSE_SUFFIXES)


def address_of(host: str) -> Address | None:
    """The address that `host` spells, as connecting would read it: 134744072 and 0x08080808 are 8.8.8.8. None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def is_near(address: Address) -> bool:
    """This machine's, or one that is not routed publicly."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return not (mapped or address).is_global
