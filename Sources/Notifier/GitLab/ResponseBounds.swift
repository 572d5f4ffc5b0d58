/// How much of everything an answer of GitLab may hold. The bytes are looked over once, before anything is built from them: a decoder
/// makes of a million tiny values some twenty times the memory in which they came.
///
/// GitLab keeps the bounds by a wide margin: it never gives more rows than were asked for (GitLab facts §4), a merge request with
/// all its people and labels has some hundred values, and nothing nests deeper than ten.
struct ResponseBounds: Hashable, Sendable {
    /// What a body may hold in bytes, unpacked: forty rows with the longest descriptions GitLab takes.
    static let bodyBytes = 8 * 1_024 * 1_024
    /// What the body of a refusal may hold in bytes; GitLab's are a sentence.
    static let refusalBytes = 64 * 1_024

    /// Elements of an array at the top.
    var rows: Int
    /// Values of one such element, members and their names counted alike.
    var valuesPerRow = 20_000
    /// Values in all.
    var values = 100_000
    /// Bytes of one element: a description, a title and a comment of a million characters each.
    var rowBytes = 6 * 1_024 * 1_024
    /// Arrays and objects around a value.
    var depth = 32

    /// Bounds of an answer that is asked for so many rows.
    init(rows: Int) {
        self.rows = rows
    }

    /// Bounds of an answer that is a single object.
    static let object = ResponseBounds(rows: 1)

    /// True when the answer keeps the bounds. Says nothing about whether it is JSON: that is the decoder's business, which
    /// gets no further than the first mistake.
    func admit(_ body: [UInt8]) -> Bool {
        body.withUnsafeBufferPointer { bytes in
            var outline = Outline(bounds: self)
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                if byte == UInt8(ascii: "\"") {
                    index = Self.endOfText(bytes, from: index)
                } else if !outline.take(byte, at: index) {
                    return false
                }
            }
            return !outline.isArray || bytes.count - outline.rowStart <= rowBytes
        }
    }

    /// The index behind the quotation mark that ends a text.
    private static func endOfText(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return index }
            if byte == UInt8(ascii: "\\") { index += 1 }
        }
        return bytes.count
    }

    /// What stands between the texts: how deep it is, and what was counted.
    private struct Outline {
        let bounds: ResponseBounds
        /// True when the outermost value is an array, so that what stands in it are rows.
        private(set) var isArray = false
        private(set) var rowStart = 0
        private var depth = 0
        private var rows = 1
        private var values = 0
        private var valuesBeforeRow = 0

        init(bounds: ResponseBounds) {
            self.bounds = bounds
        }

        /// Takes the byte before `index`; false when a bound is broken.
        mutating func take(_ byte: UInt8, at index: Int) -> Bool {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if depth == 0 { isArray = byte == UInt8(ascii: "[") }
                depth += 1
                return depth <= bounds.depth && countValue()
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                return true
            case UInt8(ascii: ":"): return countValue()
            case UInt8(ascii: ","): return countValue() && (depth > 1 || !isArray || beginRow(at: index))
            default: return true
            }
        }

        private mutating func countValue() -> Bool {
            values += 1
            return values <= bounds.values && values - valuesBeforeRow <= bounds.valuesPerRow
        }

        private mutating func beginRow(at index: Int) -> Bool {
            defer { (rowStart, valuesBeforeRow) = (index, values) }
            rows += 1
            return rows <= bounds.rows && index - rowStart <= bounds.rowBytes
        }
    }
}
