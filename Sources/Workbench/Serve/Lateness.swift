import JSON
import Platform
import Scenarios

/// How late the machine let a live world act: how long after its time each thing of the story happened.
///
/// A machine that is busy with something else costs the story `speed` times what it costs itself. Without this figure a run that
/// differs from its simulation would say as much against `notifierd` as against the machine.
struct Lateness: Sendable, Equatable {
    /// From here on, in the story's time, for one of a hundred things, a difference may be the machine's.
    private static let strain = Duration.seconds(1)
    /// Longer ones count as this long, in milliseconds of the machine.
    private static let limit = 60_000

    /// How many things were late by so many milliseconds of the machine; as long as the longest needs.
    private var counts: [Int64] = []
    /// How many seconds of the story pass in one of the machine's.
    let speed: Int64

    init(speed: Int64) {
        self.speed = speed
    }

    /// Takes how late one thing was, in the machine's time.
    mutating func add(_ late: Duration) {
        let milliseconds = min(Self.limit, max(0, Int(late.wholeMilliseconds)))
        while counts.count <= milliseconds { counts.append(0) }
        counts[milliseconds] += 1
    }

    /// Adds what another run of the same speed met.
    mutating func merge(_ other: Lateness) {
        while counts.count < other.counts.count { counts.append(0) }
        for (milliseconds, count) in other.counts.enumerated() { counts[milliseconds] += count }
    }

    /// In the story's time, what 99 % of all things were late by at most; zero when nothing happened.
    var p99: Duration {
        var rest = counts.reduce(0, +) / 100
        for (milliseconds, count) in counts.enumerated().reversed() {
            rest -= count
            if rest < 0 { return .milliseconds(Int64(milliseconds) * speed) }
        }
        return .zero
    }

    /// The longest, in the story's time.
    var longest: Duration { .milliseconds(Int64(max(0, counts.count - 1)) * speed) }

    /// Whether a difference may be the machine's doing.
    var isStrained: Bool { p99 >= Self.strain }

    var json: JSONValue {
        .object([
            JSONMember("p99Milliseconds", .integer(p99.wholeMilliseconds)),
            JSONMember("longestMilliseconds", .integer(longest.wholeMilliseconds)),
            JSONMember("isStrained", .bool(isStrained)),
        ])
    }
}
