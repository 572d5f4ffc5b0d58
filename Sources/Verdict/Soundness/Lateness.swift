extension SeedResult {
    /// News may come so much later than in another run of the same scenario, without being late because of what differs.
    private static let tolerance: Int64 = 10 * 60 * 1_000
    /// The same of a world by itself, beyond a grace that counts two looks at everything.
    private static let worldTolerance: Int64 = 60 * 1_000

    /// What came later than in a run of the same scenario without a crash, the time of the crashes taken out.
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

    /// What came late in a world by itself: beyond all that the settings allow, where no fault was near, no clock was set and a device could be
    /// pushed to (`OverdueFinder`).
    package var lateness: [Flaw] {
        overdue.filter { $0.milliseconds > Self.worldTolerance }.map {
            let seconds = $0.milliseconds / 1_000
            return Flaw(.late, detail: "activity \($0.activity) for \($0.person): \(seconds) s beyond its grace")
        }
    }

    /// Causes of what was missed that are no flaw (`Excuse`).
    package var excusedCauses: [String] {
        causes.filter { $0.count > 0 && Excuse.reasons[$0.code] != nil }.map(\.code)
    }
}
