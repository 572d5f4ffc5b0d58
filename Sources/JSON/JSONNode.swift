/// A JSON value together with where it stands in its text, so that a problem found later can still point at it.
package struct JSONNode: Sendable {
    /// The kinds of JSON values.
    package indirect enum Content: Sendable {
        case null
        case bool(Bool)
        /// The number's own text.
        case number(String)
        case string(String)
        case array([JSONNode])
        case object([NamedNode])
    }

    /// One member of an object, with the place of its key.
    package struct NamedNode: Sendable {
        package var key: String
        /// Byte offset of the key's opening quote.
        package var keyOffset: Int
        package var node: JSONNode
    }

    package var content: Content
    /// Byte offset of the value's first character.
    package var offset: Int

    /// What kind of value it is, as it stands in a sentence.
    package var kindPhrase: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The members when it is an object.
    package var members: [NamedNode]? {
        guard case .object(let members) = content else { return nil }
        return members
    }

    /// The elements when it is an array.
    package var elements: [JSONNode]? {
        guard case .array(let elements) = content else { return nil }
        return elements
    }

    /// The text when it is a string.
    package var string: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }

    /// The number when it is written without fraction and exponent and fits.
    package var integer: Int64? {
        guard case .number(let text) = content else { return nil }
        return Int64(text)
    }

    /// The truth value when it is one.
    package var bool: Bool? {
        guard case .bool(let value) = content else { return nil }
        return value
    }

    /// The member of that name when it is an object that has one.
    package subscript(key: String) -> JSONNode? { members?.first { $0.key == key }?.node }

    /// The value without its positions.
    package var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(members.map { JSONMember($0.key, $0.node.value) })
        }
    }
}
