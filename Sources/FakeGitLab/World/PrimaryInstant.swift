import Platform

extension InstanceState {
    /// Takes note of the time, and returns the instant whose state the primary shows. Rows bear the time of their writing; a clock
    /// that is set back must not hide what was written before, as no database would.
    mutating func noteTime(_ now: WallTime) -> WallTime {
        latestTime = max(latestTime, now)
        return latestTime
    }
}
