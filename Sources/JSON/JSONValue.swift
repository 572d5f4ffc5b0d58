/// A JSON value whose objects keep the order of their members.
package indirect enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number's own text, so that nothing is lost in a floating-point value.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
}

/// One member of a JSON object.
package struct JSONMember: Sendable, Equatable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension JSONValue {
    /// A number without a fraction.
    package static func integer(_ value: Int64) -> JSONValue { .number(String(value)) }

    /// A number with a fraction, in the fewest digits that give it back; it must be finite.
    package static func decimal(_ value: Double) -> JSONValue {
        precondition(value.isFinite, "JSON has no such number")
        return .number("\(value)")
    }

    /// An array of strings.
    package static func strings(_ values: some Sequence<String>) -> JSONValue { .array(values.map(JSONValue.string)) }

    /// An object with its members in the order of their keys.
    package static func sorted(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) })
    }

    /// The members when it is an object.
    package var members: [JSONMember]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The member of that name when it is an object that has one.
    package subscript(key: String) -> JSONValue? { members?.first { $0.key == key }?.value }

    /// The object with one member more, or another value of it, which stands last; what is no object stays as it is.
    package func with(_ key: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key } + [JSONMember(key, value)])
    }
}

// A value in code looks as it does in JSON.
extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .decimal(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// The members keep the order in which they are written. A key that stands twice traps: the object would not be what was written.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        precondition(Set(elements.map(\.0)).count == elements.count, "a key stands twice")
        self = .object(elements.map { JSONMember($0, $1) })
    }
}
