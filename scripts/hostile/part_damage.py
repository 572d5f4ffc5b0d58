"""Damaged files of the database: refused as they are, with the way back, or everything is served."""

import pathlib
import random
import shutil
import signal
import subprocess
import urllib.error
import urllib.request

from notifierd import OPENER, Notifierd
from served_world import ServedWorld

WORLD = pathlib.Path(__file__).resolve().parent.parent / "clients" / "world.json"
PAGE = 4096
FLIPS = 20
ROUTES = ["/status", "/watch", "/notifications", "/devices", "/settings", "/health/ready", "/metrics"]
DATA_ERROR = 65


def check(folder, simctl, notifierd):
    """A database spoiled in forty ways: each start refuses it and names restore, or serves every route."""
    with ServedWorld(simctl, str(WORLD), str(folder / "certs")) as world:
        server = Notifierd(notifierd, world.told, folder)
        server.__enter__()
        session = server.register(world.told, "maria")
        server.watch(session, world.told["gitlab"]["projects"]["team/app"], 1)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        sound = folder / "sound"
        sound.mkdir()
        for ending in ("", "-wal"):
            shutil.copy(folder / f"notifier.db{ending}", sound / f"notifier.db{ending}")
        refused = served = 0
        for name, spoil in damages():
            for ending in ("", "-wal", "-shm"):
                (folder / f"notifier.db{ending}").unlink(missing_ok=True)
            for ending in ("", "-wal"):
                shutil.copy(sound / f"notifier.db{ending}", folder / f"notifier.db{ending}")
            spoil(folder / "notifier.db", folder / "notifier.db-wal")
            if try_start(server, session, name):
                served += 1
            else:
                refused += 1
    assert refused >= 8, f"only {refused} were refused"
    assert served >= 2, f"only {served} were served: is the sound one?"
    return f"{refused} refused, {served} served"


def try_start(server, session, name):
    """True when it serves everything, false when it refuses in order."""
    database = server.folder / "notifier.db"
    before = [path.read_bytes() if path.exists() else None for path in (database, pathlib.Path(f"{database}-wal"))]
    try:
        server.__enter__()
    except BaseException:
        code = server.process.wait(timeout=20)
        said = server.log_end()
        assert code == DATA_ERROR and "notifierd restore" in said, f"{name}: ended with {code}: {said}"
        after = [path.read_bytes() if path.exists() else None for path in (database, pathlib.Path(f"{database}-wal"))]
        assert after[0] == before[0] and after[1] in (before[1], b""), f"{name}: it was changed"
        return False
    try:
        for route in ROUTES:
            status = ask(server, route, session)
            assert status < 500, f"{name}: {route} answers {status}: {server.log_end()}"
    finally:
        server.process.send_signal(signal.SIGTERM)
        try:
            server.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            server.process.kill()
            raise
    return True


def ask(server, path, session):
    request = urllib.request.Request(server.base + path, headers={"Authorization": f"Bearer {session}"})
    try:
        with OPENER.open(request, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def damages():
    def edit(change):
        def spoil(database, _):
            content = bytearray(database.read_bytes())
            database.write_bytes(bytes(change(content)))
        return spoil

    def put(offset, replacement):
        return edit(lambda content: content[:offset] + replacement + content[offset + len(replacement):])

    def log(change):
        def spoil(_, wal):
            wal.write_bytes(bytes(change(bytearray(wal.read_bytes()))))
        return spoil

    yield "nothing", lambda *_: None
    yield "0 bytes, no log", lambda database, wal: (database.write_bytes(b""), wal.unlink())
    yield "text", lambda database, wal: (database.write_bytes(b"no database\n" * 1000), wal.unlink())
    yield "no log", lambda _, wal: wal.unlink()
    yield "half a log", log(lambda content: content[:len(content) // 2])
    yield "a log of noise", log(lambda content: bytes(byte ^ 0x5A for byte in content))
    yield "a byte of the log", log(lambda content: content[:PAGE] + b"\xff" + content[PAGE + 1:])
    yield "another magic", lambda database, wal: (wal.unlink(), put(0, b"X")(database, wal))
    yield "another size of pages", lambda database, wal: (wal.unlink(), put(16, b"\x12\x34")(database, wal))
    yield "a format of the future", lambda database, wal: (wal.unlink(), put(18, b"\x09\x09")(database, wal))
    # Everything in the file: what is then spoiled no log puts right.
    yield from ((name, settled(change)) for name, change in [
        ("half of it", lambda content: content[:len(content) // 2]),
        ("a page less", lambda content: content[:-PAGE]),
        ("the second page zeroed", lambda content: content[:PAGE] + bytes(PAGE) + content[2 * PAGE:]),
        ("the last page zeroed", lambda content: content[:-PAGE] + bytes(PAGE)),
        ("a free page that is none", lambda content: content[:32] + b"\0\0\x7f\xff\0\0\0\1" + content[40:]),
        ("zeros", lambda content: bytes(len(content))),
    ])
    draw = random.Random(14)
    for number in range(FLIPS):
        place, bit = draw.random(), 1 << draw.randrange(8)

        def flip(content, place=place, bit=bit):
            content[int(place * len(content))] ^= bit
            return content
        yield f"flip {number}", settled(flip)


def settled(change):
    def spoil(database, wal):
        program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA wal_checkpoint(TRUNCATE)')"
        subprocess.run(["python3", "-c", program, str(database)], check=True)
        wal.unlink(missing_ok=True)
        database.write_bytes(bytes(change(bytearray(database.read_bytes()))))
    return spoil
