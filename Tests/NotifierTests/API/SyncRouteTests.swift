import Configuration
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// `GET` and `POST /sync`: what a person's devices keep alike.
struct SyncRouteTests {
    private let bench: ServerBench
    private let phone: String
    private let mac: String

    init() throws {
        bench = try ServerBench()
        phone = try bench.register()
        mac = try bench.register()
    }

    private func pull(
        _ query: String = "",
        as session: String? = nil,
        on other: ServerBench? = nil
    ) throws -> JSONValue {
        let response = try (other ?? bench).call(.get, "/sync\(query)", session: session ?? phone)
        #expect(response.status == 200, "\(response.bodyText)")
        return try #require(ContractBench.json(response))
    }

    private func push(
        _ changes: String,
        _ id: String = "e-1",
        base: Int64 = 0,
        as session: String? = nil,
        on other: ServerBench? = nil
    ) throws -> JSONValue {
        let body = #"{"baseRevision": \#(base), "clientChangeId": "\#(id)", "changes": [\#(changes)]}"#
        let response = try (other ?? bench).call(.post, "/sync", body, session: session ?? phone)
        #expect(response.status == 200, "\(response.bodyText)")
        return try #require(ContractBench.json(response))
    }

    private func revision(_ answer: JSONValue) throws -> Int64 { try #require(answer.whole("revision")) }

    private func deny(_ id: String, _ user: Int64, _ isDenied: Bool = true, at time: String = "2026-03-02T08:00:00Z")
        -> String
    {
        #"{"id": "\#(id)", "entity": "deniedActor", "changedAt": "\#(time)", "gitlabUserId": \#(user), "denied": \#(isDenied)}"#
    }

    private func choose(_ id: String, _ choice: String, at time: String, iid: Int64 = 847) -> String {
        """
        {"id": "\(id)", "entity": "choice", "changedAt": "\(time)", "projectId": 42, "itemType": "merge_request", \
        "itemIid": \(iid), "choice": "\(choice)"}
        """
    }

    private func mute(_ id: String, until end: String?, at time: String) -> String {
        let until = end.map { #", "mutedUntil": "\#($0)""# } ?? ""
        return """
            {"id": "\(id)", "entity": "mute", "changedAt": "\(time)", "projectId": 42, "itemType": "merge_request", \
            "itemIid": 847\(until)}
            """
    }

    // MARK: Pull

    @Test func `a device hears of each change once, and of what is no more`() throws {
        let first = try pull()
        #expect(first["reset"] == true && first["changes"]?["settings"] != nil)
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: mac).status == 201)
        let second = try pull("?since=\(revision(first))")
        #expect(second["reset"] == false && second["changes"]?["settings"] == nil)
        #expect(second.list("changes", "watches").count == 1 && second.list("changes", "choices").count == 1)
        let id = try #require(second.list("changes", "watches").first?.text("watchedItemId"))
        #expect(try pull("?since=\(revision(second))").list("changes", "watches").isEmpty)
        #expect(try bench.call(.delete, "/watch/\(id)", session: mac).status == 204)
        let third = try pull("?since=\(revision(second))")
        #expect(third.list("deleted").map { $0.text("entity") } == ["watch"])
        #expect(third.list("changes", "choices").map { $0.text("choice") } == ["unwatched"])
    }

