extension Duty {
    /// When the person whose turn it is is reminded of an occurrence. Whole days of the lead time are counted on the calendar of the duty's
    /// zone, so that nine in the morning stays nine over a change of the clocks; what is left of it is counted as time goes by.
    ///
    /// - Parameters:
    ///   - index: 0 for the first.
    ///   - zone: what clocks of the duty's zone show.
    /// - Returns: Seconds since 1970, never later than it is due.
    public func remindAt(_ index: Int, in zone: some ZoneClock) -> Int64 {
        let day = recurrence.day(index, from: start)
        let ahead = CivilDay(number: day.number - Int(leadSeconds / 86_400))
        return min(
            zone.instant(of: ahead, minute: minute) - leadSeconds % 86_400,
            zone.instant(of: day, minute: minute)
        )
    }
}
