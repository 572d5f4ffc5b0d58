import FoundationEssentials
import JSON
import Notifier
import Testing

@testable import NotifierKit

/// What is sent for each call, and what is made of the answer.
struct ClientTests {
    /// What the kit does not ask: GitLab's own hooks, and the page for Prometheus.
    private static let othersRoutes: Set<String> = ["takeWebhook", "metrics", "sendSignal"]

    /// Every operation of the published document, by its id.
    private static let published: [String: String] = {
        var reader = JSONReader(bytes: Array(NotifierAPI.openAPIDocument.utf8))
        var operations: [String: String] = [:]
        for path in (try? reader.read())?["paths"]?.members ?? [] {
            for method in path.node.members ?? [] {
                guard let id = method.node["operationId"]?.string else { continue }
                operations[id] = "\(method.key.uppercased()) \(path.key)"
            }
        }
        return operations
    }()

    @Test func `every route of the server is there, and no other`() {
        let known = Dictionary(uniqueKeysWithValues: Operation.allCases.map { ($0.rawValue, Self.line($0)) })
        let published = Self.published.filter { !Self.othersRoutes.contains($0.key) }
        for (id, line) in published.sorted(by: { $0.key < $1.key }) {
            let names = line.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }.joined(separator: "/")
            #expect(known[id] == names, "\(id) is \(line)")
        }
        #expect(Set(known.keys).subtracting(published.keys).isEmpty)
    }

    private static func line(_ operation: Operation) -> String {
        "\(operation.route.method) \(operation.route.path.dropFirst())".replacing(" ", with: " /")
    }

    @Test func `a request bears session, name and body`() async throws {
        let device = try await SignedIn.make { _ in
            .json(201, #"{"watchedItemId":"w1","watching":true,"aNewMember":1}"#)
        }
        let answer = try await device.client.watch(
            ItemReference(projectID: 42, kind: .mergeRequest, iid: 847),
            chosenAt: .start
        )
        #expect(answer == WatchAnswer(watchedItemId: "w1", watching: true))
        let request = try #require(await device.transport.requests.first)
        #expect(request.line == "POST /watch" && request.token == "token-1")
        #expect(
            request.text
                == #"{"changedAt":"2026-03-02T09:00:00.000Z","itemIid":847,"itemType":"merge_request","projectId":42}"#
        )
        #expect(request.fields.contains(HeaderField("Content-Type", "application/json")))
        #expect(request.fields.contains(HeaderField("User-Agent", "NotifierKit")))
        #expect(request.timeout == .seconds(60) && request.responseLimitBytes == 256 * 1_024)
    }

    @Test func `an envelope of changes is sent as the server reads it, and a page of them read`() async throws {
        let device = try await SignedIn.make { request in
            if request.method == "POST" {
                return .json(
                    200,
                    """
                    {"revision":9,"applied":[{"id":"1","entity":"choice","value":\
                    {"projectId":42,"itemType":"issue","itemIid":7,"choice":"dismissed"}}],\
                    "conflicts":[{"id":"3","entity":"later","winner":"theirs","yours":{},"theirs":{"a":1}}],\
                    "refused":[{"id":"2","code":"c","message":"m","hint":"h"}]}
                    """
                )
            }
            return .json(
                200,
                """
                {"revision":8,"changes":{"watches":[],"choices":[{"projectId":42,"itemType":"issue","itemIid":7,"choice":"dismissed"}],\
                "deniedActors":[{"gitlabUserId":5}],"readMarks":[{"notificationId":"n","read":true}]},\
                "deleted":[{"entity":"watch","projectId":42,"itemType":"issue","itemIid":8},{"entity":"later"}],\
                "hasMore":true,"reset":true,"snapshot":4}
                """
            )
        }
        let (seven, eight) = (
            ItemReference(projectID: 42, kind: .issue, iid: 7), ItemReference(projectID: 42, kind: .issue, iid: 8)
        )
        let page = try await device.client.changes(since: 6, snapshot: 4, limit: 10)
        #expect(page.revision == 8 && page.snapshot == 4 && page.hasMore && page.reset)
        #expect(page.changes.choices.map(\.item) == [seven] && page.deleted == [.watch(eight), .other])
        let changes = [
            SyncChange(id: "1", changedAt: .start, wanted: .dismiss(seven)),
            SyncChange(id: "2", changedAt: .start, wanted: .mute(eight, until: nil)),
        ]
        let receipt = try await device.client.send(changes, id: "e-1", baseRevision: 8)
        #expect(receipt.held == ["1": .choice(seven, "dismissed"), "3": .other])
        #expect(receipt.refused.map(\.code) == ["c"])
        #expect(await device.transport.lines == ["GET /sync?since=6&snapshot=4&limit=10", "POST /sync"])
        #expect(
            await device.transport.requests.last?.text == """
                {"baseRevision":8,"changes":[{"changedAt":"2026-03-02T09:00:00.000Z","choice":"dismissed","entity":"choice","id":"1",\
                "itemIid":7,"itemType":"issue","projectId":42},{"changedAt":"2026-03-02T09:00:00.000Z","entity":"mute","id":"2",\
                "itemIid":8,"itemType":"issue","projectId":42}],"clientChangeId":"e-1"}
                """
        )
    }

    @Test func `values in a path and a query are percent-encoded`() async throws {
        let device = try await SignedIn.make { _ in .json(200, #"{"dismissed":true}"#) }
        try await device.client.dismiss(notification: "a/b?c=ü", chosenAt: .start)
        #expect(
            await device.transport.lines
                == ["POST /notifications/a%2Fb%3Fc%3D%C3%BC/dismiss?changedAt=2026-03-02T09%3A00%3A00.000Z"]
        )
    }

    @Test func `an unchanged ping gives the last answer again`() async throws {
        let device = try await SignedIn.make { request in
            if request.fields.contains(HeaderField("If-None-Match", "\"v1\"")) { return .success(.init(status: 304)) }
            let body = #"{"dataVersion":5,"notificationVersion":9,"serverVersion":"0.1.0","status":"ok"}"#
            return .json(200, body, fields: [HeaderField("etag", "\"v1\"")])
        }
        let first = try await device.client.ping()
        #expect(first == Ping(dataVersion: 5, notificationVersion: 9, serverVersion: "0.1.0", entityTag: "\"v1\""))
        #expect(try await device.client.ping(known: first) == first)
        #expect(await device.transport.lines == ["GET /ping", "GET /ping"])
    }

    @Test func `what is new is asked for behind an id, and from the beginning without one`() async throws {
        let device = try await SignedIn.make { _ in
            .json(200, #"{"hasMore":true,"notificationVersion":3,"notifications":[],"reset":true}"#)
        }
        let page = try await device.client.notifications(after: nil, limit: 100)
        #expect(page.hasMore && page.reset && page.notificationVersion == 3)
        _ = try await device.client.notifications(after: "n1", limit: 5)
        #expect(
            await device.transport.lines
                == ["GET /notifications?after=&limit=100", "GET /notifications?after=n1&limit=5"]
        )
    }

    @Test func `a notification is read with words that this program does not know`() async throws {
        let text = """
            {"hasMore":false,"notificationVersion":3,"reset":false,"notifications":[{"acknowledged":false,"actionType":\
            "review_requested","body":"Read the feed","facts":["todo/1"],"id":"n1","itemIid":847,"itemType":\
            "merge_request","payload":{"aps":{"alert":{"body":"b","subtitle":"s","title":"t"},"category":"GITLAB_ACTIVITY",\
            "interruption-level":"time-sensitive","thread-id":"42/merge_request/847"},"data":{}},"projectId":42,"sentAt":\
            "2026-03-02T09:00:00Z","subject":"42/merge_request/847","title":"Ben asks","type":"run_failed"}]}
            """
        let device = try await SignedIn.make { _ in .json(200, text) }
        let read = try #require(try await device.client.notifications(after: "n0").notifications.first)
        #expect(read.item == ItemReference(projectID: 42, kind: .mergeRequest, iid: 847))
        #expect(read.type == "run_failed" && !read.counts && read.sentAt == .start && read.readAt == nil)
        let shown = LocalNotification(read)
        #expect(shown.identifier == "n1" && shown.subtitle == "s" && shown.interruptionLevel == "time-sensitive")
    }

    @Test func `a sign-in takes the place of the former one and is kept`() async throws {
        let device = try await SignedIn.make { _ in
            .json(
                201,
                #"{"deviceId":"d1","expiresAt":"2026-03-09T09:00:00Z","refreshToken":"drt_1","token":"t1"}"#
            )
        }
        let server = try ServerAddress("https://other.example.com")
        try await device.client.pair(on: server, code: "K7M2QX", platform: .macos, name: "Laptop")
        let stored = try #require(try await device.stored)
        #expect(stored.server == server && stored.token == "t1" && stored.deviceID == "d1")
        let request = try #require(await device.transport.requests.first)
        #expect(request.token == nil && request.server == server)
        #expect(request.text == #"{"deviceName":"Laptop","pairingCode":"K7M2QX","platform":"macos"}"#)
    }

    @Test func `a sign-in by a typed code waits until the person has agreed`() async throws {
        let device = try await SignedIn.make { _ in .json(202, #"{"retryAfterSeconds":5,"status":"pending"}"#) }
        let server = try ServerAddress("https://notifier.example.com")
        #expect(try await device.client.finishOAuth(on: server, state: "s", code: nil) == .seconds(5))
        #expect(try await device.stored?.token == "token-1")
    }

    @Test func `registering a device binds the session to it`() async throws {
        let device = try await SignedIn.make { _ in
            .json(201, #"{"deviceId":"d7","expiresAt":"2026-03-09T09:00:00Z","registered":true,"token":"t7"}"#)
        }
        let description = DeviceDescription(apnsToken: "aabb", platform: .ios, environment: "sandbox")
        #expect(try await device.client.registerDevice(description) == "d7")
        let stored = try #require(try await device.stored)
        #expect(stored.deviceID == "d7" && stored.token == "t7" && stored.refreshToken == "refresh-1")
    }

    @Test func `a body that is no answer of this API is refused`() async throws {
        let device = try await SignedIn.make { _ in .json(200, "<html>") }
        let error = await NotifierError.of { try await device.client.watches() }
        #expect(error?.kind == .unreadable)
    }
}
