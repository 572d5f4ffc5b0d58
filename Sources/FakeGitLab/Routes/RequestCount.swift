/// How often a person had a route answered with a status.
struct RequestCount: Sendable, Hashable {
    /// Username; nil when the request carried no valid token, or never reached GitLab.
    let person: String?
    /// Such as `GET /todos`; nil for unknown routes, outages and limiter A.
    let route: String?
    let status: Int
    let count: Int
}

struct CountKey: Hashable, Sendable {
    private let packed: UInt64

    init(person: Int?, route: Int?, status: Int) {
        packed =
            UInt64(UInt32(truncatingIfNeeded: person ?? -1)) << 32
            | UInt64(UInt16(truncatingIfNeeded: route ?? -1)) << 16 | UInt64(UInt16(truncatingIfNeeded: status))
    }

    var person: Int? { packed >> 32 == 0xFFFF_FFFF ? nil : Int(packed >> 32) }
    var route: Int? { packed >> 16 & 0xFFFF == 0xFFFF ? nil : Int(packed >> 16 & 0xFFFF) }
    var status: Int { Int(packed & 0xFFFF) }
}

extension InstanceState {
    mutating func count(person: Int?, route: Int?, status: Int) {
        counts[CountKey(person: person, route: route, status: status), default: 0] += 1
    }
}
