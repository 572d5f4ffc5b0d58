/// Reads a TZif file (RFC 9636): the clock changes of a zone until some year, and a rule for the years behind it.
///
/// Every length is checked before it is used, so no bytes can harm; what does not parse is refused as a whole.
struct ZoneFile {
    /// Instants of clock changes in seconds since 1970, rising.
    private(set) var transitions: [Int64] = []
    /// The offset in force from each transition on, in seconds ahead of UTC.
    private(set) var offsets: [Int] = []
    /// The offset before the first transition.
    private(set) var initialOffset = 0
    /// What holds behind the last transition; nil when that one's offset stays.
    private(set) var rule: ZoneRule?

    /// More than any zone has.
    private static let mostTransitions: UInt32 = 4_000

    /// Nil for bytes that are no TZif file.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(rest: bytes[...])
        guard let first = Header(&reader) else { return nil }
        if first.version == 1 {
            guard read(first, &reader, timeBytes: 4) else { return nil }
            return
        }
        // The first block is for readers of 32 bits; the second says the same in 64, and the rule follows it.
        guard reader.skip(first.length(timeBytes: 4)), let second = Header(&reader) else { return nil }
        guard read(second, &reader, timeBytes: 8), let text = reader.line() else { return nil }
        if !text.isEmpty {
            guard let rule = ZoneRule(text) else { return nil }
            self.rule = rule
        }
    }

    private struct Header {
        var version = 1
        var utcMarks: UInt32 = 0
        var standardMarks: UInt32 = 0
        var leapSeconds: UInt32 = 0
        var times: UInt32 = 0
        var types: UInt32 = 0
        var characters: UInt32 = 0

        init?(_ reader: inout Reader) {
            guard reader.take(4).map({ $0.elementsEqual("TZif".utf8) }) == true else { return nil }
            guard let mark = reader.take(16)?.first else { return nil }
            version = mark == 0 ? 1 : 2
            guard let utc = reader.number(4), let standard = reader.number(4), let leaps = reader.number(4),
                let times = reader.number(4), let types = reader.number(4), let characters = reader.number(4)
            else { return nil }
            let counts = [utc, standard, leaps, times, types, characters]
            guard counts.allSatisfy({ (0...Int64(mostTransitions)).contains($0) }), types > 0 else { return nil }
            (utcMarks, standardMarks, leapSeconds) = (UInt32(utc), UInt32(standard), UInt32(leaps))
            (self.times, self.types, self.characters) = (UInt32(times), UInt32(types), UInt32(characters))
        }

        func length(timeBytes: Int) -> Int {
            Int(times) * (timeBytes + 1) + Int(types) * 6 + tailLength(timeBytes: timeBytes)
        }

        /// What stands behind the types.
        func tailLength(timeBytes: Int) -> Int {
            Int(characters) + Int(leapSeconds) * (timeBytes + 4) + Int(standardMarks) + Int(utcMarks)
        }
    }

    private mutating func read(_ header: Header, _ reader: inout Reader, timeBytes: Int) -> Bool {
        var indices: [Int] = []
        for _ in 0..<header.times {
            guard let time = reader.number(timeBytes) else { return false }
            if let last = transitions.last, time <= last { return false }
            transitions.append(time)
        }
        for _ in 0..<header.times {
            guard let index = reader.number(1) else { return false }
            indices.append(Int(index) & 0xFF)
        }
        var types: [Int] = []
        for _ in 0..<header.types {
            guard let offset = reader.number(4), reader.skip(2), abs(offset) < 90_000 else { return false }
            types.append(Int(offset))
        }
        guard indices.allSatisfy({ $0 < types.count }), reader.skip(header.tailLength(timeBytes: timeBytes)) else {
            return false
        }
        offsets = indices.map { types[$0] }
        initialOffset = types[0]
        return true
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        /// A signed number, the highest byte first.
        mutating func number(_ count: Int) -> Int64? {
            guard let bytes = take(count), let first = bytes.first else { return nil }
            return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
        }

        /// What stands between two line feeds.
        mutating func line() -> String? {
            guard take(1)?.first == UInt8(ascii: "\n"), let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                return nil
            }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
    }
}
