"""Processes for bots in Python: each object of a run decides in one of its own, and sees one seat of one leg."""

from __future__ import annotations

import builtins
import json
import multiprocessing
import os
import pickle
import signal
import socket
import stat
import struct
import sys
import threading
import traceback
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Act = Callable[
    [NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint8]], NDArray[np.int64]
]
"""Decides: observations, masks, players, keys and views in, actions out."""
Make = Callable[[], Act]

_ASKED = struct.Struct("<IIII")  # rows, columns of observations, columns of masks, bytes of views
_ANSWERED = struct.Struct("<BI")  # whether it failed, bytes that follow

_REMEDY = 'define it in a module, or pass processes="fork" if it uses neither JAX nor CUDA'

_open: weakref.WeakSet[Processes] = weakref.WeakSet()


class _Traceback(Exception):
    """Where an exception of a bot arose, in its process."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class Here:
    """An object that decides in this process."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._asked: Any = None

    def send(self, *asked: Any) -> None:
        self._asked = asked

    def receive(self) -> NDArray[np.int64]:
        return self._act(*self._asked)


class Seat:
    """An object that decides in a process of its own."""

    def __init__(self, processes: Processes | Spawned, bot: int) -> None:
        self._processes, self._bot = processes, bot
        self._socket: socket.socket | None = None

    def send(
        self,
        obs: NDArray[np.uint8],
        mask: NDArray[np.uint8],
        seat: NDArray[np.uint8],
        key: NDArray[np.uint64],
        views: NDArray[np.uint8],
    ) -> None:
        """Asks its process, which starts with the first question and after each end."""
        try:
            if self._socket is None:
                self._socket = self._processes.start(self._bot)
            self._socket.sendall(_ASKED.pack(len(seat), obs.shape[1], mask.shape[1], len(views)))
            for part in (obs, mask, seat, key, views):
                if part.size:
                    self._socket.sendall(part.data)
        except OSError as error:
            raise self._ended() from error

    def receive(self) -> NDArray[np.int64]:
        """Waits for the answer."""
        failed, length = _ANSWERED.unpack(self._read(_ANSWERED.size))
        answer = self._read(length)
        if failed:
            raise _raised(bytes(answer))
        return np.frombuffer(answer, np.int64)

    def _read(self, length: int) -> bytearray:
        read = bytearray(length)
        rest = memoryview(read)
        while rest:
            try:
                count = self._socket.recv_into(rest) if self._socket else 0
            except OSError as error:
                raise self._ended() from error
            if count == 0:
                raise self._ended()
            rest = rest[count:]
        return read

    def _ended(self) -> RuntimeError:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        return RuntimeError("its process ended: by os._exit, a crash or a signal (out of memory?)")


def jax_runs() -> bool:
    """Tells whether JAX has threads, which a fork does not have."""
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bridge is not None and bool(getattr(bridge, "backends_are_initialized", lambda: True)())


def _fork() -> int:
    with warnings.catch_warnings():
        # Of other threads, whose locks the child does not take; and of those of JAX.
        for kind in (DeprecationWarning, RuntimeWarning):
            warnings.simplefilter("ignore", kind)
        return os.fork()


def _told(error: BaseException) -> bytes:
    """An exception as text: what a bot could make of an object, the process of the run must not run."""
    bases = [kind.__name__ for kind in type(error).__mro__ if getattr(builtins, kind.__name__, None) is kind]
    name, text = type(error).__name__, str(error)
    if bases[0] != name:
        text = f"{name}: {text}"
    return json.dumps([bases, text, traceback.format_exc()]).encode()


