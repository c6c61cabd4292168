"""Makes file permissions bind for root too, so that a test of what may not be read runs as root."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_VERSION: Final = 0x20080522  # _LINUX_CAPABILITY_VERSION_3, capget(2)
_OVERRIDES: Final = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, capabilities(7)
_GET_SECUREBITS, _SET_SECUREBITS = 27, 28  # prctl(2)
_NOROOT: Final = 1 << 0  # SECBIT_NOROOT: a program that root starts has no more than root had


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Data(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable"))


@contextmanager
def binding() -> Iterator[None]:
    """Takes root's overrides from this thread, from what it forks, and from programs it starts."""
    if os.geteuid() != 0:
        yield
        return
    libc, header, data = ctypes.CDLL(None, use_errno=True), _Header(_VERSION, 0), (_Data * 2)()
    bits = libc.prctl(_GET_SECUREBITS)
    assert libc.capget(ctypes.byref(header), data) == 0, os.strerror(ctypes.get_errno())
    before = data[0].effective
    try:
        assert libc.prctl(_SET_SECUREBITS, bits | _NOROOT) == 0, os.strerror(ctypes.get_errno())
        data[0].effective = before & ~_OVERRIDES
        assert libc.capset(ctypes.byref(header), data) == 0, os.strerror(ctypes.get_errno())
        yield
    finally:
        data[0].effective = before
        libc.capset(ctypes.byref(header), data)
        libc.prctl(_SET_SECUREBITS, bits)
