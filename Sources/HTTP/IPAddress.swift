/// An IPv4 or IPv6 address.
///
/// Text is read strictly: IPv4 as four decimal numbers without leading zeros, so that none can be meant octal (RFC 6943 §3.1.1), IPv6 as
/// RFC 4291 §2.2 has it, without a zone. Equal addresses are equal values, however they were written.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    private static let v4Groups = 6..<8

    /// Eight groups of 16 bits; an IPv4 address stands in the last two.
    private let groups: [UInt16]
    package let isIPv4: Bool

    /// Nil when `text` is no address.
    package init?(_ text: some StringProtocol) {
        guard (2...45).contains(text.utf8.count) else { return nil }
        if let four = Self.readIPv4(text) {
            (groups, isIPv4) = ([0, 0, 0, 0, 0, 0] + four, true)
        } else if let eight = Self.readIPv6(text) {
            (groups, isIPv4) = (eight, false)
        } else {
            return nil
        }
    }

    private init(groups: [UInt16], isIPv4: Bool) {
        (self.groups, self.isIPv4) = (groups, isIPv4)
    }

    /// True for 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        isIPv4 ? groups[6] >> 8 == 127 : groups == [0, 0, 0, 0, 0, 0, 0, 1]
    }

    /// What one customer of a network has: an IPv4 address, and of IPv6 the first 64 bits, as `2001:db8::/64`. Who has one address of
    /// such a network has all of them (RFC 6177 §2), so limits count networks. An IPv4 address inside IPv6 is that IPv4 address.
    var network: String { prefix(64) }

    /// What a site has at most, as a rule: the first 48 bits of IPv6.
    var site: String { prefix(48) }

    private func prefix(_ bits: Int) -> String {
        if isIPv4 { return description }
        if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
            return IPAddress(groups: [0, 0, 0, 0, 0, 0] + groups[6...], isIPv4: true).description
        }
        let kept = groups.enumerated().map { $0.offset < bits / 16 ? $0.element : 0 }
        return IPAddress(groups: kept, isIPv4: false).description + "/\(bits)"
    }

    /// In the one form of RFC 5952 §4, without brackets.
    package var description: String {
        guard !isIPv4 else {
            return groups[Self.v4Groups].flatMap { [$0 >> 8, $0 & 0xFF] }.map(String.init).joined(separator: ".")
        }
        let zeros = longestZeros
        guard zeros.count > 1 else { return Self.text(groups[...]) }
        return Self.text(groups[..<zeros.lowerBound]) + "::" + Self.text(groups[zeros.upperBound...])
    }

    private static func text(_ groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// The first of the longest runs of zero groups.
    private var longestZeros: Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        return longest
    }

    // MARK: Reading

    private static func readIPv4(_ text: some StringProtocol) -> [UInt16]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var numbers: [UInt16] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt8(part),
                part.utf8.count == 1 || part.utf8.first != 0x30
            else { return nil }
            numbers.append(UInt16(number))
        }
        return [numbers[0] << 8 | numbers[1], numbers[2] << 8 | numbers[3]]
    }

    private static func readIPv6(_ text: some StringProtocol) -> [UInt16]? {
        let colons = Array(text.utf8)
        let gaps = colons.indices.dropLast().filter { colons[$0] == 0x3A && colons[$0 + 1] == 0x3A }
        guard let gap = gaps.first else { return readGroups(String(text)).flatMap { $0.count == 8 ? $0 : nil } }
        guard gaps.count == 1 else { return nil }
        let (before, after) = (colons[..<gap], colons[(gap + 2)...])
        guard let head = before.isEmpty ? [] : readGroups(String(decoding: before, as: UTF8.self), mayEndInIPv4: false),
            let tail = after.isEmpty ? [] : readGroups(String(decoding: after, as: UTF8.self)),
            head.count + tail.count < 8
        else { return nil }
        return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    /// Groups with colons between them, of which the last may be an IPv4 address in place of two.
    private static func readGroups(_ text: String, mayEndInIPv4: Bool = true) -> [UInt16]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, let four = readIPv4(part) {
                groups += four
                continue
            }
            guard (1...4).contains(part.utf8.count), part.first != "+", part.first != "-",
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }
}
