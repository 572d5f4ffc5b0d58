import JSON
import Platform
import Testing

@testable import Notifier

/// Says what keeps a value from having a shape.
enum SchemaCheck {
    /// One sentence for each fault, with its place.
    static func problems(_ value: JSONValue, _ schema: APISchema, at place: String = "answer") -> [String] {
        switch (schema, value) {
        case (.text(let length), .string(let text)):
            length.contains(text.unicodeScalars.count) ? [] : ["\(place) is long"]
        case (.matching(let pattern, let length), .string(let text)):
            length.contains(text.unicodeScalars.count) && matches(text, pattern) ? [] : ["\(place) does not match"]
        case (.null, .null): []
        case (.opaque, .string(let text)): text.isEmpty ? ["\(place) is empty"] : []
        case (.id, .string(let text)): isID(text) ? [] : ["\(place) is no id: \(text)"]
        case (.instant, .string(let text)): ISO8601.wallTime(text) != nil ? [] : ["\(place) is no instant: \(text)"]
        case (.day, .string(let text)): isDay(text) ? [] : ["\(place) is no day: \(text)"]
        case (.url, .string(let text)): text.hasPrefix("http") ? [] : ["\(place) is no address: \(text)"]
        case (.word(let words), .string(let text)): words.contains(text) ? [] : ["\(place) is another word: \(text)"]
        case (.number(let range), .number(let digits)):
            Int64(digits).map(range.contains) == true ? [] : ["\(place) is out of range"]
        case (.decimal(let range), .number(let digits)):
            Double(digits).map(range.contains) == true ? [] : ["\(place) is out of range"]
        case (.boolean, .bool), (.anyObject, .object): []
        case (.list(let element, let count), .array(let values)):
            (count.contains(values.count) ? [] : ["\(place) has \(values.count) elements"])
                + values.enumerated().flatMap { problems($1, element, at: "\(place)[\($0)]") }
        case (.object(let properties), .object(let members)): problems(members, properties, at: place)
        case (.map(let schema), .object(let members)):
            members.flatMap { problems($0.value, schema, at: "\(place).\($0.key)") }
        case (.either(let schemas), _):
            schemas.contains { problems(value, $0, at: place).isEmpty } ? [] : ["\(place) is none of its shapes"]
        default: ["\(place) has another type"]
        }
    }

    private static func problems(_ members: [JSONMember], _ properties: [APISchema.Property], at place: String)
        -> [String]
    {
        let known = Set(properties.map(\.name))
        var problems = members.map(\.key).filter { !known.contains($0) }.map { "\(place).\($0) is not described" }
        for property in properties {
            if let value = members.first(where: { $0.key == property.name })?.value {
                problems += Self.problems(value, property.schema, at: "\(place).\(property.name)")
            } else if property.isRequired {
                problems.append("\(place).\(property.name) is missing")
            }
        }
        return problems
    }

    static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = try? Regex(pattern).matchingSemantics(.unicodeScalar) else { return false }
        return text.wholeMatch(of: regex) != nil
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 36 && text.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12]
    }

    private static func isDay(_ text: String) -> Bool { ISO8601.wallTime(text + "T00:00:00Z") != nil }
}

extension APISchema {
    /// Itself, or the first of its shapes that the value has.
    func shape(of value: JSONValue) -> APISchema {
        guard case .either(let shapes) = self else { return self }
        return shapes.first { SchemaCheck.problems(value, $0).isEmpty } ?? self
    }
}
