"""Attacks by many clients, or that take long. Each function raises what is not as promised, and returns a figure."""

import concurrent.futures
import contextlib
import tempfile
import time

from notifierd import Notifierd

from hostile.stranger import Stranger, is_closed

# What the server gives GitLab for one request, and what the machine needs.
TOTAL_SECONDS, MARGIN_SECONDS = 50, 10
REGISTRATIONS = 40
# A registration at a good GitLab, beside those that stall.
REGISTERED_SECONDS = 10
HUNG_UP_SECONDS = 5
NETWORKS, CONNECTIONS = 10, 100
SLOW_SECONDS = 12
SLOW = b"POST /auth/refresh HTTP/1.1\r\nHost: here\r\nX-Slow: "
REQUESTS_PER_MINUTE = 100


class Stalling(contextlib.AbstractContextManager):
    """Registrations under way at a GitLab that does not answer; their clients hang up when the block ends."""

    def __init__(self, scene, addresses):
        self._scene = scene
        body = b'{"gitlabUrl":"%s","personalAccessToken":"glpat-stall-%d"}'
        self._texts = [body % (scene.trap.url.encode(), number) for number in range(len(addresses))]
        self._addresses = addresses

    def __enter__(self):
        head = b"POST /auth/register HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n"
        pairs = zip(self._addresses, self._texts)
        port = self._scene.server.port
        self.connections = [Stranger(port, address).begin(head % len(text) + text) for address, text in pairs]
        return self

    def __exit__(self, *_):
        for connection in self.connections:
            connection.close()


def until(seconds, condition):
    """Whether the condition came to hold in time."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)
    return condition()


def lea(scene):
    """Registers another good person, as an app does: when the server is busy, once more."""
    token = scene.world.told["gitlab"]["tokens"]["lea"]
    start = time.monotonic()
    while True:
        answer = Stranger(scene.server.port, "127.0.3.7").register(scene.gitlab, token)
        if answer.status != 503 or time.monotonic() - start > TOTAL_SECONDS + MARGIN_SECONDS:
            return answer, time.monotonic() - start
        time.sleep(float(answer.fields["Retry-After"]))


def check_one_network(scene):
    """Registrations of one network that stall leave room for others, and end when their clients hang up."""
    held = scene.trap.held
    with Stalling(scene, ["127.0.7.1"] * REGISTRATIONS):
        assert until(5, lambda: held["stall"] > 0), "no registration stalls"
        # All of them have come, and are held or refused.
        time.sleep(2)
        answer, seconds = lea(scene)
        assert answer.status in (200, 201) and seconds < REGISTERED_SECONDS, f"another's registration: {seconds:.0f} s, {answer!r}"
        assert held["stall"] > 0, "the registrations did not stall for so long"
        most = held["stall"]
    assert until(HUNG_UP_SECONDS, lambda: held["stall"] == 0), f"{held['stall']} go on, although their clients have gone"
    return f"{most} of {REGISTRATIONS} registrations stalled, another's took {seconds:.1f} s"


def check_many_networks(scene):
    """Registrations of many networks that stall, and lists without an end, are over in time; others register then."""
    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(4))
        endless = [pool.submit(endless_registration, scene, number) for number in range(3)]
        imported = pool.submit(endless_import, scene)
        assert until(10, lambda: scene.trap.held["endless"] >= 2), "no endless list is read"
        stack.enter_context(Stalling(scene, [f"127.0.8.{1 + number}" for number in range(REGISTRATIONS)]))
        assert until(5, lambda: scene.trap.held["stall"] > 4), "hardly a registration stalls"
        answer, seconds = lea(scene)
        assert answer.status in (200, 201), f"another's registration: {seconds:.0f} s, {answer!r}"
        endings = [future.result() for future in [*endless, imported]]
    longest = max(ending.seconds for ending in endings)
    assert all(ending.status >= 400 and ending.code for ending in endings), f"lists without an end: {endings}"
    assert longest > 5, f"the lists were not read: {endings}"
    assert longest < TOTAL_SECONDS + MARGIN_SECONDS, f"lists without an end took {longest:.0f} s"
    return f"beside many that stall another's registration took {seconds:.0f} s, lists without an end were left after {longest:.0f} s"


def endless_registration(scene, number):
    return Stranger(scene.server.port, f"127.0.9.{1 + number}").register(scene.trap.url, f"glpat-endless-{200 + number}")


def endless_import(scene):
    """Of a person who is known, whose GitLab has turned since."""
    client = Stranger(scene.server.port, "127.0.9.9")
    session = client.register(scene.trap.url, "glpat-turning-300").json["token"]
    scene.trap.turned.set()
    return client.ask("POST", "/watch/import", session=session)


def check_connections(scene):
    """Slow connections, a hundred from each of ten addresses, keep nobody out."""
    crowd = []
    try:
        for network in range(1, NETWORKS + 1):
            client = Stranger(scene.server.port, f"127.0.10.{network}", timeout=10)
            crowd += [client.begin(SLOW) for _ in range(CONNECTIONS)]
            if network == 1:
                check_share(client, crowd)
        slowest = 0
        end = time.monotonic() + SLOW_SECONDS
        while time.monotonic() < end:
            trickle(crowd)
            answer = Stranger(scene.server.port, "127.0.3.8").ask("GET", "/health/ready")
            assert answer.status == 200 and answer.seconds < 5, f"beside slow connections: {answer!r}"
            slowest = max(slowest, answer.seconds)
            time.sleep(0.5)
        alive = sum(not is_closed(connection) for connection in crowd)
        assert alive > NETWORKS * CONNECTIONS * 9 // 10, f"only {alive} were slow: the rest was not held"
    finally:
        for connection in crowd:
            connection.close()
    return f"beside {alive} slow connections an answer took {slowest:.1f} s"


def check_share(client, crowd):
    """One address has a hundred connections; further ones are closed."""
    more = []
    for _ in range(CONNECTIONS // 4):
        with contextlib.suppress(OSError):
            more.append(client.begin(SLOW))
    try:
        time.sleep(1)
        alive = sum(not is_closed(connection) for connection in [*crowd, *more])
        assert CONNECTIONS * 9 // 10 < alive <= CONNECTIONS, f"one address has {alive} connections"
    finally:
        for connection in more:
            connection.close()


def trickle(crowd):
    for connection in crowd:
        with contextlib.suppress(OSError):
            connection.setblocking(False)
            connection.send(b"x")


def check_network(scene):
    """Behind a proxy an IPv6 client is its network of 64 bits, whichever of its addresses it uses."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        settings = {"listen": {"trustsForwardedFor": True}, "requestsPerMinute": REQUESTS_PER_MINUTE}
        with Notifierd(scene.notifierd, scene.world.told, folder, **settings) as server:
            proxy = Stranger(server.port, "127.0.3.9")

            def statuses(addresses):
                return [proxy.ask("GET", "/status", X_Forwarded_For=address).status for address in addresses]

            one = statuses(f"2001:db8:1:2:{number:x}::{number:x}" for number in range(1, REQUESTS_PER_MINUTE * 3 // 2))
            assert set(one) == {401, 429}, f"one network: {set(one)}"
            taken = one.count(401)
            # A token comes back every 0.6 seconds.
            assert taken < REQUESTS_PER_MINUTE * 5 // 4, f"{taken} requests of one network were taken"
            others = statuses([f"2001:db8:1:{number:x}::1" for number in range(3, 43)] + ["2001:db8:1:3::1, 192.0.2.1"])
            assert set(others) == {401}, f"other networks: {others}"
    return f"{taken} of {len(one)} requests of one /64 taken"