    @Test func `mutes, settings, the deny-list and read marks of the single routes are told`() throws {
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: mac).status == 201)
        let told = try bench.tell(3)
        let first = try pull()
        let id = try #require(first.list("changes", "watches").first?.text("watchedItemId"))
        #expect(first.list("changes", "readMarks").isEmpty, "what nobody has read costs nothing")
        _ = try bench.call(.post, "/watch/\(id)/mute", #"{"minutes": 30}"#, session: mac)
        _ = try bench.call(.put, "/settings", #"{"reminders": false}"#, session: mac)
        _ = try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 5}"#, session: mac)
        _ = try bench.call(.post, "/notifications/read", #"{"ids": ["\#(told[0])"]}"#, session: mac)
        let second = try pull("?since=\(revision(first))")
        #expect(second.list("changes", "watches").first?.text("mutedUntil") == "2026-03-02T09:30:00.000Z")
        #expect(second["changes"]?["settings"]?["reminders"] == false)
        #expect(second.list("changes", "deniedActors").map { $0.whole("gitlabUserId") } == [5])
        #expect(second.list("changes", "readMarks").map { $0["read"] } == [true])
        #expect(try revision(second) == pull("?since=\(revision(second))").whole("revision"))
    }

    @Test func `everything comes in pages that a change in between does not tear`() throws {
        _ = try push((1...25).map { deny("\($0)", Int64($0)) }.joined(separator: ","))
        var page = try pull("?limit=10")
        var seen = page.list("changes", "deniedActors").compactMap { $0.whole("gitlabUserId") }
        #expect(page["reset"] == true && page["hasMore"] == true && seen.count == 10)
        // One that was told already goes, and one that was not changes its place.
        _ = try push(
            deny("26", 1, false, at: "2026-03-02T08:30:00Z") + "," + deny("27", 25, at: "2026-03-02T08:30:00Z"),
            "e-2"
        )
        var gone: [Int64] = []
        for _ in 0..<5 where page["hasMore"] == true {
            let snapshot = try #require(page.whole("snapshot"))
            page = try pull("?limit=10&since=\(revision(page))&snapshot=\(snapshot)")
            #expect(page["reset"] == false)
            seen += page.list("changes", "deniedActors").compactMap { $0.whole("gitlabUserId") }
            gone += page.list("deleted").compactMap { $0.whole("gitlabUserId") }
        }
        #expect(page["hasMore"] == false && page["snapshot"] == nil)
        #expect(Set(seen).subtracting(gone) == Set(2...25) && gone == [1])
    }

    @Test func `a device begins anew when it knows more than the server, or was away for too long`() throws {
        _ = try push(deny("1", 5) + "," + deny("2", 6))
        let known = try revision(pull())
        #expect(try pull("?since=\(known + 1)")["reset"] == true)
        #expect(try bench.call(.get, "/sync?since=-1", session: phone).status == 400)
        #expect(try bench.call(.get, "/sync?limit=1001", session: phone).status == 400)
        _ = try push(deny("3", 5, false, at: "2026-03-02T08:30:00Z"), "e-2")
        let store = Store(try bench.openDatabase())
        let now = bench.world.wallNow
        // Noticed today, forgotten when it is 90 days old.
        #expect(try store.purgeSyncDeletions(before: now.advanced(by: .hours(-1)), at: now, limit: 500) == 0)
        #expect(try pull("?since=\(known)")["reset"] == false)
        let later = now.advanced(by: .hours(24 * 91))
        #expect(try store.purgeSyncDeletions(before: later.advanced(by: .hours(-24 * 90)), at: later, limit: 500) == 1)
        let anew = try pull("?since=\(known)")
        #expect(anew["reset"] == true && anew.list("deleted").isEmpty)
        #expect(anew.list("changes", "deniedActors").map { $0.whole("gitlabUserId") } == [6])
        #expect(bench.log.count(.syncReset) == 2)
    }

    @Test func `after a backup was restored every device begins anew, and its changes are taken`() throws {
        _ = try push(deny("1", 5))
        let known = try revision(pull())
        let store = Store(try bench.openDatabase())
        try store.leapVersions(over: nil, at: bench.world.wallNow)
        let anew = try pull("?since=\(known)")
        #expect(anew["reset"] == true && (anew.whole("revision") ?? 0) > known)
        #expect(try push(deny("2", 6), "e-2", base: known).list("applied").count == 1)
    }

    @Test func `somebody who leaves takes their rows along`() throws {
        _ = try push(deny("1", 5) + "," + choose("2", "watched", at: "2026-03-02T08:00:00Z"))
        #expect(try bench.call(.delete, "/account", session: phone).status == 204)
        let store = Store(try bench.openDatabase())
        for table in ["sync_rows", "sync_floors", "choice_stamps", "sync_envelopes"] {
            #expect(
                try store.database.first(SQL(text: "SELECT count(*) FROM \(table)"), bindings: []) { $0.int(0) } == 0
            )
        }
    }

    @Test func `a read mark reaches nobody else's notification`() throws {
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: mac).status == 201)
        let told = try bench.tell(3)
        let bert = try bench.register("glpat-bert")
        let change =
            #"{"id": "1", "entity": "readMark", "changedAt": "2026-03-02T09:00:00Z", "notificationId": "\#(told[0])", "read": true}"#
        #expect(try push(change, as: bert).list("refused").map { $0.text("code") } == ["notification_not_found"])
        #expect(try pull().list("changes", "readMarks").isEmpty)
        #expect(try push(change, as: mac).list("applied").count == 1)
        #expect(try pull().list("changes", "readMarks").count == 1)
        #expect(try pull("", as: bert).list("changes", "watches").isEmpty)
    }

    // MARK: Push

    @Test func `each change is answered for itself, and refusals harm nothing else`() throws {
        let answer = try push(
            [
                deny("1", 5), choose("2", "watched", at: "2026-03-02T08:00:00Z"),
                choose("3", "watched", at: "2026-03-02T08:00:00Z", iid: 5), deny("4", 0),
                choose("5", "watched", at: "2025-03-02T08:00:00Z", iid: 9),
                #"{"id": "6", "entity": "settings", "changedAt": "2026-03-02T08:00:00Z", "settings": {"timeZone": "Nowhere"}}"#,
            ]
            .joined(separator: ",")
        )
        #expect(answer.list("applied").map { $0.text("id") } == ["1", "2"])
        #expect(
            answer.list("refused").map { $0.text("code") }
                == ["item_not_found", "invalid_field", "change_too_old", "invalid_field"]
        )
        let now = try pull()
        #expect(now.list("changes", "watches").map { $0.whole("itemIid") } == [847])
        #expect(try bench.call(.get, "/metrics").bodyText.contains(#"sync_changes_total{outcome="refused"} 4"#))
    }

    @Test func `the later choice wins in whatever order they come, and a device is told whose it was`() throws {
        let base = try revision(push(deny("1", 5, at: "2026-03-02T08:30:00Z")))
        let lost = try push(deny("1", 5, false, at: "2026-03-02T08:00:00Z"), as: mac)
        #expect(lost.list("conflicts").map { $0.text("winner") } == ["theirs"])
        #expect(lost.list("conflicts").first?["theirs"]?["denied"] == true)
        #expect(lost.list("conflicts").first?["yours"]?["denied"] == false)
        let won = try push(deny("2", 5, false, at: "2026-03-02T08:45:00Z"), "e-2", base: base - 1, as: mac)
        #expect(won.list("applied").count == 1 && won.list("conflicts").map { $0.text("winner") } == ["yours"])
        #expect(try pull().list("changes", "deniedActors").isEmpty)
        let known = try push(deny("3", 5, at: "2026-03-02T08:50:00Z"), "e-3", base: revision(won))
        #expect(known.list("conflicts").isEmpty, "the phone knew what it replaced")
    }

    @Test func `an envelope that comes again means the same, although its device's clock runs ahead`() throws {
        let ahead = deny("1", 5, at: "2026-03-02T19:00:00Z")
        let cut = ISO8601.text(bench.world.wallNow)
        let first = try push(ahead + "," + deny("2", 6, at: "2026-03-02T08:00:00Z"))
        #expect(first.list("applied").map { $0.text("changedAt") } == [cut, "2026-03-02T08:00:00.000Z"])
        bench.world.advance(by: .hours(1))
        _ = try bench.call(.delete, "/noise-filter/actors/5", session: mac)
        bench.world.advance(by: .hours(1))
        let again = try push(ahead)
        #expect(again.list("conflicts").map { $0.text("winner") } == ["theirs"])
        #expect(try pull().list("changes", "deniedActors").map { $0.whole("gitlabUserId") } == [6])
    }

    @Test func `a mute ends with the watch, in whatever order they come`() throws {
        let (muted, ended, back) = (
            mute("1", until: "2026-03-03T09:00:00Z", at: "2026-03-02T08:00:00Z"),
            choose("2", "unwatched", at: "2026-03-02T08:10:00Z"), choose("3", "watched", at: "2026-03-02T08:20:00Z")
        )
        for (number, changes) in [[muted, ended, back], [back, ended, muted], [ended, muted, back]].enumerated() {
            let bench = try ServerBench()
            let session = try bench.register()
            for (place, change) in changes.enumerated() {
                let body = #"{"baseRevision": 0, "clientChangeId": "\#(place)", "changes": [\#(change)]}"#
                _ = try bench.call(.post, "/sync", body, session: session)
            }
            let now = try #require(ContractBench.json(bench.call(.get, "/sync", session: session)))
            #expect(now.list("changes", "watches").count == 1, "\(number)")
            #expect(now.list("changes", "watches").first?["mutedUntil"] == nil, "\(number)")
        }
    }

    @Test(arguments: [false, true])
    func `an end stands although the beginning that follows it in the envelope is refused`(isReversed: Bool) throws {
        var configuration = ServerBench.unhurried
        configuration.watchLimit = 1
        let bench = try ServerBench(configuration)
        bench.serveItems(1...1)
        let (phone, mac) = (try bench.register(), try bench.register())
        _ = try push(choose("1", "watched", at: "2026-03-02T08:00:00Z"), as: mac, on: bench)
        let other = choose("2", "dismissed", at: "2026-03-02T08:00:00Z", iid: 1)
        let base = try revision(push(other, "e-2", as: mac, on: bench))
        let pair = [
            choose("3", "unwatched", at: "2026-03-02T08:10:00Z", iid: 1),
            choose("4", "watched", at: "2026-03-02T08:20:00Z", iid: 1),
        ]
        let answer = try push(
            (isReversed ? pair.reversed() : pair).joined(separator: ","),
            base: base,
            as: phone,
            on: bench
        )
        #expect(answer.list("refused").map { $0.text("code") } == ["watch_limit"])
        #expect(answer.list("applied").map { $0.text("id") } == ["3"] && answer.list("conflicts").isEmpty)
        let choices = try pull("?since=\(base)", as: phone, on: bench).list("changes", "choices")
        #expect(choices.map { $0.text("choice") } == ["unwatched"])
        #expect(choices.map { $0.text("changedAt") } == ["2026-03-02T08:10:00.000Z"])
    }

    @Test func `who stops a watch and begins it again keeps it, and is told so of both`() throws {
        _ = try push(choose("1", "watched", at: "2026-03-02T08:00:00Z"), as: mac)
        let first = try pull()
        let pair = [
            choose("2", "unwatched", at: "2026-03-02T08:10:00Z"), choose("3", "watched", at: "2026-03-02T08:20:00Z"),
        ]
        let answer = try push(pair.joined(separator: ","), base: revision(first))
        #expect(answer.list("applied").map { $0.text("id") } == ["2", "3"] && answer.list("conflicts").isEmpty)
        #expect(answer.list("applied").map { $0["value"]?.text("choice") } == ["watched", "watched"])
        let ids = try [first, pull()].map { $0.list("changes", "watches").map { $0.text("watchedItemId") } }
        #expect(ids[0].count == 1 && ids[0] == ids[1])
    }

    @Test func `of each setting the last choice wins`() throws {
        func change(_ id: String, _ at: String, _ settings: String) -> String {
            #"{"id": "\#(id)", "entity": "settings", "changedAt": "\#(at)", "settings": {\#(settings)}}"#
        }
        _ = try push(change("1", "2026-03-02T08:30:00Z", #""reminders": false, "timeZone": "Europe/Berlin""#))
        let answer = try push(change("1", "2026-03-02T08:00:00Z", #""reminders": true, "autoWatch": true"#), as: mac)
        #expect(answer.list("conflicts").count == 1)
        let settings = try pull()["changes"]?["settings"]
        #expect(settings?["reminders"] == false && settings?["autoWatch"] == true)
        #expect(settings?.text("timeZone") == "Europe/Berlin")
        // The single route knows when it was chosen, too.
        _ = try bench.call(
            .put,
            "/settings",
            #"{"reminders": true, "changedAt": "2026-03-02T08:10:00Z"}"#,
            session: mac
        )
        #expect(try pull()["changes"]?["settings"]?["reminders"] == false)
    }

    @Test func `one envelope asks GitLab about so many new items, and names the rest`() throws {
        bench.serveItems(1...25)
        // What signing in asked of GitLab is earned again.
        bench.world.advance(by: .minutes(1))
        let changes = (1...25).map { choose("\($0)", "watched", at: "2026-03-02T08:00:00Z", iid: Int64($0)) }
        let answer = try push(changes.joined(separator: ","))
        #expect(answer.list("applied").count == RESTAPI.mostNewWatches)
        #expect(Set(answer.list("refused").map { $0.text("code") }) == ["watch_later"])
        // The same envelope again brings the rest: what it brought before stands.
        #expect(try push(changes.joined(separator: ",")).list("applied").count == 25)
    }

    @Test func `what was unwatched before the clock was set back is watched again at once`() throws {
        let watched = try bench.call(.post, "/watch", ServerBench.watchBody, session: mac)
        let id = try #require(watched.text("watchedItemId"))
        bench.world.advance(by: .seconds(1))
        #expect(try bench.call(.delete, "/watch/\(id)", session: mac).status == 204)
        bench.world.stepWallClock(by: .minutes(-30))
        let answer = try push(choose("1", "watched", at: "2026-03-02T08:59:00Z"))
        #expect(answer.list("refused").isEmpty && answer.list("applied").count == 1)
        #expect(try pull().list("changes", "watches").count == 1)
    }

    @Test func `an envelope that comes again once the clock was set back undoes nothing chosen since`() throws {
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: mac).status == 201)
        bench.world.advance(by: .seconds(1))
        let end = choose("1", "unwatched", at: "2026-03-02T09:00:01Z")
        #expect(try push(end).list("applied").count == 1)
        bench.world.stepWallClock(by: .minutes(-30))
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: mac).status == 201)
        #expect(try push(end).list("conflicts").map { $0.text("winner") } == ["theirs"])
        #expect(try pull().list("changes", "watches").count == 1)
    }

    @Test func `what is no envelope is refused as a whole`() throws {
        let change = deny("1", 5)
        let tooMany = (0...500).map { deny("\($0)", 5) }.joined(separator: ",")
        let bodies = [
            #"{"clientChangeId": "e", "changes": []}"#, #"{"baseRevision": -1, "clientChangeId": "e", "changes": []}"#,
            #"{"baseRevision": 0, "clientChangeId": "e e", "changes": []}"#,
            #"{"baseRevision": 0, "clientChangeId": "e", "changes": [\#(change), \#(change)]}"#,
            #"{"baseRevision": 0, "clientChangeId": "e", "changes": [\#(tooMany)]}"#,
        ]
        for body in bodies { #expect(try bench.call(.post, "/sync", body, session: phone).status == 400) }
        let ahead = #"{"baseRevision": 9007199254740991, "clientChangeId": "e", "changes": [\#(change)]}"#
        #expect(try bench.call(.post, "/sync", ahead, session: phone).text("code") == "revision_ahead")
        #expect(try pull().list("changes", "deniedActors").isEmpty)
    }
}

