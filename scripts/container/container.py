"""Runs what an image says in its tree, as an engine would: a user, namespaces, volumes, perhaps a root that nobody writes to."""

import os
import pathlib
import signal
import subprocess

from debian import bind, chrooted, mount_devices
from stage import as_user, identity
from waiting import until_ready

READY_SECONDS = 60
STOP_SECONDS = 60
RUN_SECONDS = 300


class Container:
    """A container of the image that `stage` has made; only its stop ends it in order.

    - `environment`: further variables.
    - `files`: what of this machine is seen at which path, for reading only.
    - `volumes`: folders of this machine by the paths that the image keeps its data at; new ones get what the image has there.
    - `memory`: paths of file systems in memory.
    """

    def __init__(self, stage, folder, environment, files, volumes, memory=(), is_read_only=False):
        self.stage, self.image = stage, stage.image
        self.folder = pathlib.Path(folder)
        self.root = self.folder / "root"
        self.root.mkdir(parents=True)
        self.environment = {**self.image.environment, "HOME": identity(stage.tree, self.image.user)["home"], **environment}
        # What compose.yml asks for: neither capabilities nor a way to get them.
        self.prefix = as_user(stage.tree, self.image.user, "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")
        self.mount(files, volumes, memory, is_read_only)

    def mount(self, files, volumes, memory, is_read_only):
        # Docker makes these before it closes the root.
        for path in files:
            place = self.place(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
        for path in [*volumes, *memory]:
            self.place(path).mkdir(parents=True, exist_ok=True)
        for path, folder in volumes.items():
            if not folder.exists():
                subprocess.run(["cp", "--archive", self.place(path), folder], check=True)
        bind(self.stage.tree, self.root, is_read_only)
        mount_devices(self.root / "dev")
        for path, folder in volumes.items():
            bind(folder, self.place(path, self.root))
        for path in memory:
            options = ["-o", "mode=1777,nosuid,nodev,noexec"]
            subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", self.place(path, self.root)], check=True)
        for path, source in files.items():
            bind(source, self.place(path, self.root), is_read_only=True)

    def place(self, path, root=None):
        return (root or self.stage.tree) / path.lstrip("/")

    # MARK: Running

    def start(self, *told):
        """Starts the entry point as process 1 of a namespace of its own; returns once the log says that the server is ready, and `told`."""
        command = self.chrooted([*self.image.entry_point, *self.image.command])
        namespaces = ["unshare", "--pid", "--fork", "--kill-child", "--ipc", "--uts", f"--mount-proc={self.root}/proc"]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen([*namespaces, *command], stdout=log, stderr=log)
        until_ready(
            self.process, lambda: all(f'"{message}"' in self.log() for message in ("daemon.ready", *told)), READY_SECONDS,
            lambda: f"the container does not say {told} or is not ready ({self.process.returncode}): {self.log()[-2000:]}")
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        assert len(children) == 1, f"the namespace has {len(children)} first processes"
        self.pid = int(children[0])

    def run(self, command):
        """A command in place of the entry point, to its end; what it wrote is in `stdout`."""
        namespaces = ["unshare", "--pid", "--fork", "--kill-child", "--ipc", "--uts", f"--mount-proc={self.root}/proc"]
        return subprocess.run([*namespaces, *self.chrooted(command)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=RUN_SECONDS)

    def stop(self):
        """Sends the image's signal; the server must end in order."""
        os.kill(self.pid, signal.Signals[self.image.stop_signal])
        try:
            code = self.process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            code = "nothing, for it still runs,"
        assert code == 0, f"the container ended with {code} after {self.image.stop_signal}: {self.log()[-2000:]}"

    def is_healthy(self):
        """Whether the image's own check says so, in time."""
        command = self.chrooted(self.image.health)
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        asking = subprocess.Popen(command, start_new_session=True, **quiet)
        try:
            return asking.wait(timeout=self.image.health_timeout) == 0
        except subprocess.TimeoutExpired:
            os.killpg(asking.pid, signal.SIGKILL)
            asking.wait()
            return False

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def chrooted(self, command):
        return chrooted(self.root, command, self.environment, self.image.working_directory, self.prefix)
