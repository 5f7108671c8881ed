"""The phone's files: a small file system in memory with Android's folders, owners and modes.

Errors are OSError with Android's errno and the path as the caller wrote it.
"""

from __future__ import annotations

import errno
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

SHELL_UID = 2000
SHELL_GROUPS = frozenset({2000, 1015, 1078, 9997})  # shell, sdcard_rw, ext_data_rw, everybody
MAX_LINKS = 40  # Linux's limit before ELOOP
MAX_NAME = 255
MAX_DEPTH = 128  # nested folders: far beyond real ones, and safe for recursive commands
MAX_PATH = 4096
MAX_BYTES = 512 * 1024 * 1024  # all files together; a real phone's /sdcard is bigger, this process's memory is not
BLOCK = 4096

REASONS = {
    errno.ENOENT: "No such file or directory",
    errno.EACCES: "Permission denied",
    errno.EISDIR: "Is a directory",
    errno.ENOTDIR: "Not a directory",
    errno.EEXIST: "File exists",
    errno.EROFS: "Read-only file system",
    errno.ENOTEMPTY: "Directory not empty",
    errno.ENOSPC: "No space left on device",
    errno.ELOOP: "Too many symbolic links encountered",
    errno.EINVAL: "Invalid argument",
    errno.ENAMETOOLONG: "File name too long",
    errno.EPERM: "Operation not permitted",
}


def failure(code: int, path: str) -> OSError:
    """Return the OSError of this errno, with bionic's message."""
    return OSError(code, REASONS[code], path)


@dataclass(eq=False, slots=True)
class Node:
    """A file, folder, link or device, by the type bits of `mode`."""

    mode: int
    uid: int
    gid: int
    mtime: float
    inode: int
    content: bytes = b""
    children: dict[str, Node] = field(default_factory=dict)
    target: str = ""
    read_only: bool = False

    @property
    def is_dir(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)

    @property
    def size(self) -> int:
        if self.is_link:
            return len(self.target.encode())
        return BLOCK if self.is_dir else len(self.content)

    def allows(self, want: int) -> bool:
        """Return True if the shell user has these permission bits (4 read, 2 write, 1 execute or enter)."""
        if self.uid == SHELL_UID:
            bits = self.mode >> 6
        elif self.gid in SHELL_GROUPS:
            bits = self.mode >> 3
        else:
            bits = self.mode
        return bits & want == want


def _depth(node: Node) -> int:
    """Return the number of nested folder levels from here."""
    depth, level = 0, [node]
    while level:
        level = [child for parent in level for child in parent.children.values() if child.is_dir]
        depth += 1
    return depth


# path, mode, uid, gid: what `adb shell ls -ld` shows on Android 14
LAYOUT = (
    ("/data", 0o771, 1000, 1000),
    ("/data/app", 0o771, 1000, 1000),
    ("/data/data", 0o771, 1000, 1000),
    ("/data/local", 0o751, 0, 0),
    ("/data/local/tmp", 0o771, SHELL_UID, SHELL_UID),
    ("/dev", 0o755, 0, 0),
    ("/mnt", 0o755, 0, 1000),
    ("/proc", 0o555, 0, 0),
    ("/storage", 0o755, 0, 0),
    ("/storage/emulated", 0o755, 0, 0),
    ("/storage/emulated/0", 0o770, 0, 9997),
    *(
        (f"/storage/emulated/0/{name}", 0o770, 0, 9997)
        for name in ("Alarms", "Android", "DCIM", "Documents", "Download", "Movies", "Music", "Pictures")
    ),
    ("/storage/emulated/0/DCIM/Camera", 0o770, 0, 9997),
    ("/storage/self", 0o755, 0, 0),
    ("/system", 0o755, 0, 0),
    ("/system/app", 0o755, 0, 0),
    ("/system/bin", 0o751, 0, 2000),
    ("/system/etc", 0o755, 0, 0),
    ("/vendor", 0o755, 0, 2000),
)
LINKS = (
    ("/sdcard", "/storage/self/primary"),
    ("/storage/self/primary", "/storage/emulated/0"),
    ("/bin", "/system/bin"),
    ("/etc", "/system/etc"),
)
READ_ONLY = ("/system", "/vendor", "/proc")