extension JSONValue {
    /// A member that is a whole number.
    func whole(_ key: String) -> Int64? {
        guard case .number(let digits)? = self[key] else { return nil }
        return Int64(digits)
    }

    /// The elements of a list that the keys lead to.
    func list(_ keys: String...) -> [JSONValue] {
        var value: JSONValue? = self
        for key in keys { value = value?[key] }
        guard case .array(let elements)? = value else { return [] }
        return elements
    }
}

extension ServerBench {
    /// Lets GitLab have merge requests of these numbers.
    func serveItems(_ iids: ClosedRange<Int>) {
        let known = Self.singleObjects()
        gitlab.trouble { request in
            let path = String(request.path)
            guard path.hasPrefix("/api/v4/projects/42/merge_requests/"),
                let iid = path.split(separator: "/").last.flatMap({ Int($0) })
            else { return known(request) }
            return .response(
                makeJSON(
                    200,
                    #"{"iid":\#(iid),"project_id":42,"title":"T","state":"opened","web_url":"https://x/\#(iid)"}"#
                )
            )
        }
        for iid in iids {
            gitlab.set([], at: "/api/v4/projects/42/merge_requests/\(iid)/notes")
            gitlab.set([], at: "/api/v4/projects/42/merge_requests/\(iid)/resource_state_events")
        }
    }
}
