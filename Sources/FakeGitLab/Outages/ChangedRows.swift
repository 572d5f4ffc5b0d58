import HTTP
import Platform

/// How rows differ from what is documented: another release answers, or a gateway rewrites what GitLab says.
package enum MemberChange: Sendable, CaseIterable {
    /// Objects have members more.
    case added
    /// Times are written in another of ISO 8601's forms.
    case otherTimes
    /// Members beside hold words that nobody has heard of, and what may be missing is null or missing.
    case otherWords
    /// A member that every release writes is missing.
    case leftOut
    /// Such a member holds a value of another type.
    case otherType
}

/// A change of rows, as long as it is in force.
struct ChangedRows: Sendable {
    let faultID: String
    let change: MemberChange
    let routes: RoutePattern
    /// Of a thousand requests this many are hit.
    let perMille: UInt64
    /// Which member is hit, and which form is taken: the same in all answers of a route.
    let draw: UInt64

    /// `body` as it is written while this is in force.
    func applied(to body: [UInt8], of endpoint: Endpoint) -> [UInt8] {
        guard body.first == UInt8(ascii: "[") || body.first == UInt8(ascii: "{") else { return body }
        let needed = endpoint.neededMembers
        let tree = JSONTree(body)
        switch change {
        case .added: return tree.changingObjects { $0 + Self.unknown }.bytes
        case .otherTimes: return tree.changingObjects { $0.map(withOtherTime) }.bytes
        case .otherWords: return tree.changingObjects(withOtherWords).bytes
        case .leftOut:
            guard !needed.isEmpty else { return body }
            let name = needed[Int(draw % UInt64(needed.count))]
            return tree.changingRows { row in row.filter { $0.key != name } }.bytes
        case .otherType:
            guard !needed.isEmpty else { return body }
            let name = needed[Int(draw % UInt64(needed.count))]
            return tree.changingRows { row in
                row.map { $0.key == name ? JSONTree.Member(key: name, value: Self.otherType($0.value)) : $0 }
            }.bytes
        }
    }

    private static let unknown =
        JSONTree(Array(#"{"work_item_badge":{"id":7,"of":[null,true,"x"]},"rank":-3}"#.utf8)).members

    /// Null has no other type.
    private static func otherType(_ value: JSONTree) -> JSONTree {
        switch value {
        case .object: .text(Array(#""somebody""#.utf8))
        case .array: .text(Array(#""some""#.utf8))
        case .text(let text) where text.first == UInt8(ascii: "\""):
            .object([JSONTree.Member(key: "value", value: value)])
        case .text(let text) where text == Array("null".utf8): value
        case .text(let text): .text([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
        }
    }

    private func withOtherTime(_ member: JSONTree.Member) -> JSONTree.Member {
        guard member.key.hasSuffix("_at"), case .text(let text) = member.value, text.count > 12,
            let time = TimestampParser.parse(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
        else { return member }
        var other = [UInt8(ascii: "\"")]
        switch draw % 4 {
        case 0: other.appendTimestamp(time, offsetSeconds: 7_200)
        case 1: other.appendTimestamp(time, offsetSeconds: -12_600)
        case 2:
            other.appendTimestamp(time, offsetSeconds: 0)
            other.removeLast()
            other += Array("000Z".utf8)
        default:
            // As webhooks write it.
            other.appendTimestamp(time, offsetSeconds: 0)
            other.removeLast()
            other += Array(" UTC".utf8)
            other[11] = UInt8(ascii: " ")
        }
        other.append(UInt8(ascii: "\""))
        return JSONTree.Member(key: member.key, value: .text(other))
    }

    private func withOtherWords(_ members: [JSONTree.Member]) -> [JSONTree.Member] {
        let isPerson = members.contains { $0.key == "username" }
        return members.compactMap { member in
            if Self.words.contains(member.key) || isPerson && member.key == "state" {
                return JSONTree.Member(key: member.key, value: .text(Array(#""not_heard_of""#.utf8)))
            }
            guard Self.beside.contains(member.key) else { return member }
            return draw % 2 == 0 ? nil : JSONTree.Member(key: member.key, value: .text(Array("null".utf8)))
        }
    }

    private static let words: Set<String> = [
        "merge_status", "detailed_merge_status", "issue_type", "severity", "imported_from", "resource_type",
    ]
    private static let beside: Set<String> = [
        "avatar_url", "description", "attachment", "task_status", "public_email", "time_stats", "position",
    ]
}

extension Endpoint {
    /// What every release writes in each row, and by which a row is told from others.
    fileprivate var neededMembers: [String] {
        switch self {
        case .notes: ["id", "body", "author", "created_at", "system"]
        case .stateEvents: ["id", "user", "created_at", "state"]
        case .labelEvents, .milestoneEvents: ["id", "user", "created_at", "action"]
        case .todos: ["id", "author", "action_name", "target_type", "target", "created_at"]
        case .pipelines: ["id", "status", "updated_at"]
        case .ownEvents, .userEvents, .projectEvents: ["id", "action_name", "created_at"]
        case .approvals: ["approved_by"]
        case .projectItems: ["id", "iid", "state", "assignees"]
        case .allItems: ["iid"]
        case .item: ["id", "iid", "project_id"]
        case .user: ["id", "username"]
        case .version, .metadata: ["version"]
        case .tokenSelf: ["scopes"]
        default: []
        }
    }
}

extension InstanceState {
    /// `rendered` as it is written now; the fault that changes it is noted in `exchange`.
    mutating func changed(
        _ rendered: RenderedResponse,
        of endpoint: Endpoint,
        for request: HTTPRequest,
        _ exchange: inout Exchange
    ) -> RenderedResponse {
        guard !changedRows.isEmpty, rendered.status == 200, request.method == .get || request.method == .head else {
            return rendered
        }
        let path = Self.apiPath(request.path) ?? []
        var body = rendered.body
        for rows in changedRows where rows.routes.matches(method: "GET", path: path) {
            guard rows.perMille >= 1_000 || serviceRandom.chance(rows.perMille, in: 1_000) else { continue }
            let other = rows.applied(to: body, of: endpoint)
            guard other != body else { continue }
            body = other
            // What takes longer is changed all the same; what does not arrive is not.
            if exchange.outage.map(\.isSlowness) ?? true { exchange.faultID = rows.faultID }
        }
        return body == rendered.body ? rendered : rendered.with(body)
    }
}

extension Outage {
    fileprivate var isSlowness: Bool {
        if case .slow = mode { true } else { false }
    }
}
