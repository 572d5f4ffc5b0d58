/// A place in a text file.
package struct SourcePosition: Sendable, Hashable {
    /// From 1.
    package var line: Int
    /// From 1, counted in Unicode scalars.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// The bytes of a file with an index of its lines.
package struct SourceText {
    package let bytes: [UInt8]
    private let lineStarts: [Int]

    /// The text of a file.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// Line and column of the byte at `offset`; the end of the text for an offset beyond it.
    package func position(at offset: Int) -> SourcePosition {
        let end = min(offset, bytes.count)
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= end { low = middle } else { high = middle }
        }
        let scalars = bytes[lineStarts[low]..<end].count { $0 & 0xC0 != 0x80 }
        return SourcePosition(line: low + 1, column: scalars + 1)
    }
}
