"""adb's RSA authentication of hosts, checked with plain integers.

The host signs a 20-byte token as if it were a SHA-1 digest (PKCS#1 v1.5). Its public key is a C struct in base64:
word count, -1/n mod 2**32, modulus, R**2 mod n, exponent, all little-endian (`mincrypt`'s RSAPublicKey in AOSP).
"""

from __future__ import annotations

import base64
import binascii
import enum
import hmac
import struct
from dataclasses import dataclass

TOKEN_BYTES = 20
SHA1_PREFIX = bytes.fromhex("3021300906052b0e03021a05000414")  # DigestInfo header of a SHA-1 digest, RFC 8017 §9.2
KEY_WORDS = range(32, 129)  # 1024 to 4096 bits; adb makes 2048
PUBLIC_EXPONENTS = (3, 65537)


class AuthPolicy(enum.Enum):
    """Authentication that the phone requires of a host."""

    OPEN = "open"
    """No authentication: a host connects at once, as to an emulator."""
    ASK = "ask"
    """A signature by a known key; a new key is accepted, as if the user tapped "Allow"."""
    KEYS = "keys"
    """A signature by a known key; a new key is not accepted."""
    REFUSE = "refuse"
    """No key is ever accepted: the phone stays `unauthorized`."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An RSA public key."""

    modulus: int
    exponent: int


def parse_public_key(blob: bytes) -> PublicKey:
    """Return the key in the text of an `adbkey.pub` file. Raises ValueError for anything else."""
    fields = blob.split(b"\0", 1)[0].split()
    if not fields:
        raise ValueError("empty public key")
    try:
        raw = base64.b64decode(fields[0], validate=True)
    except binascii.Error as error:
        raise ValueError(f"public key is not base64: {error}") from error
    words = struct.unpack_from("<I", raw)[0] if len(raw) >= 4 else 0
    if words not in KEY_WORDS or len(raw) != 12 + 8 * words:
        raise ValueError(f"public key of {len(raw)} bytes claims {words} words")
    modulus = int.from_bytes(raw[8 : 8 + 4 * words], "little")
    exponent = struct.unpack_from("<I", raw, 8 + 8 * words)[0]
    if modulus % 2 == 0 or modulus.bit_length() != 32 * words or exponent not in PUBLIC_EXPONENTS:
        raise ValueError("public key is not an RSA key")
    return PublicKey(modulus, exponent)


def verify_signature(key: PublicKey, token: bytes, signature: bytes) -> bool:
    """Return True if `signature` is `token` signed with the private half of `key`."""
    size = (key.modulus.bit_length() + 7) // 8
    if len(token) != TOKEN_BYTES or len(signature) != size:
        return False
    number = int.from_bytes(signature, "big")
    if number >= key.modulus:
        return False
    padded = pow(number, key.exponent, key.modulus).to_bytes(size, "big")
    filler = b"\xff" * (size - 3 - len(SHA1_PREFIX) - TOKEN_BYTES)
    return hmac.compare_digest(padded, b"\x00\x01" + filler + b"\x00" + SHA1_PREFIX + token)
