import Platform

/// The `Date` field, formatted once per second.
struct DateText: Sendable {
    private var second: Int64 = .min
    private var text = ""

    mutating func text(at now: WallTime) -> String {
        let current = now.secondsSinceEpoch
        if current != second {
            second = current
            text = CivilDate(WallTime(secondsSinceEpoch: current)).httpText
        }
        return text
    }
}

enum RequestID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// 26 characters that begin with the time and end with the number of the request, as ULIDs do.
    static func text(number: UInt64, at now: WallTime) -> String {
        String(unsafeUninitializedCapacity: 26) { buffer in
            var time = UInt64(bitPattern: now.microseconds / 1_000)
            for index in stride(from: 9, through: 0, by: -1) {
                buffer[index] = alphabet[Int(time & 31)]
                time >>= 5
            }
            var rest = number
            for index in stride(from: 25, through: 10, by: -1) {
                buffer[index] = alphabet[Int(rest & 31)]
                rest >>= 5
            }
            return 26
        }
    }

    /// Seconds with six decimal places, as `X-Runtime` has them.
    static func runtime(_ duration: Duration) -> String {
        let microseconds = duration.wholeMicroseconds
        var bytes: [UInt8] = []
        bytes.reserveCapacity(12)
        bytes.appendDecimal(microseconds / 1_000_000)
        bytes.append(UInt8(ascii: "."))
        bytes.appendDecimal(Int(microseconds % 1_000_000), width: 6)
        return String(decoding: bytes, as: UTF8.self)
    }
}
