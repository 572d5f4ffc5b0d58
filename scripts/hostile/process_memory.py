"""What a process holds in memory, while it runs."""

import pathlib
import threading


class MemoryWatch:
    """Looks at a process for the length of a `with` block, and kills it when it holds more than the machine should lend it."""

    def __init__(self, process, kill_at_bytes):
        self._process = process
        self._limit = kill_at_bytes
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.peak = 0
        self.was_killed = False

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _watch(self):
        while not self._over.wait(0.05):
            self.look()
            if self.peak > self._limit:
                self.was_killed = True
                self._process.kill()
                return

    def look(self):
        """Takes the most that the process ever held resident, in bytes, from the kernel."""
        try:
            status = pathlib.Path(f"/proc/{self._process.pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                self.peak = max(self.peak, int(line.split()[1]) * 1024)
