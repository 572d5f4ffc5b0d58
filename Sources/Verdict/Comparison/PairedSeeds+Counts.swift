extension PairedSeeds {
    /// What must never happen and has neither tolerance nor test, each by itself. What a report does not tell is left out.
    var wrongs: [ComparedCount] {
        [
            count("missed") { $0.missed }, count("duplicates") { $0.duplicates }, count("unexpected") { $0.unexpected },
            count("reminders missed") { $0.reminders?.missed }, count("reminders late") { $0.reminders?.late },
            count("reminders unexpected") { $0.reminders?.unexpected },
            count("wrong unread numbers") { $0.wrongUnreadNumbers },
        ]
        .compactMap(\.self)
    }

    /// Of how many something could be missed: less of it is no merit where less had to come.
    var expected: [ComparedCount] {
        [count("expected") { $0.expected }, count("reminders expected") { $0.reminders?.expected }].compactMap(\.self)
    }

    /// Over the seeds of which both reports tell it; nil when there is none such among those that are whole.
    private func count(_ title: String, _ value: (ComparedSeed.Figures) -> Int?) -> ComparedCount? {
        var told: [(seed: UInt64, first: Int, second: Int)] = []
        for pair in whole {
            guard let first = value(pair.first), let second = value(pair.second) else { continue }
            told.append((pair.seed, first, second))
        }
        return told.isEmpty && !whole.isEmpty ? nil : ComparedCount(title, told)
    }
}
