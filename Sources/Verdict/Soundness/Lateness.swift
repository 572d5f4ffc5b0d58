extension SeedResult {
    /// News may come so much later than in another run of the same scenario, without being late because of what differs.
    private static let tolerance: Int64 = 10 * 60 * 1_000

    /// What came later than in a run of the same scenario without a crash, the time of the crashes taken out. By itself no run of a drawn
    /// world can say what is late: there excess latency has in it what the operator set, devices that were away, and luck with faults that
    /// hit a share of the requests.
    package func lateness(beside sound: SeedResult) -> [Flaw] {
        var flaws: [Flaw] = []
        let isLate = overdue.contains { news in
            let before = sound.overdue.first { $0.activity == news.activity && $0.person == news.person }
            return news.milliseconds > (before?.milliseconds ?? 0) + Self.tolerance
        }
        if isLate { flaws.append(Flaw(.late)) }
        if whole.reminders.late > sound.whole.reminders.late { flaws.append(Flaw(.late, "reminder")) }
        return flaws
    }

    /// Causes of what was missed that are no flaw (`Excuse`).
    package var excusedCauses: [String] {
        causes.filter { $0.count > 0 && Excuse.reasons[$0.code] != nil }.map(\.code)
    }
}
