import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

/// Mutes, the deny-list and settings, as an app sees them. The bench's clock stands at 2026-03-02T09:00:00Z.
struct ChoicesAPITests {
    private let bench: ServerBench
    private let session: String

    init() throws {
        bench = try ServerBench()
        session = try bench.register()
    }

    private func watch() throws -> String {
        let response = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        return try #require(response.text("watchedItemId"), "\(response.bodyText)")
    }

    // MARK: Mute

    @Test(arguments: [
        #"{"until": "2026-03-02T11:30:00Z"}"#, #"{"minutes": 150}"#, #"{"until":"2026-03-02T12:30:00+01:00"}"#,
    ])
    func `a mute ends at an instant or after some minutes, and is listed`(_ body: String) throws {
        let id = try watch()
        let response = try bench.call(.post, "/watch/\(id)/mute", body, session: session)
        #expect(response.status == 200)
        #expect(response.text("mutedUntil") == "2026-03-02T11:30:00.000Z")
        #expect(try bench.call(.get, "/watch", session: session).bodyText.contains(#""mutedUntil":"2026-03-02T11:30"#))
        let cleared = try bench.call(.delete, "/watch/\(id)/mute", session: session)
        #expect(cleared.bodyText == "{}")
        #expect(try !bench.call(.get, "/watch", session: session).bodyText.contains("mutedUntil"))
    }

    @Test func `a watch that begins again speaks, however long the mute was that ended with it`() throws {
        let id = try watch()
        #expect(try bench.call(.post, "/watch/\(id)/mute", #"{"minutes": 400000}"#, session: session).status == 200)
        bench.world.advance(by: .seconds(1))
        #expect(try bench.call(.delete, "/watch/\(id)", session: session).status == 204)
        let store = Store(try bench.openBeside())
        let later = bench.world.wallNow.advanced(by: .days(100))
        _ = try store.purgeChoiceStamps(before: later, limit: 100)
        _ = try watch()
        #expect(try !bench.call(.get, "/watch", session: session).bodyText.contains("mutedUntil"))
    }

    @Test(arguments: [
        "{}", #"{"until": "2026-03-02T09:00:00Z"}"#, #"{"until": "2027-03-02T09:00:01Z"}"#, #"{"until": "soon"}"#,
        #"{"minutes": 0}"#, #"{"minutes": 525601}"#, #"{"minutes": 1.5}"#,
        #"{"minutes": 5, "until": "2026-03-02T10:00:00Z"}"#,
        #"{"minutes": 5, "changedAt": "yesterday"}"#, #"{"minutes": "5"}"#,
    ])
    func `a mute without a sensible end is refused`(_ body: String) throws {
        let id = try watch()
        expectError(try bench.call(.post, "/watch/\(id)/mute", body, session: session), 400, "invalid_field")
        #expect(try !bench.call(.get, "/watch", session: session).bodyText.contains("mutedUntil"))
    }

    @Test func `of two devices' mutes the one made later stands, whichever arrives last`() throws {
        let id = try watch()
        let later = #"{"minutes": 60, "changedAt": "2026-03-02T08:59:00Z"}"#
        let earlier = #"{"minutes": 600, "changedAt": "2026-03-02T08:50:00Z"}"#
        _ = try bench.call(.post, "/watch/\(id)/mute", later, session: session)
        let answer = try bench.call(.post, "/watch/\(id)/mute", earlier, session: session)
        #expect(answer.status == 200)
        #expect(answer.text("mutedUntil") == "2026-03-02T10:00:00.000Z")
        let target = "/watch/\(id)/mute?changedAt=2026-03-02T08:58:00Z"
        #expect(try bench.call(.delete, target, session: session).text("mutedUntil") != nil)
    }

    @Test func `a clock that runs ahead cannot outdo what is done later`() throws {
        let id = try watch()
        let ahead = #"{"minutes": 60, "changedAt": "2030-01-01T00:00:00Z"}"#
        _ = try bench.call(.post, "/watch/\(id)/mute", ahead, session: session)
        bench.world.stepWallClock(by: .seconds(1))
        #expect(try bench.call(.delete, "/watch/\(id)/mute", session: session).bodyText == "{}")
    }

    // MARK: Several devices

    @Test func `an unwatch made before the watch changes nothing, and one made later ends it`() throws {
        let id = try watch()
        let early = try bench.call(.delete, "/watch/\(id)?changedAt=2026-03-02T08:00:00Z", session: session)
        #expect(early.status == 200)
        #expect(early.bodyText == #"{"watchedItemId":"\#(id)","watching":true}"#)
        #expect(try bench.call(.delete, "/watch/\(id)?changedAt=2026-03-02T09:00:00Z", session: session).status == 204)
        expectError(try bench.call(.delete, "/watch/\(id)", session: session), 404, "watch_not_found")
    }

