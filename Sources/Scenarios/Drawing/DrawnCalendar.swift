import Platform

/// When a drawn world begins, and whose clocks are changed then, or show a day like no other. It draws from a stream of its own: what else is drawn
/// stays as it is.
struct DrawnCalendar {
    /// An instant at which something is special about the clocks of some zones.
    struct Occasion {
        var instant: String
        /// Minutes after midnight that these clocks show then, or would have shown had they not been changed.
        var minute: Int
        var zones: [QuietHours.Zone]

        init(_ instant: String, minute: Int, _ zones: [QuietHours.Zone]) {
            (self.instant, self.minute, self.zones) = (instant, minute, zones)
        }
    }

    /// Hours that clocks leave out, or show twice, and ends of months and years.
    static let occasions = [
        Occasion("2026-02-15T02:00:00Z", minute: 180, [.casablanca]),
        Occasion("2026-03-01T00:00:00Z", minute: 0, [.utc, .london]),
        Occasion("2026-03-06T17:00:00Z", minute: 1_020, [.utc, .london]),
        Occasion("2026-03-08T07:00:00Z", minute: 120, [.newYork]),
        Occasion("2026-03-22T02:00:00Z", minute: 120, [.casablanca]),
        Occasion("2026-03-28T22:00:00Z", minute: 1_320, [.utc, .london]),
        Occasion("2026-03-29T01:00:00Z", minute: 60, [.london, .troll]),
        Occasion("2026-03-29T01:00:00Z", minute: 120, [.berlin]),
        Occasion("2026-03-29T01:00:00Z", minute: 1_380, [.nuuk]),
        Occasion("2026-04-04T14:00:00Z", minute: 225, [.chatham]),
        Occasion("2026-04-04T15:00:00Z", minute: 120, [.lordHowe]),
        Occasion("2026-04-04T16:00:00Z", minute: 180, [.sydney]),
        Occasion("2026-04-23T22:00:00Z", minute: 0, [.cairo]),
        Occasion("2026-04-30T10:00:00Z", minute: 0, [.kiritimati]),
        Occasion("2026-10-03T15:30:00Z", minute: 120, [.lordHowe]),
        Occasion("2026-10-25T01:00:00Z", minute: 120, [.london]),
        Occasion("2026-10-25T01:00:00Z", minute: 180, [.berlin, .troll]),
        Occasion("2026-10-25T01:00:00Z", minute: 0, [.nuuk]),
        Occasion("2026-10-29T21:00:00Z", minute: 1_440, [.cairo]),
        Occasion("2026-11-01T06:00:00Z", minute: 120, [.newYork]),
        Occasion("2027-01-01T00:00:00Z", minute: 0, [.utc, .london]),
        Occasion("2028-02-29T00:00:00Z", minute: 0, [.utc, .london]),
        Occasion("2028-03-01T00:00:00Z", minute: 0, [.utc, .london]),
    ]

    /// A Monday morning on which nothing is special.
    static let usualStart = "2026-03-02T07:00:00Z"
    /// Within the hours in which things happen, or in those of rest.
    private static let leads = [20, 60, 100, 110, 180, 300]
    /// From when to when it is quiet, in minutes from the occasion: begun or ended in what is left out or comes twice, within it, and around it.
    private static let spans = [(-30, 30), (15, 45), (0, 60), (30, 90), (-60, 0), (-60, -15), (60, 180), (-30, 150)]

    /// When the world begins.
    let start: String
    private let occasion: Occasion?
    private var random: RandomStream

    init(seed: UInt64) {
        var random = RandomStream(seed: seed, stream: "calendar")
        let drawn = random.chance(2, in: 3) ? random.pick(Self.occasions) : nil
        let instant = drawn.flatMap { CalendarNotation.wallTime($0.instant) }
        let lead = Duration.minutes(random.pick(Self.leads) ?? 0)
        start = instant.map { $0.advanced(by: .zero - lead).utcText(.seconds) } ?? Self.usualStart
        (occasion, self.random) = (drawn, random)
    }

    /// Where somebody lives: half of the time there where clocks are special, and else as was drawn.
    mutating func zone(or usual: String) -> String {
        guard let occasion, random.chance(1, in: 2) else { return usual }
        return random.pick(occasion.zones)?.rawValue ?? usual
    }

    /// When it is quiet.
    mutating func hours(or usual: String) -> String {
        guard let occasion, random.chance(2, in: 3), let span = random.pick(Self.spans) else { return usual }
        let end = Self.onClock(occasion.minute + span.1)
        let texts = [Self.onClock(occasion.minute + span.0), end == 0 ? 1_440 : end].map(CalendarNotation.timeText)
        return texts.joined(separator: "-")
    }

    /// On which days that begins: the one before, the day itself by UTC, or the next.
    mutating func days(or usual: String) -> String {
        guard let occasion, let instant = CalendarNotation.wallTime(occasion.instant), random.chance(2, in: 3) else {
            return usual
        }
        let names = CalendarNotation.weekdayNames
        return names[(CivilDate(instant).isoWeekday + 5 + Int(random.next(below: 3))) % 7]
    }

    /// When something is due.
    mutating func time(or usual: String) -> String {
        guard let occasion, random.chance(1, in: 2) else { return usual }
        let minutes = random.pick([-30, -15, 0, 15, 30, 45, 60, 90]) ?? 0
        return CalendarNotation.timeText(Self.onClock(occasion.minute + minutes))
    }

    private static func onClock(_ minute: Int) -> Int { (minute + 1_440) % 1_440 }
}
