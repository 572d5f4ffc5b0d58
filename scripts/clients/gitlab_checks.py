"""python-gitlab, as it is published, against the fake GitLab."""

import time

import gitlab


def connect(world, person="maria", **options):
    told = world.told
    return gitlab.Gitlab(
        told["gitlab"]["url"], private_token=told["gitlab"]["tokens"][person], ssl_verify=told["caFile"], **options
    )


def check_identity(world):
    client = connect(world)
    client.auth()
    assert client.user.username == "maria"
    version, revision = client.version()
    assert version.split(".")[0].isdigit() and revision, version
    token = client.personal_access_tokens.get("self")
    assert token.active and "read_api" in token.scopes, token


def check_lists_in_pages(world):
    request = project(world).mergerequests.get(1)
    notes = request.notes.list(per_page=50, iterator=True)
    total = notes.total
    read = list(notes)
    assert len(read) == total >= 120, (len(read), total)
    assert len({note.id for note in read}) == len(read)
    assert [note.id for note in request.notes.list(get_all=True)] == [note.id for note in read]
    page = request.notes.list(page=2, per_page=20, get_all=False)
    assert [note.id for note in page] == [note.id for note in read[20:40]]
    oldest = request.notes.list(sort="asc", order_by="created_at", per_page=5, get_all=False)
    assert oldest[0].id == read[-1].id


def check_items_and_filters(world):
    client = connect(world)
    found = client.projects.get("team/app")
    assert found.id == world.told["gitlab"]["projects"]["team/app"]
    assert {item.iid for item in found.mergerequests.list(state="opened", get_all=True)} == {1, 2}
    assert [item.iid for item in found.mergerequests.list(iids=[2], get_all=True)] == [2]
    assert [item.iid for item in found.issues.list(labels=["bug"], get_all=True)] == [3]
    assert {item.iid for item in client.mergerequests.list(scope="all", get_all=True)} == {1, 2}
    assert found.issues.get(3).author["username"] == "ben"


def check_notes_and_discussions(world):
    request = project(world).mergerequests.get(1)
    written = world.act(action="comment", by="@ben", on="team/app!1", body="Please look again, @maria.")
    note_id = written["activities"][0]["noteIDs"][0]
    note = request.notes.get(note_id)
    assert note.body == "Please look again, @maria." and note.author["username"] == "ben" and not note.system
    assert any(note_id in [entry["id"] for entry in talk.attributes["notes"]] for talk in request.discussions.list(get_all=True))
    world.act(action="diff-comment", by="@ben", on="team/app!1", body="Why twice?")
    threads = [talk for talk in request.discussions.list(get_all=True) if not talk.attributes["individual_note"]]
    assert threads and threads[-1].attributes["notes"][0]["resolvable"]
    # The token reads only: writing is refused with GitLab's own error.
    try:
        request.notes.create({"body": "From a client"})
        raise AssertionError("a token that may only read has written")
    except gitlab.GitlabCreateError as error:
        assert error.response_code == 403, error


def check_resource_events(world):
    issue = project(world).issues.get(3)
    world.act(action="close", by="@ben", on="team/app#3")
    world.act(action="reopen", by="@ben", on="team/app#3")
    world.act(action="add-label", by="@ben", on="team/app#3", label="urgent")
    world.act(action="set-milestone", by="@ben", on="team/app#3", milestone="Spring")
    assert [event.state for event in issue.resourcestateevents.list(get_all=True)] == ["closed", "reopened"]
    assert issue.resourcelabelevents.list(get_all=True)[-1].label["name"] == "urgent"
    assert issue.resourcemilestoneevents.list(get_all=True)[-1].milestone["title"] == "Spring"
    world.act(action="approve", by="@ben", on="team/app!1")
    approvals = project(world).mergerequests.get(1).approvals.get()
    assert [entry["user"]["username"] for entry in approvals.approved_by] == ["ben"]


def check_todos(world):
    client = connect(world)
    world.act(action="comment", by="@ben", on="team/app!2", body="One for @maria.", mention="@maria")
    todos = client.todos.list(state="pending", get_all=True)
    assert todos and todos[0].author["username"] == "ben" and todos[0].target_url, todos
    try:
        todos[0].mark_as_done()
        raise AssertionError("a token that may only read has ticked off a to-do")
    except gitlab.GitlabTodoError as error:
        assert error.response_code == 403, error
    world.act(action="todo-done", by="@maria")
    assert client.todos.list(state="pending", get_all=True) == []
    assert client.todos.list(state="done", get_all=True)


