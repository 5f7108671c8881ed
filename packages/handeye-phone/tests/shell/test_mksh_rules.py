"""Tests of the shell against results recorded from mksh R59, the shell of Android 14, and of refused syntax."""

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


def test_words_expand_like_mksh(sh):
    assert len(WORDS) > 500
    wrong = []
    for case in WORDS:
        result = sh(f"X='1  2'; argv {case['word']}")
        got = json.loads(result.out.splitlines()[0]) if result.out.startswith("[") else None
        if got != case["argv"] or (case["argv"] is None and result.status == 0):
            wrong.append((case["word"], case["argv"], got, result.err))
    assert not wrong


@pytest.mark.parametrize("case", SCRIPTS, ids=[case["script"] for case in SCRIPTS])
def test_scripts_behave_like_mksh(sh, case):
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
def test_unsupported_syntax_is_refused(sh, line):
    result = sh(line)
    assert result.status != 0
    assert result.err.startswith("/system/bin/sh: ")
    assert result.out == ""


@relaxed
@given(text=st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",))))
def test_quoted_text_arrives_unchanged(sh, text):
    assert sh.argv(f"argv {shlex.quote(text)}") == [text]


@relaxed
@given(
    words=st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=8), max_size=5)
)
def test_quoted_words_stay_separate(sh, words):
    assert sh.argv(f"argv {shlex.join(words)}") == words


@relaxed
@given(line=st.text("ab '\"\\$(){};&|<>*?[]~#=\n`!0123456789/", max_size=40))
def test_any_line_returns_an_exit_code(sh, line):
    assert 0 <= sh(line).status <= 255


@pytest.mark.parametrize(
    "text", ["$(reboot)", "`reboot`", "; reboot", "&& reboot", "| reboot", "\nreboot", "$(echo a)", "a & b"]
)
def test_quoted_command_is_not_run(sh, text):
    assert sh.argv(f"argv {shlex.quote(text)}") == [text]


def test_deep_nesting_is_refused(sh):
    assert sh("(" * 2000 + "echo x" + ")" * 2000).status == 1
    assert sh("echo " + "$(echo " * 2000 + ")" * 2000).status == 1


def test_recursive_script_ends(sh):
    assert sh("echo 'sh /sdcard/loop.sh' > /sdcard/loop.sh; sh /sdcard/loop.sh").status != 0
    assert sh('X=\'eval "$X"\'; eval "$X"').status != 0


def test_long_word_is_parsed_quickly(sh):
    word = "\\a'b'\"c\"" * 8000
    assert sh.argv("argv " + word) == ["abc" * 8000]


class TestPipelines:
    def test_pipeline_parts_run_concurrently(self, sh):
        assert sh("seq 1 100000 | head -n 2").out == "1\n2\n"

    def test_closed_pipe_stops_the_writer(self, sh):
        assert sh("{ cat /sdcard/none; seq 1 100000; echo $? >&2; } 2>/dev/null | true").status == 0

    def test_standard_error_can_be_redirected(self, sh):
        result = sh("ls /nope /sdcard/DCIM 2>/dev/null")
        assert (result.out, result.err, result.status) == ("/sdcard/DCIM:\nCamera\n", "", 1)

    def test_standard_error_can_join_standard_output(self, sh):
        assert "No such file" in sh("ls /nope 2>&1 | cat").out

    def test_redirections_apply_in_order(self, sh):
        result = sh("ls /nope 2>&1 > /sdcard/out; wc -c /sdcard/out")
        assert result.out.endswith("0 /sdcard/out\n")
        assert "No such file" in result.out


class TestFiles:
    def test_output_is_redirected_and_appended_to_file(self, sh):
        assert sh("echo a > /sdcard/f; echo b >> /sdcard/f; cat < /sdcard/f").out == "a\nb\n"

    def test_redirect_to_read_only_path_is_refused(self, sh):
        result = sh("echo a > /system/f && echo written")
        assert result.status == 1
        assert "Read-only file system" in result.err
        assert result.out == ""

    def test_glob_pattern_matches_files(self, sh):
        sh("cd /sdcard; touch b.png a.png .hidden.png 'c d.png' e.txt")
        assert sh.argv("argv /sdcard/*.png") == ["/sdcard/a.png", "/sdcard/b.png", "/sdcard/c d.png"]
        assert sh.argv("cd /sdcard; argv [ab].png") == ["a.png", "b.png"]
        assert sh.argv("argv /sdcard/'*'.png /sdcard/*.jpg") == ["/sdcard/*.png", "/sdcard/*.jpg"]


class TestScripts:
    def test_script_file_runs_with_its_arguments(self, sh):
        sh("printf 'echo \"$1\" $#\\nexit 5\\n' > /data/local/tmp/s.sh; chmod 755 /data/local/tmp/s.sh")
        assert sh("sh /data/local/tmp/s.sh 'a b' c").out == "a b 2\n"
        assert sh("/data/local/tmp/s.sh 'a b'").status == 5

    def test_script_without_execute_permission_is_refused(self, sh):
        result = sh("echo 'echo x' > /sdcard/s.sh; /sdcard/s.sh")
        assert (result.status, result.out) == (126, "")

    def test_shell_reads_commands_from_standard_input(self, sh):
        result = sh("sh", stdin=b'echo a\nread x\nthis is read\necho "<$x>"\nexit 3\necho never\n')
        assert (result.out, result.status) == ("a\n<this is read>\n", 3)

    def test_quotes_may_span_lines_of_standard_input(self, sh):
        assert sh("sh", stdin="echo '你\n好'\n".encode()).out == "你\n好\n"

    def test_command_consumes_rest_of_standard_input(self, sh):
        assert sh("sh", stdin=b"cat\necho not run\n").out == "echo not run\n"


def test_unknown_commands_are_not_found(sh):
    result = sh("su -c id")
    assert (result.status, result.err) == (127, "/system/bin/sh: su: inaccessible or not found\n")


def test_shell_waits_for_background_jobs(sh):
    assert sh("sleep 0.05 && echo late & echo early").out == "early\nlate\n"
