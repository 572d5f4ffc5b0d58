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

    /// Nil without samples.
    package func latency(_ figure: SweepFigure, confidence: Double) -> Estimate? {
        guard case .percent(let percent) = figure.rank else {
            return seeds.compactMap(figure.value).max().map { Estimate(value: Double($0), interval: nil) }
        }
        let parts = seeds.map { figure.histogram == .latency ? $0.latency : $0.excess }
        let bootstrap = PairedBootstrap(parts, seed: drawSeed)
        return bootstrap.estimate(percent).map { value in
            Estimate(value: value, interval: bootstrap.interval(percent, confidence: confidence))
        }
    }
}
