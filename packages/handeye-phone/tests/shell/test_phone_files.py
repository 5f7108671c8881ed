"""Tests of the phone's file system and of the toybox commands."""

from __future__ import annotations

import errno
import gzip
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye_phone.shell.files import FileSystem


class TestFileSystem:
    def test_links_lead_to_shared_storage(self):
        files = FileSystem()
        files.write("/sdcard/a", b"x")
        assert files.read("/storage/emulated/0/a") == b"x"
        assert files.real_path("/sdcard/../../self/./primary/a") == "/storage/emulated/0/a"

    @pytest.mark.parametrize(
        ("path", "code"),
        [
            ("/system/x", errno.EROFS),
            ("/x", errno.EROFS),
            ("/data/x", errno.EACCES),
            ("/data/data/x", errno.EACCES),
            ("/sdcard/none/x", errno.ENOENT),
            ("/sdcard", errno.EISDIR),
            ("/sdcard/" + "n" * 256, errno.ENAMETOOLONG),
            ("/sdcard/" + "n/" * 3000 + "x", errno.ENAMETOOLONG),
        ],
    )
    def test_write_to_protected_path_fails_with_errno(self, path, code):
        with pytest.raises(OSError) as caught:
            FileSystem().write(path, b"x")
        assert caught.value.errno == code

    def test_circular_links_raise_eloop(self):
        files = FileSystem()
        files.link("/sdcard/b", "/sdcard/a")
        files.link("/sdcard/a", "/sdcard/b")
        with pytest.raises(OSError) as caught:
            files.read("/sdcard/a")
        assert caught.value.errno == errno.ELOOP

    def test_file_system_size_is_limited(self):
        files = FileSystem()
        block = bytes(64 * 1024 * 1024)
        for number in range(8):
            files.write(f"/sdcard/{number}", block)
        with pytest.raises(OSError) as caught:
            files.write("/sdcard/more", block)
        assert caught.value.errno == errno.ENOSPC
        files.remove("/sdcard/0")
        files.write("/sdcard/more", block)

    def test_folder_depth_is_limited(self):
        files = FileSystem()
        with pytest.raises(OSError) as caught:
            files.make_dirs("/sdcard/" + "n/" * 200)
        assert caught.value.errno == errno.ENAMETOOLONG
        files.make_dirs("/sdcard/a/" + "n/" * 100)
        files.make_dirs("/sdcard/b/" + "n/" * 100)
        with pytest.raises(OSError) as caught:
            files.rename("/sdcard/b", "/sdcard/a/" + "n/" * 100 + "b")
        assert caught.value.errno == errno.ENAMETOOLONG

    def test_folder_cannot_be_moved_into_itself(self):
        files = FileSystem()
        files.make_dirs("/sdcard/a/b")
        with pytest.raises(OSError) as caught:
            files.rename("/sdcard/a", "/sdcard/a/b/c")
        assert caught.value.errno == errno.EINVAL

    @given(path=st.text("ab./\0~*", max_size=30))
    def test_any_path_is_written_or_raises_os_error(self, path):
        files = FileSystem()
        path = files.absolute(path, "/sdcard")
        try:
            files.write(path, b"x")
        except OSError:
            return
        assert files.read(path) == b"x"


