import Duties

/// What the vectors are about.
extension DutyVectors {
    private static let duty = EntityID("6f1d2c3a-0b4e-4d5f-8a6b-7c8d9e0f1a2b") ?? makeID(0)
    private static let day: Int64 = 86_400
    /// Nine in the morning of the second of March 2026 in Berlin, a Monday.
    private static let start: Int64 = 1_772_438_400

    /// All of them, as the engine has them now.
    static func made() -> DutyVectors {
        DutyVectors(
            format: 1,
            ids: [0, 1, 59, 999, 100_000].map {
                OccurrenceID(duty: duty, index: $0, id: Occurrence.id(of: duty, index: $0))
            },
            rotations: (rotations + changes + clocks).compactMap { $0.computed() },
            copies: copies,
            stamps: [
                Stamps(overtaken: Stamp(at: 10, by: "b/1"), stands: Stamp(at: 11, by: "a/1")),
                Stamps(overtaken: Stamp(at: 10, by: "a/9"), stands: Stamp(at: 10, by: "b/1")),
                Stamps(overtaken: Stamp(at: 10, by: "b/1"), stands: Stamp(at: 10, by: "b/2")),
                Stamps(overtaken: Stamp(at: 10, by: "e\u{301}/1"), stands: Stamp(at: 10, by: "\u{e9}/1")),
            ]
        )
    }

    private static func makeRotation(
        _ name: String,
        members: [DutyMember],
        weekdays: [Int]? = nil,
        every: Int = 1,
        from first: String = "2026-03-02",
        minute: Int = 540,
        zone: ListedZone = .berlin,
        mode: Duty.Mode = .alternate,
        base: Base = Base(nextIndex: 0, queue: []),
        ends: [(index: Int, by: Int, kind: Completion.Kind, at: Int64, id: Int)] = [],
        gifts: [(index: Int, to: Int, at: Int64, id: Int)] = [],
        days: Int64 = 9
    ) -> Rotation {
        Rotation(
            name: name,
            duty: DutyValue(
                id: duty,
                everyDays: weekdays == nil ? every : nil,
                weekdays: weekdays,
                everyWeeks: weekdays == nil ? nil : every,
                start: makeDay(first),
                minute: minute,
                zone: zone,
                mode: mode.rawValue,
                base: base
            ),
            members: members.map {
                Member(id: $0.id, position: $0.position, joinedAt: $0.joinedAt, leftAt: $0.leftAt)
            },
            completions: ends.map { end in
                End(
                    id: makeID(end.id),
                    occurrence: Occurrence.id(of: duty, index: end.index),
                    by: makeID(end.by),
                    at: end.at,
                    kind: end.kind.rawValue
                )
            },
            reassignments: gifts.map { gift in
                Gift(
                    id: makeID(gift.id),
                    occurrence: Occurrence.id(of: duty, index: gift.index),
                    to: makeID(gift.to),
                    by: makeID(1),
                    at: gift.at
                )
            },
            before: Int64(makeDay(first).number) * day + days * day,
            occurrences: [],
            next: base
        )
    }

    private static let rotations = [
        makeRotation("in turn", members: makeMembers(3)),
        makeRotation("in the order of positions, not of the list", members: makeMembers(3).reversed()),
        makeRotation("nobody", members: [], days: 2),
        makeRotation("fixed", members: makeMembers(3), mode: .fixed, ends: [(1, 2, .done, start + day, 500)], days: 4),
        makeRotation("done by another", members: makeMembers(3), ends: [(0, 3, .done, start, 500)]),
        makeRotation("left out", members: makeMembers(3), ends: [(1, 1, .skip, start, 500)]),
        makeRotation("given away, and given on", members: makeMembers(3), gifts: [(1, 1, 10, 500), (1, 3, 11, 501)]),
        makeRotation("given away at one instant", members: makeMembers(3), gifts: [(1, 1, 10, 501), (1, 3, 10, 500)]),
        makeRotation(
            "the first end stands, and what was given away after it says nothing",
            members: makeMembers(3),
            ends: [(0, 2, .done, 60, 500), (0, 3, .skip, 30, 501)],
            gifts: [(0, 3, 40, 502)]
        ),
        makeRotation(
            "of two ends of one instant the smaller id",
            members: makeMembers(3),
            ends: [(0, 2, .done, 30, 501), (0, 3, .done, 30, 500)]
        ),
        makeRotation(
            "done late and out of order",
            members: makeMembers(4),
            ends: [(3, 1, .done, start + 3 * day, 500), (1, 4, .done, start + 5 * day, 501)]
        ),
    ]

