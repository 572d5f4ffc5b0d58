import Platform

/// How often each network address may do something: so many times at once, and one more for each `interval` that passes.
///
/// A token bucket kept as one instant for each address, the one at which its bucket is full again. The table is bounded: an
/// address whose bucket is full is forgotten, and beyond the bound the half with the fullest buckets, which were bothered least.
struct AddressBuckets: Sendable {
    let capacity: Int
    let interval: Duration
    let addressLimit: Int
    private var fullAt: [String: MonotonicInstant] = [:]

    init(capacity: Int, interval: Duration, addressLimit: Int = 10_000) {
        precondition(capacity > 0 && interval > .zero && addressLimit > 1, "a bucket holds something")
        self.capacity = capacity
        self.interval = interval
        self.addressLimit = addressLimit
    }

    /// How many addresses are remembered.
    var count: Int { fullAt.count }

    /// Takes a token of that address, or the `divisor`th part of one; when there is none, how long until there is.
    mutating func take(_ address: String, dividedBy divisor: Int = 1, at now: MonotonicInstant) -> Duration? {
        let full = max(fullAt[address] ?? now, now)
        let missing = now.duration(to: full)
        let part = interval / divisor
        let allowed = interval * capacity - part
        guard missing <= allowed else { return missing - allowed }
        if fullAt[address] == nil, fullAt.count >= addressLimit { forget(at: now) }
        fullAt[address] = full.advanced(by: part)
        return nil
    }

    /// Puts the token that was taken last back.
    mutating func giveBack(_ address: String) {
        guard let full = fullAt[address] else { return }
        fullAt[address] = full.advanced(by: .zero - interval)
    }

    private mutating func forget(at now: MonotonicInstant) {
        fullAt = fullAt.filter { $0.value > now }
        guard fullAt.count >= addressLimit else { return }
        let ordered = fullAt.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (address, _) in ordered.prefix(addressLimit / 2) { fullAt[address] = nil }
    }
}
