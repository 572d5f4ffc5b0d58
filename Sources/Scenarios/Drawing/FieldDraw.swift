import JSON
import Platform

/// Draws values for the fields of timeline entries by their shapes alone, so that a new entry of a table needs no line here.
struct FieldDraw {
    /// Whom and what the actions of a bout are about.
    struct Focus {
        let person: String
        let item: String
    }

    let cast: DrawnCast
    var random: RandomStream
    var calendar: DrawnCalendar
    /// Named more often than others while it is set.
    var focus: Focus?
    private let words: DrawnText

    init(cast: DrawnCast, random: RandomStream, calendar: DrawnCalendar) {
        var random = random
        words = DrawnText(of: cast, random: &random)
        (self.cast, self.random, self.calendar) = (cast, random, calendar)
    }

    /// A value for each required field and for some of the others: `actors` may act and own what is struck, items of `kinds` may be named.
    mutating func members(_ fields: [Field], actors: [String], kinds: [ItemKind]) -> [JSONMember] {
        fields.compactMap { field in
            guard field.isRequired || random.chance(field.key == "body" ? 2 : 1, in: 3), field.key != "except"
            else { return nil }
            let people = ["by", "person"].contains(field.key) ? actors : cast.people
            return JSONMember(field.key, value(field.shape, key: field.key, people: people, kinds: kinds))
        }
    }

    private mutating func value(_ shape: Shape, key: String, people: [String], kinds: [ItemKind]) -> JSONValue {
        switch shape {
        case .notation(let notation): return .string(text(notation, key: key, people: people, kinds: kinds))
        case .choice(let values):
            let usual = random.pick(values) ?? ""
            return .string(key == "zone" ? calendar.zone(or: usual) : usual)
        case .integer(let range): return .integer(integer(range))
        case .boolean: return .bool(random.chance(1, in: 2))
        case .list(.choice(let names), _): return .strings(key == "commands" ? few(names) : several(names))
        case .list(let element, _): return .array([value(element, key: key, people: people, kinds: kinds)])
        case .object(let object): return .object(rising(object))
        case .either(let shapes):
            let shape = random.pick(shapes) ?? .anyText
            return value(shape, key: key, people: people, kinds: kinds)
        case .setting(let inner): return value(inner, key: key, people: people, kinds: kinds)
        case .anyText, .variant: return .string(key)
        }
    }

    /// Most of them, one at least, each once.
    private mutating func several(_ names: [String]) -> [String] {
        let drawn = names.filter { _ in random.chance(2, in: 3) }
        return drawn.isEmpty ? Array(names.prefix(1)) : drawn
    }

    /// One to five of them, not all of which are possible.
    private mutating func few(_ names: [String]) -> [String] {
        let count = 1 + random.next(below: 5)
        return (0..<count).reduce(into: []) { few, _ in
            if let name = random.pick(names), !few.contains(name) { few.append(name) }
        }
    }

    /// Objects within entries are distributions, which rise from field to field.
    private mutating func rising(_ object: ObjectShape) -> [JSONMember] {
        let fields = object.fields.filter(\.isRequired)
        let times = fields.map { _ in Int64(random.next(below: 20_000)) }.sorted()
        return zip(fields, times).map { JSONMember($0.key, .string(DurationNotation.text(.milliseconds($1)))) }
    }

    /// The lower bound, and small and middling numbers: what is large only makes a run long.
    private mutating func integer(_ range: ClosedRange<Int64>) -> Int64 {
        let candidates: [Int64] = [range.lowerBound, -200_000, -500, 0, 1, 2, 3, 10, 50, 120, 5_000]
        return random.pick(candidates.filter { range.contains($0) && abs($0) <= 200_000 }) ?? range.lowerBound
    }

    private mutating func text(_ notation: Notation, key: String, people: [String], kinds: [ItemKind]) -> String {
        switch notation {
        case .username: person(people, key: key)
        case .person:
            random.chance(1, in: 2) && people.count == cast.people.count ? "anyone" : person(people, key: key)
        case .item, .items: item(kinds)
        case .anyItem: random.chance(1, in: 3) ? "any" : item(kinds)
        case .project, .newItem: random.pick(cast.projects) ?? ""
        case .device: random.pick(cast.deviceNames) ?? ""
        case .name where key == "duty": random.pick(cast.duties) ?? ""
        case .signedDuration: random.pick(["-2h", "-10m", "-31s", "-1s", "1s", "31s", "10m", "2h"]) ?? ""
        case .hours: calendar.hours(or: random.pick(Self.hours) ?? "")
        case .timeOfDay: calendar.time(or: CalendarNotation.timeText(Int(random.next(below: 48)) * 30))
        case .weekdays: calendar.days(or: random.pick(notation.examples) ?? "")
        // A day that is written out is not near the world's.
        case .date: random.pick(notation.examples.map { $0.hasPrefix("2") ? "+0" : $0 }) ?? ""
        case .text where key == "route": random.pick(Self.routes) ?? ""
        case .text: words.text(for: key, &random) ?? notation.examples[0]
        // What APNs holds back for days has not come when the world is over.
        case .length where key == "delay": random.pick(Self.spans + ["1h30m"]) ?? ""
        default: random.pick(Self.spans.filter(notation.accepts) + notation.examples) ?? ""
        }
    }

    /// Who acts is drawn among all: nobody is told of what they do themselves.
    private mutating func person(_ people: [String], key: String) -> String {
        if key != "by", let focus, people.contains(focus.person), random.chance(1, in: 2) { return focus.person }
        return random.pick(people) ?? ""
    }

    private mutating func item(_ kinds: [ItemKind]) -> String {
        let items = cast.items(of: kinds)
        if let focus, items.contains(focus.item), random.chance(3, in: 4) { return focus.item }
        return random.pick(items) ?? ""
    }

    private static let spans = ["1s", "5s", "30s", "1m", "5m", "10m", "20m"]
    /// Some begin and end while things happen, whichever day it is.
    private static let hours = [
        "22:00-07:00", "08:00-08:30", "09:00-12:00", "12:00-18:00", "07:15-08:45", "20:15-21:45",
    ]
    private static let routes = [
        "/**", "GET /todos", "/projects/*/issues/**", "/projects/*/merge_requests/**", "/oauth/token",
    ]
}
