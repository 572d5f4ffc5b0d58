"""What the tester of the REST API cannot know: who asks, which ids there are, and where GitLab is.

Loaded by schemathesis. CHECK_API names a file with the first line of `simctl serve` and the address of the server. Nothing here decides
whether an answer is right; that is between the document and the tester's checks.
"""

import json
import os
import pathlib
import zlib

import schemathesis

from notifierd import call

SET_UP = json.loads(pathlib.Path(os.environ["CHECK_API"]).read_text())
BASE, TOLD = SET_UP["base"], SET_UP["told"]
GITLAB = TOLD["gitlab"]["url"]
PROJECT = TOLD["gitlab"]["projects"]["team/app"]
# Operations after which the session that asked is none any more are asked by somebody of their own.
ENDING = {"deleteAccount", "revokeAll"}
SESSIONS = {}


def register(username):
    body = {"gitlabUrl": GITLAB, "personalAccessToken": TOLD["gitlab"]["tokens"][username]}
    return call(BASE, "/auth/register", body)["token"]


def session(username):
    """A session that lives: what was tried before may have ended the last one."""
    known = SESSIONS.get(username)
    try:
        if known and call(BASE, "/settings", session=known):
            return known
    except OSError:
        pass
    SESSIONS[username] = register(username)
    return SESSIONS[username]


def program():
    """A program's token that lives, of somebody who makes no others: it ends with the account that was tried before."""
    known = SESSIONS.get("program")
    try:
        if known and call(BASE, "/signals", {"id": "the-tester", "kind": "settled"}, known):
            return known
    except OSError:
        pass
    SESSIONS["program"] = call(BASE, "/signals/tokens", {"name": "the tester"}, session("lea"))["token"]
    return SESSIONS["program"]


@schemathesis.auth(refresh_interval=None)
class Session:
    """The person's session, on operations that ask for one."""

    def get(self, case, context):
        definition = context.operation.definition.raw
        if not definition.get("security"):
            return None
        if "signalToken" in definition["security"][0]:
            return program()
        return session("lea" if definition["operationId"] in ENDING else "maria")

    def set(self, case, data, context):
        if data:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


def existing(operation):
    """An id of the kind that the operation's path names, made if there is none."""
    person = session("maria")
    area = operation.path.split("/")[1]
    if area == "watch":
        item = {"itemIid": 1, "itemType": "merge_request", "projectId": PROJECT}
        return call(BASE, "/watch", item, person).get("watchedItemId")
    if area == "devices":
        return call(BASE, "/devices", {"apnsToken": "ab" * 32, "platform": "ios"}, register("maria"))["deviceId"]
    if area == "signals":
        tokens = call(BASE, "/signals/tokens", session=person)["tokens"]
        return (tokens[0] if tokens else call(BASE, "/signals/tokens", {"name": "one"}, person))["tokenId"]
    if area == "asks":
        asks = call(BASE, "/asks", session=person)["asks"]
        return asks[0]["askId"] if asks else None
    if area == "notifications":
        notifications = call(BASE, "/notifications?limit=1", session=person)["notifications"]
        return notifications[0]["id"] if notifications else None
    return None


@schemathesis.hook
def before_call(context, case, kwargs):
    """Half of the ids that look like one become one that exists; whatever address is given, GitLab is the served one."""
    given = (case.path_parameters or {}).get("id")
    if isinstance(given, str) and len(given) == 36 and zlib.crc32(given.encode()) % 2:
        case.path_parameters["id"] = existing(case.operation) or given
    body = case.body
    if not isinstance(body, dict):
        return
    # No request leaves this machine.
    if "://" in str(body.get("gitlabUrl", "")):
        body["gitlabUrl"] = GITLAB
    token = body.get("personalAccessToken")
    if isinstance(token, str) and zlib.crc32(token.encode()) % 2 and token.isascii() and token.isprintable():
        body["personalAccessToken"] = TOLD["gitlab"]["tokens"]["lea"]
