"""python-gitlab, as it is published, against the fake GitLab."""

import http.server
import json
import queue
import threading
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


def check_compression(world):
    """What urllib3 asks for compressed comes compressed, in chunks, and reads the same."""
    client = connect(world)
    answers = {
        coding: client.http_request("get", "/user", extra_headers={"Accept-Encoding": coding}) for coding in ("gzip", "identity")
    }
    fields = answers["gzip"].headers
    assert fields.get("Content-Encoding") == "gzip" and fields.get("Transfer-Encoding") == "chunked", fields
    assert "Content-Length" not in fields and "Accept-Encoding" in fields["Vary"], fields
    assert "Content-Encoding" not in answers["identity"].headers, answers["identity"].headers
    assert answers["gzip"].json() == answers["identity"].json()


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


def check_declared_filters(world):
    found = project(world)
    numbers = lambda items: sorted(item.iid for item in items)
    every = numbers(found.issues.list(get_all=True))
    labelled = numbers(found.issues.list(labels=["Any"], get_all=True))
    bare = numbers(found.issues.list(labels=["None"], get_all=True))
    assert sorted(labelled + bare) == every and labelled, (labelled, bare, every)
    assert found.issues.list(milestone="no such milestone", get_all=True) == []
    assert found.issues.list(issue_type="incident", get_all=True) == []
    assert numbers(found.issues.list(**{"not[labels]": "bug"}, get_all=True)) == [iid for iid in every if iid != 3]
    simple = found.mergerequests.list(view="simple", get_all=True)[0].attributes
    assert "author" not in simple and "sha" not in simple and simple["web_url"], simple
    many = found.issues.list(iids=list(range(1000, 1400)), get_all=True)
    assert many == [], many
    for parameters, status in [({"wip": "perhaps"}, 400), ({"iids": list(range(10000, 11000))}, 414)]:
        try:
            found.mergerequests.list(get_all=True, **parameters)
            raise AssertionError(f"{parameters} was not refused")
        except gitlab.GitlabError as error:
            assert error.response_code == status, error


def check_what_hangs_on_items(world):
    client = connect(world)
    found = project(world)
    request = found.mergerequests.get(1)
    assert [person["username"] for person in request.participants(get_all=True)][0]
    assert request.commits() is not None and request.diffs.list(get_all=True)
    issue = found.issues.get(3)
    world.act(action="react", by="@ben", on="team/app#3")
    assert issue.attributes["_links"]["award_emoji"].endswith("/issues/3/award_emoji")
    assert isinstance(issue.awardemojis.list(get_all=True), list)
    assert {label.name for label in found.labels.list(get_all=True)} >= {"bug"}
    assert isinstance(found.milestones.list(get_all=True), list)
    assert "maria" in {member.username for member in found.members_all.list(get_all=True)}
    assert client.users.list(username="ben", get_all=True)[0].username == "ben"
    assert client.users.get(client.users.list(username="ben", get_all=True)[0].id).bot is False
    assert "team/app" in {one.path_with_namespace for one in client.projects.list(get_all=True)}
    assert found.permissions["project_access"]["access_level"] >= 10
    assert client.notificationsettings.get().level == "participating"


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


def check_labels_and_milestones(world):
    writer, reader = project(world, "lea"), project(world)
    label = writer.labels.create({"name": "needs work/now", "color": "#8899aa"})
    assert label.is_project_label and [entry.name for entry in reader.labels.list(get_all=True)] == ["bug", "needs work/now"]
    refused(lambda: writer.labels.create({"name": "bug", "color": "#8899aa"}), 409)
    assert reader.labels.get(label.id).name == "needs work/now"
    label.new_name = "later"
    label.save()
    assert reader.labels.get("later").id == label.id
    assert reader.labels.list(with_counts=True, search="bug", get_all=True)[0].open_issues_count == 1
    milestone = writer.milestones.create({"title": "Autumn", "due_date": "2030-10-01"})
    assert reader.milestones.get(milestone.id).due_date == "2030-10-01" and not milestone.expired
    issue = writer.issues.get(3)
    issue.milestone_id = milestone.id
    issue.labels = "bug,later"
    issue.due_date = "2030-09-01"
    issue.save()
    read = reader.issues.get(3)
    assert read.milestone["due_date"] == "2030-10-01" and read.due_date == "2030-09-01", read
    assert read.labels == ["bug", "later"] and [entry.iid for entry in milestone.issues()] == [3], read.labels
    milestone.state_event = "close"
    milestone.save()
    assert [entry.title for entry in reader.milestones.list(state="closed", get_all=True)] == ["Autumn"]
    writer.labels.delete("later")
    milestone.delete()
    read = reader.issues.get(3)
    assert read.labels == ["bug"] and read.milestone is None


