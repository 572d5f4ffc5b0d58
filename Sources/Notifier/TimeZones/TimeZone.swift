import Platform

/// What clocks in one zone show.
struct TimeZone: Sendable {
    static let utc = TimeZone(file: nil)

    private let file: ZoneFile?

    private init(file: ZoneFile?) {
        self.file = file
    }

    /// A zone by its name in the tz database; nil for a name or a file that cannot be read.
    ///
    /// `UTC` is known without a source. Names that could lead out of a folder are refused before the source sees them.
    init?(_ identifier: String, from source: any TimeZoneSource) {
        if identifier == "UTC" || identifier == "Etc/UTC" {
            self = .utc
            return
        }
        guard Self.isName(identifier), let bytes = source.zoneFile(identifier), let file = ZoneFile(bytes) else {
            return nil
        }
        self.init(file: file)
    }

    /// The most bytes that a zone's name has.
    static let nameLimitBytes = 64

    /// Letters, digits and a few signs, in parts that begin with a letter: `America/Port-au-Prince`, `Etc/GMT+8`.
    private static func isName(_ text: String) -> Bool {
        guard (1...nameLimitBytes).contains(text.utf8.count) else { return false }
        return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.first, isLetter(first) else { return false }
            return part.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x5F }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// How many seconds clocks run ahead of UTC at an instant.
    func offset(at time: WallTime) -> Int {
        guard let file else { return 0 }
        let second = time.secondsSinceEpoch
        guard let last = file.transitions.last, second < last else {
            return file.rule?.offset(at: second) ?? file.offsets.last ?? file.initialOffset
        }
        // The first transition behind the instant.
        var low = 0
        var high = file.transitions.count
        while low < high {
            let middle = (low + high) / 2
            if file.transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? file.initialOffset : file.offsets[low - 1]
    }

    /// What clocks show at an instant.
    func date(at time: WallTime) -> CivilDate { CivilDate(time, offsetSeconds: offset(at: time)) }
}

extension TimeZone {
    /// The first instant at which clocks show `date`. Where a change of the clocks leaves that time out, as many minutes after it as clocks jump.
    func instant(of date: CivilDate) -> WallTime {
        let shown = date.wallTime()
        let before = offset(at: shown.advanced(by: .zero - .days(1)))
        let after = offset(at: shown.advanced(by: .days(1)))
        // The greater offset leads to the earlier instant.
        for candidate in [max(before, after), min(before, after)] {
            let instant = date.wallTime(offsetSeconds: candidate)
            if offset(at: instant) == candidate { return instant }
        }
        return date.wallTime(offsetSeconds: before)
    }
}
