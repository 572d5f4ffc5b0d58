import COpenSSL

/// Comparison whose duration says nothing about where two values differ.
package enum ConstantTime {
    /// True when both hold the same bytes. Only the lengths may show in the time it takes.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return CRYPTO_memcmp(left, right, left.count) == 0
    }
}
