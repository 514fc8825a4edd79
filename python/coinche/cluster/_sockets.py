"""Closing the doors of a cluster in this process.

HyperQueue's wheel starts a server that listens on all addresses of the machine and asks for no password: whoever can reach it could
have it run any program. All who may come in are here: once they are, nobody else is let in.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import struct
from collections.abc import Iterator

# From <asm-generic/socket.h> and <linux/filter.h>.
_SO_ATTACH_FILTER = 26
_BPF_RETURN_CONSTANT = 0x06


@contextlib.contextmanager
def _sockets() -> Iterator[dict[int, socket.socket]]:
    """The sockets by which this process waits for connections, by inode."""
    with contextlib.ExitStack() as stack:
        found: dict[int, socket.socket] = {}
        for descriptor in os.listdir("/proc/self/fd"):
            # Most are no sockets, and that of the directory is gone by now.
            with contextlib.suppress(OSError):
                copy = os.dup(int(descriptor))
                try:
                    one = stack.enter_context(socket.socket(fileno=copy))
                except OSError:
                    os.close(copy)
                    raise
                if one.family != socket.AF_UNIX and one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    found[os.fstat(copy).st_ino] = one
        yield found


def listening() -> set[int]:
    """Names the sockets by which this process waits for connections now."""
    try:
        with _sockets() as sockets:
            return set(sockets)
    except OSError:
        return set()


def close_new(before: set[int]) -> list[int]:
    """Lets nobody in any more by sockets that were not there before; returns the ports of those that remain open.

    The system then drops what comes from outside (a filter that accepts nothing). Open connections continue.
    """
    nothing = ctypes.create_string_buffer(struct.pack("HBBI", _BPF_RETURN_CONSTANT, 0, 0, 0))
    program = struct.pack("HP", 1, ctypes.addressof(nothing))
    still_open = []
    with _sockets() as sockets:
        for inode, one in sockets.items():
            if inode not in before:
                try:
                    one.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)
                except OSError:
                    still_open.append(int(one.getsockname()[1]))
    return still_open
