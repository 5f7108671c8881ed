"""Tests of the AUTH handshake, with the real adb's keys and with forged ones."""

from __future__ import annotations

import hashlib

import pytest
from raw_host import RawHost, eventually

from handeye.testing.adb import PrivateAdbServer
from handeye_phone import AuthPolicy, VirtualPhone
from handeye_phone.daemon.auth import SHA1_PREFIX, PublicKey, parse_public_key, verify_signature

# Two primes at an easy place: a key for this test only.
P = (3 << 1022) + 1037
Q = (1 << 1024) - 105


def states(server: PrivateAdbServer) -> dict[str, str]:
    lines = server.run("devices").stdout.decode().splitlines()[1:]
    return dict(line.split("\t") for line in lines if "\t" in line)


def test_open_phone_accepts_any_key(adb_server):
    with VirtualPhone(auth=AuthPolicy.OPEN) as phone:
        adb_server.connect(phone.serial)
        assert states(adb_server)[phone.serial] == "device"
        adb_server.run("disconnect", phone.serial)


def test_asking_phone_accepts_new_key_and_later_signature(adb_server):
    with VirtualPhone(auth=AuthPolicy.ASK) as phone:
        adb_server.connect(phone.serial)
        assert adb_server.run("-s", phone.serial, "shell", "echo in").stdout == b"in\n"
        adb_server.run("disconnect", phone.serial)
        adb_server.connect(phone.serial)
        assert adb_server.run("-s", phone.serial, "shell", "echo again").stdout == b"again\n"
        adb_server.run("disconnect", phone.serial)


def test_known_key_is_accepted_by_signature(adb_server):
    with VirtualPhone(auth=AuthPolicy.KEYS) as phone:
        public = adb_server.run("pubkey", str(adb_server.home / ".android" / "adbkey"))
        phone.trust(public.stdout)
        adb_server.connect(phone.serial)
        assert adb_server.run("-s", phone.serial, "shell", "echo in").stdout == b"in\n"
        adb_server.run("disconnect", phone.serial)


@pytest.mark.parametrize("policy", [AuthPolicy.KEYS, AuthPolicy.REFUSE])
def test_unknown_key_stays_unauthorized(adb_server, policy):
    with VirtualPhone(auth=policy) as phone:
        said = adb_server.run("connect", phone.serial).stdout.decode()
        assert "failed to authenticate" in said or "connected to" in said
        assert eventually(lambda: states(adb_server).get(phone.serial) == "unauthorized")
        result = adb_server.run("-s", phone.serial, "shell", "echo in")
        assert result.returncode != 0
        assert b"unauthorized" in result.stderr
        assert phone.log == []
        adb_server.run("disconnect", phone.serial)


def test_commands_before_authentication_are_ignored():
    with VirtualPhone(auth=AuthPolicy.KEYS) as phone:
        host = RawHost(phone.port)
        host.send(b"CNXN", 0x01000001, 1 << 20, b"host::\0")
        name, kind, _, token, _ = host.receive()
        assert (name, kind, len(token)) == (b"AUTH", 1, 20)
        host.send(b"OPEN", 7, 0, b"shell:echo in\0")
        host.send(b"AUTH", 2, 0, bytes(256))
        name, kind, _, second, _ = host.receive()
        assert (name, kind) == (b"AUTH", 1)
        assert second != token
        assert phone.log == []
        host.close()


@pytest.mark.parametrize("blob", [b"", b"\0", b"not base64!", b"QUFBQQ==", b"A" * 700, b"\xff" * 100])
def test_invalid_public_key_ends_the_connection(blob):
    with pytest.raises(ValueError):
        parse_public_key(blob)
    with VirtualPhone(auth=AuthPolicy.ASK) as phone:
        host = RawHost(phone.port)
        host.send(b"CNXN", 0x01000001, 1 << 20, b"host::\0")
        host.receive()
        host.send(b"AUTH", 3, 0, blob)
        assert host.hung_up()
        host.close()


class TestSignatures:
    TOKEN = hashlib.sha1(b"token").digest()
    N, E = P * Q, 65537

    def signed(self, block: bytes) -> bytes:
        private = pow(self.E, -1, (P - 1) * (Q - 1))
        return pow(int.from_bytes(block, "big"), private, self.N).to_bytes(256, "big")

    def block(self, *, filler: int | None = None, tail: bytes = b"") -> bytes:
        count = 256 - 3 - len(SHA1_PREFIX) - 20 if filler is None else filler
        return (b"\x00\x01" + b"\xff" * count + b"\x00" + SHA1_PREFIX + self.TOKEN + tail).ljust(256, b"\x00")

    def test_valid_signature_is_accepted(self):
        key = PublicKey(self.N, self.E)
        assert verify_signature(key, self.TOKEN, self.signed(self.block()))

    def test_signature_of_other_token_is_refused(self):
        key = PublicKey(self.N, self.E)
        assert not verify_signature(key, bytes(20), self.signed(self.block()))

    def test_signature_with_short_padding_is_refused(self):
        """Bleichenbacher's forgery against lenient checks."""
        key = PublicKey(self.N, self.E)
        assert not verify_signature(key, self.TOKEN, self.signed(self.block(filler=8, tail=b"\x01" * 100)))

    @pytest.mark.parametrize("signature", [b"", bytes(255), bytes(256), bytes(257), b"\xff" * 256])
    def test_garbage_signature_is_refused(self, signature):
        assert not verify_signature(PublicKey(self.N, self.E), self.TOKEN, signature)
