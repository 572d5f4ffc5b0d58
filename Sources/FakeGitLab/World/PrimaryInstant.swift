import Platform

/// Which state the primary shows. Rows bear the time of their writing, and commits take as long as they take, whatever the server's clock
/// does meanwhile: one that is set back must neither hide what was written before nor hold back what is about to show.
struct PrimaryTime: Sendable {
    /// The instant whose state the primary shows: never falls, and keeps pace with the time that passes.
    private(set) var latest = WallTime.distantPast
    private var notedAt: MonotonicInstant?

    /// Takes note of the server's clock, and of the time that has passed.
    mutating func note(_ now: WallTime, at instant: MonotonicInstant) {
        if let notedAt, latest != .distantPast { latest = latest.advanced(by: notedAt.duration(to: instant)) }
        notedAt = instant
        latest = max(latest, now)
    }

    /// What the clock that shows `now` will show when the primary gets to `instant`, unless it is set meanwhile.
    func clock(at instant: WallTime, now: WallTime) -> WallTime {
        now.advanced(by: max(max(now, latest).duration(to: instant), .zero))
    }
}