def check_people_and_projects(world):
    client, writer = connect(world), project(world, "lea")
    members = {member.username: member.access_level for member in writer.members.list(get_all=True)}
    assert members == {"maria": 30, "lea": 40, "ben": 30}, members
    assert {member.username for member in writer.members_all.list(get_all=True)} == set(members)
    ben = client.users.list(username="ben")[0]
    assert client.users.get(ben.id).bot is False and writer.members.get(ben.id).access_level == 30
    member = writer.members.get(ben.id)
    member.access_level = 20
    member.save()
    assert writer.members_all.get(ben.id).access_level == 20
    refused(lambda: client.users.get(9999), 404)
    assert [found.path_with_namespace for found in client.projects.list(membership=True, get_all=True)] == ["team/app"]
    whole = client.projects.get("team/app")
    assert whole.permissions["project_access"]["access_level"] == 30 and whole.namespace["full_path"] == "team", whole
    assert "permissions" not in client.projects.list(simple=True)[0].attributes
    settings = connect(world, "lea").notificationsettings.get()
    assert settings.level == "participating"
    settings.level = "watch"
    settings.save()
    assert connect(world, "lea").notificationsettings.get().level == "watch"
    assert writer.notificationsettings.get().level == "global"


def check_reactions(world):
    request = project(world, "lea").mergerequests.get(1)
    award = request.awardemojis.create({"name": "+1"})
    assert award.name == "thumbsup" and award.awardable_id == request.id
    assert project(world).mergerequests.get(1).upvotes == 1
    refused(lambda: request.awardemojis.create({"name": "thumbsup"}), 404)
    note = request.notes.list(get_all=False)[0]
    note.awardemojis.create({"name": "tada"})
    assert [entry.name for entry in note.awardemojis.list(get_all=True)] == ["tada"]
    award.delete()
    assert request.awardemojis.list(get_all=True) == []
    issue = project(world, "lea").issues.get(3)
    issue.awardemojis.create({"name": "eyes"})
    assert issue.awardemojis.list(get_all=True)[0].user["username"] == "lea"


def check_parts_of_a_merge_request(world):
    world.act(action="push", by="@maria", on="team/app!1", commits=2)
    world.act(action="approve", by="@ben", on="team/app!1")
    request = project(world).mergerequests.get(1)
    versions = request.diffs.list(get_all=True)
    assert len(versions) == 2 and versions[0].head_commit_sha == request.sha, versions
    assert len(request.diffs.get(versions[0].id).commits) == 3
    commits = list(request.commits())
    assert len(commits) == 3 and commits[0].id == request.sha, commits
    assert {person["username"] for person in request.participants(get_all=True)} >= {"maria", "ben"}
    reviewers = request.reviewer_details.list(get_all=True)
    assert [(entry.user["username"], entry.state) for entry in reviewers] == [("ben", "approved")]


def check_writing_issues(world):
    writer = project(world, "lea")
    issue = writer.issues.create({"title": "From a client", "labels": "bug", "due_date": "2030-01-02"})
    assert project(world).issues.get(issue.iid).due_date == "2030-01-02" and issue.labels == ["bug"]
    issue.title = "From a client, put better"
    issue.state_event = "close"
    issue.save()
    assert project(world).issues.get(issue.iid).state == "closed"
    refused(lambda: writer.issues.create({"title": " "}), 400)
    issue.state_event = "reopen"
    issue.save()
    target = connect(world, "lea").projects.get("team/attic")
    iid = issue.iid
    issue.move(target.id)  # The object is the successor from here on.
    moved = target.issues.list(get_all=True)[0]
    assert writer.issues.get(iid).moved_to_id == moved.id
    assert {person["username"] for person in moved.participants()} == {"lea"}


def check_rotation(world):
    client = connect(world, "lea")
    fresh = client.personal_access_tokens.rotate("self")
    refused(lambda: connect(world, "lea").auth(), 401)
    renewed = gitlab.Gitlab(world.told["gitlab"]["url"], private_token=fresh["token"], ssl_verify=world.told["caFile"])
    renewed.auth()
    assert renewed.user.username == "lea"


class HookReceiver(http.server.BaseHTTPRequestHandler):
    """Takes webhooks as any small server would."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.hooks.put((dict(self.headers), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def check_webhooks(world):
    """A hook that a client adds is sent to it, over a socket."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), HookReceiver) as server:
        server.hooks = queue.Queue()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        hook = project(world, "lea").hooks.create(
            {"url": f"http://127.0.0.1:{server.server_port}/in", "token": "hush", "note_events": True, "push_events": False}
        )
        world.act(action="comment", by="@ben", on="team/app!1", body="Over a hook.")
        world.control("POST", "/advance", {"by": "3m"})
        headers, body = server.hooks.get(timeout=20)
        assert headers["X-Gitlab-Event"] == "Note Hook" and headers["X-Gitlab-Token"] == "hush", headers
        assert body["object_attributes"]["note"] == "Over a hook." and body["merge_request"]["iid"] == 1, body
        assert project(world, "lea").hooks.get(hook.id).alert_status == "executable"
        hook.delete()
        server.shutdown()


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
    check_compression,
    check_lists_in_pages,
    check_items_and_filters,
    check_declared_filters,
    check_what_hangs_on_items,
    check_notes_and_discussions,
    check_resource_events,
    check_todos,
    check_writing,
    check_ticking_off,
    check_labels_and_milestones,
    check_people_and_projects,
    check_reactions,
    check_parts_of_a_merge_request,
    check_writing_issues,
    check_rotation,
    check_webhooks,
    check_errors,
    check_trouble,
    check_time,
]
