import Platform
import Scenarios
import Simulation

/// Asks the notifier for its metrics again and again, as Prometheus does, and keeps the answers.
///
/// Unchecked: simulation thread.
final class MetricsScraper: @unchecked Sendable {
    /// Scrapes of one run at most: a week at one in thirty seconds. A longer run is scraped less often.
    static let scrapeLimit = 21_000

    private let notifier: any NotifierHost
    private let simulation: Simulation
    private let every: Duration
    private let end: MonotonicInstant
    private var series = MetricsSeries()
    /// When the last scrape began; nil once it was answered, or when there was none.
    private var unanswered: WallTime?

    /// Nil when the options ask for no metrics.
    init?(_ notifier: any NotifierHost, _ simulation: Simulation, _ plan: ResolvedScenario, _ options: RunOptions) {
        guard let every = options.metricsEvery else { return nil }
        let length = plan.scenario.duration + options.tail
        self.notifier = notifier
        self.simulation = simulation
        self.every = max(every, length / Self.scrapeLimit)
        end = simulation.now.advanced(by: length)
    }

    /// Scrapes from now on until the end of the run.
    func start() {
        scrape()
        guard simulation.now.advanced(by: every) <= end else { return }
        simulation.schedule(after: every) { [self] in start() }
    }

    /// What was gathered, as the lines of an OpenMetrics text.
    func finish() -> [String] {
        settle()
        return series.lines
    }

    private func scrape() {
        settle()
        let now = simulation.clock.wallNow
        unanswered = now
        notifier.scrapeMetrics { [self] page in
            // An answer that comes when the next scrape has begun is too late.
            guard unanswered == now else { return }
            unanswered = nil
            series.add(page, at: now)
        }
    }

    private func settle() {
        if let unanswered { series.addFailure(at: unanswered) }
        unanswered = nil
    }
}
