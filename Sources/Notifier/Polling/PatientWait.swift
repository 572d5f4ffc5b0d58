import Platform

/// How long each of some things has waited: by the clock on the wall where this process hears of it first, and from then on by one that nobody
/// sets. A clock that is put right after hours would end every patience at once.
struct PatientWait<Thing: Hashable & Sendable>: Sendable {
    private var since: [Thing: MonotonicInstant] = [:]

    /// Hears of a thing that waits since then by the clock on the wall, and tells for how long that is.
    mutating func wait(
        of thing: Thing,
        since start: WallTime,
        at now: MonotonicInstant,
        wallNow: WallTime
    ) -> Duration {
        let begun = since[thing] ?? now.advanced(by: .zero - max(start.duration(to: wallNow), .zero))
        since[thing] = begun
        return begun.duration(to: now)
    }

    /// Nothing waits any more.
    mutating func forgetAll() { since = [:] }
}
