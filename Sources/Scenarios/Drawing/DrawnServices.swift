import JSON
import Platform

/// What surrounds the notifier of a drawn world: by which clock GitLab goes and what it limits, how far away everything is, what apps report.
/// Each is drawn with one of four worlds or so.
enum DrawnServices {
    /// Members of `gitlab`.
    static func gitlab(_ random: inout RandomStream) -> [JSONMember] {
        var members: [JSONMember] = []
        if random.chance(1, in: 4) {
            members.append(JSONMember("timeZone", .string(random.pick(zones) ?? "+00:00")))
        }
        if random.chance(1, in: 4) { members.append(JSONMember("latency", random.pick(links) ?? "20ms")) }
        let limits = limits(&random)
        if !limits.isEmpty { members.append(JSONMember("limits", .object(limits))) }
        return members
    }

    /// `apns` and `api`.
    static func others(_ random: inout RandomStream) -> [JSONMember] {
        var apns: [JSONMember] = []
        if random.chance(1, in: 4) { apns.append(JSONMember("latency", random.pick(links) ?? "25ms")) }
        if random.chance(1, in: 4) { apns.append(JSONMember("deviceLatency", random.pick(ways) ?? "400ms")) }
        var api: [JSONMember] = []
        if random.chance(1, in: 4) { api.append(JSONMember("latency", random.pick(links) ?? "30ms")) }
        if random.chance(1, in: 4) {
            let shares = ["1%", "50%", "90%", "100%"]
            var receipts = [JSONMember("delivered", .string(random.pick(shares) ?? "90%"))]
            if random.chance(1, in: 2) {
                receipts.append(JSONMember("opened", .string(random.pick(shares) ?? "50%")))
            }
            api.append(JSONMember("receipts", .object(receipts)))
        }
        return [("apns", apns), ("api", api)].filter { !$1.isEmpty }.map { JSONMember($0, .object($1)) }
    }

    /// So many that everything can be read, if not as often as without: a person is allowed 6,000 requests an hour (docs/settings.md), and news
    /// would be late by GitLab's will. Some checks rest while there is a limit, so that few worlds have one.
    private static func limits(_ random: inout RandomStream) -> [JSONMember] {
        var members: [JSONMember] = []
        if random.chance(1, in: 8), let drawn = random.pick(requestLimits) {
            let limit: JSONValue = ["requests": .integer(drawn.requests), "period": .string(drawn.period)]
            members.append(JSONMember("authenticated", limit))
        }
        if random.chance(1, in: 8) {
            members.append(JSONMember("notesPerMinute", .integer(random.pick([1, 60, 300]) ?? 300)))
        }
        return members
    }

    private static let requestLimits: [(requests: Int64, period: String)] = [
        (20, "10s"), (120, "1m"), (600, "1m"), (7_200, "1h"),
    ]
    /// On both sides of the date line, and one that is not whole hours away.
    private static let zones = ["+02:00", "-05:30", "+13:00", "-11:00"]
    /// Each way: from the next room to another continent by a bad line. Four ways and an answer are far from what the notifier waits for.
    private static let links: [JSONValue] = [
        "0s", "5ms", "150ms", ["min": "15ms", "p50": "40ms", "p99": "400ms", "max": "2s"],
        ["min": "1ms", "p50": "3ms", "p90": "250ms", "p99": "300ms", "max": "500ms"],
    ]
    /// From APNs to a device: pushes may overtake one another.
    private static let ways: [JSONValue] = [
        "0s", "2s", ["min": "100ms", "p50": "400ms", "p90": "2s", "p99": "8s", "max": "20s"],
    ]
}
