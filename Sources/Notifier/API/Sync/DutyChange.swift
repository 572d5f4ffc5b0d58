import Duties
import JSON
import Platform

/// What a device wants of duties, as one change of an envelope.
enum DutyChange: Sendable {
    /// Makes it, or changes what of it may change.
    case put(DutyWish)
    case edit(EntityID, DutyEdit)
    case delete(EntityID)
    case member(EntityID, name: String, of: EntityID)
    case leave(EntityID, of: EntityID)
    /// The time is that of the change.
    case event(DutyEventWish)

    /// What it is about, as rows for devices name it.
    var row: (entity: SyncRow.Entity, key: String) {
        switch self {
        case .put(let wish): (.duty, wish.id.description)
        case .edit(let id, _), .delete(let id): (.duty, id.description)
        case .member(let id, _, _), .leave(let id, _): (.dutyMember, id.description)
        case .event(let wish): (.dutyEvent, wish.id.description)
        }
    }

    /// Whether it wants something to end that is not there.
    func isOver(by error: DutyError) -> Bool {
        switch self {
        case .delete, .leave: error == .dutyNotFound || error == .memberNotFound
        case .put, .edit, .member, .event: false
        }
    }
}

extension SyncEnvelope.Change {
    /// What is meant of a duty; nil for what is about something else.
    ///
    /// - Throws: `APIError.invalidField`.
    func dutyChange(at now: WallTime, _ context: APIContext) throws(APIError) -> DutyChange? {
        switch entity {
        case "duty": return try duty(at: now, context)
        case "dutyMember":
            let (id, duty) = (try DutyInput.known(memberId, "memberId"), try DutyInput.known(dutyId, "dutyId"))
            if deleted == true { return .leave(id, of: duty) }
            guard let name else { throw .invalidField("name", expected: "present, or deleted true") }
            return .member(id, name: try DutyInput.name(name), of: duty)
        case "completion":
            guard let kind = kind.flatMap(Completion.Kind.init(rawValue:)) else {
                throw .invalidField("kind", expected: "\"done\" or \"skip\"")
            }
            let id = try DutyInput.known(completionId, "completionId")
            return .event(try event(id, .end(kind, note: try DutyInput.note(note))))
        case "reassignment":
            let id = try DutyInput.known(reassignmentId, "reassignmentId")
            return .event(try event(id, .give(to: try DutyInput.known(to, "to"))))
        default: return nil
        }
    }

    private func duty(at now: WallTime, _ context: APIContext) throws(APIError) -> DutyChange {
        let id = try DutyInput.known(dutyId, "dutyId")
        if deleted == true { return .delete(id) }
        guard let duty else { throw .invalidField("duty", expected: "present, or deleted true") }
        guard let members else { return .edit(id, try duty.edit(context)) }
        return .put(try duty.wish(id: id, members: members, at: now, context))
    }

    private func event(_ id: EntityID, _ what: DutyEventWish.What) throws(APIError) -> DutyEventWish {
        DutyEventWish(
            id: id,
            occurrence: try DutyInput.known(occurrenceId, "occurrenceId"),
            by: try by.map { text throws(APIError) in try DutyInput.known(text, "by") },
            at: 0,
            what: what
        )
    }
}

/// Occurrences that changes have led to, each as it is last.
struct RecomputedOccurrences: Sendable {
    private var order: [EntityID] = []
    private var byID: [EntityID: Occurrence] = [:]

    var isEmpty: Bool { order.isEmpty }

    mutating func take(_ changes: [OccurrenceChange]) {
        for change in changes where byID.updateValue(change.after, forKey: change.after.id) == nil {
            order.append(change.after.id)
        }
    }

    /// The earliest, so many at most; the rest comes by the next pull, as these do.
    func first(_ count: Int) -> [Occurrence] {
        order.compactMap { byID[$0] }.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }.prefix(count).map { $0 }
    }
}

