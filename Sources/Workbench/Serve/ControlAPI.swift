import FakeAPNs
import FakeGitLab
import HTTP
import Harness
import JSON
import Live
import Platform
import Scenarios
import Simulation

/// The control API of a served world: act, let faults begin and end, read the ledgers, let time pass.
struct ControlAPI: HTTPHandler {
    /// Beside what a client named: answers are cut into pages of this many entries.
    private static let pageLimit = 1_000

    let driver: LiveWorldDriver
    let announcement: JSONValue
    let actions: PostedEntries
    /// Production first, sandbox second.
    let apnsServers: [HTTP2Server]
    let apnsFaults: ConnectionFaults

    func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
        do {
            return Self.response(200, try await answer(request))
        } catch let refusal as ControlRefusal {
            return Self.response(refusal.status, refusal.json)
        } catch let invalid as InvalidScenario {
            return Self.response(422, .object([JSONMember("problems", .array(invalid.problems.map(\.json)))]))
        } catch is LiveWorldDriver.Ended {
            let refusal = ControlRefusal(503, "ended", "The world has ended.", hint: "Start a new one.")
            return Self.response(refusal.status, refusal.json)
        } catch {
            let hint = "The world refuses it as it is now: GET /, /devices and /ledgers/gitlab show it."
            return Self.response(409, ControlRefusal(409, "refused", "\(error)", hint: hint).json)
        }
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        Self.response(
            refusal.status,
            ControlRefusal(
                refusal.status,
                "http",
                "The server takes no such request (HTTP \(refusal.status)).",
                hint: "GET / answers."
            ).json
        )
    }

    private func answer(_ request: HTTPRequest) async throws -> JSONValue {
        let path = request.path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        switch (request.method, path.first, path.count) {
        case (.get, nil, _): return announcement
        case (.get, "time", 1): return try await time()
        case (.post, "advance", 1): return try await advance(request)
        case (.post, "actions", 1), (.post, "faults", 1): return try await act(request)
        case (.delete, "faults", 2): return try await endFault(path[1])
        case (.post, "apns", 2) where path[1] == "faults": return try startConnectionFault(request)
        case (.delete, "apns", 3) where path[1] == "faults": return try stopConnectionFault(path[2])
        case (.delete, "apns", 2) where path[1] == "limits": return try await forgetClients()
        case (.get, "counters", 1): return try await counters()
        case (.get, "ledgers", 2): return try await ledger(path[1], after: Self.number("after", in: request))
        case (.get, "devices", 1):
            return try await driver.perform { ServedLedgers.devices($0.simulated) }
        default:
            throw ControlRefusal(
                404,
                "unknown-route",
                "There is no \(request.method.rawValue) \(request.path).",
                hint: "GET /, /time, /counters, /devices, /ledgers/{gitlab,pushes,devices}; POST /actions, /faults, "
                    + "/advance, /apns/faults; DELETE /faults/{id}, /apns/faults/{id}, /apns/limits"
            )
        }
    }

    // MARK: Time

    private func time() async throws -> JSONValue {
        try await driver.perform { world in
            .object([
                JSONMember("now", .string(world.simulated.gitlabClock.wallNow.utcText(.seconds))),
                JSONMember("sinceStart", .string(DurationNotation.text(.milliseconds(world.now.wholeMilliseconds)))),
            ])
        }
    }

    private func advance(_ request: HTTPRequest) async throws -> JSONValue {
        let body = try Self.object(request)
        guard let text = body["by"]?.string, let length = DurationNotation.parse(text), length > .zero,
            length <= .seconds(366 * 86_400)
        else {
            throw ControlRefusal(
                422,
                "bad-duration",
                "`by` takes a duration of up to a year.",
                hint: #"{"by":"1h30m"}"#
            )
        }
        guard driver.advance(by: length) else {
            throw ControlRefusal(
                422,
                "too-far",
                "A world can be moved ten years ahead in all.",
                hint: "Start a new one."
            )
        }
        // Time moves before the next job, so the answer stands behind everything that happened meanwhile.
        return try await time()
    }

    // MARK: Acting

    private func act(_ request: HTTPRequest) async throws -> JSONValue {
        let events = try actions.read(request.body, after: try await driver.perform { $0.past })
        return try await driver.perform { world in
            let before = world.simulated.gitlab.activityCount
            for event in events {
                if let obstacle = world.obstacle(to: event) {
                    throw ControlRefusal(409, "not-in-this-world", obstacle, hint: "simctl run plays it in simulation.")
                }
                try world.carryOut(event)
            }
            let activities = world.simulated.gitlab.activities(after: before)
            return .object([
                JSONMember("activities", .array(activities.map(ServedLedgers.json))),
                JSONMember("faults", .strings(events.compactMap(\.faultID))),
            ])
        }
    }

    private func endFault(_ id: String) async throws -> JSONValue {
        let hasEnded = try await driver.perform { world in EntryID(id).map { world.simulated.end($0) } ?? false }
        guard hasEnded else {
            throw ControlRefusal(
                404,
                "unknown-fault",
                "No fault called \(id) is running.",
                hint: "POST /faults answers with the ids of those that began."
            )
        }
        return .object([JSONMember("ended", .string(id))])
    }

    private func startConnectionFault(_ request: HTTPRequest) throws -> JSONValue {
        let body = try Self.object(request)
        let every = body["every"].map { $0.integer.map(Int.init) ?? 0 } ?? 1
        let options = ConnectionFaults.Options(reason: body["reason"]?.string, streams: body["streams"]?.integer)
        guard let id = body["id"]?.string, let name = body["kind"]?.string, (1...1_000_000).contains(every),
            let kind = apnsFaults.kind(name, options)
        else {
            throw ControlRefusal(
                422,
                "bad-fault",
                "A fault has an `id`, a `kind`, and perhaps `every` and `reason`; `stream-limit` has `streams`.",
                hint: "kinds: " + ConnectionFaults.names.joined(separator: ", ")
            )
        }
        for server in apnsServers {
            switch kind {
            case .frames(let kind): server.start(HTTP2Fault(id, kind, every: every))
            case .handshake(let kind): try server.start(HandshakeFault(id, kind))
            }
        }
        return .object([JSONMember("began", .string(id))])
    }

    private func stopConnectionFault(_ id: String) throws -> JSONValue {
        let wereThere = apnsServers.map { $0.stopFault(id) }
        guard wereThere.contains(true) else {
            throw ControlRefusal(
                404,
                "unknown-fault",
                "No fault of APNs' connections is called \(id).",
                hint: "POST /apns/faults answers with the id of one that began."
            )
        }
        return .object([JSONMember("ended", .string(id))])
    }

    private func forgetClients() async throws -> JSONValue {
        try await driver.perform { world in
            for service in world.simulated.apns { service.forgetClients() }
        }
        return .object([JSONMember("forgotten", .string("clients"))])
    }

    // MARK: Ledgers

    private func counters() async throws -> JSONValue {
        let gitlab = try await driver.perform { $0.gitlabRequests }
        return .object([
            JSONMember("gitlab", .object([JSONMember("requests", .integer(gitlab))])),
            JSONMember("apns", Self.json(apnsServers[0].counters)),
            JSONMember("apnsSandbox", Self.json(apnsServers[1].counters)),
        ])
    }

    private static func json(_ counters: HTTP2Counters) -> JSONValue {
        .object(
            [
                ("connectionsOpened", counters.connectionsOpened), ("requests", counters.requests),
                ("peakStreams", counters.peakStreams), ("refusedStreams", counters.refusedStreams),
                ("streamsResetByClient", counters.streamsResetByClient), ("pings", counters.pings),
                ("goAways", counters.goAways), ("faults", counters.faults),
            ].map { JSONMember($0.0, .integer(Int64($0.1))) }
        )
    }

    private func ledger(_ name: String, after: Int64) async throws -> JSONValue {
        let entries: [JSONValue] = try await driver.perform { world in
            switch name {
            case "gitlab": ServedLedgers.activities(of: world.simulated, after: after, limit: Self.pageLimit)
            case "pushes": ServedLedgers.pushes(of: world.simulated, after: after, limit: Self.pageLimit)
            case "devices": ServedLedgers.events(of: world.simulated, after: after, limit: Self.pageLimit)
            default:
                throw ControlRefusal(
                    404,
                    "unknown-ledger",
                    "There is no ledger \(name).",
                    hint: "gitlab, pushes, devices"
                )
            }
        }
        return .object([JSONMember("entries", .array(entries))])
    }

    // MARK: Reading and writing

    private static func object(_ request: HTTPRequest) throws -> JSONNode {
        var reader = JSONReader(bytes: request.body)
        guard let node = try? reader.read(), node.members != nil else {
            throw ControlRefusal(400, "bad-json", "The body is not a JSON object.", hint: #"{"key":"value"}"#)
        }
        return node
    }

    private static func number(_ name: String, in request: HTTPRequest) throws -> Int64 {
        for part in (request.query ?? "").split(separator: "&") where part.hasPrefix(name + "=") {
            guard let number = Int64(part.dropFirst(name.count + 1)), number >= 0 else {
                throw ControlRefusal(422, "bad-number", "`\(name)` takes a whole number.", hint: "\(name)=0")
            }
            return number
        }
        return 0
    }

    private static func response(_ status: Int, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: ["Content-Type": "application/json"],
            body: Array((body.text(indented: false) + "\n").utf8)
        )
    }
}

/// Why the control API refuses: a status, a stable code, a sentence, the next step.
struct ControlRefusal: Error {
    var status: Int
    var code: String
    var message: String
    var hint: String

    init(_ status: Int, _ code: String, _ message: String, hint: String) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
    }

    var json: JSONValue {
        .object([
            JSONMember("code", .string(code)), JSONMember("hint", .string(hint)),
            JSONMember("message", .string(message)),
        ])
    }
}

extension Step.Event {
    fileprivate var faultID: String? {
        guard case .fault(let fault) = self else { return nil }
        return fault.id.text
    }
}