    @Test func `a watch that a device queued before another's unwatch does not bring the item back`() throws {
        let id = try watch()
        bench.world.stepWallClock(by: .minutes(10))
        _ = try bench.call(.delete, "/watch/\(id)?changedAt=2026-03-02T09:05:00Z", session: session)
        let queued = ServerBench.watchBody.replacing("}", with: #", "changedAt": "2026-03-02T09:04:00Z"}"#)
        let before = bench.gitlab.count
        let answer = try bench.call(.post, "/watch", queued, session: session)
        #expect(answer.status == 200)
        #expect(answer.bodyText == #"{"watching":false}"#)
        #expect(bench.gitlab.count == before)
        let later = ServerBench.watchBody.replacing("}", with: #", "changedAt": "2026-03-02T09:06:00Z"}"#)
        #expect(try bench.call(.post, "/watch", later, session: session).status == 201)
    }

    @Test func `a watch of a clock that runs ahead is ended by what is done a second later`() throws {
        let ahead = ServerBench.watchBody.replacing("}", with: #", "changedAt": "2031-01-01T00:00:00Z"}"#)
        let id = try #require(try bench.call(.post, "/watch", ahead, session: session).text("watchedItemId"))
        bench.world.stepWallClock(by: .seconds(1))
        #expect(try bench.call(.delete, "/watch/\(id)", session: session).status == 204)
    }

    @Test(arguments: [("POST", "watch"), ("POST", "dismiss"), ("DELETE", "dismiss")])
    func `acts on a notification nobody has are refused`(method: String, act: String) throws {
        let target = "/notifications/550e8400-e29b-41d4-a716-446655440099/\(act)"
        let response = try bench.call(HTTPMethod(rawValue: method), target, session: session)
        expectError(response, 404, "notification_not_found")
        expectError(
            try bench.call(HTTPMethod(rawValue: method), target + "?changedAt=now", session: session),
            400,
            "invalid_field"
        )
    }

    @Test(arguments: [("POST", "watch", 0), ("POST", "dismiss", 0), ("DELETE", "dismiss", 1)])
    func `what somebody has answered does not go to the next push token`(
        method: String,
        act: String,
        count: Int
    ) throws {
        _ = try bench.registerDevice("aa11", session)
        let id = try #require(try bench.tell(1, pushedTo: 1).first)
        let (store, now) = (Store(try bench.openBeside()), bench.world.wallNow)
        try store.database.execute("UPDATE deliveries SET state = 'accepted', accepted_at = ?", now)
        let response = try bench.call(HTTPMethod(rawValue: method), "/notifications/\(id)/\(act)", session: session)
        #expect((200...201).contains(response.status), "\(response.bodyText)")
        // What is undismissed need not have been shown.
        #expect(try store.sendAgain(to: DeviceID(rawValue: 1), at: now) == count)
    }

    // MARK: Deny-list

    @Test func `what is chosen once the clock was set back takes the place of what it had dated ahead`() throws {
        _ = try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 123}"#, session: session)
        bench.world.stepWallClock(by: .minutes(-30))
        #expect(try bench.call(.delete, "/noise-filter/actors/123", session: session).status == 200)
        #expect(try bench.call(.get, "/noise-filter/actors", session: session).bodyText == #"{"deniedActors":[]}"#)
        #expect(bench.log.count(.actorAllowed) == 1)
    }

    @Test func `that somebody is heard again is not written where a later choice stands`() throws {
        _ = try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 123}"#, session: session)
        let target = "/noise-filter/actors/123?changedAt=2026-03-02T08:59:00Z"
        #expect(try bench.call(.delete, target, session: session).status == 200)
        #expect(try bench.call(.get, "/noise-filter/actors", session: session).bodyText.contains("123"))
        #expect(bench.log.count(.actorAllowed) == 0)
    }

    @Test func `somebody is put on the deny-list, renamed there and taken off`() throws {
        let body = #"{"gitlabUserId": 123, "displayName": "CI Bot", "reason": "noise"}"#
        #expect(try bench.call(.post, "/noise-filter/actors", body, session: session).bodyText == #"{"success":true}"#)
        let again = #"{"gitlabUserId": 123, "displayName": "Robot"}"#
        #expect(try bench.call(.post, "/noise-filter/actors", again, session: session).status == 200)
        let list = try bench.call(.get, "/noise-filter/actors", session: session)
        #expect(list.bodyText == #"{"deniedActors":[{"displayName":"Robot","gitlabUserId":123}]}"#)
        #expect(try bench.call(.delete, "/noise-filter/actors/123", session: session).status == 200)
        expectError(try bench.call(.delete, "/noise-filter/actors/123", session: session), 404, "actor_not_found")
        #expect(try bench.call(.get, "/noise-filter/actors", session: session).bodyText == #"{"deniedActors":[]}"#)
    }

    @Test(arguments: [
        "{}", #"{"gitlabUserId": 0}"#, #"{"gitlabUserId": "7"}"#, #"{"gitlabUserId": 1e30}"#,
        #"{"gitlabUserId": 7, "reason": "\#(String(repeating: "x", count: 201))"}"#,
        #"{"gitlabUserId": 7, "displayName": []}"#,
    ])
    func `a bad entry of the deny-list is refused`(_ body: String) throws {
        expectError(try bench.call(.post, "/noise-filter/actors", body, session: session), 400, "invalid_field")
    }

    @Test func `the deny-list has an end`() throws {
        for number in 1...500 {
            let body = #"{"gitlabUserId": \#(number)}"#
            #expect(try bench.call(.post, "/noise-filter/actors", body, session: session).status == 200)
        }
        let more = try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 501}"#, session: session)
        expectError(more, 409, "actor_limit")
        #expect(try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 7}"#, session: session).status == 200)
    }

