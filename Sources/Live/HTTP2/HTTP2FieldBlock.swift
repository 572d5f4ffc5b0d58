import CNGHTTP2

/// Fields as nghttp2 takes them: pointers into one run of bytes.
struct HTTP2FieldBlock {
    private var bytes: [UInt8] = []
    private var lengths: [(name: Int, value: Int)] = []

    init() {
        // As much as a push has.
        bytes.reserveCapacity(768)
        lengths.reserveCapacity(16)
    }

    /// Adds a field. The name goes in lower case (RFC 9113 §8.2); control characters are left away, since they could end a line where the
    /// field is passed on over HTTP/1.1.
    mutating func append(_ name: String, _ value: String) {
        let start = bytes.count
        append(name, keeping: { $0 > 0x20 && $0 != 0x7F })
        for index in start..<bytes.count where (0x41...0x5A).contains(bytes[index]) { bytes[index] |= 0x20 }
        let middle = bytes.count
        append(value, keeping: { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        lengths.append((middle - start, bytes.count - middle))
    }

    /// Nearly every text is kept whole, and copied in one piece then.
    @inline(__always)
    private mutating func append(_ text: String, keeping isKept: (UInt8) -> Bool) {
        var text = text
        text.withUTF8 { text in
            if text.allSatisfy(isKept) {
                bytes.append(contentsOf: text)
            } else {
                bytes.append(contentsOf: text.lazy.filter(isKept))
            }
        }
    }

    /// The entries are valid within `body` only.
    mutating func withEntries<Result>(_ body: ([nghttp2_nv]) -> Result) -> Result {
        bytes.withUnsafeMutableBufferPointer { buffer in
            var entries: [nghttp2_nv] = []
            guard var next = buffer.baseAddress else { return body(entries) }
            entries.reserveCapacity(lengths.count)
            for length in lengths {
                let value = next + length.name
                let flags = UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
                entries.append(
                    nghttp2_nv(name: next, value: value, namelen: length.name, valuelen: length.value, flags: flags)
                )
                next = value + length.value
            }
            return body(entries)
        }
    }
}
