import Platform

/// What is done for duties every day: occurrences of one day more are made, and those of a year ago forgotten.
struct DutyUpkeep: Sendable {
    /// Duties per transaction, so that deliveries need not wait long.
    private static let batch = 20

    let store: StoreActor
    let book: DutyBook
    let log: Log

    /// Looks at every duty once.
    func work(at now: WallTime) async {
        var last: Int64 = 0
        do {
            while true {
                let numbers = try await store.transaction { [book, last] store in
                    let numbers = try store.dutyNumbers(after: last, limit: Self.batch)
                    for number in numbers { _ = try book.upkeep(number, at: now, in: store) }
                    return numbers
                }
                guard let end = numbers.last else { return }
                last = end
            }
        } catch {
            // The next day tries again: occurrences are there for two months ahead.
            log.write(.dutyUpkeepFailed, [("error", .text(String(describing: error)))])
        }
    }
}