    // MARK: Settings

    @Test func `settings have defaults and keep what a change does not name`() throws {
        let defaults = try bench.call(.get, "/settings", session: session)
        #expect(
            defaults.bodyText
                == #"{"autoWatch":false,"dueLeadHours":15,"dueReminders":true,"kinds":["approvals","comments","pushes","states"],"mirrorSubscriptions":false,"quietHours":[],"reminders":true,"timeZone":"UTC","urgentBypass":true}"#
        )
        let body = """
            {"timeZone": "Europe/Berlin", "quietHours": [{"days": ["mon", "sun"], "from": "09:00", "until": "17:30"}]}
            """
        let quiet = try bench.call(.put, "/settings", body, session: session)
        // The bench's Monday is at ten in Berlin.
        #expect(quiet.text("quietUntil") == "2026-03-02T16:30:00.000Z")
        _ = try bench.call(
            .put,
            "/settings",
            #"{"urgentBypass": false, "autoWatch": true, "reminders": false}"#,
            session: session
        )
        let settings = try bench.call(.get, "/settings", session: session).bodyText
        #expect(
            settings.hasPrefix(
                #"{"autoWatch":true,"dueLeadHours":15,"dueReminders":true,"kinds":["approvals","comments","pushes","states"],"mirrorSubscriptions":false,"quietHours":[{"days":["mon","sun"],"from":"09:00","#
            )
        )
        #expect(settings.contains(#""urgentBypass":false"#) && settings.contains(#""reminders":false"#))
    }

    @Test func `the lead time of due dates is a person's own, in hours, and plans anew what is due`() throws {
        func put(_ body: String) throws -> HTTPResponse { try bench.call(.put, "/settings", body, session: session) }
        for hours in ["-1", "337", "1.5", #""15""#] {
            expectError(try put(#"{"dueLeadHours": \#(hours)}"#), 400, "invalid_field")
        }
        let changed = try put(#"{"dueLeadHours": 39, "dueReminders": false, "timeZone": "Europe/Berlin"}"#)
        #expect(changed.bodyText.contains(#""dueLeadHours":39,"dueReminders":false"#))
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status == 201)
        let day = try #require(DueDay("2026-03-30"))
        let store = Store(try bench.openDatabase())
        let watch = try #require(try store.watches(of: AccountID(rawValue: 1)).first).id
        let now = bench.world.wallNow
        try store.setDueDay(day, of: watch, by: DueDatePolicy(leadTime: .hours(15), zone: .utc), at: now)
        #expect(try put(#"{"urgentBypass": false}"#).status == 200)
        #expect(try store.nextDueDate() == ISO8601.wallTime("2026-03-28T08:00:00Z"), "nine in the morning in Berlin")
        #expect(try put(#"{"dueLeadHours": 0}"#).status == 200)
        #expect(try store.nextDueDate() == ISO8601.wallTime("2026-03-29T22:00:00Z"), "the day begins in summer time")
    }

    @Test(arguments: [
        #"{"timeZone": "Mars/Olympus"}"#, #"{"timeZone": "../../etc/passwd"}"#, #"{"timeZone": 1}"#,
        #"{"quietHours": [{"from": "22:00"}]}"#, #"{"quietHours": [{"from": "24:00", "until": "07:00"}]}"#,
        #"{"quietHours": [{"from": "22:60", "until": "07:00"}]}"#,
        #"{"quietHours": [{"from": "7:00", "until": "08:00"}]}"#,
        #"{"quietHours": [{"from": "22:00", "until": "00:00"}]}"#,
        #"{"quietHours": [{"from": "22:00", "until": "22:00"}]}"#,
        #"{"quietHours": [{"days": ["someday"], "from": "22:00", "until": "07:00"}]}"#,
        #"{"quietHours": [{"from": "22:00", "until": "07:00"}, {"days": ["mon"], "from": "22:00", "until": "06:00"}]}"#,
        #"{"quietHours": [{"from": "00:00", "until": "24:00"}]}"#, #"{"urgentBypass": "yes"}"#, #"{"quietHours": {}}"#,
        #"{"quietHours": [5]}"#, #"{"kinds": ["gossip"]}"#, #"{"kinds": "comments"}"#, #"{"kinds": [1]}"#,
    ])
    func `settings that make no sense are refused and change nothing`(_ body: String) throws {
        expectError(try bench.call(.put, "/settings", body, session: session), 400, "invalid_field")
        #expect(try bench.call(.get, "/settings", session: session).bodyText.contains(#""quietHours":[]"#))
    }

    @Test func `kinds are kept as chosen, none included`() throws {
        let chosen = try bench.call(.put, "/settings", #"{"kinds": ["states", "labels", "states"]}"#, session: session)
        #expect(chosen.bodyText.contains(#""kinds":["labels","states"]"#))
        let none = try bench.call(.put, "/settings", #"{"kinds": []}"#, session: session)
        #expect(none.bodyText.contains(#""kinds":[]"#))
        #expect(try bench.call(.put, "/settings", "{}", session: session).bodyText.contains(#""kinds":[]"#))
    }

    @Test func `the lists of a kind that is switched off or on begin anew, and no others`() throws {
        _ = try watch()
        let store = Store(try bench.openBeside())
        let account = try #require(try store.accountIDs().first)
        let watch = try #require(try store.watches(of: account).first).id
        let now = bench.world.wallNow
        try store.store(.seenRows(.labelEvents, []), of: watch, at: now)
        try store.store(.seenRows(.milestoneEvents, []), of: watch, at: now)
        let both = #"{"kinds": ["labels", "milestones"]}"#
        #expect(try bench.call(.put, "/settings", both, session: session).status == 200)
        #expect(try store.readLists(of: account)[watch] == nil)
        let late = try store.lateLists(of: account)[watch]
        #expect(late.map { Set($0.keys) } == [.approvals, .labelEvents, .milestoneEvents])
        try store.store(.seenRows(.labelEvents, []), of: watch, at: now)
        try store.store(.seenRows(.milestoneEvents, []), of: watch, at: now)
        // A watch begins with its approvals, wanted or not.
        try store.storeBaseline([], of: watch, at: now)
        #expect(try bench.call(.put, "/settings", both, session: session).status == 200)
        #expect(try store.readLists(of: account)[watch] == [.approvals, .labelEvents, .milestoneEvents])
        #expect(try store.lateLists(of: account)[watch] == nil)
        let others = #"{"kinds": ["milestones", "approvals"]}"#
        #expect(try bench.call(.put, "/settings", others, session: session).status == 200)
        #expect(try store.readLists(of: account)[watch] == [.milestoneEvents])
        #expect(try bench.call(.put, "/settings", #"{"kinds": ["milestones"]}"#, session: session).status == 200)
        #expect(try store.readLists(of: account)[watch] == [.milestoneEvents])
        #expect(try bench.call(.put, "/settings", both, session: session).status == 200)
        #expect(try store.readLists(of: account)[watch] == [.milestoneEvents])
    }

    // MARK: Whose it is

    @Test func `nobody sees or changes what another person chose`() throws {
        let id = try watch()
        let other = try bench.register("glpat-bert")
        expectError(
            try bench.call(.post, "/watch/\(id)/mute", #"{"minutes": 5}"#, session: other),
            404,
            "watch_not_found"
        )
        expectError(try bench.call(.delete, "/watch/\(id)/mute", session: other), 404, "watch_not_found")
        _ = try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 5}"#, session: session)
        #expect(try bench.call(.get, "/noise-filter/actors", session: other).bodyText == #"{"deniedActors":[]}"#)
        expectError(try bench.call(.delete, "/noise-filter/actors/5", session: other), 404, "actor_not_found")
        _ = try bench.call(.put, "/settings", #"{"autoWatch": true}"#, session: session)
        #expect(try bench.call(.get, "/settings", session: other).bodyText.contains(#""autoWatch":false"#))
    }

    @Test func `every one of these routes needs a session`() throws {
        for route in RESTAPI.muteRoutes + RESTAPI.noiseFilterRoutes + RESTAPI.settingsRoutes
            + RESTAPI.dismissalRoutes
        {
            expectError(try bench.call(route.method, route.path.description, "{}"), 401, "session_missing")
        }
    }
}
