"""Interpreter of the tree that `syntax` makes, within this process: commands are functions in a given table."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from handeye_phone.shell.expand import ExpansionError, expand_assignment, expand_words
from handeye_phone.shell.options import BadOption
from handeye_phone.shell.process import Command, Process, Streams
from handeye_phone.shell.redirect import FileSink, redirected
from handeye_phone.shell.streams import BufferSink, LineSource, NullStream, Pipe
from handeye_phone.shell.syntax import Parser
from handeye_phone.shell.tree import Group, Incomplete, Item, Pipeline, ShellSyntaxError, SimpleCommand

if TYPE_CHECKING:
    from handeye_phone.device import ShellDevice

SHELL_NAME = "/system/bin/sh"
ENVIRONMENT = {
    "ANDROID_DATA": "/data",
    "ANDROID_ROOT": "/system",
    "EXTERNAL_STORAGE": "/sdcard",
    "HOME": "/",
    "HOSTNAME": "vphone",
    "LOGNAME": "shell",
    "PATH": "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/odm/bin:/vendor/bin",
    "SHELL": "/bin/sh",
    "TMPDIR": "/data/local/tmp",
    "USER": "shell",
}
MAX_NESTED_SHELLS = 40  # a recursive script ends here instead of overflowing Python's stack
MAX_SUBSTITUTION = 16 * 1024 * 1024
EXIT_NOT_FOUND = 127
EXIT_NOT_EXECUTABLE = 126
EXIT_SIGPIPE = 141  # 128 + SIGPIPE
SPECIAL_BUILTINS = {":", "eval", "exit", "export", "set", "shift", "unset"}  # assignments before these stay
FIXED_VARIABLES = {"IFS"}  # words are always split at blanks, tabs and newlines


class ShellExit(Exception):
    """`exit` was called."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Shell:
    """One shell: variables, working folder, last exit status."""

    def __init__(
        self,
        phone: ShellDevice,
        commands: Mapping[str, Command],
        *,
        arguments: Sequence[str] = (),
        name: str = SHELL_NAME,
        environment: Mapping[str, str] | None = None,
        cwd: str = "/",
        depth: int = 0,
    ) -> None:
        self.phone = phone
        self.commands = commands
        self.arguments = list(arguments)
        self.name = name
        self.exported = dict(ENVIRONMENT if environment is None else environment)
        self.variables: dict[str, str] = {}
        self.cwd = cwd
        self.status = 0
        self.depth = depth
        self.jobs: set[asyncio.Task[int]] = set()
        self.started_jobs = False

    def child(self) -> Shell:
        """Return a subshell, whose changes do not affect this shell."""
        shell = Shell(
            self.phone,
            self.commands,
            arguments=self.arguments,
            name=self.name,
            environment=self.exported,
            cwd=self.cwd,
            depth=self.depth + 1,
        )
        shell.variables = dict(self.variables)
        shell.status = self.status
        shell.jobs = self.jobs
        return shell

    # ---- values
    def value(self, name: str) -> str | None:
        """Return the parameter's value, or None if it is not set."""
        if name == "?":
            return str(self.status)
        if name == "$":
            return str(self.phone.shell_pid)
        if name == "#":
            return str(len(self.arguments))
        if name == "0":
            return self.name
        if name == "-" or (name == "!" and self.started_jobs):
            raise ExpansionError(f"${name} is not supported by the virtual phone's shell")
        if name == "!":
            return ""
        if name.isdigit():
            index = int(name)
            return self.arguments[index - 1] if index <= len(self.arguments) else None
        if name == "PWD":
            return self.cwd
        return self.variables.get(name, self.exported.get(name))

    def assign(self, name: str, value: str) -> None:
        """Set a variable. Raises ExpansionError for one that cannot change."""
        self._check_variable(name)
        if name in self.exported:
            self.exported[name] = value
        else:
            self.variables[name] = value

    @staticmethod
    def _check_variable(name: str) -> None:
        if name in FIXED_VARIABLES:
            raise ExpansionError(f"{name} cannot be changed in the virtual phone's shell")

    def export(self, name: str, value: str | None = None) -> None:
        """Make a variable part of commands' environment."""
        if value is None:
            value = self.variables.pop(name, self.exported.get(name, ""))
        self.variables.pop(name, None)
        self.assign(name, value)
        self.exported[name] = value

    def unset(self, name: str) -> None:
        self.variables.pop(name, None)
        self.exported.pop(name, None)

    # ---- running
    async def run(self, text: str, streams: Streams) -> int:
        """Run a script and return its exit status. Waits for background jobs, whose output ends with this call."""
        try:
            await self.run_lines(text, streams)
        except ShellExit as leaving:
            self.status = leaving.code
        finally:
            await self._end_jobs()
        return self.status

    async def _end_jobs(self) -> None:
        if self.depth or not self.jobs:
            return
        jobs = set(self.jobs)
        try:
            await asyncio.wait(jobs)
        except asyncio.CancelledError:
            for job in jobs:
                job.cancel()
            await asyncio.wait(jobs)
            raise

    async def run_lines(self, text: str, streams: Streams) -> None:
        """Run line by line. Raises ShellExit."""
        parser = Parser(text)
        while True:
            try:
                line = parser.next_line()
            except ShellSyntaxError as error:
                await self._complain(streams, str(error))
                self.status = 1
                return
            if line is None:
                return
            await self.run_items(line, streams)

    async def run_line(self, text: str, streams: Streams) -> int | None:
        """Run one line of a terminal. Return the exit status if it was `exit`, else None."""
        try:
            await self.run_lines(text, streams)
        except ShellExit as leaving:
            return leaving.code
        return None

    async def run_interactive(self, streams: Streams) -> int:
        """Read commands from standard input until its end or `exit`; commands share that input."""
        pending = ""
        try:
            while True:
                line = await streams.stdin.read_line()
                pending += line.decode("utf-8", "surrogateescape").replace("\0", "")
                if line and self._is_incomplete(pending):
                    continue
                script, pending = pending, ""
                await self.run_lines(script, streams)
                if not line:
                    break
        except ShellExit as leaving:
            self.status = leaving.code
        finally:
            await self._end_jobs()
        return self.status

    @staticmethod
    def _is_incomplete(text: str) -> bool:
        if text.endswith("\\\n"):
            return True
        parser = Parser(text)
        try:
            while parser.next_line() is not None:
                pass
        except Incomplete:
            return True
        except ShellSyntaxError:
            return False
        return False

    async def run_items(self, items: Sequence[Item], streams: Streams) -> None:
        for item in items:
            if item.background:
                job = asyncio.create_task(self._job(item, streams))
                self.jobs.add(job)
                self.started_jobs = True
                job.add_done_callback(self.jobs.discard)
                self.status = 0
            else:
                await self._chain(item, streams)

    async def _job(self, item: Item, streams: Streams) -> int:
        shell = self.child()
        with contextlib.suppress(ShellExit, ConnectionError):
            await shell._chain(item, replace(streams, stdin=LineSource(NullStream())))
        return shell.status

    async def _chain(self, item: Item, streams: Streams) -> None:
        for operator, pipeline in item.chain:
            if (operator == "&&" and self.status) or (operator == "||" and not self.status):
                continue
            await self._pipeline(pipeline, streams)

    async def _pipeline(self, pipeline: Pipeline, streams: Streams) -> None:
        if len(pipeline.commands) == 1:
            self.status = await self._command(pipeline.commands[0], streams)
        else:
            self.status = await self._pipe(pipeline.commands, streams)
        if pipeline.negated:
            self.status = int(not self.status)

    async def _pipe(self, commands: Sequence[SimpleCommand | Group], streams: Streams) -> int:
        pipes = [Pipe() for _ in commands[1:]]
        stages = []
        for index, command in enumerate(commands):
            before = pipes[index - 1] if index else None
            after = pipes[index] if index < len(pipes) else None
            stages.append(asyncio.create_task(self._stage(command, streams, before, after)))
        try:
            statuses = await asyncio.gather(*stages)
        finally:
            for stage in stages:
                stage.cancel()
        return statuses[-1]

    async def _stage(
        self, command: SimpleCommand | Group, streams: Streams, before: Pipe | None, after: Pipe | None
    ) -> int:
        shell = self.child()
        mine = Streams(LineSource(before) if before else streams.stdin, after or streams.stdout, streams.stderr)
        try:
            return await shell._command(command, mine)
        except ShellExit as leaving:
            return leaving.code
        finally:
            if before:
                before.close_read()
            if after:
                after.close_write()

    async def _command(self, command: SimpleCommand | Group, streams: Streams) -> int:
        opened: list[FileSink] = []
        full = False
        outer = streams
        try:
            streams = await redirected(self, command.redirects, streams, opened)
            if isinstance(command, Group):
                status = await self._group(command, streams)
            else:
                status = await self._simple(command, streams)
        except ExpansionError as error:
            await self._complain(streams, str(error))
            return 1
        except BrokenPipeError:
            status = EXIT_SIGPIPE
        finally:
            for sink in opened:
                try:
                    sink.close()
                except OSError as error:
                    if error.errno == errno.ENOSPC:  # others: it was removed meanwhile
                        full = True
                        with contextlib.suppress(BrokenPipeError):
                            await self._complain(outer, f"{error.filename}: {error.strerror}")
        return 1 if full else status

    async def _group(self, group: Group, streams: Streams) -> int:
        if not group.subshell:
            await self.run_items(group.body, streams)
            return self.status
        shell = self.child()
        try:
            await shell.run_items(group.body, streams)
        except ShellExit as leaving:
            return leaving.code
        return shell.status

    async def _simple(self, command: SimpleCommand, streams: Streams) -> int:
        substituted = self.status = 0 if not command.words else self.status
        words = await expand_words(self, command.words, streams)
        values = [
            (item.name, item.append, await expand_assignment(self, item.value, streams)) for item in command.assignments
        ]
        if not words:
            for name, append, value in values:
                self.assign(name, (self.value(name) or "") + value if append else value)
            return self.status if command.assignments or command.words else substituted
        environment = dict(self.exported)
        for name, append, value in values:
            self._check_variable(name)
            environment[name] = (self.value(name) or "") + value if append else value
            if words[0] in SPECIAL_BUILTINS:
                self.assign(name, environment[name])
        return await self.execute(words, streams, environment)

    async def execute(self, words: list[str], streams: Streams, environment: dict[str, str]) -> int:
        """Run one command, given its words."""
        name = words[0]
        found = self.find(name)
        if found is None:
            return await self._not_found(name, words[1:], streams, environment)
        process = Process(name, words[1:], streams, environment, self)
        try:
            return await found(process) & 0xFF
        except BrokenPipeError:
            return EXIT_SIGPIPE
        except BadOption as error:
            return await process.fail(f'{error} (see "{name} --help")')
        except OSError as error:
            if isinstance(error, ConnectionError) or error.filename is None:
                raise  # not an error of a file on the phone
            return await process.fail(f"{error.filename}: {error.strerror}")

    def find(self, name: str) -> Command | None:
        """Return the command of this name, or of this path in a folder of programs."""
        folder, slash, base = name.rpartition("/")
        if slash and folder not in ("/system/bin", "/bin", "/vendor/bin"):
            return None
        return self.commands.get(base)

    async def _not_found(self, name: str, args: list[str], streams: Streams, environment: dict[str, str]) -> int:
        path = self.phone.files.absolute(name, self.cwd)
        if "/" in name and self.phone.files.exists(path):
            node = self.phone.files.stat(path)
            script = node.content.decode("utf-8", "surrogateescape")
            if node.is_file and node.allows(1) and "\0" not in script and self.depth < MAX_NESTED_SHELLS:
                shell = self.child()
                shell.name, shell.arguments, shell.exported = name, args, environment
                return await shell.run(script, streams)
            await self._complain(streams, f"{name}: can't execute: Permission denied")
            return EXIT_NOT_EXECUTABLE
        await self._complain(streams, f"{name}: inaccessible or not found")
        return EXIT_NOT_FOUND

    async def _complain(self, streams: Streams, message: str) -> None:
        await streams.stderr.write(f"{self.name}: {message}\n".encode("utf-8", "surrogateescape"))

    async def substitute(self, items: Sequence[Item], streams: Streams) -> str:
        """Return the output of `$(...)` without its final newlines."""
        if self.depth >= MAX_NESTED_SHELLS:
            raise ExpansionError("shells are nested too deeply")
        shell = self.child()
        collected = BufferSink(MAX_SUBSTITUTION)
        try:
            await shell.run_items(items, replace(streams, stdout=collected))
            self.status = shell.status
        except ShellExit as leaving:
            self.status = leaving.code
        return collected.value.replace(b"\0", b"").decode("utf-8", "surrogateescape").rstrip("\n")
