"""A network that reaches nothing but itself."""

import ctypes
import fcntl
import socket
import struct

NEW_NETWORK = 0x4000_0000  # CLONE_NEWNET
SET_FLAGS, IS_UP = 0x8914, 1  # SIOCSIFFLAGS, IFF_UP


def leave():
    """From here on this process and those it starts are on a network of their own, so that every port of it is free."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SET_FLAGS, struct.pack("16sh14x", b"lo", IS_UP))
