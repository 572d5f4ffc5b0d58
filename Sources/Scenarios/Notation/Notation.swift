import Platform

/// The notations in which scenario files write names, times and shares: each with a pattern for the schema and a parser for
/// the check. A test holds the two together.
enum Notation: String, CaseIterable, Sendable {
    case name, text
    case duration, length, signedDuration, instant, wallTime, date, timeZone, hours, timeOfDay, weekdays
    case ratio, rate, url
    case username, person, project, item, items, anyItem, newItem, device, entryID
    case window, ratioComparison, countComparison, durationComparison

    /// What the schema demands; an ECMA 262 expression without flags.
    var pattern: String {
        switch self {
        case .name, .device: "^[a-z][a-z0-9-]{0,63}$"
        case .text: "\\S"
        case .duration: "^\(Self.durationPart)$"
        case .length: "^(?=.*[1-9])\(Self.durationPart)$"
        case .signedDuration: "^[+-]?\(Self.durationPart)$"
        case .instant: "^(random|\(Self.durationPart))$"
        case .wallTime:
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$"
        case .date: "^([0-9]{4}-[0-9]{2}-[0-9]{2}|[+-][0-9]{1,3})$"
        case .timeZone: "^[+-][0-9]{2}:[0-9]{2}$"
        case .hours: "^([01][0-9]|2[0-4]):[0-5][0-9]-([01][0-9]|2[0-4]):[0-5][0-9]$"
        case .timeOfDay: "^([01][0-9]|2[0-3]):[0-5][0-9]$"
        case .weekdays: "^(\(Self.day)(-\(Self.day))?)(,\(Self.day)(-\(Self.day))?)*$"
        case .ratio: "^([0-9]{1,18}/[0-9]{1,18}|\(Self.percentPart))$"
        case .rate: "^[1-9][0-9]{0,6}/(s|m|h|d|w)$"
        case .url: "^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$"
        case .username: "^\(Self.userPart)$"
        case .person: "^(anyone|\(Self.userPart))$"
        case .project: "^\(Self.projectPart)$"
        case .item: "^\(Self.projectPart)[!#][1-9][0-9]{0,17}$"
        case .items: "^\(Self.projectPart)[!#]([1-9][0-9]{0,17}|\\*)$"
        case .anyItem: "^(any|\(Self.projectPart)[!#]([1-9][0-9]{0,17}|\\*))$"
        case .newItem: "^\(Self.projectPart)([!#][1-9][0-9]{0,17})?$"
        case .entryID: "^[a-z][a-z0-9@/%.-]{0,95}(#[0-9]{1,18})?$"
        case .window: "^(whole|(during|after):[a-z][a-z0-9@/%.-]{0,95}(#[0-9]{1,18})?)$"
        case .ratioComparison: "^\(Self.relation) ?([0-9]{1,18}/[0-9]{1,18}|\(Self.percentPart))$"
        case .countComparison: "^\(Self.relation) ?[0-9]{1,18}$"
        case .durationComparison: "^\(Self.relation) ?\(Self.durationPart)$"
        }
    }

    /// One line for editors and messages.
    var summary: String {
        switch self {
        case .name: "a short name: lower-case letters, digits and hyphens"
        case .device: "the name of a device: lower-case letters, digits and hyphens"
        case .text: "a text that is not blank"
        case .duration: "a duration with units d, h, m, s, ms"
        case .length: "a duration longer than nothing, with units d, h, m, s, ms"
        case .signedDuration: "a duration, forwards or (with a minus sign) backwards"
        case .instant: "an offset from the start, or random"
        case .wallTime: "an instant of the calendar (RFC 3339)"
        case .date: "a day of the calendar, or so many days after the one on which the story begins (UTC)"
        case .timeZone: "how far a time zone lies ahead of UTC"
        case .hours: "a part of the day"
        case .timeOfDay: "a time of the day"
        case .weekdays: "days of the week"
        case .ratio: "a share"
        case .rate: "so many per s, m, h, d or w"
        case .url: "scheme and host of a URL, perhaps with a port, nothing behind it"
        case .username: "a username"
        case .person: "a username, or anyone"
        case .project: "the full path of a project"
        case .item: "a merge request (!) or issue (#)"
        case .items: "a merge request (!), an issue (#), or all of a project with *"
        case .anyItem: "a merge request (!), an issue (#), all of a project with *, or any"
        case .newItem: "a new merge request (!) or issue (#), or a project that numbers it"
        case .entryID: "the name of a timeline entry"
        case .window: "the part of the run that is judged"
        case .ratioComparison: "a relation and a share"
        case .countComparison: "a relation and a number"
        case .durationComparison: "a relation and a duration"
        }
    }

