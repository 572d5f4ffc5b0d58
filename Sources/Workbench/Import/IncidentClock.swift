import Platform
import Scenarios
import Verdict

/// A zone of the scenarios, which know the rules of some only, whose clocks showed the same throughout the story; or else UTC, with
/// what is said by the clock moved.
struct IncidentClock: Equatable {
    var zone: QuietHours.Zone
    /// How many minutes more the clock shows that was meant.
    var shiftMinutes: Int
    /// Why what is moved is a guess; nil where it is none.
    var guess: String?

    /// - Parameters:
    ///   - minutesAhead: of UTC, at the end of the story and each day before; empty where it is not known.
    ///   - timeline: from when to when the story goes.
    init(_ minutesAhead: [Int64], _ timeline: IncidentTimeline) {
        let shown = minutesAhead.enumerated().map { day, minutes in
            (at: timeline.end.advanced(by: .zero - .days(day)), minutes: minutes)
        }
        let during = shown.enumerated().filter { $0.offset == 0 || timeline.start <= $0.element.at }.map(\.element)
        let known = QuietHours.Zone.allCases.first { zone in
            during.allSatisfy { Int64(zone.offsetSeconds(at: $0.at)) == $0.minutes * 60 }
        }
        zone = known ?? .utc
        shiftMinutes = known == nil ? Int(minutesAhead.first ?? 0) : 0
        if minutesAhead.isEmpty {
            guess = "what the clock shows is not known"
        } else if known == nil, Set(during.map(\.minutes)).count > 1 {
            guess = "the clock was changed meanwhile"
        }
    }
}
