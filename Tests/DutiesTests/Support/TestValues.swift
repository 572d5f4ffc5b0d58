import Duties

/// A zone of which a test says when its clocks change.
struct ListedZone: ZoneClock, Hashable, Codable {
    /// One change of the clocks.
    struct Change: Hashable, Codable {
        /// Seconds since 1970.
        var at: Int64
        /// Seconds ahead of UTC from then on.
        var offset: Int
    }

    var name: String
    /// Seconds ahead of UTC before the first change.
    var offset: Int
    /// The earliest first.
    var changes: [Change] = []

    func offsetSeconds(at second: Int64) -> Int {
        changes.last { $0.at <= second }?.offset ?? offset
    }

    static let utc = ListedZone(name: "UTC", offset: 0)
    /// Of the years 2026 and 2027.
    static let berlin = ListedZone(
        name: "Europe/Berlin",
        offset: 3_600,
        changes: [
            Change(at: 1_774_746_000, offset: 7_200), Change(at: 1_792_890_000, offset: 3_600),
            Change(at: 1_806_195_600, offset: 7_200), Change(at: 1_824_944_400, offset: 3_600),
        ]
    )
    static let newYork = ListedZone(
        name: "America/New_York",
        offset: -18_000,
        changes: [
            Change(at: 1_772_953_200, offset: -14_400), Change(at: 1_793_512_800, offset: -18_000),
            Change(at: 1_805_007_600, offset: -14_400), Change(at: 1_825_567_200, offset: -18_000),
        ]
    )
    /// Clocks change by half an hour.
    static let lordHowe = ListedZone(
        name: "Australia/Lord_Howe",
        offset: 39_600,
        changes: [
            Change(at: 1_775_314_800, offset: 37_800), Change(at: 1_791_041_400, offset: 39_600),
            Change(at: 1_806_764_400, offset: 37_800), Change(at: 1_822_491_000, offset: 39_600),
        ]
    )
}

/// The id of which only the last part says something: `00000000-0000-4000-8000-0000000000nn`.
func makeID(_ number: Int) -> EntityID {
    EntityID(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number))
}

/// Members `1…count`, all there from the beginning.
func makeMembers(_ count: Int) -> [DutyMember] {
    (1...count).map { DutyMember(id: makeID($0), name: "member \($0)", position: $0, joinedAt: 0) }
}

/// A day that is written as in JSON; a test that writes another is wrong.
func makeDay(_ text: String) -> CivilDay {
    guard let day = CivilDay(text) else { preconditionFailure("\(text) is no day") }
    return day
}

func makeDuty(
    _ members: [DutyMember],
    recurrence: Recurrence = .everyDays(1),
    start: String = "2026-03-02",
    minute: Int = 540,
    mode: Duty.Mode = .alternate
) -> Duty {
    Duty(
        id: makeID(1_000),
        title: "triage",
        recurrence: recurrence,
        start: makeDay(start),
        minute: minute,
        zone: "Europe/Berlin",
        mode: mode,
        members: members
    )
}

/// What happens in tests, by numbers: occurrences by their index, members and events by theirs.
struct History {
    var duty: EntityID = makeID(1_000)
    var events = DutyEvents()

    mutating func end(_ index: Int, by member: Int, _ kind: Completion.Kind = .done, at: Int64, event: Int) {
        let occurrence = Occurrence.id(of: duty, index: index)
        _ = events.take(Completion(id: makeID(event), occurrence: occurrence, by: makeID(member), at: at, kind: kind))
    }

    mutating func give(_ index: Int, to member: Int, at: Int64, event: Int) {
        let occurrence = Occurrence.id(of: duty, index: index)
        _ = events.take(
            Reassignment(id: makeID(event), occurrence: occurrence, to: makeID(member), by: makeID(1), at: at)
        )
    }
}

/// Whose turn the first occurrences are, by the numbers of the members; 0 for nobody's.
func turns(_ duty: Duty, _ events: DutyEvents = DutyEvents(), count: Int, zone: ListedZone = .berlin) -> [Int] {
    AssignmentEngine(duty: duty, events: events, zone: zone).occurrences(before: .max).prefix(count)
        .map { $0.assignee.map { Int($0.low & 0xFFFF) } ?? 0 }
}

/// Numbers that are the same on every machine: SplitMix64.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// From 0 to `bound`, itself excluded.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// The elements in another order.
    mutating func reordered<Element>(_ elements: [Element]) -> [Element] {
        var rest = elements
        return elements.map { _ in rest.remove(at: below(rest.count)) }
    }
}