    /// Texts that have this notation, the plainest first.
    var examples: [String] {
        switch self {
        case .name: ["outage", "merge-day"]
        case .device: ["phone", "mac"]
        case .text: ["Looks good to me."]
        case .duration: ["45m", "1h30m", "0s", "250ms"]
        case .length: ["20m", "1h30m", "2d"]
        case .signedDuration: ["+30s", "-2m", "90s"]
        case .instant: ["2h", "0s", "random"]
        case .wallTime: ["2026-03-02T08:00:00Z", "2026-03-02T09:00:00+01:00"]
        case .date: ["+1", "+0", "+2", "-1", "2026-03-30"]
        case .timeZone: ["+02:00", "-05:30"]
        case .hours: ["09:00-17:30", "00:00-24:00"]
        case .timeOfDay: ["09:30", "00:00"]
        case .weekdays: ["mon-fri", "sat", "mon,wed,fri"]
        case .ratio: ["1%", "1/100", "99.9%"]
        case .rate: ["12/h", "3/d"]
        case .url: ["https://gitlab.example.com", "http://gitlab.local:8080"]
        case .username: ["@maria", "@j.doe_2"]
        case .person: ["@maria", "anyone"]
        case .project: ["team/backend", "group/sub/project"]
        case .item: ["team/backend!847", "team/backend#234"]
        case .items: ["team/backend!847", "team/backend#*"]
        case .anyItem: ["team/backend!847", "team/backend!*", "any"]
        case .newItem: ["team/backend!900", "team/backend"]
        case .entryID: ["outage", "gitlab-outage@2h", "crashes#3"]
        case .window: ["whole", "during:outage", "after:gitlab-outage@2h"]
        case .ratioComparison: [">= 99%", "> 99.5%"]
        case .countComparison: ["= 0", "<= 70000"]
        case .durationComparison: ["<= 2m", "< 1m30s"]
        }
    }

    private static let durationPart =
        "(?=[0-9])([0-9]{1,9}d)?([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?([0-9]{1,9}ms)?"
    private static let day = "(mon|tue|wed|thu|fri|sat|sun)"
    private static let percentPart = "(100(\\.0{1,6})?|[0-9]{1,2}(\\.[0-9]{1,6})?)%"
    private static let userPart = "@[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}"
    private static let projectPart = "[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+"
    private static let relation = "(<=|>=|<|>|=)"
}

extension Notation {
    /// Whether `text` has this notation.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .name, .device: isPlainName(text)
        case .text: text.contains { !$0.isWhitespace }
        case .duration: DurationNotation.parse(text) != nil
        case .length: DurationNotation.parse(text).map { $0 > .zero } ?? false
        case .signedDuration: DurationNotation.parseSigned(text) != nil
        case .instant: text == "random" || DurationNotation.parse(text) != nil
        case .wallTime: CalendarNotation.wallTime(text) != nil
        case .date: CalendarNotation.day(text, from: WallTime(microseconds: 0)) != nil
        case .timeZone: CalendarNotation.zoneOffset(text) != nil
        case .hours: CalendarNotation.hours(text) != nil
        case .timeOfDay: CalendarNotation.minute(text) != nil
        case .weekdays: CalendarNotation.weekdays(text) != nil
        case .ratio: Ratio(notation: text) != nil
        case .rate: Rate(notation: text) != nil
        case .url: Self.isBaseURL(text)
        case .username: Username(notation: text) != nil
        case .person: text == "anyone" || Username(notation: text) != nil
        case .project: ProjectPath(text) != nil
        case .item: ItemReference(notation: text) != nil
        case .items: ItemPattern(notation: text) != nil
        case .anyItem: text == "any" || ItemPattern(notation: text) != nil
        case .newItem: ItemReference(notation: text) != nil || ProjectPath(text) != nil
        case .entryID: EntryID(text) != nil
        case .window: Window(notation: text) != nil
        case .ratioComparison: Comparison(notation: text, unit: .ratio) != nil
        case .countComparison: Comparison(notation: text, unit: .count) != nil
        case .durationComparison: Comparison(notation: text, unit: .duration) != nil
        }
    }

    /// Whether a text without a unit is the likeliest mistake.
    var hasUnits: Bool {
        [.duration, .length, .signedDuration, .instant, .durationComparison].contains(self)
    }

    /// `https://host` or `https://host:port`, nothing behind it.
    private static func isBaseURL(_ text: String) -> Bool {
        let rest = text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2 else { return false }
        guard parts.count == 1 || ((1...5).contains(parts[1].utf8.count) && naturalNumber(parts[1]) != nil) else {
            return false
        }
        return host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
    }
}

