import Configuration
import Platform

/// Follows the days by which the person has to have done what they watch, as the rows show them that sweeps read anyway.
extension AccountPoller {
    /// Records what a sweep showed to be due on another day than before; what the store refuses is recorded after the next sweep.
    func storeDueDates(of list: SweptList) async {
        let moved = list.items.filter { $0.dueOn != $0.storedDueOn }
        guard !moved.isEmpty else { return }
        let now = context.time.wallNow
        let days = moved.map { (watch: $0.watched.watch, day: $0.dueOn) }
        do {
            let (zones, leadTime) = (context.zones, context.configuration.dueLeadTime)
            try await context.store.transaction { [id] store in
                let policy = try store.settings(of: id).dueDatePolicy(zones, leadTime: leadTime)
                for (watch, day) in days { try store.setDueDay(day, of: watch, by: policy, at: now) }
            }
            for (item, due) in zip(moved, days) {
                item.storedDueOn = due.day
                context.log.write(.dueDateNoted, fields(due.watch) + [("due.on", .text(due.day?.text ?? "none"))])
            }
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
    }

    /// When the oldest of the last looks at the rows of the person's items began; nil until all had been looked at, and with detection per item.
    var sweptAt: WallTime? {
        guard let sweeps = polled?.sweeps, !sweeps.isEmpty else { return nil }
        let looks = sweeps.compactMap(\.lookedAt)
        guard looks.count == sweeps.count, let oldest = looks.min() else { return nil }
        let (now, wallNow) = (context.time.monotonicNow, context.time.wallNow)
        return wallNow.advanced(by: .zero - oldest.duration(to: now))
    }
}
