/// JSON as the renderers write it, taken apart; what is neither object nor array stays as it stands.
enum JSONTree: Sendable {
    struct Member: Sendable {
        var key: String
        var value: JSONTree
    }

    case object([Member])
    case array([JSONTree])
    /// A text with its quotes, a number, true, false or null.
    case text([UInt8])

    /// Takes apart what a `JSONWriter` has written: nothing checks that it is JSON.
    init(_ json: [UInt8]) {
        var reader = Reader(bytes: json)
        self = reader.value()
    }

    /// Those of an object; none of anything else.
    var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): bytes += text
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += Array("\"\(member.key)\":".utf8)
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// The same with each row changed: the elements of a list, or the one object that is none.
    func changingRows(_ change: ([Member]) -> [Member]) -> JSONTree {
        switch self {
        case .array(let rows): .array(rows.map { $0.changingRows(change) })
        case .object(let members): .object(change(members))
        case .text: self
        }
    }

    /// The same with each object changed, however deep it stands.
    func changingObjects(_ change: ([Member]) -> [Member]) -> JSONTree {
        switch self {
        case .array(let elements): .array(elements.map { $0.changingObjects(change) })
        case .object(let members):
            .object(change(members.map { Member(key: $0.key, value: $0.value.changingObjects(change)) }))
        case .text: self
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func value() -> JSONTree {
            switch bytes[position] {
            case UInt8(ascii: "{"): .object(members())
            case UInt8(ascii: "["): .array(elements())
            default: .text(scalar())
            }
        }

        private mutating func members() -> [Member] {
            var members: [Member] = []
            position += 1
            while bytes[position] != UInt8(ascii: "}") {
                if bytes[position] == UInt8(ascii: ",") { position += 1 }
                let key = String(decoding: scalar().dropFirst().dropLast(), as: UTF8.self)
                // The colon.
                position += 1
                members.append(Member(key: key, value: value()))
            }
            position += 1
            return members
        }

        private mutating func elements() -> [JSONTree] {
            var elements: [JSONTree] = []
            position += 1
            while bytes[position] != UInt8(ascii: "]") {
                if bytes[position] == UInt8(ascii: ",") { position += 1 }
                elements.append(value())
            }
            position += 1
            return elements
        }

        private mutating func scalar() -> [UInt8] {
            let start = position
            if bytes[position] == UInt8(ascii: "\"") {
                position += 1
                while bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position += 1
            } else {
                while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
            }
            return Array(bytes[start..<position])
        }

        private static let ends = Array(",]}".utf8)
    }
}
