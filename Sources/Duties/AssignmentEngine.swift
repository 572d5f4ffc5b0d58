/// Whose turn it is: a value that follows from the duty, its members and what happened, and from nothing else.
///
/// A rotation is a queue of those who take part. Before each occurrence those who left by then are taken out, and those who joined are put
/// at the end, in their order. The occurrence belongs to the first. Whoever had the turn then goes to the end: who did it, or else
/// whom it was given to by hand, or else the first, also when it was left out. So who stands in for somebody comes later, and that one sooner.
public struct AssignmentEngine<Zone: DueClock> {
    /// What is computed at once at most. It is more than a year of every day.
    public static var mostOccurrences: Int { 1_000 }

    private let duty: Duty
    private let events: DutyEvents
    private let zone: Zone
    /// Those who take part or took part, in their order.
    private let members: [DutyMember]

    /// An engine for one duty.
    ///
    /// - Parameters:
    ///   - duty: the duty with its members; its recurrence has no flaw.
    ///   - events: what happened to its occurrences.
    ///   - zone: when clocks of the duty's zone show its time of day.
    public init(duty: Duty, events: DutyEvents, zone: Zone) {
        precondition(duty.recurrence.flaw == nil, "a duty's recurrence is checked before it is computed")
        self.duty = duty
        self.events = events
        self.zone = zone
        members = duty.members.sorted {
            ($0.position, $0.joinedAt, $0.id) < ($1.position, $1.joinedAt, $1.id)
        }
    }

    /// When an occurrence is due, in seconds since 1970.
    ///
    /// - Parameter index: 0 for the first.
    /// - Returns: The instant.
    public func dueAt(_ index: Int) -> Int64 {
        zone.instant(of: duty.recurrence.day(index, from: duty.start), minute: duty.minute)
    }

    /// The occurrences from the duty's base on, in their order.
    ///
    /// - Parameter end: the instant up to which they are due, itself excluded, in seconds since 1970.
    /// - Returns: ``mostOccurrences`` at most.
    public func occurrences(before end: Int64) -> [Occurrence] {
        var found: [Occurrence] = []
        walk(before: end) { found.append($0) }
        return found
    }

    /// Where the rotation stands at the first occurrence that is due at an instant or later.
    ///
    /// - Parameter end: the instant, in seconds since 1970.
    /// - Returns: The first index from there on, and the queue.
    public func base(before end: Int64) -> RotationBase {
        walk(before: end) { _ in }
    }

    /// Decides one occurrence after the other.
    @discardableResult
    private func walk(before end: Int64, _ take: (Occurrence) -> Void) -> RotationBase {
        var rotation = duty.base
        // Nobody joins or leaves before it.
        var nextChange = Int64.min
        var constant: EntityID?
        for _ in 0..<Self.mostOccurrences {
            let due = dueAt(rotation.nextIndex)
            guard due < end else { break }
            if due >= nextChange {
                let present = members.filter { $0.isPresent(at: due) }
                rotation.queue.removeAll { id in !present.contains { $0.id == id } }
                for member in present where !rotation.queue.contains(member.id) { rotation.queue.append(member.id) }
                constant = present.first?.id
                nextChange = members.flatMap { [$0.joinedAt, $0.leftAt ?? .max] }.filter { $0 > due }.min() ?? .max
            }
            take(advance(&rotation, due: due, turn: duty.mode == .fixed ? constant : rotation.queue.first))
        }
        return rotation
    }

    /// Decides about the next occurrence, and leaves the rotation behind it.
    private func advance(_ rotation: inout RotationBase, due: Int64, turn: EntityID?) -> Occurrence {
        var occurrence = Occurrence(duty: duty.id, index: rotation.nextIndex, dueAt: due, assignee: turn)
        rotation.nextIndex += 1
        if let given = events.reassignment(of: occurrence.id), rotation.queue.contains(given.to) {
            occurrence.assignee = given.to
            occurrence.status = .reassigned
            occurrence.decision = given.stamp
        }
        if let end = events.end(of: occurrence.id) {
            if end.kind == .done { occurrence.assignee = end.by }
            occurrence.status = end.kind == .done ? .completed : .skipped
            occurrence.decision = end.stamp
        }
        if let had = occurrence.assignee, let place = rotation.queue.firstIndex(of: had) {
            rotation.queue.append(rotation.queue.remove(at: place))
        }
        return occurrence
    }
}
