"""Duties in the terminal, with and without a network."""

import datetime
import json
import time

from cable import Cable
from notifierd import call
from terminal import PATIENCE, Terminal, folder, server, sign_in, told, turns, watched


def check_terminal_duties(world, program, notifierd):
    """A duty of two people, one with two clients: a turn is asked for when it is due, done on one of them, and all tell the same."""
    laptop, desk, lea = (Terminal(program, folder(world, name)) for name in ["laptop", "desk", "lea"])

    with server(world, notifierd, reminderDelays=["2s", "4s"]) as served:
        sign_in(laptop, world, served.base)
        desk.run("login", served.base, "--code", laptop.json("pair")["pairingCode"], "--name", "Desk")
        sign_in(lea, world, served.base, "lea")
        laptop.run("duties", "--add", "Triage", "--every", "1", status=64)
        # It is due at the next full minute that leaves time for what has to be there by then.
        due = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=80)).replace(second=0, microsecond=0)
        made = laptop.json(
            "duties", "--add", "Triage", "--every", "1", "--from", f"{due:%Y-%m-%d}", "--at", f"{due:%H:%M}", "--zone", "UTC",
            "--lead", "2", "--escalates", "--as", "Maria")["duties"][0]
        code = laptop.json("duties", "--invite", made["dutyId"][:8])["invitationCode"]
        lea.run("duties", "--join", code, "--as", "Lea")
        first, following = turns(desk)[:2]
        assert (first[2], following[2]) == ("Maria", "Lea") and turns(laptop) == turns(desk) == turns(lea), turns(desk)
        assert laptop.json("asks")["asks"] == [] and told(laptop) == [], "she knew what she made"

        # What is due is asked for, and told again once somebody has it, until one of the two says that it is done.
        with desk.start("tail", "--json", "--count", "3") as tail:
            news = [json.loads(line)["title"] for line in tail.stdout]
            assert tail.wait(timeout=PATIENCE) == 0, tail.stderr.read()
        assert news == ["Triage is due", "Still waiting: Triage is due", "Reminder: Triage is due"], news
        ask = desk.json("asks")["asks"][0]
        assert ask["kind"] == "duty_due" and "Triage is due" in desk.run("asks")[0], ask
        desk.run("done", ask["askId"][:8])
        assert laptop.json("asks")["asks"] == [] and turns(laptop)[0][0] == following[0], turns(laptop)
        assert "Maria has done it: Triage" in told(lea), told(lea)
        laptop.run("duty", "done", first[0][:13], status=1)
        laptop.run("duties", "--end", made["dutyId"][:8])
        assert turns(laptop) == turns(desk) == turns(lea) == []


def check_terminal_duties_offline(world, program, notifierd):
    """Two clients of one person, one offline: a watch, a mute, a turn done on both, one that is given away, and one that nobody has any more."""
    laptop, desk, lea = (Terminal(program, folder(world, name)) for name in ["laptop", "desk", "lea"])

    def make(title):
        day = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        return next(duty for duty in laptop.json(
            "duties", "--add", title, "--every", "1", "--from", f"{day:%Y-%m-%d}", "--at", "09:30", "--zone", "Europe/Berlin",
            "--as", "Maria")["duties"] if duty["title"] == title)

    def waits(*arguments):
        """What a command says that had no network."""
        answer, failure = laptop.run(*arguments, "--json", status=69)[0].splitlines()
        assert json.loads(failure)["error"]["code"] == "waiting", failure
        return json.loads(answer)

    with server(world, notifierd) as served, Cable(served.port) as cable:
        sign_in(laptop, world, cable.base)
        desk.run("login", served.base, "--code", laptop.json("pair")["pairingCode"], "--name", "Desk")
        sign_in(lea, world, served.base, "lea")
        triage = make("Triage")["dutyId"]
        lea.run("duties", "--join", laptop.json("duties", "--invite", triage[:8])["invitationCode"], "--as", "Lea")
        plants = make("Plants")
        laptop.run("watch", "team/app!1", "team/app#3")
        assert len(watched(desk)) == 2 and turns(laptop) == turns(desk), turns(desk)
        before = turns(lea)
        assert [turn[2] for turn in before] == ["Maria", "Lea", "Maria", "Lea", "Maria"], before

        cable.pull()
        assert "Offline - showing cached data." in laptop.run("duties")[1]
        done = waits("duty", "done", before[0][0][:13], "--note", "on the train")
        assert done["stands"] and not done["sent"] and done["occurrence"]["status"] == "completed", done
        # What follows is computed here: she gives her next turn away, and has that after it.
        assert waits("duty", "give", before[2][0][:13], "--to", "Lea")["occurrence"]["status"] == "reassigned"
        waits("duty", "skip", plants["occurrences"][0]["occurrenceId"][:13])
        waits("watch", "team/app!2")
        waits("mute", "team/app#3", "--for", "8h")
        shown = [turn for turn in turns(laptop, offline=True, waiting=5) if turn[0] in [turn[0] for turn in before]]
        assert [turn[1:] for turn in shown[:2]] == [("pending", "Lea"), ("reassigned", "Lea")], shown
        assert "(waits)" in laptop.run("duties")[0]
        assert turns(lea) == before, "the others hear of it later"
        # A second later, so that it is the later end of the two by whole seconds, too.
        time.sleep(1.1)
        later = desk.json("duty", "done", before[0][0][:13], "--note", "at the desk")
        assert later["stands"] and later["sent"], later
        desk.run("duties", "--end", plants["dutyId"][:8])

        cable.plug()
        said = laptop.run("duties")[1]
        assert said.startswith("gitlab-notify: Plants: ") and "Offline" not in said, said
        assert turns(laptop) == turns(desk) == turns(lea), (turns(laptop), turns(desk), turns(lea))
        assert turns(laptop)[:2] == shown[:2], "what was computed without a network holds"
        both = watched(laptop)
        assert both == watched(desk) and len(both) == 3 and [bool(entry[2]) for entry in both] == [False, True, False], both
        # It was done on the train, whoever was heard first; and Lea heard of it once.
        stored = call(served.base, f"/duties/{triage}", session=desk.credentials["token"])["occurrences"][0]
        assert stored["decidedBy"] == done["occurrence"]["decidedBy"] != later["occurrence"]["decidedBy"], stored
        assert told(lea).count("Maria has done it: Triage") == 1, told(lea)


CHECKS = [check_terminal_duties, check_terminal_duties_offline]