def check_writing(world):
    """With a token that may write: what people do through the API is what others read."""
    request = project(world, "lea").mergerequests.get(2)
    note = request.notes.create({"body": "From a client, for @maria."})
    assert note.author["username"] == "lea" and request.notes.get(note.id).body == "From a client, for @maria."
    note.body = "From a client, put better."
    note.save()
    assert request.notes.get(note.id).body == "From a client, put better."
    note.delete()
    refused(lambda: request.notes.get(note.id), 404)
    thread = request.discussions.create({"body": "Shall we?"})
    thread.notes.create({"body": "We shall."})
    read = request.discussions.get(thread.id)
    assert [entry["body"] for entry in read.attributes["notes"]] == ["Shall we?", "We shall."]
    for before, change, after in [
        (True, request.unsubscribe, False), (False, request.subscribe, True), (True, request.subscribe, True)
    ]:
        assert subscribed(world) == before, before
        try:
            change()
        except (gitlab.GitlabSubscribeError, gitlab.GitlabUnsubscribeError) as error:
            # What is so already is answered with 304.
            assert before == after and error.response_code == 304, error
        assert subscribed(world) == after, after
    request.approve()
    assert [entry["user"]["username"] for entry in request.approvals.get().approved_by] == ["lea"]
    # The Community Edition's answer to an approval has no iid, and the client's object takes the answer's place.
    project(world, "lea").mergerequests.get(2).unapprove()
    request = project(world, "lea").mergerequests.get(2)
    assert request.approvals.get().approved_by == []
    refused(lambda: project(world).mergerequests.get(2).subscribe(), 403)
    kinds = [entry["kind"] for entry in world.control("GET", "/ledgers/gitlab")[1]["entries"]]
    assert {"commented", "replied", "noteDeleted", "subscriptionChanged", "approved", "unapproved"} <= set(kinds), kinds


def check_ticking_off(world):
    client = connect(world, "lea")
    for number in range(3):
        world.act(action="comment", by="@ben", on="team/app!2", body=f"For @lea: {number}.", mention="@lea")
    request = project(world, "lea").mergerequests.get(2)
    own = project(world, "lea").mergerequests.get(1)
    own.todo()
    before = len(client.todos.list(state="pending", get_all=True))
    assert before >= 2, before
    client.todos.list(state="pending", get_all=True)[0].mark_as_done()
    assert len(client.todos.list(state="pending", get_all=True)) == before - 1
    client.todos.mark_all_as_done()
    assert client.todos.list(state="pending", get_all=True) == [] and request.iid == 2


def subscribed(world):
    return project(world, "lea").mergerequests.get(2).subscribed


def refused(call, status):
    try:
        call()
    except gitlab.GitlabError as error:
        assert error.response_code == status, error
    else:
        raise AssertionError(f"no {status}")


def check_errors(world):
    for call, status in [
        (lambda: connect(world).projects.get("team/none"), 404),
        (lambda: project(world).mergerequests.get(99), 404),
        (lambda: project(world).issues.get(1), 404),
    ]:
        try:
            call()
            raise AssertionError(f"no {status}")
        except gitlab.GitlabGetError as error:
            assert error.response_code == status, error
    stranger = gitlab.Gitlab(world.told["gitlab"]["url"], private_token="glpat-none", ssl_verify=world.told["caFile"])
    try:
        stranger.auth()
        raise AssertionError("a stranger was let in")
    except gitlab.GitlabAuthenticationError as error:
        assert error.response_code == 401, error


def check_trouble(world):
    """An outage is an error; a rate limit is waited out by the client's own retry."""
    _, answer = world.control("POST", "/faults", {"fault": "gitlab-outage", "id": "down", "mode": "502-text", "for": "1h"})
    assert answer.get("faults") == ["down"], answer
    try:
        project(world)
        raise AssertionError("GitLab is down and answers")
    except gitlab.GitlabHttpError as error:
        assert error.response_code == 502, error
    except gitlab.GitlabGetError as error:
        assert error.response_code == 502, error
    assert world.control("DELETE", "/faults/down")[0] == 200
    assert project(world).path_with_namespace == "team/app"
    assert world.control("DELETE", "/faults/down")[0] == 404
    fault = {"fault": "gitlab-rate-limit", "id": "limit", "limiter": "a", "requests": 2, "period": "3s", "for": "1h"}
    status, answer = world.control("POST", "/faults", fault)
    assert status == 200, answer
    client = connect(world)
    start = time.monotonic()
    for _ in range(4):
        client.projects.get("team/app")
    assert time.monotonic() - start > 0.5, "nobody was asked to wait"
    assert any(entry["event"] == "reply.sent" and entry["status"] == 429 for entry in world.trace)
    world.control("DELETE", "/faults/limit")


def check_time(world):
    before = world.control("GET", "/time")[1]["now"]
    world.control("POST", "/advance", {"by": "2h"})
    after = world.control("GET", "/time")[1]["now"]
    world.act(action="approve", by="@ben", on="team/app!1")
    assert after > before and project(world).path_with_namespace == "team/app"
    ledger = world.control("GET", "/ledgers/gitlab")[1]["entries"]
    assert [entry["sequence"] for entry in ledger] == list(range(1, len(ledger) + 1)) and ledger
    assert world.control("POST", "/actions", {"action": "register", "by": "@maria"})[0] == 409
    assert world.control("POST", "/actions", {"action": "dance"})[0] == 422
    assert world.control("GET", "/nothing")[0] == 404


def project(world, person="maria"):
    return connect(world, person).projects.get("team/app")


CHECKS = [
    check_identity,
    check_lists_in_pages,
    check_items_and_filters,
    check_notes_and_discussions,
    check_resource_events,
    check_todos,
    check_writing,
    check_ticking_off,
    check_errors,
    check_trouble,
    check_time,
]
