import JSON
import Platform

/// The members of one line of a bundle. The bytes are anybody's: every value is checked for kind and range.
struct IncidentFields {
    let line: Int
    let node: JSONNode

    /// Whole numbers of a report: ids, counts, seconds.
    static let numbers: ClosedRange<Int64> = 0...1_000_000_000_000_000
    /// Instants, in microseconds: 2000 to 2200.
    private static let instants: ClosedRange<Int64> = 946_684_800_000_000...7_258_118_400_000_000

    func number(_ key: String) throws(IncidentFault) -> Int64 {
        guard let value = try optionalNumber(key) else { throw missing(key) }
        return value
    }

    func number(_ key: String, within range: ClosedRange<Int64>) throws(IncidentFault) -> Int64 {
        guard let value = try optionalNumber(key, within: range) else { throw missing(key) }
        return value
    }

    func optionalNumber(_ key: String, within range: ClosedRange<Int64>) throws(IncidentFault) -> Int64? {
        try integer(key, within: range, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    func optionalNumber(_ key: String) throws(IncidentFault) -> Int64? {
        try integer(key, within: Self.numbers, "a whole number from 0")
    }

    func instant(_ key: String) throws(IncidentFault) -> WallTime {
        guard let value = try optionalInstant(key) else { throw missing(key) }
        return value
    }

    func optionalInstant(_ key: String) throws(IncidentFault) -> WallTime? {
        try integer(key, within: Self.instants, "an instant in microseconds since 1970, between 2000 and 2200")
            .map { WallTime(microseconds: $0) }
    }

    /// Nil for a member that is not there, or is null.
    func optionalText(_ key: String) throws(IncidentFault) -> String? {
        guard let member = member(key) else { return nil }
        guard let text = member.string, text.utf8.count <= 100 else { throw wrong(key, "a short text") }
        return text
    }

    /// One of the words of an enumeration; nil for one that it does not know, which a newer server may write.
    func word<Word: RawRepresentable>(_ key: String, _ type: Word.Type) throws(IncidentFault) -> Word?
    where Word.RawValue == String {
        try optionalText(key).flatMap(Word.init)
    }

    /// True for `true` and for what SQLite writes for it.
    func flag(_ key: String) throws(IncidentFault) -> Bool {
        guard let member = member(key) else { return false }
        if let value = member.bool { return value }
        guard let number = member.integer, number == 0 || number == 1 else { throw wrong(key, "true or false") }
        return number == 1
    }

    func elements(_ key: String, atMost limit: Int) throws(IncidentFault) -> [IncidentFields] {
        guard let member = member(key) else { return [] }
        guard let elements = member.elements, elements.count <= limit else {
            throw wrong(key, "an array of at most \(limit) elements")
        }
        return elements.map { IncidentFields(line: line, node: $0) }
    }

    func numbers(
        _ key: String,
        atMost limit: Int,
        within range: ClosedRange<Int64> = IncidentFields.numbers
    ) throws(IncidentFault) -> [Int64] {
        try elements(key, atMost: limit).map { (element) throws(IncidentFault) in
            guard let number = element.node.integer, range.contains(number) else {
                throw wrong(key, "an array of whole numbers from \(range.lowerBound)")
            }
            return number
        }
    }

    func missing(_ key: String) -> IncidentFault {
        IncidentFault(line: line, "it has no \"\(key)\"", hint: "was the file written to its end, and left as it is?")
    }

    func member(_ key: String) -> JSONNode? {
        guard let node = node[key], case let content = node.content else { return nil }
        if case .null = content { return nil }
        return node
    }

    private func integer(
        _ key: String,
        within range: ClosedRange<Int64>,
        _ expected: String
    ) throws(IncidentFault) -> Int64? {
        guard let member = member(key) else { return nil }
        guard let value = member.integer, range.contains(value) else { throw wrong(key, expected) }
        return value
    }

    private func wrong(_ key: String, _ expected: String) -> IncidentFault {
        IncidentFault(line: line, "\"\(key)\" is not \(expected)", hint: "was the file changed by hand?")
    }
}
