import Notifier
import Platform
import Scenarios

/// What went wrong around the notifier, as the record of its requests and of its process shows it.
///
/// A minute's record says how often it was answered how, first and last. From when to when a service was out lies between what was
/// answered well before and after; the middle is taken, but for the beginning, which the frequent polls know well.
struct IncidentTimeline: Equatable {
    /// A time in which a service failed.
    struct Outage: Equatable {
        var service: IncidentBundle.Minute.Service
        var from: WallTime
        var until: WallTime
        /// The status that most of them had; nil where they had no answer.
        var status: Int64?
        var failure: String?
        /// How many of a hundred failed.
        var percent: Int64
        /// APNs' word, where it refused what was sent and was not out.
        var reason: APNsReason?
    }

    /// A time in which GitLab let through so many requests in each period only.
    struct Limit: Equatable {
        var from: WallTime
        var until: WallTime
        var requests: Int64
        var period: Duration
    }

    /// A time in which the process was not there.
    struct Downtime: Equatable {
        var from: WallTime
        var until: WallTime
        var wasOrderly: Bool
    }

    /// Failures that lie further apart are two outages.
    private static let outageGap = Duration.minutes(12)
    /// What fails less often than that is chance, and no outage.
    private static let leastPercent: Int64 = 5
    /// A record that ends that shortly before a start says nothing of how long the process was down.
    private static let unknownGap = Duration.minutes(2)
    /// How long systemd waits before it starts the service again (deploy/notifierd.service).
    static let usualDowntime = Duration.seconds(5)
    /// What APNs says neither of one message or device nor because of what the notifier does by itself.
    private static let refusals: [APNsReason] = [
        .badTopic, .missingTopic, .topicDisallowed, .missingProviderToken, .invalidProviderToken,
        .unrelatedKeyIDInToken, .badEnvironmentKeyIDInToken, .badCertificate, .badCertificateEnvironment, .forbidden,
        .tooManyRequests,
    ]
    private static let usualPeriods: [Duration] = [1, 2, 3, 5, 10, 15, 20, 30, 60].map { .minutes($0) }

    private(set) var outages: [Outage] = []
    private(set) var limits: [Limit] = []
    private(set) var downtimes: [Downtime] = []
    private(set) var skews: [IncidentSkew] = []
    /// From when on the record tells of what happened, and until when.
    private(set) var start: WallTime
    private(set) var end: WallTime

    /// - Throws: `IncidentFault` for a bundle without anything in it.
    init(_ bundle: IncidentBundle) throws(IncidentFault) {
        let known = [bundle.marks.first?.at, bundle.minutes.first.map(Self.begin)].compactMap(\.self)
        let told = bundle.facts.map(\.happenedAt) + bundle.reports.map(\.at) + bundle.accounts.map(\.createdAt)
        guard let end = bundle.exportedAt, let first = known.min() ?? told.min(), first < end else {
            throw IncidentFault("nothing of it says when anything happened", hint: "did the server ever run?")
        }
        start = WallTime(secondsSinceEpoch: first.secondsSinceEpoch)
        self.end = end
        for service in [IncidentBundle.Minute.Service.gitlab, .apns] {
            outages += Self.outages(of: service, in: bundle.minutes.filter { $0.service == service })
        }
        let pushes = bundle.minutes.filter { $0.service == .apns }
        outages += Self.refusals.flatMap { Self.outages(of: .apns, in: pushes, reason: $0) }
        limits = Self.limits(in: bundle.minutes.filter { $0.service == .gitlab })
        downtimes = Self.downtimes(bundle)
        skews = IncidentSkew.all(in: bundle.minutes.filter { $0.service == .gitlab }, from: start, until: end)
        outages = outages.filter { outage in !downtimes.contains { $0.from <= outage.from && outage.until <= $0.until }
        }
    }

    /// Whether the process was not there then.
    func isDown(_ instant: WallTime) -> Bool { downtimes.contains { $0.from <= instant && instant <= $0.until } }

