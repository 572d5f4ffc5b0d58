/// Tells when a duty is due: by the rules of its zone, or by what somebody who knows them has told.
public protocol DueClock {
    /// When clocks show a time of a day.
    ///
    /// - Parameters:
    ///   - day: the day on the calendar of the zone.
    ///   - minute: minutes after midnight, 0 to 1,439.
    /// - Returns: Seconds since 1970; `Int64.max` where that is not known.
    func instant(of day: CivilDay, minute: Int) -> Int64
}

/// What clocks of one time zone show. Whoever computes duties brings the zones that its system knows.
public protocol ZoneClock: DueClock {
    /// How many seconds clocks are ahead of UTC.
    ///
    /// - Parameter second: an instant, in seconds since 1970.
    /// - Returns: The offset, negative in the west.
    func offsetSeconds(at second: Int64) -> Int
}

extension ZoneClock {
    /// The first instant at which clocks show a time of a day. Where a change of the clocks leaves that time out, as many minutes after
    /// the change as the time lies behind it on the clock before it; where it comes twice, the first.
    ///
    /// - Parameters:
    ///   - day: the day on the calendar of the zone.
    ///   - minute: minutes after midnight, 0 to 1,439.
    /// - Returns: Seconds since 1970.
    public func instant(of day: CivilDay, minute: Int) -> Int64 {
        let shown = Int64(day.number) * 86_400 + Int64(minute) * 60
        let before = offsetSeconds(at: shown - 86_400)
        let after = offsetSeconds(at: shown + 86_400)
        // The greater offset leads to the earlier instant.
        for offset in [max(before, after), min(before, after)] {
            let instant = shown - Int64(offset)
            if offsetSeconds(at: instant) == offset { return instant }
        }
        return shown - Int64(before)
    }
}
