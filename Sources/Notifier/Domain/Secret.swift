/// Bytes that must not be seen: printing, dumping or interpolating one shows a placeholder.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The bytes themselves, for the one place that needs them.
    package let bytes: [UInt8]

    /// A secret of raw bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A secret of text, as UTF-8.
    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The secret as text, for the one place that sends it; ill-formed UTF-8 is replaced.
    package var revealed: String { String(decoding: bytes, as: UTF8.self) }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
