import Platform

/// How often a notifier is allowed to poll for a person (design §4), read from the scenario, not from the notifier.
struct PollCadence {
    /// Intervals for 1–20, 21–50 and more watched items.
    private var small = Duration.seconds(60)
    private var medium = Duration.seconds(90)
    private var large = Duration.seconds(120)

    init(overrides: NotifierOverrides) {
        for member in overrides.values {
            guard case .string(let text) = member.value, let duration = Self.duration(text) else { continue }
            switch NotifierKey(rawValue: member.key) {
            case .intervalSmall: small = duration
            case .intervalMedium: medium = duration
            case .intervalLarge: large = duration
            default: continue
            }
        }
    }

    func interval(watchedItems: Int) -> Duration {
        watchedItems > 50 ? large : watchedItems > 20 ? medium : small
    }

    /// What must be granted before an activity that became readable has to be told: two minutes and an interval.
    func grace(watchedItems: Int) -> Duration { .seconds(120) + interval(watchedItems: watchedItems) }

    private static func duration(_ text: String) -> Duration? {
        let units: [Substring: Int64] = ["d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1]
        var rest = Substring(text)
        var total: Int64 = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
            guard let count = Int64(digits), let scale = units[unit] else { return nil }
            let (product, overflows) = count.multipliedReportingOverflow(by: scale)
            guard !overflows else { return nil }
            total += product
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return .milliseconds(total)
    }
}
