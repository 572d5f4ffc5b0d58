import Duties

/// The file by which a client in any language checks itself: `docs/duties-vectors.json`. `docs/duties.md` says what it means.
struct DutyVectors: Codable, Equatable {
    static let path = "docs/duties-vectors.json"

    /// Raised when a member changes its meaning.
    var format: Int
    var ids: [OccurrenceID]
    var rotations: [Rotation]
    var copies: [Copies]
    var stamps: [Stamps]

    struct OccurrenceID: Codable, Equatable {
        var duty: EntityID
        var index: Int
        var id: EntityID
    }

    struct Rotation: Codable, Equatable {
        var name: String
        var duty: DutyValue
        var members: [Member]
        var completions: [End]
        var reassignments: [Gift]
        /// Occurrences that are due before it are listed.
        var before: Int64
        var occurrences: [OccurrenceValue]
        /// Where the rotation stands there.
        var next: Base
    }

    struct DutyValue: Codable, Equatable {
        var id: EntityID
        var everyDays: Int?
        var weekdays: [Int]?
        var everyWeeks: Int?
        var start: CivilDay
        var minute: Int
        var zone: ListedZone
        var mode: String
        var base: Base
    }

    struct Base: Codable, Equatable {
        var nextIndex: Int
        var queue: [EntityID]
    }

    struct Member: Codable, Equatable {
        var id: EntityID
        var position: Int
        var joinedAt: Int64
        var leftAt: Int64?
    }

    struct End: Codable, Equatable {
        var id: EntityID
        var occurrence: EntityID
        var by: EntityID
        var at: Int64
        var kind: String
    }

    struct Gift: Codable, Equatable {
        var id: EntityID
        var occurrence: EntityID
        var to: EntityID
        var by: EntityID
        var at: Int64
    }

    struct OccurrenceValue: Codable, Equatable {
        var id: EntityID
        var index: Int
        var dueAt: Int64
        var assignee: EntityID?
        var status: String
        var decidedAt: Int64?
        var decidedBy: EntityID?

        init(_ occurrence: Occurrence) {
            (id, index, dueAt) = (occurrence.id, occurrence.index, occurrence.dueAt)
            (assignee, status) = (occurrence.assignee, occurrence.status.rawValue)
            (decidedAt, decidedBy) = (occurrence.decision?.at, occurrence.decision?.id)
        }

        /// As the engine has it; nil for a status that there is not.
        func occurrence(of duty: EntityID) -> Occurrence? {
            guard let status = Occurrence.Status(rawValue: status) else { return nil }
            var decision: EventStamp?
            if let decidedAt, let decidedBy { decision = EventStamp(at: decidedAt, id: decidedBy) }
            return Occurrence(
                duty: duty,
                index: index,
                dueAt: dueAt,
                assignee: assignee,
                status: status,
                decision: decision
            )
        }
    }

    /// Two copies of an occurrence, and which stands.
    struct Copies: Codable, Equatable {
        var duty: EntityID
        var one: OccurrenceValue
        var other: OccurrenceValue
        var stands: OccurrenceValue
    }

    struct Stamp: Codable, Equatable {
        var at: Int64
        var by: String
    }

    /// Two changes of a duty or a member, the one that stands last.
    struct Stamps: Codable, Equatable {
        var overtaken: Stamp
        var stands: Stamp
    }
}

extension DutyVectors.Rotation {
    /// What the engine is given; nil where the file says what there cannot be.
    var input: (duty: Duty, events: DutyEvents)? {
        var recurrence: Recurrence?
        if let days = duty.everyDays { recurrence = .everyDays(days) }
        if let weekdays = duty.weekdays, let weeks = duty.everyWeeks {
            recurrence = .weekly(on: weekdays, everyWeeks: weeks)
        }
        guard let recurrence, let mode = Duty.Mode(rawValue: duty.mode) else { return nil }
        var events = DutyEvents()
        for end in completions {
            guard let kind = Completion.Kind(rawValue: end.kind) else { return nil }
            _ = events.take(Completion(id: end.id, occurrence: end.occurrence, by: end.by, at: end.at, kind: kind))
        }
        for gift in reassignments {
            _ = events.take(
                Reassignment(id: gift.id, occurrence: gift.occurrence, to: gift.to, by: gift.by, at: gift.at)
            )
        }
        let known = Duty(
            id: duty.id,
            title: name,
            recurrence: recurrence,
            start: duty.start,
            minute: duty.minute,
            zone: duty.zone.name,
            mode: mode,
            members: members.map {
                DutyMember(id: $0.id, name: "", position: $0.position, joinedAt: $0.joinedAt, leftAt: $0.leftAt)
            },
            base: RotationBase(nextIndex: duty.base.nextIndex, queue: duty.base.queue)
        )
        return (known, events)
    }

    /// The same with what the engine makes of it.
    func computed() -> DutyVectors.Rotation? {
        guard let input else { return nil }
        let engine = AssignmentEngine(duty: input.duty, events: input.events, zone: duty.zone)
        var result = self
        result.occurrences = engine.occurrences(before: before).map(DutyVectors.OccurrenceValue.init)
        let next = engine.base(before: before)
        result.next = DutyVectors.Base(nextIndex: next.nextIndex, queue: next.queue)
        return result
    }
}