class FileSystem:
    """Every method takes absolute paths (see `absolute`). Writes replace whole files."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._inodes = 1
        self._used = 0
        self.root = self._node(stat.S_IFDIR | 0o755, 0, 0)
        for path, mode, uid, gid in LAYOUT:
            self._add_initial(path, self._node(stat.S_IFDIR | mode, uid, gid))
        for path, target in LINKS:
            self._add_initial(path, self._node(stat.S_IFLNK | 0o777, 0, 0, target=target))
        for name in ("null", "tty"):
            self._add_initial(f"/dev/{name}", self._node(stat.S_IFCHR | 0o666, 0, 0))
        self.root.read_only = True
        for path in READ_ONLY:
            self._make_read_only(self._walk(path))

    def _node(self, mode: int, uid: int, gid: int, **more: str | bytes) -> Node:
        self._inodes += 1
        return Node(mode, uid, gid, self._clock(), self._inodes, **more)  # type: ignore[arg-type]

    def _add_initial(self, path: str, node: Node) -> None:
        folder, _, name = path.rpartition("/")
        self._walk(folder or "/").children[name] = node

    def _make_read_only(self, node: Node) -> None:
        node.read_only = True
        for child in node.children.values():
            self._make_read_only(child)

    def install_program(self, name: str) -> None:
        """Add an entry to /system/bin, so that `ls` and `which` list the command."""
        node = self._node(stat.S_IFREG | 0o755, 0, 2000)
        node.read_only = True
        self._walk("/system/bin").children[name] = node

    # ---- finding
    @staticmethod
    def absolute(path: str, cwd: str = "/") -> str:
        """Return `path` joined to `cwd`; `.` and `..` stay, because a link decides the meaning of `..`."""
        return path if path.startswith("/") else f"{cwd.rstrip('/')}/{path}"

    def _walk(self, path: str, *, follow: bool = True) -> Node:
        return self._trace(path, follow=follow)[-1][1]

    def _trace(self, path: str, *, follow: bool = True) -> list[tuple[str, Node]]:
        """Return the chain of (name, node) from the root to `path`, with links resolved."""
        if len(path.encode("utf-8", "surrogateescape")) > MAX_PATH:
            raise failure(errno.ENAMETOOLONG, path)
        chain: list[tuple[str, Node]] = [("", self.root)]
        todo = [part for part in reversed(path.split("/")) if part and part != "."]
        if path.endswith("/"):
            follow = True
        links = 0
        while todo:
            name = todo.pop()
            here = chain[-1][1]
            if not here.is_dir:
                raise failure(errno.ENOTDIR, path)
            if not here.allows(1):
                raise failure(errno.EACCES, path)
            if name == "..":
                if len(chain) > 1:
                    chain.pop()
                continue
            node = here.children.get(name)
            if node is None:
                raise failure(errno.ENOENT, path)
            if node.is_link and (follow or todo):
                links += 1
                if links > MAX_LINKS:
                    raise failure(errno.ELOOP, path)
                if node.target.startswith("/"):
                    del chain[1:]
                todo += [part for part in reversed(node.target.split("/")) if part and part != "."]
                continue
            chain.append((name, node))
        if path.endswith("/") and not chain[-1][1].is_dir:
            raise failure(errno.ENOTDIR, path)
        return chain

    def stat(self, path: str, *, follow: bool = True) -> Node:
        """Return the node at `path`. Raises OSError."""
        return self._walk(path, follow=follow)

    def exists(self, path: str) -> bool:
        try:
            self._walk(path)
        except OSError:
            return False
        return True

    def real_path(self, path: str) -> str:
        """Return `path` with links, `.` and `..` resolved."""
        return "/" + "/".join(name for name, _ in self._trace(path)[1:])

    def list(self, path: str) -> list[tuple[str, Node]]:
        """Return the folder's entries by name."""
        node = self._walk(path)
        if not node.is_dir:
            raise failure(errno.ENOTDIR, path)
        if not node.allows(4):
            raise failure(errno.EACCES, path)
        return sorted(node.children.items())

    def walk(self, path: str, on_error: Callable[[OSError], object] | None = None) -> Iterator[tuple[str, Node]]:
        """Yield `path` and everything below it, parents first; links are not followed.

        A folder that cannot be listed raises OSError, or is passed to `on_error` and skipped.
        """
        node = self._walk(path, follow=False)
        yield path, node
        if not node.is_dir:
            return
        try:
            entries = self.list(path)
        except OSError as error:
            if on_error is None:
                raise
            on_error(error)
            return
        for name, _ in entries:
            yield from self.walk(f"{path.rstrip('/')}/{name}", on_error)

    # ---- reading and writing
    def read(self, path: str) -> bytes:
        """Return the file's content."""
        node = self._walk(path)
        if node.is_dir:
            raise failure(errno.EISDIR, path)
        if not node.allows(4):
            raise failure(errno.EACCES, path)
        return node.content

    def _parent(self, path: str) -> tuple[Node, str]:
        folder, _, name = path.rstrip("/").rpartition("/")
        if not name or name in (".", ".."):
            raise failure(errno.EEXIST if not name else errno.EINVAL, path)
        if len(name.encode("utf-8", "surrogateescape")) > MAX_NAME:
            raise failure(errno.ENAMETOOLONG, path)
        try:
            node = self._walk((folder or "") + "/")
        except OSError as error:
            raise failure(error.errno or errno.ENOENT, path) from error
        return node, name

    def _writable_parent(self, path: str) -> tuple[Node, str]:
        node, name = self._parent(path)
        if node.read_only:
            raise failure(errno.EROFS, path)
        if not node.allows(3):
            raise failure(errno.EACCES, path)
        return node, name

    def write(self, path: str, content: bytes, *, mode: int = 0o660, mtime: float | None = None) -> None:
        """Create the file or replace its content."""
        node = self._open_for_writing(path, mode)
        if stat.S_ISCHR(node.mode):
            return
        self._reserve(len(content) - len(node.content), path)
        node.content = content
        node.mtime = self._clock() if mtime is None else mtime

    def append(self, path: str, content: bytes, *, mode: int = 0o660) -> None:
        """Create the file or add to its end."""
        node = self._open_for_writing(path, mode)
        self.write(path, node.content + content, mode=mode)

    def _open_for_writing(self, path: str, mode: int) -> Node:
        try:
            node = self._walk(path)
        except OSError as error:
            if error.errno != errno.ENOENT or path.endswith("/"):
                raise
            folder, name = self._writable_parent(self._through_links(path))
            node = self._node(stat.S_IFREG | mode & 0o777, SHELL_UID, folder.gid)
            folder.children[name] = node
            return node
        if node.is_dir:
            raise failure(errno.EISDIR, path)
        if node.read_only:
            raise failure(errno.EROFS, path)
        if not node.allows(2):
            raise failure(errno.EACCES, path)
        return node

    def _through_links(self, path: str) -> str:
        """Return the target of a dangling link at `path`, else `path`."""
        for _ in range(MAX_LINKS):
            try:
                node = self._walk(path, follow=False)
            except OSError:
                return path
            if not node.is_link:
                return path
            path = self.absolute(node.target, path.rpartition("/")[0] or "/")
        raise failure(errno.ELOOP, path)

    def free_for(self, path: str) -> int:
        """Return the number of bytes that a file at `path` may have."""
        try:
            replaced = len(self._walk(path).content)
        except OSError:
            replaced = 0
        return MAX_BYTES - self._used + replaced

    def _reserve(self, more: int, path: str) -> None:
        if self._used + more > MAX_BYTES:
            raise failure(errno.ENOSPC, path)
        self._used += more

    def make_dir(self, path: str, *, mode: int = 0o771) -> None:
        folder, name = self._parent(path)
        if name in folder.children:
            raise failure(errno.EEXIST, path)
        folder, name = self._writable_parent(path)
        if len(self._trace(path.rstrip("/").rpartition("/")[0] + "/")) > MAX_DEPTH:
            raise failure(errno.ENAMETOOLONG, path)
        folder.children[name] = self._node(stat.S_IFDIR | mode & 0o7777, SHELL_UID, folder.gid)

    def make_dirs(self, path: str) -> None:
        """Create the folder and its parents; existing ones are no error."""
        done = ""
        for part in path.split("/"):
            if not part or part == ".":
                continue
            done += "/" + part
            try:
                node = self._walk(done)
            except OSError as error:
                if error.errno != errno.ENOENT:
                    raise
                self.make_dir(done)
            else:
                if not node.is_dir:
                    raise failure(errno.EEXIST, done)

    def link(self, target: str, path: str) -> None:
        """Create a symbolic link at `path`."""
        folder, name = self._writable_parent(path)
        if name in folder.children:
            raise failure(errno.EEXIST, path)
        if len(target.encode("utf-8", "surrogateescape")) > MAX_PATH:
            raise failure(errno.ENAMETOOLONG, path)
        folder.children[name] = self._node(stat.S_IFLNK | 0o777, SHELL_UID, folder.gid, target=target)

    def remove(self, path: str) -> None:
        """Remove a file, a link or an empty folder."""
        node = self._walk(path.rstrip("/") or "/", follow=False)
        folder, name = self._writable_parent(path)
        if node.children:
            raise failure(errno.ENOTEMPTY, path)
        self._reserve(-len(node.content), path)
        del folder.children[name]

    def rename(self, source: str, target: str) -> None:
        node = self._walk(source.rstrip("/") or "/", follow=False)
        old_folder, old_name = self._writable_parent(source)
        new_folder, new_name = self._writable_parent(target)
        if node.is_dir and any(step is node for _, step in self._trace(target.rstrip("/").rpartition("/")[0] + "/")):
            raise failure(errno.EINVAL, target)
        existing = new_folder.children.get(new_name)
        if existing is node:
            return
        if len(self._trace(target.rstrip("/").rpartition("/")[0] + "/")) + _depth(node) > MAX_DEPTH:
            raise failure(errno.ENAMETOOLONG, target)
        if existing is not None:
            if existing.is_dir and not node.is_dir:
                raise failure(errno.EISDIR, target)
            if node.is_dir and not existing.is_dir:
                raise failure(errno.ENOTDIR, target)
            if existing.children:
                raise failure(errno.ENOTEMPTY, target)
            self._reserve(-len(existing.content), target)
        del old_folder.children[old_name]
        new_folder.children[new_name] = node

    def set_mode(self, path: str, mode: int) -> None:
        node = self._walk(path)
        if node.read_only:
            raise failure(errno.EROFS, path)
        if node.uid != SHELL_UID:
            raise failure(errno.EPERM, path)
        node.mode = stat.S_IFMT(node.mode) | mode & 0o7777

    def touch(self, path: str, mtime: float | None = None) -> None:
        if self.exists(path):
            node = self._walk(path)
            if node.read_only:
                raise failure(errno.EROFS, path)
            if not node.allows(2):
                raise failure(errno.EACCES, path)
            node.mtime = self._clock() if mtime is None else mtime
        else:
            self.write(path, b"", mtime=mtime)
