package import Platform

extension DeviceFleet {
    /// How devices and the way to them behave.
    package struct Configuration: Sendable {
        /// From acceptance to an online device, priority 10 (APNs facts §12: p50 0.8 s, p95 2 s, p99 10 s).
        package var deliveryLatency = QuantileTable([
            .init(perMille: 0, value: .milliseconds(300)), .init(perMille: 500, value: .milliseconds(800)),
            .init(perMille: 950, value: .seconds(2)), .init(perMille: 990, value: .seconds(10)),
            .init(perMille: 1_000, value: .seconds(30)),
        ])
        /// The same for priorities 5 and 1, which may be grouped and delayed (APNs facts §9). Assumed, not published.
        var conservingLatency = QuantileTable([
            .init(perMille: 0, value: .milliseconds(300)), .init(perMille: 500, value: .seconds(2)),
            .init(perMille: 900, value: .seconds(60)), .init(perMille: 990, value: .minutes(5)),
            .init(perMille: 1_000, value: .minutes(15)),
        ])
        /// How often a push may arrive before one sent earlier (APNs facts §9: APNs may reorder).
        var reordering = Ratio(1, in: 200)
        /// How often the mailbox keeps the older of two pushes that come within `quickSuccession` (APNs facts §9:
        /// mostly the latest, not guaranteed when several come in quickly).
        var keepsOlder = Ratio(1, in: 20)
        /// What counts as quick.
        var quickSuccession: Duration = .seconds(5)
        /// How often a push displaces one still on its way to an online device (APNs facts §9). Off by default: its
        /// rate is not published.
        var overwritesUnacknowledged = Ratio.never
        /// The longest time anything is stored (APNs facts §3).
        var longestStorage: Duration = .days(30)
        /// True when a power-saving device lets priority 10 wait as well.
        var powerSavingHoldsImmediate = false
        /// How many background pushes a device takes in one window (APNs facts §9: two or three an hour).
        var backgroundLimit = 3
        /// The time in which the background limit holds.
        var backgroundWindow: Duration = .hours(1)
        /// From the first push to a dead token until APNs says so (APNs facts §10: late, on a fuzzy schedule).
        package var unregisteredDelay = QuantileTable([
            .init(perMille: 0, value: .hours(1)), .init(perMille: 500, value: .days(1)),
            .init(perMille: 900, value: .days(7)), .init(perMille: 1_000, value: .days(40)),
        ])
        /// How often APNs never notices that a token is dead.
        package var neverUnregistered = Ratio(1, in: 10)
        /// Pushes to one device token (APNs facts §9: thresholds are not published, on purpose).
        var deviceRateLimit = RateLimit(count: 100, window: .minutes(1))
        /// Digits of a new token.
        var tokenDigitCount = 64
        /// How many pushes, and how many events per device, the ledgers keep.
        package var ledgerLimit = 1_000_000
        /// How many notifications an app's list keeps on a device.
        package var displayedLimit = 500

        package init() {}
    }
}
