import Platform

/// How long something is kept silent, by the last choice about it: what falls due while that lasts does not come later.
struct MuteSpan: Hashable, Sendable {
    /// When it was chosen.
    var from: WallTime
    var until: WallTime

    /// Whether what was to be told at `due`, and may be told only now, is kept silent.
    func silences(_ due: WallTime, at now: WallTime) -> Bool { now < until || from <= due && due < until }
}
