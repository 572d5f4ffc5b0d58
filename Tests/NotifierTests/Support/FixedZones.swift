import Platform

/// Zones of which a test says the rules.
struct FixedZones: TimeZoneSource {
    var rules = [
        "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3",
        "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
        "Asia/Kolkata": "IST-5:30",
    ]

    func zoneFile(_ identifier: String) -> [UInt8]? { rules[identifier].map { makeZoneFile(rule: $0) } }
}

/// A TZif file of version 2 (RFC 9636).
func makeZoneFile(
    transitions: [(at: Int64, type: UInt8)] = [],
    offsets: [Int32] = [0],
    rule: String = ""
) -> [UInt8] {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    func block(isWide: Bool) -> [UInt8] {
        var block = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        let counts = [0, 0, 0, transitions.count, offsets.count, 4]
        for count in counts { block += bytes(Int32(count)) }
        for transition in transitions {
            block += isWide ? bytes(transition.at) : bytes(Int32(truncatingIfNeeded: transition.at))
        }
        block += transitions.map(\.type)
        for offset in offsets { block += bytes(offset) + [0, 0] }
        return block + Array("LMT\0".utf8)
    }
    return block(isWide: false) + block(isWide: true) + Array("\n\(rule)\n".utf8)
}
