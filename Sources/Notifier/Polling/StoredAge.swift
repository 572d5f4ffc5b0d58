import Platform

/// How long ago something was that an earlier process noted by the clock on the wall.
enum StoredAge {
    /// What lies ahead was dated by a clock that was ahead and has been set back since: how long ago it was nobody knows. It counts as this old,
    /// so that nothing of the time since is taken for older.
    static let unknown: Duration = .days(1)

    static func of(_ instant: WallTime, at now: WallTime) -> Duration {
        let age = instant.duration(to: now)
        return age < .zero ? unknown : age
    }
}