    /// When what happened then by GitLab's clock happened by the server's.
    func serverTime(_ instant: WallTime) -> WallTime {
        let skew = skews.first {
            $0.from.advanced(by: $0.ahead) <= instant && instant < $0.until.advanced(by: $0.ahead)
        }
        return skew.map { instant.advanced(by: .zero - $0.ahead) } ?? instant
    }

    private static func begin(_ minute: IncidentBundle.Minute) -> WallTime {
        minute.answers.map(\.first).min() ?? minute.at
    }

    // MARK: Outages

    private struct Failures {
        var from: WallTime
        var until: WallTime
        var bad: Int64 = 0
        var counts: [String: (count: Int64, status: Int64?, failure: String?)] = [:]

        mutating func add(_ answers: IncidentBundle.Minute.Answers) {
            (from, until) = (min(from, answers.first), max(until, answers.last))
            bad += answers.count
            let key = answers.status.map { "\($0)" } ?? answers.failure ?? ""
            counts[key, default: (0, answers.status, answers.failure)].count += answers.count
        }
    }

    private static func isBad(_ answers: IncidentBundle.Minute.Answers, _ reason: APNsReason?) -> Bool {
        if let reason { return answers.reason == reason }
        // What the notifier itself gave up, at its end, is no failure of the service.
        guard let status = answers.status else { return answers.failure != nil && answers.failure != "cancelled" }
        return status >= 500
    }

    /// Answered as by a service that works, whatever it says of the request.
    private static func isGood(_ answers: IncidentBundle.Minute.Answers, _ reason: APNsReason?) -> Bool {
        if reason != nil { return answers.status == 200 }
        return answers.status.map { $0 < 500 && $0 != 429 } ?? false
    }

    private static func outages(
        of service: IncidentBundle.Minute.Service,
        in minutes: [IncidentBundle.Minute],
        reason: APNsReason? = nil
    ) -> [Outage] {
        let bad = minutes.flatMap(\.answers).filter { isBad($0, reason) }.sorted { $0.first < $1.first }
        var clusters: [Failures] = []
        for answers in bad {
            if let last = clusters.last, last.until.duration(to: answers.first) <= outageGap,
                !minutes.contains(where: { isWhole($0, between: last.until, answers.first, reason) })
            {
                clusters[clusters.count - 1].add(answers)
            } else {
                var cluster = Failures(from: answers.first, until: answers.last)
                cluster.add(answers)
                clusters.append(cluster)
            }
        }
        return clusters.compactMap { outage(service, $0, in: minutes, reason) }
    }

    /// Whether all of a minute's answers lie between the two instants, and are good: then what failed before it is over.
    private static func isWhole(
        _ minute: IncidentBundle.Minute,
        between one: WallTime,
        _ other: WallTime,
        _ reason: APNsReason?
    ) -> Bool {
        !minute.answers.isEmpty
            && minute.answers.allSatisfy { isGood($0, reason) && one < $0.first && $0.last < other }
    }

    private static func outage(
        _ service: IncidentBundle.Minute.Service,
        _ failures: Failures,
        in minutes: [IncidentBundle.Minute],
        _ reason: APNsReason?
    ) -> Outage? {
        let good = minutes.flatMap(\.answers).filter { isGood($0, reason) }
        let inside = good.filter { failures.from <= $0.first && $0.last <= failures.until }
        let percent = failures.bad * 100 / max(failures.bad + inside.reduce(0) { $0 + $1.count }, 1)
        let commonest = failures.counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.first
        guard let commonest, percent >= leastPercent else { return nil }
        let before = good.map(\.last).filter { $0 <= failures.from }.max()
        let after = good.map(\.first).filter { $0 >= failures.until }.min()
        return Outage(
            service: service,
            from: before.map { middle($0, failures.from, within: .minutes(1)) } ?? failures.from,
            until: after.map { middle(failures.until, $0, within: .days(1)) } ?? failures.until,
            status: commonest.value.status,
            failure: commonest.value.failure,
            percent: percent,
            reason: reason
        )
    }

