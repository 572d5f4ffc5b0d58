import Platform

/// A project's activity feed as the poller knows it, while some items are looked for in it.
///
/// Nothing of it is stored: comments are known by their notes, and everything else that was dealt with by its own key. After
/// a restart the feed is read once from the beginning of its window.
struct ProjectFeed {
    /// How many days before the present one the window begins; the parameter excludes its own day, and nobody knows the
    /// instance's time zone (GitLab facts §12.1).
    static let daysBack = 2

    /// The day after whose end the window begins, as the parameter wants it.
    let day: String
    var list: PolledList
    /// The watches for which every row of `list.seen` was dealt with.
    var covered: Set<WatchID> = []

    /// The parameter's value for a reading at `now`.
    static func day(at now: WallTime) -> String {
        let date = CivilDate(now.advanced(by: .zero - .days(daysBack)))
        return "\(date.year)-\(twoDigits(date.month))-\(twoDigits(date.day))"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
