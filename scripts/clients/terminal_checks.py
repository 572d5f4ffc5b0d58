"""The client for the terminal, `gitlab-notify`, as a person uses it, against the real `notifierd` and the served fakes."""

import json
import signal
import stat
import time
import urllib.error
import urllib.request

from terminal import PATIENCE, Terminal, await_that, folder, server, sign_in, watched


def check_terminal_reads(world, program, notifierd):
    """Without Apple's push: signed in, watching, news live and in the inbox, read, done, muted, and signed out."""
    terminal = Terminal(program, folder(world, "state"))
    error = terminal.json("list", status=77)["error"]
    assert error["code"] == "not_signed_in" and "login" in error["hint"], error
    with server(world, notifierd) as served:
        sign_in(terminal, world, served.base)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [terminal.state, *terminal.state.iterdir()]}
        assert modes.pop("gitlab-notify") == 0o700 and set(modes.values()) == {0o600}, modes
        assert world.told["gitlab"]["tokens"]["maria"] not in (terminal.state / "credentials.json").read_text()
        assert terminal.json("items")["items"][0]["title"] == "Read the feed in pages"
        terminal.run("watch", "team/app!1", world.told["gitlab"]["url"] + "/team/app/-/issues/3#note_1")
        watched = [(item["itemType"], item["itemIid"]) for item in terminal.json("list")["items"]]
        assert watched == [("merge_request", 1), ("issue", 3)], watched
        # Two lines: what became of each item, and why the command failed.
        outcome, failure = terminal.run("watch", "team/app!99", "--json", status=1)[0].splitlines()
        assert json.loads(outcome)["items"][0]["refusal"]["code"] == "item_not_found", outcome
        assert json.loads(failure)["error"]["message"] == "This item no longer exists or you don't have access to it.", failure
        assert len(terminal.json("list")["items"]) == 2

        with terminal.start("tail", "--json", "--count", "2") as tail:
            time.sleep(2)
            world.act(action="comment", by="@ben", on="team/app!1", body="One\u001b[31m")
            world.act(action="comment", by="@ben", on="team/app#3", body="Two")
            news = [json.loads(line) for line in tail.stdout]
            assert tail.wait(timeout=PATIENCE) == 0, tail.stderr.read()
        assert sorted(entry["title"] for entry in news) == ["Ben Weiss commented on MR !1", "Ben Weiss commented on issue #3"], news
        inbox = terminal.json("inbox")
        assert inbox["count"] == 2 and not inbox["offline"], inbox
        text, _ = terminal.run("inbox")
        assert "\u001b" not in text and "One[31m" in text, text

        first = inbox["notifications"][0]["id"]
        terminal.run("read", first[:8])
        assert [entry["id"] for entry in terminal.json("inbox")["notifications"]] == [inbox["notifications"][1]["id"]]
        terminal.run("done", "team/app!1", "team/app#3")
        assert terminal.json("inbox")["count"] == 0
        terminal.run("unread", first)
        assert terminal.json("inbox")["count"] == 1
        terminal.run("read", "--all")
        assert terminal.json("status")["unread"] == 0
        terminal.run("mute", "team/app!1", "--for", "2h")
        assert "mutedUntil" in terminal.json("list")["items"][0]
        terminal.run("unmute", "team/app!1")
        assert "mutedUntil" not in terminal.json("list")["items"][0]
        settings = terminal.json("settings", "--quiet-hours", "22:00-07:00", "--time-zone", "Europe/Berlin", "--auto-watch", "on")
        assert settings["timeZone"] == "Europe/Berlin" and settings["autoWatch"] and settings["reminders"], settings
        assert not terminal.json("settings", "--reminders", "off")["reminders"]
        assert "reminders    off" in terminal.run("settings")[0]
        error = terminal.json("test", status=1)["error"]
        assert error["code"] == "push_not_configured", error
        terminal.run("logout")
        assert not (terminal.state / "credentials.json").exists()
        terminal.run("inbox", status=77)


