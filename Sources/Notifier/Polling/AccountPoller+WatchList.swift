import Platform

/// Entries that the watch list gets by itself: what the person was tagged on, and where a watched issue was moved to.
extension AccountPoller {
    /// So many of either are taken up per cycle; the rest waits for the next.
    private static let takenUpPerCycle = 5

    /// Takes up the first of what waits in the store; `isDone` tells what need not wait any longer. True when more may wait.
    func takeUp<Waiting: Sendable>(
        _ waiting: @Sendable (Store, _ limit: Int) throws -> [Waiting],
        _ isDone: (Waiting) async throws -> Bool
    ) async -> Bool {
        do {
            let limit = Self.takenUpPerCycle
            let first = try await context.store.read { try waiting($0, limit) }
            var isNothingLeft = first.count < limit
            for one in first { isNothingLeft = try await isDone(one) && isNothingLeft }
            return !isNothingLeft
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
            return true
        }
    }

    /// Tells that an entry was added, or that there was no room for it.
    func tellAdded(_ room: WatchListRoom, _ message: LogMessage, _ fields: [Log.Field]) async throws {
        if room == .full { try await tellListIsFull() }
        guard room.isThere else { return }
        report(gaveWay: room.gaveWay)
        context.log.write(message, fields)
        inbox.noteChange()
        wakeSignal.send()
    }
}
