"""aioapns and curl, as they are published, against the fake APNs."""

import asyncio
import base64
import json
import ssl
import subprocess
import time
import uuid

import aioapns
import aioapns.connection
import httpx
import jwt
from cryptography.hazmat.primitives.serialization import load_pem_private_key


def alert(text):
    return {"aps": {"alert": {"title": "team/app", "body": text}}}


def displayed(world, text, seconds=15):
    """Waits until a device shows that text."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for event in world.control("GET", "/ledgers/devices")[1]["entries"]:
            if event["kind"] == "displayed" and event["payload"]["aps"]["alert"]["body"] == text:
                return event
        time.sleep(0.1)
    raise AssertionError(f"no device shows {text}")


def aioapns_client(world):
    told = world.told
    host, port = told["apns"]["url"].removeprefix("https://").split(":")
    aioapns.connection.APNsProductionClientProtocol.APNS_SERVER = host
    aioapns.connection.APNsTLSClientProtocol.APNS_PORT = int(port)
    return aioapns.APNs(
        key=told["apns"]["keyPEM"],
        key_id=told["apns"]["keyID"],
        team_id=told["apns"]["teamID"],
        topic=told["apns"]["bundleID"],
        use_sandbox=False,
        # Every connection of aioapns signs a token of its own, and APNs refuses a second one from the same client so soon.
        max_connections=1,
        ssl_context=ssl.create_default_context(cafile=told["caFile"]),
    )


def check_aioapns(world):
    """No ALPN, `host` for `:authority`, an `apns-id` of its own: one push, a hundred at once, and refusals."""

    async def send():
        client = aioapns_client(world)

        async def push(text, token, **options):
            return await client.send_notification(
                aioapns.NotificationRequest(
                    device_token=token, message=alert(text), push_type=aioapns.PushType.ALERT, **options
                )
            )

        one = await push("From aioapns", world.device("maria/phone"))
        assert one.is_successful, one.description
        many = await asyncio.gather(
            *(push(f"Number {number}", world.device("maria/mac"), collapse_key=f"n{number}") for number in range(100))
        )
        assert all(answer.is_successful for answer in many), {answer.description for answer in many}
        bad = await push("To nobody", "ab" * 32)
        assert (bad.status, bad.description) == ("400", "BadDeviceToken"), (bad.status, bad.description)
        again = await push("After a refusal", world.device("maria/phone"))
        assert again.is_successful, again.description
        return one.notification_id

    notification = asyncio.run(asyncio.wait_for(send(), 60))
    shown = displayed(world, "From aioapns")
    assert shown["device"] == "maria/phone" and shown["apnsID"].lower() == notification.lower()
    displayed(world, "After a refusal")


def provider_token(world):
    apns = world.told["apns"]
    return jwt.encode(
        {"iss": apns["teamID"], "iat": int(time.time())}, apns["keyPEM"], "ES256", headers={"kid": apns["keyID"]}
    )


def curl(world, token, body, *options, url="url", path="/3/device/"):
    """Version, status, reason and header fields of a push that the curl command sends."""
    apns = world.told["apns"]
    command = [
        "curl", "--silent", "--show-error", "--noproxy", "*", "--http2", "--max-time", "20", "--cacert",
        world.told["caFile"], "--include", "--header", f"apns-topic: {apns['bundleID']}", *options,
        "--data-binary", body, f"{apns[url]}{path}{token}",
    ]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return {"exit": result.returncode, "error": result.stderr}
    head, _, text = result.stdout.replace("\r\n", "\n").partition("\n\n")
    version, status = head.split("\n")[0].split()[:2]
    fields = dict(line.split(": ", 1) for line in head.split("\n")[1:] if ": " in line)
    return {"version": version, "status": int(status), "fields": fields, "reason": json.loads(text)["reason"] if text else None}


def check_curl(world):
    phone = world.device("maria/phone")
    authorization = ("--header", f"authorization: bearer {provider_token(world)}")
    typed = (*authorization, "--header", "apns-push-type: alert")
    identifier = str(uuid.uuid4())
    sent = curl(world, phone, json.dumps(alert("From curl")), *typed, "--header", f"apns-id: {identifier}")
    assert (sent["version"], sent["status"]) == ("HTTP/2", 200), sent
    assert sent["fields"]["apns-id"] == identifier and "apns-unique-id" not in sent["fields"], sent
    displayed(world, "From curl")
    for body, options, path, status, reason in [
        (json.dumps(alert("x")), (), "/3/device/", 403, "MissingProviderToken"),
        ("", typed, "/3/device/", 400, "PayloadEmpty"),
        (json.dumps(alert("x" * 4_096)), typed, "/3/device/", 413, "PayloadTooLarge"),
        (json.dumps(alert("x")), (*typed, "--header", "apns-priority: 7"), "/3/device/", 400, "BadPriority"),
        (json.dumps(alert("x")), (*typed, "--header", f"apns-collapse-id: {'x' * 65}"), "/3/device/", 400, "BadCollapseId"),
        (json.dumps(alert("x")), (*typed, "--header", "apns-id: 7"), "/3/device/", 400, "BadMessageId"),
        (json.dumps(alert("x")), typed, "/4/device/", 404, "BadPath"),
        (json.dumps(alert("x")), (*typed, "--request", "PUT"), "/3/device/", 405, "MethodNotAllowed"),
    ]:
        answer = curl(world, phone, body, *options, path=path)
        assert (answer.get("status"), answer.get("reason")) == (status, reason), (answer, reason)
    # A token of production is none of the sandbox's.
    answer = curl(world, phone, json.dumps(alert("x")), *typed, url="sandboxURL")
    assert (answer["status"], answer["reason"]) == (400, "BadDeviceToken"), answer


def check_frame_faults(world):
    """What curl makes of frames that say no."""
    phone = world.device("maria/phone")
    options = ("--header", f"authorization: bearer {provider_token(world)}", "--header", "apns-push-type: alert")
    for kind, exits in [("reset-stream", {92}), ("reset-connection", {16, 35, 52, 55, 56}), ("go-away-before", {16, 52, 56, 92, 28})]:
        status, answer = world.control("POST", "/apns/faults", {"id": "f", "kind": kind})
        assert status == 200, answer
        answer = curl(world, phone, json.dumps(alert(kind)), *options, "--max-time", "3")
        assert answer.get("exit") in exits, (kind, answer)
        world.control("DELETE", "/apns/faults/f")
    world.control("POST", "/apns/faults", {"id": "f", "kind": "go-away", "reason": "Shutdown"})
    answer = curl(world, phone, json.dumps(alert("Behind a GOAWAY")), *options)
    assert answer.get("status") == 200, answer
    world.control("DELETE", "/apns/faults/f")
    assert world.control("POST", "/apns/faults", {"id": "f", "kind": "smile"})[0] == 422
    assert world.control("POST", "/apns/faults", {"id": "f", "kind": "stream-limit"})[0] == 422
    world.control("POST", "/apns/faults", {"id": "f", "kind": "stream-limit", "streams": 7})
    answer = curl(world, phone, json.dumps(alert("Behind new settings")), *options)
    assert answer.get("status") == 200, answer
    world.control("DELETE", "/apns/faults/f")


def check_handshake_faults(world):
    """What curl makes of TLS that is not what it should be: in every case it sends nothing."""
    phone = world.device("maria/phone")
    options = ("--header", f"authorization: bearer {provider_token(world)}", "--header", "apns-push-type: alert")
    for kind, exits in [
        ("tls-expired", {60}), ("tls-other-name", {60}), ("tls-unknown-authority", {60}), ("tls-old-version", {35}),
        ("tls-stall", {28}), ("tls-close", {35}), ("dead-address", {28}),
    ]:  # fmt: skip
        status, answer = world.control("POST", "/apns/faults", {"id": "t", "kind": kind})
        assert status == 200, answer
        answer = curl(world, phone, json.dumps(alert(kind)), *options, "--connect-timeout", "1")
        assert answer.get("exit") in exits, (kind, answer)
        world.control("DELETE", "/apns/faults/t")
    answer = curl(world, phone, json.dumps(alert("Behind the faults")), *options)
    assert answer.get("status") == 200, answer


def httpx_client(world):
    """httpx speaks HTTP/2 by `h2`, which takes no frame of an answer behind a GOAWAY."""
    trust = ssl.create_default_context(cafile=world.told["caFile"])
    apns = world.told["apns"]
    headers = {"authorization": f"bearer {provider_token(world)}", "apns-topic": apns["bundleID"], "apns-push-type": "alert"}
    return httpx.Client(http2=True, verify=trust, base_url=apns["url"], headers=headers, timeout=20, trust_env=False)


def check_goodbyes(world):
    """An answer is whole before the GOAWAY that it caused; what came before a fatal one is gone without an answer."""
    phone = f"/3/device/{world.device('maria/phone')}"
    nobody = f"/3/device/{'ab' * 32}"
    with httpx_client(world) as client:
        for kind in ["go-away", "go-away-twice", "split-answer"]:
            assert world.control("POST", "/apns/faults", {"id": "g", "kind": kind, "reason": "Shutdown"})[0] == 200
            opened = world.control("GET", "/counters")[1]["apns"]["connectionsOpened"]
            for number in range(3):
                text = f"{kind} {number}"
                answer = client.post(phone, json=alert(text))
                assert (answer.http_version, answer.status_code, answer.content) == ("HTTP/2", 200, b""), answer
                displayed(world, text)
                refused = client.post(nobody, json=alert("To nobody"))
                assert (refused.status_code, refused.json()) == (400, {"reason": "BadDeviceToken"}), refused
            world.control("DELETE", "/apns/faults/g")
            opened = world.control("GET", "/counters")[1]["apns"]["connectionsOpened"] - opened
            # Each answer ended its connection, and the client was told so in time.
            assert opened in ([0, 1] if kind == "split-answer" else [5, 6]), (kind, opened)
        assert world.control("POST", "/apns/faults", {"id": "g", "kind": "go-away-fatal"})[0] == 200
        try:
            answer = client.post(phone, json=alert("Behind a fatal GOAWAY"))
            raise AssertionError(f"a fatal GOAWAY comes without an answer, not with {answer}")
        except httpx.RemoteProtocolError:
            pass
        world.control("DELETE", "/apns/faults/g")
        assert client.post(phone, json=alert("Behind the last of them")).status_code == 200
        displayed(world, "Behind the last of them")


def check_limits(world):
    """What is too long is refused like everything else: a reason, and the `apns-id`."""
    phone = f"/3/device/{world.device('maria/phone')}"
    with httpx_client(world) as client:
        for options, status, reason in [
            ({"content": b"x" * 4_097}, 413, "PayloadTooLarge"),
            ({"content": b"x" * 1_500_000}, 413, "PayloadTooLarge"),
            ({"json": alert("x"), "headers": {"x-long": "y" * 8_000}}, 431, "RequestHeaderFieldsTooLarge"),
            ({"json": alert("x"), "headers": {"x-long": "y" * 60_000}}, 431, "RequestHeaderFieldsTooLarge"),
        ]:
            identifier = str(uuid.uuid4())
            options.setdefault("headers", {})["apns-id"] = identifier
            answer = client.post(phone, **options)
            seen = (answer.status_code, answer.headers.get("content-type"), answer.headers.get("apns-id"))
            assert seen == (status, "application/json", identifier), (seen, reason)
            assert answer.json() == {"reason": reason}, answer.content
        assert client.post(phone, json=alert("Short enough")).status_code == 200


def check_token_limiter(world):
    """Provider tokens are counted by address, and every program of a machine has the same; it can be forgotten."""
    phone = f"/3/device/{world.device('maria/phone')}"

    def reason():
        with httpx_client(world) as client:
            # A signature is never the same twice, hence no token is.
            answer = client.post(phone, json=alert("A token of my own"))
            return answer.json()["reason"] if answer.content else None

    assert [reason() for _ in range(4)] == [None, None, "TooManyProviderTokenUpdates", "TooManyProviderTokenUpdates"]
    assert world.control("DELETE", "/apns/limits")[0] == 200
    assert [reason() for _ in range(3)] == [None, None, "TooManyProviderTokenUpdates"]


def check_key_forms(world):
    """The key is a .p8 file that any library reads."""
    key = load_pem_private_key(open(world.told["apns"]["keyFile"], "rb").read(), None)
    assert key.curve.name == "secp256r1"
    assert base64.b64decode(world.told["apns"]["keyPEM"].split("-----")[2])


CHECKS = [check_aioapns, check_curl, check_frame_faults, check_handshake_faults, check_goodbyes, check_limits,
          check_token_limiter, check_key_forms]