def check_terminal_catches_up(world, program, notifierd):
    """What comes while no tail runs comes with the next one, each piece once; a second tail at a time is refused."""
    terminal = Terminal(program, folder(world, "state"))
    with server(world, notifierd) as served:
        sign_in(terminal, world, served.base)
        terminal.run("watch", "team/app!1")
        with terminal.start("tail") as tail:
            await_that(terminal.tails, "the start of tail")
            assert "[tail_runs]" in terminal.run("logout", status=1)[1]
            time.sleep(2)
            assert terminal.json("tail", status=1)["error"]["code"] == "tail_runs"
            tail.send_signal(signal.SIGINT)
            assert tail.wait(timeout=PATIENCE) == 130, tail.stderr.read()
        for text in ["Three", "Four"]:
            world.act(action="comment", by="@ben", on="team/app!1", body=text)
            await_that(lambda: any(text in entry["body"] for entry in terminal.json("inbox")["notifications"]), text)
        texts = []
        for _ in range(2):
            out, _ = terminal.run("tail", "--json", "--count", "1")
            texts += [json.loads(line)["body"] for line in out.splitlines()]
        assert texts == ["Three", "Four"], texts


def check_terminal_in_a_loop(world, program, notifierd):
    """A script that asks on and on: at the server's limit for its address a command waits and has fresh answers."""
    terminal = Terminal(program, folder(world, "state"))
    with server(world, notifierd, requestsPerMinute=60) as served:
        sign_in(terminal, world, served.base)
        inboxes = [terminal.json("inbox") for _ in range(32)]
    stale = [inbox for inbox in inboxes if inbox["offline"]]
    assert not stale, f"{len(stale)} of {len(inboxes)} are stale"


def check_terminal_offline(world, program, notifierd):
    """A server that is away: the list as it was, choices wait in their order, and are sent once it is back."""
    terminal = Terminal(program, folder(world, "state"))
    served = server(world, notifierd)
    with served:
        sign_in(terminal, world, served.base)
        terminal.run("watch", "team/app!1", "team/app#3")
        tail = terminal.start("tail")
        time.sleep(2)
    assert "offline, trying again" in tail.stderr.readline()
    listed = terminal.json("list")
    assert listed["offline"] and len(listed["items"]) == 2, listed
    error = terminal.run("unwatch", "team/app!1", status=69)[1]
    assert "Changes will sync when you're back online." in error, error
    listed = terminal.json("list")
    assert [item["itemIid"] for item in listed["items"]] == [3] and listed["waiting"] == 1, listed
    with served:
        listed = terminal.json("list")
        assert [item["itemIid"] for item in listed["items"]] == [3] and listed["waiting"] == 0, listed
        # The tail that ran all along notices by itself.
        world.act(action="comment", by="@ben", on="team/app#3", body="Back again")
        line = tail.stdout.readline()
        assert "Back again" in line, line
        assert "connected again" in tail.stderr.readline()
    tail.send_signal(signal.SIGTERM)
    assert tail.wait(timeout=PATIENCE) == 130


def check_terminal_two_clients(world, program, notifierd):
    """Two clients of one person, one of them offline: each shows what it chose, the later choice wins, and both come to tell the same."""
    laptop, desk = (Terminal(program, folder(world, name)) for name in ["laptop", "desk"])
    served = server(world, notifierd)
    with served:
        sign_in(laptop, world, served.base)
        code = laptop.json("pair")["pairingCode"]
        desk.run("login", served.base, "--code", code, "--name", "Desk")
        laptop.run("watch", "team/app!1", "team/app#3")
        assert len(watched(desk)) == 2
    laptop.run("unwatch", "team/app!1", status=69)
    laptop.run("mute", "team/app#3", "--for", "8h", status=69)
    laptop.run("watch", "team/app!2", status=69)
    offline = laptop.json("list")
    assert [item["itemIid"] for item in offline["items"]] == [3, 2] and offline["waiting"] == 3, offline
    with served:
        desk.run("mute", "team/app#3", "--until", "2030-01-01T09:00:00Z", status=1)
        desk.run("mute", "team/app#3", "--for", "1h")
        later = watched(desk)
        assert [entry[:2] for entry in later] == [("merge_request", 1), ("issue", 3)], later
        both = watched(laptop)
        assert both == watched(desk), (both, watched(desk))
        assert [entry[:2] for entry in both] == [("issue", 3), ("merge_request", 2)], both
        # The desk's was chosen later, though it came first.
        assert both[0][2] == later[1][2], (both, later)


