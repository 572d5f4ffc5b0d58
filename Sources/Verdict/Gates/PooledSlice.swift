/// One slice over all seeds.
package struct PooledSlice {
    /// The slice under each seed, by seed.
    let seeds: [(seed: UInt64, result: SliceResult)]
    /// Sums and pooled samples; the peaks are the highest of any seed.
    package let total: SliceResult

    init(_ results: [SeedResult], slice index: Int) {
        seeds = results.compactMap { result in
            index < result.slices.count ? (result.seed, result.slices[index]) : nil
        }
        var total = SliceResult()
        for (_, result) in seeds { total.add(result) }
        total.latency = LatencySamples.pooled(seeds.lazy.map(\.result.latency))
        total.excess = LatencySamples.pooled(seeds.lazy.map(\.result.excess))
        self.total = total
    }

    func clustering(_ successes: KeyPath<SliceResult, Int>) -> SeedClustering {
        SeedClustering(seeds.map { ($0.result[keyPath: successes], $0.result.expected) })
    }

    /// Seeds for which the figure is not zero, the largest figure first.
    func worst(_ figure: (SliceResult) -> Int) -> [(seed: UInt64, figure: Int)] {
        seeds.map { ($0.seed, figure($0.result)) }.filter { $0.1 > 0 }
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { (seed: $0.0, figure: $0.1) }
    }
}

extension SliceResult {
    /// Adds the counts and takes the higher peaks; samples are pooled at once.
    fileprivate mutating func add(_ other: SliceResult) {
        pairs += other.pairs
        expected += other.expected
        accepted += other.accepted
        displayed += other.displayed
        known += other.known
        duplicates += other.duplicates
        unexpected += other.unexpected
        reminders += other.reminders
        unreadNumbers += other.unreadNumbers
        wrongUnreadNumbers += other.wrongUnreadNumbers
        requestsGitLab += other.requestsGitLab
        requestsAPNs += other.requestsAPNs
        peakHourGitLab = max(peakHourGitLab, other.peakHourGitLab)
        peakHourAPNs = max(peakHourAPNs, other.peakHourAPNs)
    }
}
