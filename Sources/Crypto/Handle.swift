import COpenSSL

/// Owns one OpenSSL object for the length of a call: valid after `init`, released in `deinit` whatever happens between.
final class Handle {
    let pointer: OpaquePointer
    private let release: (OpaquePointer) -> Void

    /// - Throws: `CryptoError.libraryFailure` when the library gave no object.
    init(
        _ pointer: OpaquePointer?,
        from operation: String,
        releasedBy release: @escaping (OpaquePointer) -> Void
    ) throws {
        guard let pointer else { throw libraryFailure(in: operation) }
        self.pointer = pointer
        self.release = release
    }

    deinit {
        release(pointer)
    }
}

/// Throws unless OpenSSL answered 1, its sign of success.
func check(_ result: Int32, _ operation: String) throws {
    guard result == 1 else { throw libraryFailure(in: operation) }
}

/// An error for `operation`. OpenSSL keeps a queue of errors for each thread; it is emptied, so that no later call finds
/// a stale one.
func libraryFailure(in operation: String) -> CryptoError {
    ERR_clear_error()
    return .libraryFailure(operation: operation)
}
