"""Attacks that few clients suffice for. Each function raises what is not as promised, and returns a figure."""

import concurrent.futures
import urllib.parse

from notifierd import free_port

from hostile.stranger import Stranger

MEGABYTE = 1024 * 1024


def at_once(works):
    """What each of the functions returns, all of them running at the same time."""
    with concurrent.futures.ThreadPoolExecutor(len(works)) as pool:
        return [future.result() for future in [pool.submit(work) for work in works]]


def spellings(port, listed):
    """Addresses of a port of this machine that no list holds."""
    hosts = [
        "127.0.0.1", "localhost", "LOCALHOST", "localhost.", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1",
        "127.0.0.1.", "0.0.0.0", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "here.localhost",
    ]
    addresses = [f"{scheme}://{host}:{port}{end}" for scheme in ("http", "https") for host in hosts for end in ("", "/")]
    name = urllib.parse.urlsplit(listed).netloc
    odd = [f"http://{name}@127.0.0.1:{port}", f"http://127.0.0.1:{port}#@{name}", f"http://127.0.0.1:{port}?{name}",
           f"http://127.0.0.1:{port}\\@{name}", f"http://127.0.0.1:{port}/api/v4", f"http://127.0.0.1:{port}/%2e%2e",
           f"//127.0.0.1:{port}", f"gopher://127.0.0.1:{port}", f"file://127.0.0.1:{port}/etc/passwd", f"http://１２７.0.0.1:{port}",
           f"http://127。0。0。1:{port}", f" http://127.0.0.1:{port}", f"http://127.0.0.1:{port}\r\nHost: {name}",
           f"http://127.0.0.1:+{port}", f"http://127.0.0.1:0{port}", f"http://127.0.0.1:{port + 65_536}"]
    return addresses + odd


def check_origins(scene):
    """Nobody learns by the server's help what else is in its network."""
    stranger = Stranger(scene.server.port, "127.0.3.1")
    closed = free_port()
    refusals = {}
    for port in (scene.unlisted.port, closed):
        for address in spellings(port, scene.gitlab):
            for answer in (stranger.register(address, "glpat-tame-1"),
                           stranger.ask("POST", "/auth/oauth/start", {"gitlabUrl": address})):
                assert answer.code in ("gitlab_not_served", "invalid_field"), f"{address}: {answer!r}"
                assert answer.seconds < 5, f"{address}: {answer!r}"
                refusals.setdefault((address.replace(str(port), "PORT"), answer.code), set()).add((answer.status, answer.body))
    said = {body for (_, code), bodies in refusals.items() for body in bodies if code == "gitlab_not_served"}
    assert len(said) == 1, f"what is there shows in the refusal: {said}"
    assert len(refusals) == len({address for address, _ in refusals}), "what is there shows in the code of the refusal"
    redirected = stranger.register(scene.trap.url, "glpat-redirect-1")
    assert redirected.status >= 400 and redirected.code, f"a redirect: {redirected!r}"
    assert scene.trap.taken["redirect"] > 0, "nobody was redirected"
    assert scene.unlisted.connections == 0, f"{scene.unlisted.connections} connections to what is not listed"
    return f"{len(refusals)} spellings refused"


def check_sizes(scene):
    """Requests larger than any may be are refused in the shape of every error, also many at once."""
    stranger = Stranger(scene.server.port, "127.0.3.2")
    cases = {
        "a long target": (414, "target_too_long", lambda: stranger.ask("GET", "/status?" + "q" * 5_000)),
        "a very long target": (414, "target_too_long", lambda: stranger.ask("GET", "/status?" + "q" * 200_000)),
        "a long field": (431, "headers_too_large", lambda: stranger.ask("GET", "/status", X_Long="f" * 20_000)),
        "many fields": (431, "headers_too_large",
                        lambda: stranger.ask("GET", "/status", **{f"X-{number}": "f" * 100 for number in range(90)}, X_Long="f" * 8_000)),
        "a long body": (413, "body_too_large", lambda: stranger.ask("POST", "/auth/register", b"{" * 300_000)),
        "a very long body": (413, "body_too_large", lambda: stranger.ask("POST", "/auth/register", b"{" * 8_000_000)),
    }
    for name, (status, code, ask) in cases.items():
        answer = ask()
        assert (answer.status, answer.code) == (status, code), f"{name}: {answer!r}"
    crowd = [Stranger(scene.server.port, f"127.0.4.{number}") for number in range(1, 21)]
    answers = at_once([lambda client=client: client.ask("POST", "/auth/register", b"{" * 15_000_000) for client in crowd])
    assert {answer.status for answer in answers} <= {413, 0}, f"{answers}"
    assert any(answer.status == 413 for answer in answers), f"{answers}"
    return f"{len(cases)} sizes refused"