extension SyncApplier {
    /// Carries out one change of duties.
    func apply(
        _ wanted: DutyChange,
        _ change: SyncChange,
        in store: Store,
        _ effects: inout Effects
    ) throws -> Outcome {
        let at = min(change.changedAt, receivedAt).secondsSinceEpoch
        let stamp = RowStamp(at: at, by: "\(device)/\(change.id)")
        do {
            guard let outcome = try carryOut(wanted, stamp, in: store) else { return .applied(over: nil) }
            // What is made is computed at once, and not told behind the envelope.
            try dutyTeller.noteOwn(outcome, by: account, at: now, in: store)
            effects.recomputed.take(outcome.changes)
            effects.touchedDuties.insert(outcome.duty.id)
            return outcome.isOvertaken ? .overtaken : .applied(over: nil)
        } catch let error as DutyError {
            // Nobody who has left, or has ended a duty for all, takes part any more: the answer that said so did not arrive.
            if isRepeated, wanted.isOver(by: error) { return .applied(over: nil) }
            return .refused(APIError(error))
        }
    }

    /// Computes the duties that the envelope has changed, each once.
    func settleDuties(in store: Store, _ effects: inout Effects) throws {
        let teller = dutyTeller
        for number in effects.touchedDuties.sorted() {
            guard let record = try store.duty(number: number) else { continue }
            let changes = try teller.book.recompute(record, at: now, in: store)
            effects.recomputed.take(changes)
            let outcome = DutyBook.Outcome(duty: record, changes: changes)
            effects.told += try teller.tell(outcome, by: account, at: now, in: store)
        }
    }

    private var dutyTeller: DutyTeller {
        DutyTeller(pipeline: context.pipeline, book: DutyBook(zones: context.zones))
    }

    /// Nil where nothing is left that could be told of.
    private func carryOut(_ wanted: DutyChange, _ stamp: RowStamp, in store: Store) throws -> DutyBook.Outcome? {
        var book = DutyBook(zones: context.zones)
        book.recomputesAtOnce = false
        switch wanted {
        case .put(let wish):
            guard try store.duty(wish.id, of: account) != nil else {
                return try book.make(wish, by: account, stamp, at: now, in: store)
            }
            let edit = DutyEdit(
                title: wish.title,
                minute: wish.minute,
                zone: wish.zone,
                leadSeconds: wish.leadSeconds,
                mode: wish.mode,
                escalates: wish.escalates
            )
            return try book.edit(wish.id, edit, by: account, stamp, at: now, in: store)
        case .edit(let id, let edit): return try book.edit(id, edit, by: account, stamp, at: now, in: store)
        case .delete(let id):
            try book.delete(id, by: account, at: now, in: store)
            return nil
        case .member(let id, let name, let duty):
            return try book.addMember(id, name, to: duty, by: account, stamp, at: now, in: store)
        case .leave(let id, let duty):
            return try book.removeMember(id, of: duty, by: account, stamp, at: now, in: store)
        case .event(var wish):
            wish.at = stamp.at
            return try book.record(wish, by: account, at: now, in: store).outcome
        }
    }

    /// What holds now: of an event the occurrence; what is no more only by its id.
    func value(of change: DutyChange, in store: Store) throws -> JSONValue {
        switch change {
        case .put(let wish): return try dutyValue(wish.id, in: store)
        case .edit(let id, _), .delete(let id): return try dutyValue(id, in: store)
        case .member(let id, _, let duty), .leave(let id, let duty):
            guard let record = try store.duty(duty, of: account), let member = record.member(id) else {
                return ["memberId": .string(id.description)]
            }
            return DutyValues.member(member, of: record, for: account)
        case .event(let wish):
            guard let (record, index) = try store.duty(occurrence: wish.occurrence, of: account),
                let occurrence = try store.occurrence(index, of: record)
            else { return ["occurrenceId": .string(wish.occurrence.description)] }
            return DutyValues.occurrence(occurrence)
        }
    }

    private func dutyValue(_ id: EntityID, in store: Store) throws -> JSONValue {
        try store.duty(id, of: account).map(DutyValues.duty) ?? ["dutyId": .string(id.description)]
    }

    /// What a change was about.
    func value(wanted change: DutyChange) -> JSONValue {
        switch change {
        case .put(let wish): ["dutyId": .string(wish.id.description)]
        case .edit(let id, _), .delete(let id): ["dutyId": .string(id.description)]
        case .member(let id, _, _), .leave(let id, _): ["memberId": .string(id.description)]
        case .event(let wish): ["occurrenceId": .string(wish.occurrence.description)]
        }
    }
}
