import Configuration
import FoundationEssentials
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// `GET /ping` and `GET /notifications?after=…`: how an app in the foreground learns of news.
struct PullRouteTests {
    private let bench: ServerBench
    private let session: String

    init() throws {
        bench = try ServerBench()
        session = try bench.register()
    }

    private func ping(_ session: String? = nil, knowing tag: String? = nil) throws -> HTTPResponse {
        var request = HTTPRequest(
            method: .get,
            origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
            target: "/ping"
        )
        request.fields["Authorization"] = "Bearer \(session ?? self.session)"
        if let tag { request.fields["If-None-Match"] = tag }
        return try bench.send(request)
    }

    private func pull(_ query: String, as session: String? = nil) throws -> JSONValue {
        let response = try bench.call(.get, "/notifications?\(query)", session: session ?? self.session)
        #expect(response.status == 200, "\(response.bodyText)")
        return try #require(ContractBench.json(response))
    }

    private func ids(_ page: JSONValue) -> [String] { page.entries.map { $0.text("id") } }

    // MARK: Ping

    @Test func `a ping tells nothing new until there is`() throws {
        let first = try ping()
        let tag = try #require(first.fields["ETag"])
        #expect(first.status == 200 && first.fields["Cache-Control"] == "no-store")
        bench.world.advance(by: .minutes(1))
        for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "\"x\" ,W/\(tag) , \"y\"", "*"] {
            let unchanged = try ping(knowing: condition)
            #expect(unchanged.status == 304 && unchanged.body.isEmpty, "\(condition)")
            #expect(unchanged.fields["ETag"] == tag)
        }
        #expect(try ping(knowing: "\"x\"").body == first.body)
        _ = try bench.tell(1)
        let news = try ping(knowing: tag)
        #expect(news.status == 200 && news.fields["ETag"] != tag)
        #expect(news.number("notificationVersion") == first.number("notificationVersion") + 1)
        #expect(news.number("dataVersion") == first.number("dataVersion"))
    }

    @Test func `one person's news is no other's`() throws {
        let bert = try bench.register("glpat-bert")
        let before = try ping(bert)
        _ = try bench.tell(1)
        #expect(try ping(bert).body == before.body)
    }

    @Test func `a tag of another person's says nothing, also where the numbers are the same`() throws {
        let bert = try bench.register("glpat-bert")
        let store = Store(try bench.openDatabase())
        try store.database.execute(
            "UPDATE accounts SET data_version = 9000000000000000, notification_version = 9000000000000000"
        )
        let tag = try #require(try ping().fields["ETag"])
        #expect(try ping(knowing: tag).status == 304)
        #expect(try ping(bert, knowing: tag).status == 200)
    }

    @Test func `the numbers of a person who comes back lie above those from before`() throws {
        _ = try bench.tell(1, count: 20)
        let before = try ping()
        #expect(try bench.call(.delete, "/account", session: session).status == 204)
        bench.world.advance(by: .seconds(1))
        let after = try ping(bench.register())
        #expect(after.number("notificationVersion") > before.number("notificationVersion"))
        #expect(after.number("dataVersion") > before.number("dataVersion"))
    }

    @Test func `a device that another version of the app registers is listed anew, and one that says the same is not`()
        throws
    {
        let session = try bench.register()
        func register(_ version: String) throws -> Int64 {
            let body = #"{"apnsToken": "aa11", "platform": "ios", "appVersion": "\#(version)"}"#
            #expect(try bench.call(.post, "/devices", body, session: session).status < 300)
            return try ping(session).number("dataVersion")
        }
        let first = try register("1.0")
        #expect(try register("1.0") == first)
        #expect(try register("1.1") > first)
    }

    @Test func `a ping asks GitLab nothing and writes nothing`() throws {
        _ = try ping()
        bench.gitlab.forgetExchanges()
        let before = try bench.dump()
        for _ in 1...10 { #expect(try ping().status == 200) }
        #expect(bench.gitlab.count == 0)
        #expect(try bench.dump() == before)
    }

    // MARK: What is new

    @Test func `what is new comes oldest first, page by page, each once`() throws {
        let told = try bench.tell(1, count: 7)
        var (after, pages) = ("", [[String]]())
        var hasMore = true
        while hasMore {
            let page = try pull("after=\(after)&limit=3")
            pages.append(ids(page))
            hasMore = page["hasMore"] == true
            #expect(page["reset"] == false)
            after = try #require(ids(page).last)
        }
        #expect(pages == [Array(told[0..<3]), Array(told[3..<6]), [told[6]]])
        #expect(ids(try pull("after=\(told[6])")) == [])
        #expect(ids(try pull("after=\(told[4].uppercased())")) == Array(told[5...]))
        let version = try ping().number("notificationVersion")
        #expect(try pull("after=\(told[6])")["notificationVersion"] == .integer(version))
    }

    @Test func `after an id that is forgotten, foreign or was never there comes all that is kept`() throws {
        let told = try bench.tell(1, count: 3)
        let bert = try bench.register("glpat-bert")
        try bench.change("DELETE FROM notifications WHERE id = 1")
        for id in [told[0], "550e8400-e29b-41d4-a716-446655440099"] {
            let page = try pull("after=\(id)&limit=1")
            #expect(page["reset"] == true && ids(page) == [told[1]] && page["hasMore"] == true)
        }
        let foreign = try pull("after=\(told[1])", as: bert)
        #expect(foreign["reset"] == true && ids(foreign) == [])
        #expect(bench.log.count(.pullReset) == 3)
    }

    @Test func `what is new stands in the order in which it was made, also when the clock was set back`() throws {
        let first = try bench.tell(1)
        bench.world.stepWallClock(by: .hours(-2))
        let second = try bench.tell(2)
        #expect(ids(try pull("after=")) == first + second)
    }

    @Test func `an app shows what a push would have shown`() throws {
        _ = try bench.registerDevice("aa11", session)
        bench.run(for: .seconds(1))
        let response = try bench.call(.post, "/notifications/test", session: session)
        let id = try #require(response.text("notificationId"))
        _ = try bench.tell(1)
        bench.world.advance(by: .seconds(1))
        let entries = try pull("after=").entries
        #expect(entries.map { $0.text("id") }.first == id)
        let pushed = bench.apns.requests.first { String(decoding: $0.body, as: UTF8.self).contains(id) }
        var reader = JSONReader(bytes: try #require(pushed).body)
        #expect(try reader.read().value == entries[0]["payload"])
        let activity = entries[1]
        #expect(activity["subject"] == "42/merge_request/847" && activity["actionType"] == "commented")
        #expect(activity["payload"]?["aps"]?["thread-id"] == activity["subject"])
        #expect(activity["payload"]?["data"]?["notificationId"] == activity["id"])
        #expect(activity["deliveries"] == nil && activity["acknowledged"] == false)
        let history = try pull("limit=1").entries[0]
        #expect(history["payload"] == nil && history["deliveries"] != nil && history["subject"] == activity["subject"])
        #expect(history["subtitle"] == "Auth refactor" && activity["subtitle"] == history["subtitle"])
        #expect(activity["payload"]?["aps"]?["alert"]?["subtitle"] == history["subtitle"])
        #expect(entries[0]["subtitle"] == nil, "a test has none")
    }

    @Test func `an id is taken where an instant would stand`() throws {
        let told = try bench.tell(1, count: 3)
        #expect(ids(try pull("since=\(told[0])")) == Array(told[1...]))
        #expect(try pull("since=2026-03-02T09:00:00Z")["reset"] == nil, "an instant stays one")
    }

    @Test(arguments: [
        "after=x", "after=550e8400-e29b-41d4-a716-44665544009", "after=550e8400-e29b-41d4-a716-44665544009g",
        "after=&cursor=1", "after=&projectId=1", "after=&since=2026-03-02T09:00:00Z", "after=&limit=0",
        "after=&limit=101",
        "after=&itemIid=4", "after=&until=2026-03-02T09:00:00Z", "after=%00",
    ])
    func `a position that is none, or has a filter beside it, is refused`(_ query: String) throws {
        let response = try bench.call(.get, "/notifications?\(query)", session: session)
        #expect(response.status == 400 && response.text("code") == "invalid_field", "\(response.bodyText)")
    }

    // MARK: Limits

    @Test func `an office that asks every ten seconds is within the limit, and a stranger is not`() throws {
        let bench = try ServerBench(NotifierConfiguration())
        let session = try bench.register()
        // Two hundred apps, each six times a minute, over five minutes.
        for second in 0..<300 {
            for _ in 0..<20 {
                let status = try bench.call(.get, "/ping", session: session).status
                guard status != 200 else { continue }
                Issue.record("\(status) in second \(second)")
                return
            }
            bench.world.advance(by: .seconds(1))
        }
        bench.world.advance(by: .minutes(2))
        let answers = try (0..<200).map { _ in try bench.call(.get, "/ping", session: "x", from: "192.0.2.9").status }
        #expect(answers.count { $0 == 401 } == 100, "as many as of any other request")
        #expect(answers.last == 429)
        #expect(try bench.call(.get, "/ping", session: session).status == 200)
    }

    // MARK: Without pushes

    @Test func `where pushing is switched off apps learn of everything, and nothing waits for a push`() throws {
        var configuration = ServerBench.unhurried
        configuration.pushEnabled = false
        let bench = try ServerBench(configuration)
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status == 201)
        bench.run(for: .minutes(2))
        bench.gitlab.add(.note(2, at: "2026-03-02T09:01:59.000Z"), at: ServerBench.notes)
        bench.world.advance(by: .hours(30))
        let page = try #require(
            ContractBench.json(try bench.call(.get, "/notifications?after=", session: session))
        )
        #expect(page.entries.count == 1, "news is kept for its retention, and not for as long as a push is of use")
        #expect(bench.apns.requests.isEmpty)
        #expect(try !bench.dump().contains("'queued'"))
        #expect(bench.log.count(.pushSwitchedOff) == 1 && bench.log.count(.pushNotConfigured) == 0)
        let test = try bench.call(.post, "/notifications/test", session: session)
        #expect(test.status == 409 && test.text("code") == "push_not_configured")
        let metrics = try bench.call(.get, "/metrics").bodyText
        #expect(!metrics.contains(#"apns_paused{environment="production"} 1"#))
        #expect(metrics.contains("notifications_pulled_total 1"))
    }

    @Test func `what waited when pushing was switched off is not sent when it is switched on again`() throws {
        let first = try ServerBench()
        let session = try first.register()
        _ = try first.registerDevice("aa11", session)
        _ = try first.tell(1, pushedTo: 1)
        var configuration = ServerBench.unhurried
        configuration.pushEnabled = false
        let second = try ServerBench(configuration, continuing: first, secrets: first.secrets)
        second.run(for: .minutes(1))
        #expect(second.log.count(.deliveriesDropped) == 1)
        let third = try ServerBench(continuing: second, secrets: first.secrets)
        third.run(for: .minutes(1))
        #expect(third.apns.requests.isEmpty)
    }
}