def _raised(told: bytes) -> BaseException:
    bases, text, trace = json.loads(told)
    for name in bases:
        kind = getattr(builtins, str(name), None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            try:
                error: BaseException = kind(text)
            except TypeError:  # wants more than a text
                continue
            error.__cause__ = _Traceback(trace)
            return error
    return RuntimeError(text)


class Processes:
    """A process that is forked before the run knows its seed and opens its files, and forks one for each object."""

    def __init__(self, bots: Sequence[Make]) -> None:
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self._pid = 0
        # A thread has nothing of the calls that led here in its stack: a fork of it neither.
        thread = threading.Thread(target=self._fork, args=(theirs, bots))
        thread.start()
        thread.join()
        theirs.close()
        if self._pid == 0:
            self._socket.close()
            raise OSError("no process could be started for bots in Python: pass processes=False to let them decide in this one")
        _open.add(self)

    def _fork(self, theirs: socket.socket, bots: Sequence[Make]) -> None:
        pid = _fork()
        if pid:
            self._pid = pid
            return
        try:
            os.setpgid(0, 0)  # Ctrl-C is for the run, which ends what is under way
            try:
                for run in (self, *_open):
                    run._socket.close()
                _serve_forks(theirs, bots)
            finally:
                os.killpg(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)

    def start(self, bot: int) -> socket.socket:
        """Starts the process of an object."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            socket.send_fds(self._socket, [bot.to_bytes(2, "little")], [theirs.fileno()])
        return ours

    def close(self) -> None:
        """Ends all processes."""
        with self._lock:
            self._socket.close()
        os.waitpid(self._pid, 0)


class Spawned:
    """A new Python for each object, which is pickled: for what does not survive a fork."""

    def __init__(self, bots: Sequence[Make]) -> None:
        try:
            self._bots = [pickle.dumps(bot) for bot in bots]
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            raise TypeError(f"processes: a bot for a new process is pickled: {error}; {_REMEDY}") from error
        self._running: list[Any] = []

    def start(self, bot: int) -> socket.socket:
        """Starts the process of an object."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = multiprocessing.get_context("spawn").Process(target=_serve_new, args=(theirs, self._bots[bot]), daemon=True)
            process.start()
        self._running.append(process)
        return ours

    def close(self) -> None:
        """Ends all processes."""
        for process in self._running:
            process.kill()
            process.join()


def _serve_new(connection: socket.socket, pickled: bytes) -> None:
    """Answers the questions to an object that was pickled."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which ends what is under way
    try:
        act = pickle.loads(pickled)()
    except Exception as error:
        failed = TypeError(f"in a new process: {error}; {_REMEDY}").with_traceback(error.__traceback__)

        def act(*_: Any) -> Any:
            raise failed

    _serve(connection, act)


def _serve_forks(requests: socket.socket, bots: Sequence[Make]) -> None:
    """Forks a process for each request, until the run is over, however it ended."""
    _close_files()
    children: set[int] = set()
    while True:
        bot, fds, _, _ = socket.recv_fds(requests, 2, 1)
        if not bot:
            break
        while children and (ended := os.waitpid(-1, os.WNOHANG)[0]):
            children.discard(ended)
        pid = _fork()
        if pid == 0:
            try:
                requests.close()
                _serve(socket.socket(fileno=fds[0]), bots[int.from_bytes(bot, "little")]())
            finally:
                os._exit(0)
        children.add(pid)
        os.close(fds[0])
    for pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _close_files() -> None:
    """Closes the files that are open for writing, and the standard input."""
    import fcntl

    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    for name in os.listdir("/dev/fd"):
        fd = int(name)
        try:
            writes = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
            if fd > 2 and writes and stat.S_ISREG(os.fstat(fd).st_mode):
                os.close(fd)
        except OSError:  # the directory itself, which is closed again
            pass


def _serve(connection: socket.socket, act: Act) -> None:
    """Answers questions until there are no more."""
    if "torch" in sys.modules:
        # There are as many processes as seats; and OpenMP's threads do not survive a fork.
        sys.modules["torch"].set_num_threads(1)
    asked = connection.makefile("rb")

    def read(shape: tuple[int, ...], kind: type) -> Any:
        array: NDArray[Any] = np.empty(shape, kind)
        if array.size and asked.readinto(array.data.cast("B")) != array.nbytes:
            raise EOFError
        return array

    while head := asked.read(_ASKED.size):
        rows, width, actions, views = _ASKED.unpack(head)
        shapes = ((rows, width), (rows, actions), (rows,), (rows,), (views,))
        obs, mask, seat, key, known = (read(shape, np.uint64 if at == 3 else np.uint8) for at, shape in enumerate(shapes))
        try:
            failed, answer = False, act(obs, mask, seat, key, known).tobytes()
        except BaseException as error:
            failed, answer = True, _told(error)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        connection.sendall(_ANSWERED.pack(failed, len(answer)) + answer)
