import Platform

/// Decides when a GitLab is asked what it offers: again after an upgrade, which shows as another version, as a route that has
/// gone, or as minutes of 502.
struct CapabilityTracker: Hashable, Sendable {
    /// What is to be asked now.
    enum Step: Hashable, Sendable {
        case nothing
        /// Only which release it is.
        case readVersion
        case discover
    }

    /// How often the release is asked for.
    static let versionInterval = Duration.hours(24)
    /// How often everything is asked for in the end while something is missing: it may come back without another version, when the
    /// nodes of a rolling upgrade agree again. What has just gone is asked for after ``pause``, and each time after twice as long.
    static let longestLackingInterval = Duration.hours(1)
    /// No two discoveries lie closer together, whatever happens, where GitLab offers anything.
    static let pause = Duration.minutes(10)
    /// The same where it offers nothing at all: no release is like that, but something that answers in its place, such as a proxy that is set
    /// up anew. So long at most news waits afterwards.
    static let voidPause = Duration.minutes(2)

    private var checkedAt: MonotonicInstant
    private var notBefore: MonotonicInstant?
    private var isLacking: Bool
    private var lackingInterval = Self.pause
    private var mustReadVersion = false
    private var mustDiscover = false

    /// Goes on where the store left off; `age` is how long ago the last discovery was, nil when there was none, so that the
    /// first is due with the next daily look.
    init(age: Duration?, isLacking: Bool, now: MonotonicInstant) {
        checkedAt = now.advanced(by: .zero - min(max(age ?? .zero, .zero), Self.versionInterval))
        self.isLacking = isLacking
    }

    func step(at now: MonotonicInstant) -> Step {
        if let notBefore, now < notBefore { return .nothing }
        let age = checkedAt.duration(to: now)
        if mustDiscover || (isLacking && age >= lackingInterval) { return .discover }
        return mustReadVersion || age >= Self.versionInterval ? .readVersion : .nothing
    }

    /// A route that was there is not.
    mutating func noteMissingRoute() {
        mustDiscover = true
    }

    /// GitLab answers after it did not: an upgrade looks like that (GitLab facts §16).
    mutating func noteRecovery() {
        mustReadVersion = true
    }

    /// Takes the release that was read; true when everything must be asked anew.
    mutating func take(version: String?, known: String?, at now: MonotonicInstant) -> Bool {
        mustReadVersion = false
        guard let version, version != known else {
            checkedAt = now
            return false
        }
        // Until it has been: another attempt need not read the release again.
        mustDiscover = true
        return true
    }

    mutating func takeDiscovery(_ found: Capabilities, at now: MonotonicInstant) {
        mustReadVersion = false
        mustDiscover = false
        let isStillLacking = isLacking && found.isLacking
        let again = isStillLacking ? min(lackingInterval + lackingInterval, Self.longestLackingInterval) : Self.pause
        lackingInterval = found.isVoid ? Self.voidPause : again
        isLacking = found.isLacking
        checkedAt = now
        notBefore = now.advanced(by: found.isVoid ? Self.voidPause : Self.pause)
    }

    /// What was found could not be kept: everything is asked anew at `instant`.
    mutating func discoverAgain(at instant: MonotonicInstant) {
        mustDiscover = true
        notBefore = instant
    }

    /// GitLab could not be asked.
    mutating func postpone(at now: MonotonicInstant) {
        notBefore = now.advanced(by: Self.pause)
    }
}
