import Platform

/// Draws when the machine of a world's twin loses its power: while the notifier writes, soon after something has happened.
enum PowerLossDraw {
    /// Losses of power in one twin.
    static let count = 4
    /// Long enough after an entry for what it leads to to be read and written: a poll, and the deliveries.
    private static let reach: ClosedRange<Int64> = 0...120
    /// A poll that finds something takes some dozens of writes and syncs.
    private static let occurrences: ClosedRange<Int64> = 1...40
    private static let downFor: ClosedRange<Int64> = 1...60

    private static let steps: [DurableStep] = [.beforeDiskWrite, .beforeDiskSync]
    private static let kept = KeptWrites.allCases.filter { $0 != .all }

    /// The same for the same world; none for one in which nothing happens.
    static func entries(for world: Scenario) -> [TimelineEntry] {
        guard let plan = try? world.plan(seed: world.seed) else { return [] }
        var random = RandomStream(seed: world.seed, stream: WorldRelation.powerLosses.rawValue)
        let latest = world.duration - .seconds(downFor.upperBound + 1)
        let instants = plan.steps.map(\.offset)
        return (1...count).compactMap { number in
            guard let near = random.pick(instants), let step = random.pick(steps), let keeps = random.pick(kept),
                let id = EntryID("\(WorldRelation.powerLosses.rawValue)-\(number)")
            else { return nil }
            let effect = FaultEffect.crashAtStep(
                step,
                occurrence: Int(random.next(in: occurrences)),
                afterRestarts: 0,
                keeps: keeps
            )
            let instant = min(.seconds(near.components.seconds + random.next(in: reach)), latest)
            let fault = Fault(id: id, effect: effect, length: .seconds(random.next(in: downFor)))
            return TimelineEntry(id: id, occurrence: .at(instant), event: .fault(fault))
        }
    }
}