    /// Half way from one to the other, but at most so far from the second.
    private static func middle(_ one: WallTime, _ other: WallTime, within limit: Duration) -> WallTime {
        let half = Duration.microseconds(one.duration(to: other).wholeMicroseconds / 2)
        return other.advanced(by: .zero - min(half, limit))
    }

    // MARK: Limits

    /// Limiter A counts in windows that begin at multiples of their length (GitLab facts §3): the end of each that it names is such a
    /// multiple, and the shortest usual length that fits all of them is taken.
    private static func limits(in minutes: [IncidentBundle.Minute]) -> [Limit] {
        let refused = minutes.compactMap { minute in minute.waitAt.map { (at: $0, wait: minute.retryAfter ?? .zero) } }
        guard let first = refused.first else { return [] }
        var groups = [[first]]
        for next in refused.dropFirst() {
            let last = groups[groups.count - 1]
            let gap = last[last.count - 1].at.duration(to: next.at)
            if gap <= max(.minutes(15), last[last.count - 1].wait * 2) {
                groups[groups.count - 1].append(next)
            } else {
                groups.append([next])
            }
        }
        return groups.compactMap { limit($0, in: minutes) }
    }

    private static func limit(_ refused: [(at: WallTime, wait: Duration)], in minutes: [IncidentBundle.Minute])
        -> Limit?
    {
        let longest = refused.map(\.wait).max() ?? .zero
        let ends = refused.map { $0.at.advanced(by: $0.wait) }
        let fitting = usualPeriods.first { period in
            longest <= period + .seconds(2) && ends.allSatisfy { isMultiple($0, of: period) }
        }
        let period = fitting ?? usualPeriods.first { longest <= $0 } ?? .minutes(60)
        let windows = Set(refused.map { window(of: $0.at, period) }).sorted()
        guard let first = windows.first, let last = windows.last else { return nil }
        // How many were let through in each window that ended with a refusal; the first one may have begun without the limit.
        let allowed = windows.map { start in
            minutes.filter { window(of: $0.at, period) == start }.flatMap(\.answers)
                .filter { isGood($0, nil) }
                .reduce(0) { $0 + $1.count }
        }
        let counts = (allowed.count > 1 ? Array(allowed.dropFirst()) : allowed).sorted()
        return Limit(
            from: first,
            until: last.advanced(by: period),
            requests: max(1, counts[counts.count / 2]),
            period: period
        )
    }

    /// GitLab's seconds are whole, and an answer is on its way for a while.
    private static func isMultiple(_ instant: WallTime, of period: Duration) -> Bool {
        let length = period.wholeMicroseconds
        let rest = (instant.microseconds % length + length) % length
        return min(rest, length - rest) <= 3_000_000
    }

    private static func window(of instant: WallTime, _ period: Duration) -> WallTime {
        WallTime(microseconds: instant.microseconds / period.wholeMicroseconds * period.wholeMicroseconds)
    }

    // MARK: The process

    private static func downtimes(_ bundle: IncidentBundle) -> [Downtime] {
        let signs = bundle.minutes.flatMap(\.answers).map(\.last) + bundle.facts.map(\.noticedAt)
        let sorted = signs.sorted()
        return zip(bundle.marks, bundle.marks.dropFirst()).compactMap { former, mark in
            guard mark.what == .start else { return nil }
            if former.what == .end { return Downtime(from: former.at, until: mark.at, wasOrderly: true) }
            // The last minute of a process that dies is lost: it lived for about half a minute more than its record shows.
            let last = sorted.last { $0 < mark.at && former.at <= $0 } ?? former.at
            let usual = mark.at.advanced(by: .zero - usualDowntime)
            let isShort = last.duration(to: mark.at) <= unknownGap
            let from = isShort ? max(last, usual) : last.advanced(by: .seconds(30))
            return Downtime(from: from, until: mark.at, wasOrderly: false)
        }
    }
}
