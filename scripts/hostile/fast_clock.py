"""A wall clock of its own for one program, which can be set while the program runs: `libFastClock.so`, at the machine's speed."""

import mmap
import pathlib
import struct
import time

# `struct fast_clock`: speed, anchor, wall, wall_offset.
PAGE = struct.Struct("@qqqq")


class SteppedClock:
    """The library stands beside `simctl`. What the program's wall clock is wrong by is kept in a file, also over its restarts."""

    def __init__(self, simctl, folder):
        self._library = pathlib.Path(simctl).resolve().parent / "libFastClock.so"
        assert self._library.exists(), f"there is no {self._library}: make release builds it"
        self._path = folder / "clock"
        self._path.write_bytes(PAGE.pack(1, time.monotonic_ns(), time.time_ns(), 0))
        with open(self._path, "r+b") as file:
            self._page = mmap.mmap(file.fileno(), PAGE.size)

    def environment(self):
        """What puts a program under this clock."""
        return {"FAST_CLOCK": str(self._path), "LD_PRELOAD": str(self._library)}

    def set(self, offset_seconds):
        """How far the program's wall clock is ahead from now on."""
        self._page[24:32] = struct.pack("@q", round(offset_seconds * 1_000_000_000))
