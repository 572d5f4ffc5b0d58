/// The text of one SQL statement, or of a script.
///
/// A literal converts by itself and one with interpolation does not compile, so a value cannot slip into the text: it is
/// bound instead. Text put together at run time (a list of placeholders, say) says so by `SQL(text:)`.
package struct SQL: Sendable, ExpressibleByStringLiteral {
    private enum Storage: Sendable {
        case literal(StaticString)
        case text(String)
    }

    private let storage: Storage

    package init(stringLiteral value: StaticString) {
        storage = .literal(value)
    }

    /// SQL put together at run time. It must hold no value that came from outside.
    package init(text: String) {
        storage = .text(text)
    }

    /// The text in full.
    package var text: String {
        switch storage {
        case .literal(let literal): literal.description
        case .text(let text): text
        }
    }

    /// Gives `body` the text in UTF-8, without copying a literal.
    func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        switch storage {
        case .literal(let literal) where literal.hasPointerRepresentation:
            return try body(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
        case .literal, .text:
            var copy = text
            return try copy.withUTF8(body)
        }
    }
}

/// A literal is compared and hashed by its address, which takes the length of a statement out of the cost of finding it
/// in the cache. The same text written in two places costs two cache entries at worst.
extension SQL: Hashable {
    package static func == (left: SQL, right: SQL) -> Bool {
        switch (left.storage, right.storage) {
        case (.literal(let left), .literal(let right)): left.address == right.address
        case (.text(let left), .text(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch storage {
        case .literal(let literal): hasher.combine(literal.address)
        case .text(let text): hasher.combine(text)
        }
    }
}

extension StaticString {
    /// Where the literal lies, or the scalar itself for a literal of one scalar.
    fileprivate var address: UInt {
        hasPointerRepresentation ? UInt(bitPattern: utf8Start) : UInt(unicodeScalar.value)
    }
}
