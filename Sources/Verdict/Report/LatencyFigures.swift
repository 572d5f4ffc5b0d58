/// Latency of one kind of activity over all seeds.
struct LatencyFigures {
    var name: String
    var latency: LatencySamples
    var excess: LatencySamples
    /// The time of all together, by owner.
    var split = LatencySplit()
    private var slowest: [GroupLatency.Slow] = []

    /// One row for each group with a sample, in the order of `ActivityGroup`, and one for all of them first.
    static func rows(_ results: [SeedResult]) -> [LatencyFigures] {
        let groups = ActivityGroup.allCases.compactMap { group -> LatencyFigures? in
            let parts = results.flatMap { $0.groups.filter { $0.group == group } }
            return parts.isEmpty ? nil : LatencyFigures(name: group.rawValue, parts: parts)
        }
        let all = LatencyFigures(name: "all", parts: results.flatMap(\.groups))
        return all.latency.count == 0 ? [] : [all] + groups
    }

    private init(name: String, parts: [GroupLatency]) {
        self.name = name
        latency = LatencySamples.pooled(parts.lazy.map(\.latency))
        excess = LatencySamples.pooled(parts.lazy.map(\.excess))
        for part in parts {
            split += part.split
            slowest += part.slowest
        }
        slowest.sort { ($1.split.total, $0.activity) < ($0.split.total, $1.activity) }
    }

    /// The 99th percentile; nil while there are too few samples to speak of one.
    static func p99(_ samples: LatencySamples) -> Int64? {
        samples.count < LatencyJudge.samplesForP99 ? nil : samples.percentile(99)
    }

    /// How the time of the slowest hundredth splits on average, the largest part first.
    var slowestParts: [(owner: LatencyOwner, nanoseconds: Int64)] {
        let share = slowest.prefix(max(1, (latency.count + 99) / 100))
        var sum = LatencySplit()
        for slow in share { sum += slow.split }
        return sum.ranked.map { ($0.owner, $0.nanoseconds / Int64(max(1, share.count))) }
    }
}
