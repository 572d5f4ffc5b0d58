"""What strangers attack, and the good person beside them whose news must arrive and whose requests must be answered."""

import contextlib
import json
import pathlib
import resource
import socket
import threading
import time

from notifierd import Notifierd
from served_world import ServedWorld

from hostile.bystander import Bystander
from hostile.process_memory import MemoryWatch
from hostile.trap_gitlab import TrapGitLab

WORLD = pathlib.Path(__file__).resolve().parent.parent / "clients" / "world.json"
MEGABYTE = 1024 * 1024
BOUND = 150 * MEGABYTE
KILL_AT = 700 * MEGABYTE
# A sweep every five seconds, and what the two cores need.
IN_TIME_SECONDS = 30
# Told of those of the person beside.
COMPLAINTS = 5
# The shares of what strangers do are meant, not the one of all requests: that one is asked for by `check_network`.
SETTINGS = {"sweepInterval": "5s", "jitterPercent": 0, "requestsPerHour": 1_000_000, "requestsPerMinute": 1_000_000,
            "gitlabRequestsPerSecond": 10_000}


class Unlisted:
    """A program in the server's own network that no stranger may find by its help: counts who connects to it."""

    def __init__(self):
        first = socket.create_server(("127.0.0.1", 0))
        self.port = first.getsockname()[1]
        self._listeners = [first]
        with contextlib.suppress(OSError):
            self._listeners.append(socket.create_server(("::1", self.port), family=socket.AF_INET6))
        self.connections = 0
        for listener in self._listeners:
            threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener):
        with contextlib.suppress(OSError):
            while True:
                listener.accept()[0].close()
                self.connections += 1

    def __enter__(self):
        # It would count one.
        socket.create_connection(("127.0.0.1", self.port)).close()
        while not self.connections:
            time.sleep(0.01)
        self.connections = 0
        return self

    def __exit__(self, *_):
        for listener in self._listeners:
            # Closing alone does not wake a thread that accepts.
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()


class Scene:
    """What an attack meets: the world with its good GitLab, the server, the listed GitLab that is a trap, and what is not listed."""

    def __init__(self, world, server, trap, unlisted, bystander, notifierd):
        self.world, self.server, self.trap, self.unlisted, self.bystander = world, server, trap, unlisted, bystander
        self.notifierd = notifierd

    @property
    def gitlab(self):
        return self.world.told["gitlab"]["url"]

    def database_bytes(self):
        return sum(path.stat().st_size for path in self.server.folder.glob("notifier.db*"))


def withstand(attacks, folder, simctl, notifierd):
    """Lets the attacks loose, each a function of the scene that raises what is wrong; figures of them all."""
    allow_descriptors()
    with contextlib.ExitStack() as stack:
        unlisted = stack.enter_context(Unlisted())
        trap = stack.enter_context(TrapGitLab(f"http://127.0.0.1:{unlisted.port}"))
        world = stack.enter_context(ServedWorld(simctl, str(WORLD), str(folder / "certs")))
        server = stack.enter_context(start(notifierd, world, folder, trap))
        memory = stack.enter_context(MemoryWatch(server.process, KILL_AT))
        with Bystander(world, server, "127.0.2.1", IN_TIME_SECONDS) as bystander:
            figures, found = one_after_the_other(attacks, Scene(world, server, trap, unlisted, bystander, notifierd))
            bystander.during = "the end"
            time.sleep(3)
        memory.look()
    found += bystander.complaints[:COMPLAINTS]
    if len(bystander.complaints) > COMPLAINTS:
        found.append(f"and {len(bystander.complaints) - COMPLAINTS} more complaints of the person beside")
    if memory.peak > BOUND:
        found.append(f"{memory.peak / MEGABYTE:.0f} MB resident, of {BOUND // MEGABYTE}")
    if not bystander.waits or len(bystander.answers) < 10:
        found.append(f"only {len(bystander.waits)} comments and {len(bystander.answers)} requests beside the attacks")
    assert not found, "\n".join(["", *found])
    return (
        f"{'; '.join(figures)}; beside them {len(bystander.waits)} comments within {max(bystander.waits):.1f} s, "
        f"{len(bystander.answers)} requests within {max(bystander.answers):.2f} s; {memory.peak / MEGABYTE:.0f} MB at most")


def allow_descriptors():
    """A crowd has a thousand connections, which is as many as some machines let a program have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if most != resource.RLIM_INFINITY else 65_536, most))


def one_after_the_other(attacks, scene):
    """So that what is not well has one reason; figures, and what was not well."""
    figures, found = [], []
    for check_attack in attacks:
        scene.bystander.during = name = check_attack.__name__.removeprefix("check_")
        try:
            figures.append(check_attack(scene))
        except Exception as error:
            found.append(f"{name}: {error!r}")
        if scene.server.process.poll() is not None:
            found.append(f"{name}: the process ended with {scene.server.process.poll()}: {scene.server.log_end()}")
            break
    return figures, found


def start(program, world, folder, trap):
    sign_in = {"gitlab": trap.url, "clientId": "an-application", "redirectUri": "gitlab-notifier://signed-in"}
    server = Notifierd(program, world.told, folder, gitlabs=[trap.url], **SETTINGS)
    path = folder / "notifierd.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "oauth": [sign_in]}))
    return server
