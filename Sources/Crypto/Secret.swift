/// Bytes that must not show: tokens, keys, passwords.
///
/// Printing, interpolating, dumping and reflecting give `<redacted>`; it does not conform to `Encodable`. What needs the
/// bytes asks for them by a name that is easy to search for. Two secrets are compared in constant time.
package struct Secret: Sendable {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// How many bytes are hidden.
    package var count: Int { bytes.count }

    /// The bytes themselves.
    package var exposedBytes: [UInt8] { bytes }

    /// The bytes read as UTF-8.
    package var exposedText: String { String(decoding: bytes, as: UTF8.self) }
}

extension Secret: Equatable {
    package static func == (left: Secret, right: Secret) -> Bool {
        ConstantTime.areEqual(left.bytes, right.bytes)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }

    package var debugDescription: String { "<redacted>" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
