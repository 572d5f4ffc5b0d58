/// One combination of settings and what its seeds showed.
package struct SweepPoint: Sendable {
    /// A figure over all seeds, in milliseconds or requests of a seed.
    package struct Estimate: Sendable, Equatable {
        package var value: Double
        /// Nil where none can be told, as for the longest.
        package var interval: ConfidenceInterval?
    }

    /// Values of the varied keys, in their order.
    package let settings: [String]
    /// The folder of its report.
    package let path: String
    /// By seed, of those that came to their end.
    let seeds: [ComparedSeed.Figures]
    /// Why it is out of the question; empty when it is not.
    package let failures: [String]
    private let drawSeed: UInt64

    init(settings: [String], report: ComparedReport, drawSeed: UInt64) {
        self.settings = settings
        path = report.path
        let ordered = report.seeds.sorted { $0.key < $1.key }.map(\.value)
        seeds = ordered.compactMap(\.figures)
        let crashes = ordered.count - seeds.count
        failures =
            (crashes > 0 ? ["the notifier crashed under \(crashes) seeds"] : [])
            + (seeds.contains { $0.invariantsBroken > 0 } ? ["an invariant broke"] : [])
            + report.summary.gates.filter { $0.verdict == .fail }.map(\.rule)
        self.drawSeed = drawSeed
    }

    var isFeasible: Bool { failures.isEmpty }

    /// Requests to GitLab of a seed.
    package func requests(confidence: Double) -> Estimate {
        let values = PairedDifferences(seeds.map { Double($0.requests) })
        return Estimate(value: values.mean, interval: values.interval(confidence: confidence))
    }

    /// Of all seeds together, in milliseconds; nil without samples.
    func value(_ figure: SweepFigure) -> Double? {
        switch figure.rank {
        case .percent(let percent): LatencyHistogram(sumOf: histograms(figure)).percentile(percent).map(Double.init)
        case .longest: seeds.compactMap(figure.value).max().map(Double.init)
        }
    }

    /// With an interval that shows how seeds spread and proves nothing: of one side alone, and with few seeds, it is too narrow
    /// (statistics §5). Nil without samples.
    package func latency(_ figure: SweepFigure, confidence: Double) -> Estimate? {
        value(figure).map { value in
            guard case .percent(let percent) = figure.rank else { return Estimate(value: value, interval: nil) }
            let bootstrap = PairedBootstrap(histograms(figure), seed: drawSeed)
            return Estimate(value: value, interval: bootstrap.interval(percent, confidence: confidence))
        }
    }

    private func histograms(_ figure: SweepFigure) -> [LatencyHistogram] {
        seeds.map { figure.histogram == .latency ? $0.latency : $0.excess }
    }
}
