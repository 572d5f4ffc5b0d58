import Duties
import Platform

/// How long a year of duties takes: fifty people with a duty of every day for each, in all of which all fifty take turns.
enum LiveDutyYear {
    private static let people = 50
    private static let days: Int64 = 365
    /// 2 March 2026.
    private static let start = CivilDay(number: 20_514)
    private static let goalMilliseconds = 50.0

    /// The median of eleven.
    static func figure() -> Figure {
        let worlds = makeWorlds()
        var samples: [Int64] = []
        var count = 0
        for _ in 0..<11 {
            let began = LiveClock.now
            count = compute(worlds).count
            samples.append(began.duration(to: LiveClock.now).wholeNanoseconds)
        }
        return Figure(
            name: "duties.year",
            value: Double(samples.sorted()[samples.count / 2]) / 1e6,
            kind: .value,
            unit: "ms",
            goal: .atMost(goalMilliseconds),
            method: "\(count) occurrences of \(people) duties with \(people) members each, median of 11"
        )
    }

    /// What is computed in that time.
    static func occurrences() -> [Occurrence] { compute(makeWorlds()) }

    private static func compute(_ worlds: [(duty: Duty, events: DutyEvents)]) -> [Occurrence] {
        worlds.flatMap { world in
            AssignmentEngine(duty: world.duty, events: world.events, zone: Berlin()).occurrences(
                before: Int64(start.number) * 86_400 + days * 86_400
            )
        }
    }

    /// Half of the year is over: every second occurrence was done by somebody, every seventh given away.
    private static func makeWorlds() -> [(duty: Duty, events: DutyEvents)] {
        (0..<people).map { number in
            let members = (0..<people).map { place in
                DutyMember(id: makeID(2, place), name: "\(place)", position: place, joinedAt: 0)
            }
            let duty = Duty(
                id: makeID(1, number),
                title: "duty \(number)",
                recurrence: .everyDays(1),
                start: start,
                minute: 540,
                zone: "Europe/Berlin",
                members: members
            )
            var events = DutyEvents()
            for index in 0..<Int(days / 2) {
                let occurrence = Occurrence.id(of: duty.id, index: index)
                let by = members[(index * 7 + number) % people].id
                if index % 7 == 0 {
                    let event = makeID(4, index)
                    _ = events.take(Reassignment(id: event, occurrence: occurrence, to: by, by: by, at: Int64(index)))
                }
                guard index % 2 == 0 else { continue }
                _ = events.take(
                    Completion(id: makeID(3, index), occurrence: occurrence, by: by, at: Int64(index), kind: .done)
                )
            }
            return (duty, events)
        }
    }

    private static func makeID(_ kind: UInt64, _ number: Int) -> EntityID {
        EntityID(high: kind << 32 | 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    /// Clocks of Berlin in 2026 and 2027.
    private struct Berlin: ZoneClock {
        func offsetSeconds(at second: Int64) -> Int {
            let isSummer =
                (1_774_746_000..<1_792_890_000).contains(second) || (1_806_195_600..<1_824_944_400).contains(second)
            return isSummer ? 7_200 : 3_600
        }
    }
}
