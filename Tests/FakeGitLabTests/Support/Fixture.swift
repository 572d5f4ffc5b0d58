import FoundationEssentials
import HTTP
import Platform
import Synchronization
import Testing

@testable import FakeGitLab

/// A server clock that the test sets.
final class ServerClock: TimeSource {
    private let now: Mutex<(wall: WallTime, passed: Duration)>

    init(_ now: WallTime) { self.now = Mutex((now, .zero)) }

    var wallNow: WallTime { now.withLock { $0.wall } }
    var monotonicNow: MonotonicInstant { MonotonicInstant(nanoseconds: 0).advanced(by: now.withLock { $0.passed }) }

    func sleep(until instant: MonotonicInstant) async throws {}

    /// Lets so much time pass.
    func advance(_ duration: Duration) {
        now.withLock { $0 = ($0.wall.advanced(by: duration), $0.passed + duration) }
    }

    /// Sets what the clock shows, while no time passes.
    func step(_ duration: Duration) {
        now.withLock { $0.wall = $0.wall.advanced(by: duration) }
    }
}

/// A small team on a fake GitLab: maria and omar develop, ines reports, gast is a guest, eve is outside. Tokens are
/// `<name>-token`.
struct Fixture {
    static let start = CivilDate(year: 2026, month: 3, day: 2, hour: 9, minute: 0, second: 0, microsecond: 225_900)

    let gitLab: FakeGitLab
    let clock: ServerClock
    let mergeRequest = ItemReference(project: "team/backend", kind: .mergeRequest, iid: 7)
    let issue = ItemReference(project: "team/backend", kind: .issue, iid: 3)

    init(
        version: GitLabVersion = GitLabVersion(17, 11),
        seed: UInt64 = 1,
        _ configure: (inout FakeGitLab.Configuration) -> Void = { _ in },
        observer: FakeGitLab.Observer? = nil
    ) throws {
        var configuration = FakeGitLab.Configuration()
        configuration.version = version
        configure(&configuration)
        clock = ServerClock(Self.start.wallTime())
        gitLab = FakeGitLab(configuration: configuration, time: clock, seed: seed, observer: observer)
        for name in ["maria", "omar", "ines", "gast", "eve"] {
            try gitLab.addPerson(NewPerson(username: name))
            try gitLab.addToken("\(name)-token", for: name)
        }
        try gitLab.addProject("team/other", members: ["omar": .maintainer])
        try gitLab.addProject(
            "team/backend",
            members: ["maria": .developer, "omar": .maintainer, "ines": .reporter, "gast": .guest]
        )
        for label in ["bug", "urgent"] { try gitLab.addLabel(label) }
        try gitLab.addMilestone("v1", in: "team/backend")
        let created = clock.wallNow.advanced(by: .days(-2))
        try gitLab.addItem(
            NewItem(
                project: "team/backend",
                kind: .mergeRequest,
                iid: 7,
                title: "Add cache",
                author: "maria",
                assignees: ["omar"],
                createdAt: created
            )
        )
        try gitLab.addItem(
            NewItem(project: "team/backend", kind: .issue, iid: 3, title: "Slow", author: "ines", createdAt: created)
        )
    }

    func id(_ project: String = "team/backend") throws -> Int64 { try gitLab.id(ofProject: project) }

    /// The path of an item's subresource below `/api/v4`.
    func path(_ item: ItemReference, _ rest: String = "") throws -> String {
        let folder = item.kind == .issue ? "issues" : "merge_requests"
        return "/projects/\(try id(item.project))/\(folder)/\(item.iid)\(rest)"
    }

    @discardableResult
    func send(
        _ method: HTTPMethod = .get,
        _ path: String,
        as person: String? = "maria",
        fields: HTTPFields = HTTPFields(),
        json: String? = nil
    ) -> SentResponse {
        var fields = fields
        if let person { fields.append("PRIVATE-TOKEN", "\(person)-token") }
        if json != nil { fields.append("Content-Type", "application/json") }
        let request = HTTPRequest(
            method: method,
            origin: HTTPOrigin(scheme: "https", host: "git.internal", port: 8443),
            target: path.hasPrefix("//") ? String(path.dropFirst()) : "/api/v4" + path,
            fields: fields,
            body: Array((json ?? "").utf8)
        )
        return gitLab.respond(to: request, from: HTTPPeer(address: "10.0.0.9", connection: 1))
    }

    func get(_ path: String, as person: String? = "maria") throws -> JSON {
        let reply = send(.get, path, as: person)
        try #require(reply.response.status == 200, "\(path) answered \(reply.response.text)")
        return try reply.response.json()
    }

    func ids(_ path: String, as person: String? = "maria") throws -> [Int64] {
        try get(path, as: person).array.map { try #require($0["id"]?.integer) }
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> JSON { try JSONDecoder().decode(JSON.self, from: Data(body)) }
}

/// A JSON value as the standard decoder reads it.
enum JSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    subscript(key: String) -> JSON? { if case .object(let object) = self { object[key] } else { nil } }
    var keys: Set<String> { if case .object(let object) = self { Set(object.keys) } else { [] } }
    var array: [JSON] { if case .list(let list) = self { list } else { [] } }

    /// One element; null where there is none.
    func row(_ index: Int) -> JSON { index < array.count ? array[index] : .null }

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The name of the type, as the tables of the fact sheet write it.
    var type: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .integer: "int"
        case .string(let text): JSON.isTimestamp(text) ? "time" : JSON.isDate(text) ? "date" : "string"
        case .list: "array"
        case .object: "object"
        }
    }

    private static func isDate(_ text: String) -> Bool {
        text.utf8.count == 10 && text.split(separator: "-").map(\.count) == [4, 2, 2]
    }

    private static func isTimestamp(_ text: String) -> Bool {
        guard text.utf8.count == 24 || text.utf8.count == 29 else { return false }
        return isDate(String(text.prefix(10))) && text.dropFirst(10).hasPrefix("T") && text.dropFirst(19).hasPrefix(".")
    }
}

/// Checks that exactly these fields are there with these types, as `name: type` or `name: type/type`.
func expectFields(
    _ json: JSON,
    _ table: [String: String],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(json.keys == Set(table.keys), sourceLocation: sourceLocation)
    for (name, types) in table.sorted(by: { $0.key < $1.key }) {
        let type = json[name]?.type ?? "absent"
        #expect(
            types.split(separator: "/").contains { $0 == type },
            "\(name) is \(type)",
            sourceLocation: sourceLocation
        )
    }
}
