import Platform

/// The seeds that two reports of one scenario have in common, in their order.
struct PairedSeeds: Sendable {
    /// A seed with what both reports say of it.
    struct Pair: Sendable {
        var seed: UInt64
        var first: ComparedSeed.Figures?
        var second: ComparedSeed.Figures?
    }

    let pairs: [Pair]
    /// Those under which neither crashed.
    let whole: [(seed: UInt64, first: ComparedSeed.Figures, second: ComparedSeed.Figures)]
    /// Whether both reports have these seeds and no others.
    let areAll: Bool
    /// Draws of a comparison depend on nothing but what is compared.
    private let drawSeed: UInt64

    /// - Throws: `ComparisonError` when the reports do not tell of the same worlds.
    init(_ first: ComparedReport, _ second: ComparedReport) throws(ComparisonError) {
        guard first.summary.scenario == second.summary.scenario else {
            throw .differentScenarios(first.summary.scenario, second.summary.scenario)
        }
        if let one = first.summary.world, let other = second.summary.world, one != other {
            throw .differentWorlds(scenario: first.summary.scenario)
        }
        let common = first.seeds.keys.filter { second.seeds[$0] != nil }.sorted()
        guard !common.isEmpty else {
            throw .noCommonSeeds(
                FigureText.seeds(first.seeds.keys.sorted()),
                FigureText.seeds(second.seeds.keys.sorted())
            )
        }
        pairs = common.map { seed in
            Pair(seed: seed, first: first.seeds[seed]?.figures, second: second.seeds[seed]?.figures)
        }
        whole = pairs.compactMap { pair in
            guard let one = pair.first, let other = pair.second else { return nil }
            return (pair.seed, one, other)
        }
        for (seed, one, other) in whole where one.activities != other.activities {
            throw .differentActivities(seed: seed, one.activities, other.activities)
        }
        areAll = common.count == first.seeds.count && common.count == second.seeds.count
        var digest = RunningDigest()
        for (seed, one, other) in whole {
            digest.fold(seed)
            digest.fold(one.behaviour)
            digest.fold(other.behaviour)
        }
        drawSeed = UInt64(digest.text, radix: 16) ?? 0
    }

    /// Seeds under which both behaved alike, to the last event.
    var identical: Int { whole.count { !$0.first.behaviour.isEmpty && $0.first.behaviour == $0.second.behaviour } }

    /// Percentiles of one histogram and of the requests, in the order of `kinds`, with intervals of that confidence each.
    func figures(_ kinds: [ComparedFigure.Kind], confidence: Double) -> [ComparedFigure] {
        var drawn: [ComparedFigure.Kind.Histogram: PairedBootstrap] = [:]
        return kinds.map { kind in
            guard let (histogram, percent) = kind.percentile else { return requests(kind, confidence) }
            let bootstrap = drawn[histogram] ?? self.bootstrap(histogram)
            drawn[histogram] = bootstrap
            return percentile(kind, histogram, percent, bootstrap, confidence)
        }
    }

    private func requests(_ kind: ComparedFigure.Kind, _ confidence: Double) -> ComparedFigure {
        let differences = PairedDifferences(whole.map { Double($0.second.requests - $0.first.requests) })
        let count = Double(max(1, whole.count))
        let (one, other) = whole.reduce(into: (0.0, 0.0)) { sums, pair in
            sums.0 += Double(pair.first.requests)
            sums.1 += Double(pair.second.requests)
        }
        return ComparedFigure(
            kind: kind,
            first: whole.isEmpty ? nil : one / count,
            second: whole.isEmpty ? nil : other / count,
            differences: differences,
            interval: differences.interval(confidence: confidence),
            confidence: confidence
        )
    }

    private func percentile(
        _ kind: ComparedFigure.Kind,
        _ histogram: ComparedFigure.Kind.Histogram,
        _ percent: Int,
        _ bootstrap: PairedBootstrap,
        _ confidence: Double
    ) -> ComparedFigure {
        let differences = PairedDifferences(
            whole.compactMap { pair in
                guard let one = histogram.of(pair.first).percentile(percent),
                    let other = histogram.of(pair.second).percentile(percent)
                else { return nil }
                return Double(other - one)
            }
        )
        let isDrawn = differences.values.count >= PairedDifferences.enoughForMeans
        return ComparedFigure(
            kind: kind,
            first: pooled(whole.map { histogram.of($0.first) }, percent),
            second: pooled(whole.map { histogram.of($0.second) }, percent),
            differences: differences,
            interval: isDrawn
                ? bootstrap.interval(percent, confidence: confidence) : differences.interval(confidence: confidence),
            confidence: confidence
        )
    }

    private func pooled(_ parts: [LatencyHistogram], _ percent: Int) -> Double? {
        LatencyHistogram(sumOf: parts).percentile(percent).map(Double.init)
    }

    private func bootstrap(_ histogram: ComparedFigure.Kind.Histogram) -> PairedBootstrap {
        PairedBootstrap(
            whole.map { histogram.of($0.first) },
            whole.map { histogram.of($0.second) },
            seed: drawSeed
        )
    }
}

extension ComparedFigure.Kind.Histogram {
    fileprivate func of(_ figures: ComparedSeed.Figures) -> LatencyHistogram {
        self == .latency ? figures.latency : figures.excess
    }
}