def check_refreshes(scene):
    """One refresh token from forty places at once gives one pair, which lives."""
    client = Stranger(scene.server.port, "127.0.3.3")
    first = client.register(scene.trap.url, "glpat-tame-3")
    assert first.status == 201, f"{first!r}"
    shown = first.json["refreshToken"]
    answers = at_once([lambda: client.ask("POST", "/auth/refresh", {"refreshToken": shown}) for _ in range(40)])
    assert {answer.status for answer in answers} == {200}, f"{[answer for answer in answers if answer.status != 200][:3]}"
    refreshed = {answer.json["refreshToken"] for answer in answers}
    assert len(refreshed) == 1, f"{len(refreshed)} different pairs"
    for answer in answers[:: len(answers) // 4]:
        alive = client.ask("GET", "/status", session=answer.json["token"])
        assert alive.status == 200, f"{alive!r}"
    again = client.ask("POST", "/auth/refresh", {"refreshToken": shown})
    assert again.status == 200 and again.json["refreshToken"] in refreshed, f"used, and asked for once more: {again!r}"
    next_pair = client.ask("POST", "/auth/refresh", {"refreshToken": refreshed.pop()})
    assert next_pair.status == 200, f"the pair does not live: {next_pair!r}"
    return "40 refreshes gave one pair"


def check_pairing(scene):
    """Wrong pairing codes end the guessers' turn, not the code."""
    owner = Stranger(scene.server.port, "127.0.2.1")
    code = owner.ask("POST", "/pair/start", session=scene.bystander.session).json["pairingCode"]
    guessers = [Stranger(scene.server.port, f"127.0.5.{number}") for number in range(1, 11)]

    def guess(client, number):
        wrong = "".join("ABCDEFGH"[int(digit)] for digit in f"{number:06o}")
        return client.ask("POST", "/pair/exchange", {"pairingCode": wrong, "platform": "macos"})

    guesses = [(client, index * 5 + turn) for turn in range(5) for index, client in enumerate(guessers)]
    answers = at_once([lambda client=client, number=number: guess(client, number) for client, number in guesses])
    assert {answer.code for answer in answers} == {"pairing_code_unknown"}, f"{answers[:3]}"
    for client in guessers:
        answer = guess(client, 99)
        assert answer.status == 429, f"a guess too many: {answer!r}"
    good = Stranger(scene.server.port, "127.0.3.4").ask("POST", "/pair/exchange", {"pairingCode": code, "platform": "macos"})
    assert good.status == 201, f"the good code: {good!r}"
    return f"a code withstood {len(guesses)} guesses"


def check_sign_ins(scene):
    """A thousand sign-ins begun at one address leave others theirs."""
    greedy = Stranger(scene.server.port, "127.0.3.5")
    before = scene.database_bytes()

    def begin(client):
        return client.ask("POST", "/auth/oauth/start", {"gitlabUrl": scene.trap.url})

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda _: begin(greedy), range(1_000)))
    begun = sum(answer.status == 201 for answer in answers)
    assert {answer.status for answer in answers} == {201, 429}, f"{ {answer.status for answer in answers} }"
    assert 20 <= begun <= 24, f"{begun} of a thousand sign-ins of one address were begun"
    other = begin(Stranger(scene.server.port, "127.0.3.6"))
    assert other.status == 201, f"another address: {other!r}"
    grown = scene.database_bytes() - before
    assert grown < 4 * MEGABYTE, f"the database grew by {grown} bytes"
    return f"{begun} of 1,000 sign-ins begun"


def check_names(scene):
    """User names of five megabytes do not fill the database."""
    before = scene.database_bytes()
    clients = [(number, Stranger(scene.server.port, f"127.0.6.{1 + number}")) for number in range(20)]
    answers = [client.register(scene.trap.url, f"glpat-longname-{100 + number}") for number, client in clients]
    assert all(answer.status in (201, 502, 503) for answer in answers), f"{answers[:3]}"
    assert scene.trap.taken["longname"] >= len(clients), "GitLab was hardly asked"
    grown = scene.database_bytes() - before
    assert grown < 5 * MEGABYTE, f"the database grew by {grown} bytes"
    return f"20 names of 5 MB took {grown // 1024} kB"
