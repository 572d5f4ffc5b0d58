import Platform
import Synchronization

/// Counts and remembers what ``Metric`` names. One per notifier, shared by all its parts; every call takes one short lock.
///
/// Traps when a metric is used as another kind than the table says, or with another number of labels.
final class MetricsRegistry: Sendable {
    /// What tells the series of a family apart.
    struct Series: Hashable, Sendable {
        /// In the order of the family's labels.
        var labels: [String] = []
        /// Nil when people are not told apart.
        var account: AccountID?
    }

    /// A distribution of durations.
    struct Histogram: Equatable, Sendable {
        /// By bound, not cumulative; the last is beyond the last bound.
        var counts: [Int64]
        var sumMicroseconds: Int64 = 0
    }

    /// What one family has.
    struct Family: Sendable {
        /// Counts, or the millionths of a gauge.
        var values: [Series: Int64] = [:]
        var histograms: [Series: Histogram] = [:]

        fileprivate func contains(_ series: Series) -> Bool { values[series] != nil || histograms[series] != nil }
    }

    /// Series one family may have; what comes later is counted under the label `other`.
    static let seriesLimit = 2_000
    static let other = "other"

    /// Whether the label `user_id` is shown.
    let tellsPeopleApart: Bool
    private let families: Mutex<[Family]>

    init(tellsPeopleApart: Bool) {
        self.tellsPeopleApart = tellsPeopleApart
        families = Mutex(MetricFamily.byNumber.map(Family.init(beginning:)))
    }

    /// Adds to a counter.
    func count(_ metric: Metric, _ amount: Int = 1, _ labels: [String] = [], of account: AccountID? = nil) {
        guard case .counter = metric.family.kind else { preconditionFailure("\(metric) is not a counter") }
        guard amount > 0 else { return }
        let series = series(metric, labels, tellsPeopleApart ? account : nil)
        change(metric, series) { $0.values[$1, default: 0] += Int64(amount) }
    }

    /// Sets a gauge to a number.
    func set(_ metric: Metric, to value: Int, _ labels: [String] = [], of account: AccountID? = nil) {
        set(metric, millionths: Int64(value) * 1_000_000, labels, of: account)
    }

    /// Sets a gauge to seconds.
    func set(_ metric: Metric, to duration: Duration, _ labels: [String] = [], of account: AccountID? = nil) {
        set(metric, millionths: duration.wholeMicroseconds, labels, of: account)
    }

    /// Sets a gauge to an instant, which is shown as seconds since 1970.
    func set(_ metric: Metric, to instant: WallTime, _ labels: [String] = [], of account: AccountID? = nil) {
        set(metric, millionths: instant.microseconds, labels, of: account)
    }

    /// Adds one duration to a histogram; a negative one, of two clocks that disagree, counts as zero.
    func observe(_ metric: Metric, _ duration: Duration, _ labels: [String] = [], of account: AccountID? = nil) {
        guard case .histogram(let bounds) = metric.family.kind else {
            preconditionFailure("\(metric) is not a histogram")
        }
        let duration = max(duration, .zero)
        let place = bounds.firstIndex { duration <= $0 } ?? bounds.count
        let series = series(metric, labels, tellsPeopleApart ? account : nil)
        change(metric, series) { family, series in
            family.histograms[series, default: Histogram(empty: bounds.count)].add(duration, at: place)
        }
    }

    /// Replaces all series of gauges at once, by what was read from the database, say.
    func replace(_ metric: Metric, _ values: [Series: Int64]) {
        families.withLock { families in
            families[metric.rawValue].values = Family(beginning: metric.family).values.merging(values) { $1 }
        }
    }

    /// Forgets what belongs to one person: the account is gone, or is not polled any more.
    func forgetGauges(_ metrics: [Metric], of account: AccountID) {
        families.withLock { families in
            for metric in metrics {
                families[metric.rawValue].values = families[metric.rawValue].values.filter { $0.key.account != account }
            }
        }
    }

    /// Forgets every series of a person.
    func forget(_ account: AccountID) {
        families.withLock { families in
            for index in families.indices {
                families[index].values = families[index].values.filter { $0.key.account != account }
                families[index].histograms = families[index].histograms.filter { $0.key.account != account }
            }
        }
    }

    /// Everything as it is now, by ``Metric``'s number.
    var snapshot: [Family] { families.withLock { $0 } }

    private func set(_ metric: Metric, millionths: Int64, _ labels: [String], of account: AccountID?) {
        guard case .gauge = metric.family.kind else { preconditionFailure("\(metric) is not a gauge") }
        // People are always kept apart here: which of them is worst off is decided when the page is written.
        change(metric, series(metric, labels, account)) { $0.values[$1] = millionths }
    }

    private func series(_ metric: Metric, _ labels: [String], _ account: AccountID?) -> Series {
        precondition(labels.count == metric.family.labels.count, "\(metric) has other labels")
        return Series(labels: labels, account: account)
    }

    private func change(_ metric: Metric, _ series: Series, _ body: (inout Family, Series) -> Void) {
        families.withLock { families in
            let number = metric.rawValue
            let size = families[number].values.count + families[number].histograms.count
            guard size >= Self.seriesLimit, !families[number].contains(series) else {
                return body(&families[number], series)
            }
            body(&families[number], Series(labels: series.labels.map { _ in Self.other }))
        }
    }
}

extension MetricsRegistry.Family {
    /// Series whose labels are known are there from the start: a first increase shows only above a zero.
    init(beginning family: MetricFamily) {
        let known = family.labels.reduce([[String]]([[]])) { lists, label in
            lists.flatMap { list in label.values.map { list + [$0] } }
        }
        for labels in known {
            let series = MetricsRegistry.Series(labels: labels)
            switch family.kind {
            case .counter: values[series] = 0
            case .gauge: break
            case .histogram(let bounds): histograms[series] = MetricsRegistry.Histogram(empty: bounds.count)
            }
        }
    }
}

extension MetricsRegistry.Histogram {
    init(empty bounds: Int) {
        counts = Array(repeating: 0, count: bounds + 1)
    }

    mutating func add(_ duration: Duration, at place: Int) {
        counts[place] += 1
        addToSum(duration.wholeMicroseconds)
    }

    /// Adds what another one has.
    mutating func merge(_ other: Self) {
        for index in counts.indices { counts[index] += other.counts[index] }
        addToSum(other.sumMicroseconds)
    }

    /// Stays at the most that there is: how old news is, GitLab says, which may say centuries.
    private mutating func addToSum(_ microseconds: Int64) {
        let sum = sumMicroseconds.addingReportingOverflow(microseconds)
        sumMicroseconds = sum.overflow ? .max : sum.partialValue
    }
}
