import Platform

/// That somebody was shown an item's row as its account knows it (``PolledItem/shownRow``): so it was at `at`, and may have been since.
struct ShownRow: Sendable {
    /// Of what was known of the row.
    let mark: LookRevision.Mark
    let at: MonotonicInstant

    /// Whether it is certain that the row was shown since `instant`, and nobody has seen it otherwise.
    func wasShown(since instant: MonotonicInstant) -> Bool { at >= instant && mark.isCurrent }
}
