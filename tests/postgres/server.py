"""A real PostgreSQL for tests: on a free port, in a folder of its own, as a user that is not root.

Its port is its own for life: a server that was killed comes back at the same address.
"""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from itertools import count
from random import Random
from time import monotonic, sleep

import psycopg

ADMIN, PASSWORD = "postgres", "an-admins-word-7f"
PATIENCE = 120.0
"""Seconds for anything that a busy machine may take long for; nearly always it takes none."""


def binaries() -> str:
    """The folder with `initdb` and `postgres`; empty where there is none."""
    found = shutil.which("initdb")
    if found and os.path.exists(os.path.join(os.path.dirname(found), "postgres")):
        return os.path.dirname(os.path.realpath(found))
    known = glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/usr/local/opt/postgresql*/bin")
    numbered = sorted(known, key=lambda path: int("".join(filter(str.isdigit, path)) or 0))
    return next((path for path in reversed(numbered) if _has_both(path)), "")


def _has_both(path: str) -> bool:
    return all(os.path.exists(os.path.join(path, name)) for name in ("initdb", "postgres"))


def free_port() -> int:
    """Below the ports that the system hands out, so that nobody gets it while the server is down."""
    chance = Random()
    for _ in range(200):
        port = chance.randrange(21000, 31000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port was found")


def end_in_order() -> None:
    """Let SIGTERM end this program as Ctrl-C does: a server that it runs goes with it."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


class Server:
    """`with Server() as server:` it runs; after the block it is gone, with all it stored."""

    def __init__(self, *settings: str) -> None:
        self._bin, self._settings = binaries(), settings
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="leftoff-pg-")
        self._user = _unprivileged()
        self._postmaster: subprocess.Popen[bytes] | None = None
        self._names = count(1)

    def __enter__(self) -> Server:  # noqa: PYI034  # typing.Self says no more
        try:
            self._initdb()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop()
        finally:
            self._kill_all()  # an interrupt may come before anybody knows that the server runs
            self._remove()

    # Its life

    def start(self) -> None:
        """Start it, and wait until it answers."""
        deadline = monotonic() + PATIENCE
        while True:
            self._launch()
            if self._answers(deadline):
                return
            if monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start:\n{self.log()}")
            sleep(0.2)  # it ended: what was there before it is still going

    def stop(self) -> None:
        """End it in order."""
        if self._postmaster and self._postmaster.poll() is None:
            self._postmaster.send_signal(signal.SIGINT)
            try:
                self._postmaster.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End it at once with all of its processes, as a power cut would."""
        assert self._postmaster
        os.kill(self._postmaster.pid, signal.SIGKILL)
        self._postmaster.wait()
        self._kill_all()

    def _kill_all(self) -> None:
        deadline = monotonic() + PATIENCE
        while (left := self._processes()) and monotonic() < deadline:
            for child in left:
                _kill(child)
            sleep(0.02)

    def _processes(self) -> set[int]:
        """What runs in the data folder: the main process and its children, orphans too."""
        if not os.path.isdir("/proc/self"):
            done = subprocess.run(["pgrep", "-f", self._data], capture_output=True)
            return set(map(int, done.stdout.split()))
        numbers = filter(str.isdigit, os.listdir("/proc"))
        return {int(pid) for pid in numbers if _folder_of(pid) == os.path.realpath(self._data)}

    def log(self) -> str:
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()[-4000:]

    # What it offers

    def url(self, user: str = ADMIN, password: str = PASSWORD, database: str = "postgres") -> str:
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def admin(self, database: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(self.url(database=database), autocommit=True)

    def database(self) -> str:
        """A new, empty database; its name."""
        name = f"team_{next(self._names)}"
        with self.admin() as link:
            link.execute(f"CREATE DATABASE {name}")
        return name

    def role(self, name: str = "", *groups: str) -> tuple[str, str]:
        """A new login role; its name and password."""
        name = f"{name or 'person'}_{next(self._names)}"
        password = f"word-of-{name}-9c"
        with self.admin() as link:
            link.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
            for group in groups:
                link.execute(f"GRANT {group} TO {name}")
        return name, password

    # Steps of the above

    @property
    def _data(self) -> str:
        return os.path.join(self.folder, "data")

    def _initdb(self) -> None:
        secret = os.path.join(self.folder, "word")
        with open(secret, "w", encoding="utf-8") as file:
            file.write(PASSWORD)
        for path in (self.folder, secret):
            os.chown(path, self._user.pw_uid, self._user.pw_gid)
        argv = ["initdb", "-D", self._data, "-U", ADMIN, "-E", "UTF8", "--locale=C", "--no-sync"]
        self._run(*argv, "--auth=scram-sha-256", f"--pwfile={secret}")

    def _launch(self) -> None:
        given = [f"port={self.port}", "listen_addresses=127.0.0.1", *self._settings]
        given += [f"unix_socket_directories={self.folder}", "max_connections=60"]
        argv = [os.path.join(self._bin, "postgres"), "-D", self._data]
        argv += [word for one in given for word in ("-c", one)]
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self._postmaster = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self._as_user()
            )

    def _answers(self, deadline: float) -> bool:
        """Whether it answers in time; False when it ended first."""
        assert self._postmaster
        while self._postmaster.poll() is None:
            try:
                psycopg.connect(self.url(), connect_timeout=10).close()
            except psycopg.OperationalError:
                if monotonic() > deadline:
                    raise
                sleep(0.05)
            else:
                return True
        return False

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [os.path.join(self._bin, program), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            **self._as_user(),
        )
        if done.returncode:
            raise RuntimeError(done.stdout.decode("utf-8", "replace"))

    def _as_user(self) -> dict[str, object]:
        """The server refuses to run as root."""
        env = {"PATH": f"{self._bin}:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
        common: dict[str, object] = {"cwd": self.folder, "env": env}
        if os.getuid() == self._user.pw_uid:
            return common
        ids = {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}
        return common | ids

    def _remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _unprivileged() -> pwd.struct_passwd:
    if os.getuid():
        return pwd.getpwuid(os.getuid())
    names = {one.pw_name: one for one in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _folder_of(pid: str) -> str:
    """The working folder of a process that runs; empty for one that is gone."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
