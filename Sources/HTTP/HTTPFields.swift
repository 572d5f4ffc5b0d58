/// Header fields in the order in which they were given; names compare without regard to case (RFC 9110 §5.1).
package struct HTTPFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field line.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Every field line, repeated names included.
    package private(set) var fields: [Field]

    package init(_ fields: [Field] = []) {
        self.fields = fields
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of the name; setting replaces every value, nil removes them.
    package subscript(name: String) -> String? {
        get { fields.first { Self.sameName($0.name, name) }?.value }
        set {
            guard let newValue else {
                fields.removeAll { Self.sameName($0.name, name) }
                return
            }
            if let index = fields.firstIndex(where: { Self.sameName($0.name, name) }) {
                fields[index].value = newValue
                var seen = false
                fields.removeAll { field in
                    guard Self.sameName(field.name, name) else { return false }
                    defer { seen = true }
                    return seen
                }
            } else {
                fields.append(Field(name: name, value: newValue))
            }
        }
    }

    /// Adds a field line, keeping others of the same name.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// How many field lines bear the name.
    package func count(of name: String) -> Int {
        fields.count { Self.sameName($0.name, name) }
    }

    /// Compares two field names as ASCII without regard to case.
    package static func sameName(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        let leftBytes = left.utf8
        let rightBytes = right.utf8
        guard leftBytes.count == rightBytes.count else { return false }
        return zip(leftBytes, rightBytes).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
