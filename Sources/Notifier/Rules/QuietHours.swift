import Platform

/// When a person does not want to be disturbed, by the clock on their wall.
///
/// It is quiet whenever that clock shows a time inside a window. So a window in the hour that the change to summer time
/// leaves out does not take place on that night, and one in the hour that comes twice takes place twice.
struct QuietHours: Sendable {
    /// From a minute of the day to another; over midnight when it ends at or before the minute at which it begins.
    struct Window: Hashable, Sendable, Comparable {
        /// The weekday on which it begins: Monday is 1, Sunday is 7.
        var weekday: Int
        /// Minutes after midnight, 0…1,439.
        var from: Int
        /// Minutes after midnight, 1…1,440; itself outside.
        var until: Int

        static func < (left: Window, right: Window) -> Bool {
            (left.weekday, left.from, left.until) < (right.weekday, right.from, right.until)
        }

        /// Minutes of the week from Monday's midnight on; the end may lie in the next week.
        var minutes: Range<Int> {
            let start = (weekday - 1) * Self.day + from
            return start..<start + (until > from ? until - from : until + Self.day - from)
        }

        static let day = 1_440
        static let week = 7 * day
    }

    var zone: TimeZone
    var windows: [Window]

    /// Nobody can be notified of anything when it is always quiet.
    var isAlways: Bool {
        var isQuiet = [Bool](repeating: false, count: Window.week)
        for window in windows { for minute in window.minutes { isQuiet[minute % Window.week] = true } }
        return isQuiet.allSatisfy { $0 }
    }

    func isQuiet(at time: WallTime) -> Bool { remaining(at: minuteOfWeek(time)) > 0 }

    /// The first instant after `now` that is not quiet; nil when it is not quiet now. A week off at the most.
    func end(at now: WallTime) -> WallTime? {
        guard isQuiet(at: now) else { return nil }
        var time = now
        for _ in 0..<Self.mostSteps {
            let left = remaining(at: minuteOfWeek(time))
            guard left > 0 else { return time }
            time = step(from: time, minutes: left)
        }
        return min(time, now.advanced(by: .days(7)))
    }

    /// Each step leaves a window or passes a change of the clocks.
    private static let mostSteps = 64

    /// `minutes` on by the clock, counted from the beginning of the present minute, but no farther than the next change of
    /// the clocks.
    private func step(from time: WallTime, minutes: Int) -> WallTime {
        let offset = zone.offset(at: time)
        let second = time.secondsSinceEpoch
        let begun = (second + Int64(offset)) - floorMod(second + Int64(offset), 60) - Int64(offset)
        let end = begun + Int64(minutes) * 60
        guard zone.offset(at: WallTime(secondsSinceEpoch: end)) != offset else {
            return WallTime(secondsSinceEpoch: end)
        }
        var (low, high) = (second, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if zone.offset(at: WallTime(secondsSinceEpoch: middle)) == offset { low = middle } else { high = middle }
        }
        return WallTime(secondsSinceEpoch: high)
    }

    private func minuteOfWeek(_ time: WallTime) -> Int {
        let date = zone.date(at: time)
        return (date.isoWeekday - 1) * Window.day + date.hour * 60 + date.minute
    }

    /// For how many minutes from that one on it stays quiet, by the longest window it lies in; 0 when it is not quiet.
    private func remaining(at minute: Int) -> Int {
        windows.lazy.map { window in
            let range = window.minutes
            if range.contains(minute) { return range.upperBound - minute }
            return range.contains(minute + Window.week) ? range.upperBound - minute - Window.week : 0
        }.max() ?? 0
    }

    private func floorMod(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
