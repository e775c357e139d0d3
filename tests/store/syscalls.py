"""A small tracer: run a program and tell, in order, its writes and syncs and the file of each (Linux only).

    python syscalls.py PROGRAM ARGUMENT…

prints one JSON object per completed call, `{"call", "path", "text"}`, and nothing of the program's own output. It is
what `strace -y -e trace=write,pwrite64,fsync,fdatasync` shows, by the same system call (ptrace).
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass

TRACEME, CONT_SYSCALL, SETOPTIONS, GET_SYSCALL_INFO = 0, 24, 0x4200, 0x420E
TRACESYSGOOD, EXITKILL = 1, 0x100000
SYSCALL_STOP = signal.SIGTRAP | 0x80
ENTRY, EXIT = 1, 2
CALLS = {
    0xC000003E: {1: "write", 18: "pwrite64", 74: "fsync", 75: "fdatasync"},  # x86-64
    0xC00000B7: {64: "write", 68: "pwrite64", 82: "fsync", 83: "fdatasync"},  # arm64
}
_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


class Info(ctypes.Structure):
    """`struct ptrace_syscall_info`, entry and exit forms laid over each other."""

    _fields_ = (
        ("op", ctypes.c_uint8),
        ("arch", ctypes.c_uint32),
        ("ip", ctypes.c_uint64),
        ("sp", ctypes.c_uint64),
        ("first", ctypes.c_uint64),
        ("args", ctypes.c_uint64 * 6),
    )


@dataclass(frozen=True, slots=True)
class Call:
    """A completed call: its name, the file it was on, and for `write` the bytes."""

    name: str
    path: str
    data: bytes


def ptrace(request: int, pid: int, address: int = 0, data: object = None) -> int:
    """One request. Raises OSError."""
    result: int = _libc.ptrace(request, pid, address, data)
    if result < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return result


def trace(program: list[str]) -> Iterator[Call]:
    """Run the program to its end and yield its writes and syncs that succeeded."""
    pid = os.fork()
    if pid == 0:
        ptrace(TRACEME, 0)
        os.execv(program[0], program)
    os.waitpid(pid, 0)
    ptrace(SETOPTIONS, pid, 0, TRACESYSGOOD | EXITKILL)
    begun: Call | None = None
    deliver = 0
    while True:
        ptrace(CONT_SYSCALL, pid, 0, deliver)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSTOPPED(status):
            if os.waitstatus_to_exitcode(status):
                raise RuntimeError(f"the traced program ended with status {status}")
            return
        deliver = 0 if os.WSTOPSIG(status) == SYSCALL_STOP else os.WSTOPSIG(status)
        if deliver:
            continue
        info = Info()
        ptrace(GET_SYSCALL_INFO, pid, ctypes.sizeof(info), ctypes.addressof(info))
        if info.op == ENTRY:
            begun = _begun(pid, info)
        elif begun is not None and ctypes.c_int64(info.first).value >= 0:
            yield begun


def _begun(pid: int, info: Info) -> Call | None:
    name = CALLS[info.arch].get(info.first)
    if name is None:
        return None
    path = os.readlink(f"/proc/{pid}/fd/{info.args[0]}")
    return Call(name, path, _bytes(pid, info.args[1], info.args[2]) if name == "write" else b"")


def _bytes(pid: int, address: int, length: int) -> bytes:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        return memory.read(min(length, 200))


if __name__ == "__main__":
    report = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for call in trace(sys.argv[1:]):
        line = {"call": call.name, "path": call.path, "text": call.data.decode("utf-8", "replace")}
        os.write(report, json.dumps(line).encode() + b"\n")