SCRIPTS = [
    ("mkdir -p a/b/c; ls -R a", "a:\nb\n\na/b:\nc\n\na/b/c:\n", 0),
    ("mkdir a; mkdir a; echo $?", "1\n", 0),
    ("mkdir a; touch a/x; rmdir a; echo $?; rm -r a; ls -d a", "1\n", 1),
    ("touch a; rm a; rm a; echo $?; rm -f a; echo $?", "1\n0\n", 0),
    ("mkdir a; rm a; echo $?; test -d a", "1\n", 0),
    ("echo x > a; cp a b; mv a c; cat b c; ls", "x\nx\n" + "b\nc\n", 0),
    ("mkdir d; echo x > a; cp a d; mv a d/y; ls d", "a\ny\n", 0),
    ("mkdir -p d/e; echo x > d/e/f; cp -r d g; cat g/e/f; cp -r d d/h; echo $?", "x\n1\n", 0),
    (
        "touch a; chmod 400 a; stat -c '%a %A %F %n' a; echo x > a; echo $?",
        "400 -r-------- regular empty file a\n1\n",
        0,
    ),
    ("touch a; chmod u+x,go=r a; stat -c %a a; chmod zz a; echo $?", "744\n1\n", 0),
    ("ln -s /sdcard/DCIM l; readlink l; realpath l; ls l", "/sdcard/DCIM\n/storage/emulated/0/DCIM\nCamera\n", 0),
    ("touch .h v; ls; ls -A; ls -a", "v\n.h\nv\n.\n..\n.h\nv\n", 0),
    (
        "printf 'a\\nb\\nc\\n' > f; head -n 2 f; tail -n 1 f; tail -n +2 f; head -c 1 f; wc -l f",
        "a\nb\nc\nb\nc\na3 f\n",
        0,
    ),
    (
        "printf 'a\\nb\\nc' > f; head -n -1 f; tail -n 2 f; tail -c 2 f; tail -c +4 f; tail -n 0 f",
        "a\nb\nb\nc\nc\nc",
        0,
    ),
    ("printf 'a\\rb\\nc\\n' > f; head -n 1 f | wc -c; tail -n 1 f", "4\nc\n", 0),
    ("seq 12 | head; seq 12 | tail -2; seq 3 1; echo", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n\n", 0),
    ("printf 'B1\\na2\\nb3\\n' | grep b; printf 'B1\\nb3\\n' | grep -ic B; echo x | grep y; echo $?", "b3\n2\n1\n", 0),
    ("printf 'a+b\\naab\\n' | grep 'a+b'; printf 'a+b\\naab\\n' | grep -E 'a+b'", "a+b\naab\n", 0),
    (
        "printf 'x.y\\nxzy\\n' | grep -F x.y; echo 'key=val' | grep -o '=.*'; echo ab | grep -v a; echo $?",
        "x.y\n=val\n1\n",
        0,
    ),
    ("printf 'b\\na\\nb\\n' | sort -u; printf '10\\n9\\n' | sort -n", "a\nb\n9\n10\n", 0),
    ("printf '%s|%5d|%-4s|%x|%c|%%|%b\\n' a 42 b 255 xyz 'q\\tr'", "a|   42|b   |ff|x|%|q\tr\n", 0),
    ("printf '%d\\n' abc; echo $?", "1\n", 0),
    ("echo hello | tee f; cat f; echo more | tee -a f > /dev/null; wc -l < f", "hello\nhello\n2\n", 0),
    ("echo x > f; gzip f; ls; gunzip f.gz; cat f", "f.gz\nx\n", 0),
    ("echo junk | gunzip; echo $?", "1\n", 0),
    (
        "echo aGVsbG8= | base64 -d; printf hello | base64; echo '!' | base64 -d; echo $?",
        "hello" + "aGVsbG8=\n" + "1\n",
        0,
    ),
    ("[ 1 -lt 2 ] && [ a != b ] && [ -n x ] && [ ! -e /nope ] && echo yes", "yes\n", 0),
    ("[ a -eq 1 ]; echo $?; [ 1 2 3 4 ]; echo $?; [ x; echo $?", "2\n2\n2\n", 0),
    ("test -r /data/data; echo $?; test -w /system; echo $?; test -w /sdcard; echo $?", "1\n1\n0\n", 0),
    ("basename /a/b.txt .txt; dirname /a/b.txt; dirname b", "b\n/a\n.\n", 0),
    ("id -u; whoami; uname; which cat; which nope; echo $?", "2000\nshell\nLinux\n/system/bin/cat\n1\n", 0),
    ("env A=1 sh -c 'echo $A'; toybox echo x; /system/bin/echo y", "1\nx\ny\n", 0),
    ("mkdir d; touch d/a.png d/b.txt; find . -name '*.png'; find d -type d", "./d/a.png\nd\n", 0),
    ("date -s now; echo $?; sleep x; echo $?; sleep; echo $?; kill 1; echo $?", "1\n1\n1\n1\n", 0),
]


@pytest.mark.parametrize(("script", "out", "status"), SCRIPTS, ids=[script for script, _, _ in SCRIPTS])
def test_toybox_commands_print_expected_output(sh, script, out, status):
    result = sh(f"mkdir /sdcard/t; cd /sdcard/t; {script}")
    assert (result.out, result.status) == (out, status)


STRICT = "ls rm cp mv mkdir cat head tail wc grep stat md5sum base64 gzip sort touch id date uname du"


@pytest.mark.parametrize("command", STRICT.split())
def test_unknown_option_is_refused(sh, command):
    result = sh(f"{command} -Y a b")
    assert result.status != 0
    assert result.err == f"{command}: Unknown option 'Y' (see \"{command} --help\")\n"
    assert result.out == ""


def test_recursive_listing_of_root_ends(sh):
    assert "/system/bin/input\n" in sh("find / 2>/dev/null").out
    assert "/system/bin/." not in sh("find /system").out
    assert sh("ls -R / 2>/dev/null").out
    assert sh("du /system").status == 0


def test_checksums_are_correct(sh):
    assert sh("printf abc | sha256sum").out == hashlib.sha256(b"abc").hexdigest() + "  -\n"
    assert sh("printf abc > /sdcard/f; md5sum -b /sdcard/f").out == hashlib.md5(b"abc").hexdigest() + "\n"
    assert sh("printf abc | sha1sum").out == hashlib.sha1(b"abc").hexdigest() + "  -\n"


def test_gzip_bomb_is_not_unpacked(sh):
    bomb = gzip.compress(bytes(80 * 1024 * 1024), 9)
    sh.phone.files.write("/sdcard/bomb.gz", bomb)
    assert sh("gunzip -c /sdcard/bomb.gz | wc -c").out == "0\n"


def test_host_files_are_not_accessible(sh, tmp_path):
    (tmp_path / "secret").write_text("real")
    assert sh(f"cat {tmp_path}/secret").status == 1
    assert sh(f"echo x > {tmp_path}/new").status == 1
    assert not (tmp_path / "new").exists()
    assert "root:" not in sh("cat /etc/passwd").out