/// One item, or all of one kind in a project: `team/backend!*`.
struct ItemPattern: Equatable {
    var project: ProjectPath
    var kind: ItemKind
    /// Nil for all.
    var iid: Int64?

    init?(notation: String) {
        if let item = ItemReference(notation: notation) {
            (project, kind, iid) = (item.project, item.kind, item.iid)
            return
        }
        guard let split = splitAtSign(notation), split.number == "*", let path = ProjectPath(split.path) else {
            return nil
        }
        (project, kind, iid) = (path, split.kind, nil)
    }
}

extension Rate {
    private static let periods: [(name: String, period: Duration)] = [
        ("s", .seconds(1)), ("m", .seconds(60)), ("h", .seconds(3_600)), ("d", .seconds(86_400)),
        ("w", .seconds(604_800)),
    ]

    /// Nil unless `notation` is a number from 1 to 1,000,000, a slash and a unit of time: `12/h`.
    init?(notation: String) {
        let parts = notation.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let count = naturalNumber(parts[0]), (1...1_000_000).contains(count) else { return nil }
        guard let unit = Self.periods.first(where: { $0.name == parts[1] }) else { return nil }
        self.init(count: count, period: unit.period)
    }
}

extension Window {
    /// Nil unless `notation` is `whole`, `during:FAULT` or `after:FAULT`.
    init?(notation: String) {
        let parts = notation.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("whole", 1): self = .whole
        case ("during", 2):
            guard let id = EntryID(parts[1]) else { return nil }
            self = .during(id)
        case ("after", 2):
            guard let id = EntryID(parts[1]) else { return nil }
            self = .after(id)
        default: return nil
        }
    }

    /// The window as scenario files write it.
    var notation: String {
        switch self {
        case .whole: "whole"
        case .during(let id): "during:\(id)"
        case .after(let id): "after:\(id)"
        }
    }
}

extension Comparison {
    /// Nil unless `notation` is a relation and a bound of that unit: `<= 2m`.
    init?(notation: String, unit: Metric.Unit) {
        guard let relation = Relation.allCases.first(where: { notation.hasPrefix($0.rawValue) }) else { return nil }
        var text = notation.dropFirst(relation.rawValue.count)
        if text.first == " " { text = text.dropFirst() }
        let bound: Bound? =
            switch unit {
            case .ratio: Ratio(notation: String(text)).map(Bound.ratio)
            case .count: naturalNumber(text).map(Bound.count)
            case .duration: DurationNotation.parse(String(text)).map(Bound.duration)
            }
        guard let bound else { return nil }
        self.init(relation, bound)
    }

    /// The comparison as scenario files write it.
    var notation: String {
        switch bound {
        case .ratio(let ratio): "\(relation.rawValue) \(ratio)"
        case .count(let count): "\(relation.rawValue) \(count)"
        case .duration(let duration): "\(relation.rawValue) \(DurationNotation.text(duration))"
        }
    }
}

extension Gate {
    /// A requirement on the whole run from the notation of a command line, as reports write it: `latency.p95 <= 60s`,
    /// `delivery > 99% at 95%`. Nil for anything else.
    package init?(notation: String) {
        let text = notation.drop { $0 == " " }
        // The longest, should a metric begin like another one.
        let metrics = Metric.allCases.filter { text.hasPrefix($0.rawValue) }
        guard let metric = metrics.max(by: { $0.rawValue.count < $1.rawValue.count }) else { return nil }
        var rest = text.dropFirst(metric.rawValue.count).split(separator: " ").map(String.init)
        var confidence: Ratio?
        if let at = rest.lastIndex(of: "at") {
            guard at == rest.count - 2, let ratio = Ratio(notation: rest[at + 1]), ratio != .one, ratio != .zero else {
                return nil
            }
            // As in a scenario: only shares can be proven.
            guard metric.unit == .ratio else { return nil }
            confidence = ratio
            rest.removeLast(2)
        }
        guard let comparison = Comparison(notation: rest.joined(), unit: metric.unit) else { return nil }
        self.init(metric: metric, comparison: comparison, confidence: confidence)
    }
}