def check_terminal_sessions(world, program, notifierd):
    """Ten commands at once on an ended session refresh it once; a device that pairs, and one that is removed."""
    terminal = Terminal(program, folder(world, "state"))
    with server(world, notifierd) as served:
        sign_in(terminal, world, served.base)
        before = terminal.credentials
        ended = dict(before, token=before["token"][:-4] + "AAAA")
        (terminal.state / "credentials.json").write_text(json.dumps(ended))
        commands = [terminal.start("list", "--json") for _ in range(10)]
        for command in commands:
            out, error = command.communicate(timeout=PATIENCE)
            assert command.returncode == 0 and not json.loads(out)["offline"], error
        after = terminal.credentials
        assert after["refreshToken"] != before["refreshToken"]
        refreshes = refresh_count(served)
        assert refreshes == 1, f"{refreshes} refreshes"

        code = terminal.json("pair")["pairingCode"]
        other = Terminal(program, folder(world, "other"))
        other.run("login", served.base, "--code", code.lower(), "--name", "Laptop")
        devices = other.json("devices")["devices"]
        assert [(device["name"], device["isCurrent"]) for device in devices] == [("Laptop", True)], devices
        terminal.run("devices", "--remove", devices[0]["deviceId"][:8])
        error = other.json("list", status=77)["error"]
        assert error["message"] == "Session expired. Please sign in again.", error
        assert not (other.state / "credentials.json").exists()

        # Whoever reads the way may not read the session.
        assert "--plain-http" in terminal.run("login", "http://notifier.example.com", "--code", "ABC123", status=64)[1]
        terminal.run("login", served.base, "--code", "222222", status=1)
        assert terminal.json("list")["items"] == [], "a refused sign-in leaves the former one"


def refresh_count(served):
    """How many refreshes the server has answered with new tokens."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(served.base + "/metrics", timeout=20) as answer:
        lines = answer.read().decode().splitlines()
    counts = [line for line in lines if line.startswith("http_requests_total") and "/auth/refresh" in line and '"200"' in line]
    return sum(int(float(line.split()[-1])) for line in counts)


def check_terminal_push(world, program, notifierd):
    """With Apple's push: what tail has shown is not pushed to the phone twice, and a test reaches the phone."""
    terminal = Terminal(program, folder(world, "state"))
    with server(world, notifierd, apns=True) as served:
        served.register(world.told, "maria")
        sign_in(terminal, world, served.base)
        terminal.run("watch", "team/app!1")
        with terminal.start("tail", "--json", "--count", "1") as tail:
            time.sleep(2)
            world.act(action="comment", by="@ben", on="team/app!1", body="Both ways")
            news = [json.loads(line) for line in tail.stdout]
        assert len(news) == 1 and "Both ways" in news[0]["body"], news

        def displayed(text):
            entries = world.control("GET", "/ledgers/devices")[1]["entries"]
            return [entry for entry in entries
                    if entry["kind"] == "displayed" and text in json.dumps(entry["payload"]["aps"]["alert"])]

        assert len(await_that(lambda: displayed("Both ways"), "the push")) == 1
        answer = terminal.json("test")
        assert answer["targetDevices"] == 1, answer


def check_terminal_asks(world, program, notifierd):
    """A review request that escalates and ends, and a question that is put off and then answered in GitLab."""
    terminal = Terminal(program, folder(world, "state"))
    with server(world, notifierd, reminderDelays=["2s", "4s"]) as served:
        sign_in(terminal, world, served.base)
        terminal.run("watch", "team/app#3")
        assert terminal.json("asks")["asks"] == []
        with terminal.start("tail", "--json", "--count", "3") as tail:
            await_that(terminal.tails, "the start of tail")
            world.act(action="request-review", by="@ben", on="team/app!2", user="@maria")
            news = [json.loads(line) for line in tail.stdout]
            assert tail.wait(timeout=PATIENCE) == 0, tail.stderr.read()
        first = "Ben Weiss requested your review on MR !2"
        assert [entry["title"] for entry in news] == [first, f"Still waiting: {first}", f"Reminder: {first}"], news
        assert [entry["type"] for entry in news] == ["activity", "reminder", "reminder"], news
        waiting = terminal.json("asks")["asks"]
        assert [(ask["kind"], ask["itemIid"], "remindAt" in ask) for ask in waiting] == [("review_requested", 2, False)], waiting
        assert first in terminal.run("asks")[0]
        assert terminal.json("inbox")["count"] == 1, "a reminder is no news"
        terminal.run("done", "team/app!2")
        assert terminal.json("asks")["asks"] == [] and terminal.json("inbox")["count"] == 0
        assert terminal.json("later", "team/app!2")["postponed"] == 0

        with terminal.start("tail", "--json", "--count", "1") as tail:
            await_that(terminal.tails, "the start of tail")
            world.act(action="comment", by="@ben", on="team/app#3", body="@maria which zone?")
            ask = await_that(lambda: terminal.json("asks")["asks"], "the question")[0]
            assert ask["kind"] == "addressed", ask
            assert terminal.json("later", "team/app#3")["postponed"] == 1
            tail.wait(timeout=PATIENCE)
        again = terminal.json("asks")["asks"][0]["remindAt"]
        assert again > ask["raisedAt"], again
        world.act(action="comment", by="@maria", on="team/app#3", body="Berlin's.")
        await_that(lambda: terminal.json("asks")["asks"] == [], "the end of the question")
        reminders = [entry for entry in terminal.json("history", "--limit", "100")["notifications"] if entry["type"] == "reminder"]
        assert len(reminders) == 2, reminders


