import COpenSSL

/// Turns ECDSA signatures between OpenSSL's DER form and the r‖s of JOSE (RFC 7518 §3.4).
enum JOSESignature {
    static let bytes = 64

    /// r and s, each padded to 32 bytes.
    static func fromDER(_ der: [UInt8]) throws -> [UInt8] {
        let signature = try der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return try Handle(
                d2i_ECDSA_SIG(nil, &start, buffer.count),
                from: "d2i_ECDSA_SIG",
                releasedBy: ECDSA_SIG_free
            )
        }
        var numbers = [UInt8](repeating: 0, count: bytes)
        let isWritten = numbers.withUnsafeMutableBufferPointer { buffer in
            let half = Int32(bytes / 2)
            return BN_bn2binpad(ECDSA_SIG_get0_r(signature.pointer), buffer.baseAddress, half) == half
                && BN_bn2binpad(ECDSA_SIG_get0_s(signature.pointer), buffer.baseAddress?.advanced(by: bytes / 2), half)
                    == half
        }
        guard isWritten else { throw libraryFailure(in: "BN_bn2binpad") }
        return numbers
    }

    /// The DER form of 64 bytes r‖s.
    static func toDER(_ jose: [UInt8]) throws -> [UInt8] {
        precondition(jose.count == bytes, "a JOSE signature for P-256 has 64 bytes")
        let signature = try Handle(ECDSA_SIG_new(), from: "ECDSA_SIG_new", releasedBy: ECDSA_SIG_free)
        let r = BN_bin2bn(Array(jose.prefix(bytes / 2)), Int32(bytes / 2), nil)
        let s = BN_bin2bn(Array(jose.suffix(bytes / 2)), Int32(bytes / 2), nil)
        guard ECDSA_SIG_set0(signature.pointer, r, s) == 1 else {
            // Only on success does the signature own the numbers.
            BN_free(r)
            BN_free(s)
            throw libraryFailure(in: "ECDSA_SIG_set0")
        }
        var der = [UInt8](repeating: 0, count: 80)
        let length = der.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return i2d_ECDSA_SIG(signature.pointer, &start)
        }
        guard length > 0 else { throw libraryFailure(in: "i2d_ECDSA_SIG") }
        return Array(der.prefix(Int(length)))
    }
}