    private static let changes = [
        makeRotation("one joins", members: changed(joined: [3: start + day])),
        makeRotation("two join at once", members: changed(joined: [2: start + 3 * day, 3: start + 3 * day])),
        makeRotation("one leaves at the very instant", members: changed(left: [1: start + 3 * day])),
        makeRotation(
            "given to somebody who has left by then",
            members: changed(left: [3: start + day]),
            gifts: [(1, 3, 10, 500)]
        ),
        makeRotation(
            "done by somebody who has left",
            members: changed(left: [3: start + day]),
            ends: [(2, 3, .done, start + 2 * day, 500)]
        ),
        makeRotation(
            "from where the history was cut",
            members: makeMembers(4),
            base: Base(nextIndex: 5, queue: [3, 1, 4, 2].map(makeID)),
            ends: [(6, 4, .done, start + 6 * day, 500), (2, 1, .done, start, 501)],
            days: 12
        ),
    ]

    private static let clocks = [
        makeRotation("into summer time", members: makeMembers(2), from: "2026-03-27", minute: 150, days: 5),
        makeRotation("out of summer time", members: makeMembers(2), from: "2026-10-24", minute: 150, days: 4),
        makeRotation(
            "weekdays of every other week, the first one cut by the start",
            members: makeMembers(3),
            weekdays: [1, 3, 5],
            every: 2,
            from: "2026-03-04",
            days: 40
        ),
        makeRotation(
            "a start behind the days of its week",
            members: makeMembers(2),
            weekdays: [1],
            every: 3,
            from: "2026-03-08",
            zone: .newYork,
            days: 60
        ),
        makeRotation(
            "clocks that change by half an hour",
            members: makeMembers(2),
            from: "2026-10-03",
            minute: 135,
            zone: .lordHowe,
            days: 4
        ),
        makeRotation("every fortnight", members: makeMembers(2), every: 14, zone: .utc, days: 60),
    ]

    private static func changed(joined: [Int: Int64] = [:], left: [Int: Int64] = [:]) -> [DutyMember] {
        makeMembers(3).map { member in
            var member = member
            member.joinedAt = joined[member.position] ?? 0
            member.leftAt = left[member.position]
            return member
        }
    }

    private static var copies: [Copies] {
        func copy(_ status: Occurrence.Status, _ assignee: Int, at: Int64 = 0, id: Int = 0) -> Occurrence {
            Occurrence(
                duty: duty,
                index: 3,
                dueAt: start,
                assignee: makeID(assignee),
                status: status,
                decision: status == .pending ? nil : EventStamp(at: at, id: makeID(id))
            )
        }
        let pairs = [
            (copy(.completed, 1, at: 40, id: 500), copy(.reassigned, 2, at: 90, id: 501)),
            (copy(.completed, 1, at: 40, id: 500), copy(.skipped, 2, at: 30, id: 501)),
            (copy(.completed, 1, at: 40, id: 501), copy(.completed, 2, at: 40, id: 500)),
            (copy(.reassigned, 1, at: 40, id: 500), copy(.reassigned, 2, at: 50, id: 501)),
            (copy(.reassigned, 1, at: 40, id: 500), copy(.pending, 2)), (copy(.pending, 2), copy(.pending, 1)),
        ]
        return pairs.map { one, other in
            Copies(
                duty: duty,
                one: OccurrenceValue(one),
                other: OccurrenceValue(other),
                stands: OccurrenceValue(DutyMergePolicy.merged(one, other))
            )
        }
    }
}