def check_terminal_programs(world, program, notifierd):
    """A program that is let in, asks, is answered here and by itself, is muted, and loses its token."""
    terminal = Terminal(program, folder(world, "state"))

    def say(token, status=201, **signal):
        request = urllib.request.Request(
            served.base + "/signals", json.dumps(signal).encode(), {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                assert answer.status == status, answer.status
                return json.loads(answer.read())
        except urllib.error.HTTPError as refusal:
            assert refusal.code == status, f"{refusal.code}: {refusal.read()}"
            return json.loads(refusal.read())

    with server(world, notifierd, reminderDelays=["2s", "4s"]) as served:
        sign_in(terminal, world, served.base)
        assert terminal.run("programs")[0] == "No programs.\n"
        made = terminal.json("programs", "--add", "agent")
        token, short = made["token"], made["tokenId"][:8]
        asked = {"id": "deploy", "kind": "approval_needed", "title": "Deploy", "project": "my-repo", "run": "r1"}
        with terminal.start("tail", "--json", "--count", "3") as tail:
            await_that(terminal.tails, "the start of tail")
            assert say(token, **asked) == {"repeated": False}
            assert say(token, 200, **asked) == {"repeated": True}
            news = [json.loads(line) for line in tail.stdout]
            assert tail.wait(timeout=PATIENCE) == 0, tail.stderr.read()
        assert [entry["title"] for entry in news] == [
            "Approval needed", "Still waiting: Approval needed", "Reminder: Approval needed"], news
        assert news[0]["type"] == "signal" and news[0]["body"] == "my-repo: Deploy", news
        assert terminal.json("inbox")["count"] == 1
        ask = terminal.json("asks")["asks"][0]
        assert ask["kind"] == "approval_needed" and "my-repo: Deploy" in terminal.run("asks")[0], ask
        terminal.run("done", ask["askId"][:8])
        assert terminal.json("asks")["asks"] == [] and terminal.json("inbox")["count"] == 0

        say(token, **{**asked, "id": "second"})
        waiting = terminal.json("asks")["asks"][0]["askId"]
        assert terminal.json("later", waiting[:8])["postponed"] == 1
        say(token, id="second", kind="settled")
        assert terminal.json("asks")["asks"] == []
        say(token, id="night", kind="run_failed", title="nightly")
        assert terminal.json("inbox")["count"] == 0, "how a run ended is not unread"
        assert terminal.json("history", "--limit", "1")["notifications"][0]["title"] == "Run failed"

        assert "muted until" in terminal.run("programs", "--mute", short, "--for", "1h")[0]
        say(token, id="unheard", kind="run_failed", title="nightly")
        assert terminal.json("history", "--limit", "1")["notifications"][0]["body"] == "nightly"
        assert len([one for one in terminal.json("history")["notifications"] if one["title"] == "Run failed"]) == 1
        assert "muted" not in terminal.run("programs", "--unmute", short)[0]
        terminal.run("programs", "--mute", short, status=64)
        terminal.run("programs", "--remove", "ffff", status=1)
        terminal.run("programs", "--remove", short)
        assert say(token, 401, **asked)["code"] == "signal_token_invalid"
        assert token not in served_log(served), "the token stands in the log"


def served_log(served):
    return json.dumps(served.log())


CHECKS = [
    check_terminal_reads,
    check_terminal_catches_up,
    check_terminal_in_a_loop,
    check_terminal_offline,
    check_terminal_two_clients,
    check_terminal_sessions,
    check_terminal_push,
    check_terminal_asks,
    check_terminal_programs,
]