extension ServerBench {
    /// Puts notifications about notes of the watched merge request into the outbox of the first account, without a delivery unless
    /// it says to which device. Returns their ids.
    func tell(
        _ note: Int64,
        count: Int = 1,
        action: Action = .commented,
        iid: Int64 = 847,
        pushedTo device: Int64? = nil
    ) throws -> [String] {
        let store = Store(try openDatabase())
        let account = try #require(try store.activeAccounts().first)
        // Ids of their own, whatever the server draws.
        let outbox = Outbox(entropy: SeededEntropy(seed: UInt64(note) &* 7_919), expiration: .hours(24))
        return try (0..<Int64(count)).map { offset in
            let item = ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: iid)
            let draft = NotificationDraft(
                account: account.id,
                subject: .activity([makeFact(action, note: note + offset, item: item)])
            )
            let devices = device.map { [DeviceID(rawValue: $0)] } ?? []
            return try outbox.enqueue(draft, to: devices, at: world.wallNow, in: store).publicID
        }
    }
}

extension JSONValue {
    /// The notifications of an answer.
    var entries: [JSONValue] {
        guard case .array(let entries) = self["notifications"] else { return [] }
        return entries
    }

    /// A text among the members; empty when there is none.
    func text(_ key: String) -> String {
        guard case .string(let text) = self[key] else { return "" }
        return text
    }
}

extension HTTPResponse {
    /// A whole number of the answer's object; -1 when there is none.
    func number(_ key: String) -> Int64 {
        guard case .number(let digits) = ContractBench.json(self)?[key] else { return -1 }
        return Int64(digits) ?? -1
    }
}
