import CNGHTTP2

/// Fields as nghttp2 takes them: pointers into one run of bytes.
struct HTTP2FieldBlock {
    private var bytes: [UInt8] = []
    private var lengths: [(name: Int, value: Int)] = []

    /// Adds a field. The name goes in lower case (RFC 9113 §8.2); control characters are left away, since they could end a line where the
    /// field is passed on over HTTP/1.1.
    mutating func append(_ name: String, _ value: String) {
        let start = bytes.count
        for byte in name.utf8 where byte > 0x20 && byte != 0x7F { bytes.append(Self.lowered(byte)) }
        let middle = bytes.count
        for byte in value.utf8 where byte >= 0x20 && byte != 0x7F || byte == 0x09 { bytes.append(byte) }
        lengths.append((middle - start, bytes.count - middle))
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

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
