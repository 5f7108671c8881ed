"""The shell against answers recorded from mksh R59, the shell of Android 14, and against what it must refuse."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HERE = Path(__file__).parent
WORDS = json.loads((HERE / "mksh_words.json").read_text("utf-8"))
SCRIPTS = json.loads((HERE / "mksh_scripts.json").read_text("utf-8"))

# The runner has no state that one line leaves for the next, so one fixture serves all of hypothesis' examples.
relaxed = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)


def test_words_become_the_arguments_that_mksh_makes(sh):
    assert len(WORDS) > 500
    wrong = []
    for case in WORDS:
        result = sh(f"X='1  2'; argv {case['word']}")
        got = json.loads(result.out.splitlines()[0]) if result.out.startswith("[") else None
        if got != case["argv"] or (case["argv"] is None and result.status == 0):
            wrong.append((case["word"], case["argv"], got, result.err))
    assert not wrong


@pytest.mark.parametrize("case", SCRIPTS, ids=[case["script"] for case in SCRIPTS])
def test_scripts_do_what_mksh_does(sh, case):
    result = sh(case["script"])
    assert (result.out, result.status) == (case["stdout"], case["status"])


@pytest.mark.parametrize(
    "line",
    [
        "if true; then echo x; fi",
        "for i in 1 2; do echo $i; done",
        "while true; do echo x; done",
        "case a in a) echo x;; esac",
        "f() { echo x; }; f",
        "function f { echo x; }",
        "echo `echo x`",
        'echo "`echo x`"',
        "echo $((1 + 1))",
        "((1 + 1))",
        "echo ${HOME:-x}",
        "echo ${#HOME}",
        "echo a{b,c}",
        "a=(1 2)",
        "a[1]=2",
        "cat << END\nx\nEND",
        "cat <<< x",
        "cat <(echo x)",
        "echo @(a|b)",
        "echo x |& cat",
        "[[ a == a ]] && echo x",
        "alias x='echo y'",
        "exec",
        "exec > /sdcard/f",
        "set -e",
        "IFS=:",
        "IFS=: read a b",
        "echo ~root",
        "echo $-",
        "echo x 5> /sdcard/f",
        "trap 'echo x' EXIT",
        "echo 'open",
        'echo "open',
        "echo $(open",
        "(echo x",
        "{ echo x",
        "echo )",
        "echo ;; echo",
        "&& echo x",
        "echo x ||",
        "| cat",
        "> ",
    ],
)
def test_what_is_not_understood_is_refused(sh, line):
    result = sh(line)
    assert result.status != 0
    assert result.err.startswith("/system/bin/sh: ")
    assert result.out == ""


@relaxed
@given(text=st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",))))
def test_a_quoted_text_arrives_unchanged(sh, text):
    assert sh.argv(f"argv {shlex.quote(text)}") == [text]


@relaxed
@given(
    words=st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=8), max_size=5)
)
def test_quoted_words_stay_apart(sh, words):
    assert sh.argv(f"argv {shlex.join(words)}") == words


@relaxed
@given(line=st.text("ab '\"\\$(){};&|<>*?[]~#=\n`!0123456789/", max_size=40))
def test_no_line_breaks_the_shell(sh, line):
    assert 0 <= sh(line).status <= 255


@pytest.mark.parametrize(
    "text", ["$(reboot)", "`reboot`", "; reboot", "&& reboot", "| reboot", "\nreboot", "$(echo a)", "a & b"]
)
def test_a_quoted_command_is_not_run(sh, text):
    assert sh.argv(f"argv {shlex.quote(text)}") == [text]


def test_deep_nesting_is_refused(sh):
    assert sh("(" * 2000 + "echo x" + ")" * 2000).status == 1
    assert sh("echo " + "$(echo " * 2000 + ")" * 2000).status == 1


def test_a_script_that_calls_itself_ends(sh):
    assert sh("echo 'sh /sdcard/loop.sh' > /sdcard/loop.sh; sh /sdcard/loop.sh").status != 0
    assert sh('X=\'eval "$X"\'; eval "$X"').status != 0


def test_a_long_word_is_read_quickly(sh):
    word = "\\a'b'\"c\"" * 8000
    assert sh.argv("argv " + word) == ["abc" * 8000]


class TestPipelines:
    def test_parts_run_together(self, sh):
        assert sh("seq 1 100000 | head -n 2").out == "1\n2\n"

    def test_the_reader_that_leaves_stops_the_writer(self, sh):
        assert sh("{ cat /sdcard/none; seq 1 100000; echo $? >&2; } 2>/dev/null | true").status == 0

    def test_errors_take_their_own_way(self, sh):
        result = sh("ls /nope /sdcard/DCIM 2>/dev/null")
        assert (result.out, result.err, result.status) == ("/sdcard/DCIM:\nCamera\n", "", 1)

    def test_errors_can_join_the_output(self, sh):
        assert "No such file" in sh("ls /nope 2>&1 | cat").out

    def test_a_redirection_keeps_its_order(self, sh):
        result = sh("ls /nope 2>&1 > /sdcard/out; wc -c /sdcard/out")
        assert result.out.endswith("0 /sdcard/out\n")
        assert "No such file" in result.out


class TestFiles:
    def test_output_goes_to_a_file_and_is_added_to_it(self, sh):
        assert sh("echo a > /sdcard/f; echo b >> /sdcard/f; cat < /sdcard/f").out == "a\nb\n"

    def test_read_only_places_are_refused(self, sh):
        result = sh("echo a > /system/f && echo written")
        assert result.status == 1
        assert "Read-only file system" in result.err
        assert result.out == ""

    def test_a_pattern_matches_files(self, sh):
        sh("cd /sdcard; touch b.png a.png .hidden.png 'c d.png' e.txt")
        assert sh.argv("argv /sdcard/*.png") == ["/sdcard/a.png", "/sdcard/b.png", "/sdcard/c d.png"]
        assert sh.argv("cd /sdcard; argv [ab].png") == ["a.png", "b.png"]
        assert sh.argv("argv /sdcard/'*'.png /sdcard/*.jpg") == ["/sdcard/*.png", "/sdcard/*.jpg"]


class TestScripts:
    def test_a_file_runs_with_its_arguments(self, sh):
        sh("printf 'echo \"$1\" $#\\nexit 5\\n' > /data/local/tmp/s.sh; chmod 755 /data/local/tmp/s.sh")
        assert sh("sh /data/local/tmp/s.sh 'a b' c").out == "a b 2\n"
        assert sh("/data/local/tmp/s.sh 'a b'").status == 5

    def test_a_file_without_the_right_to_run_is_refused(self, sh):
        result = sh("echo 'echo x' > /sdcard/s.sh; /sdcard/s.sh")
        assert (result.status, result.out) == (126, "")

    def test_commands_come_from_standard_input(self, sh):
        result = sh("sh", stdin=b'echo a\nread x\nthis is read\necho "<$x>"\nexit 3\necho never\n')
        assert (result.out, result.status) == ("a\n<this is read>\n", 3)

    def test_a_quote_may_span_lines_of_standard_input(self, sh):
        assert sh("sh", stdin="echo '你\n好'\n".encode()).out == "你\n好\n"

    def test_a_command_takes_the_rest_of_standard_input(self, sh):
        assert sh("sh", stdin=b"cat\necho not run\n").out == "echo not run\n"


def test_unknown_commands_are_not_found(sh):
    result = sh("su -c id")
    assert (result.status, result.err) == (127, "/system/bin/sh: su: inaccessible or not found\n")


def test_background_jobs_end_before_the_shell_does(sh):
    assert sh("sleep 0.05 && echo late & echo early").out == "early\nlate\n"
