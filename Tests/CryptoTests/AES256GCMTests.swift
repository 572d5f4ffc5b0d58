import Testing

@testable import Crypto

struct AES256GCMTests {
    /// McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", submitted to NIST, appendix B: the cases with a
    /// 256-bit key and a 96-bit nonce.
    struct Vector: Sendable {
        var key: String
        var nonce: String
        var plaintext = ""
        var associatedData = ""
        var ciphertext = ""
        var tag: String
    }

    static let vectors: [Vector] = [
        Vector(
            key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12),
            tag: "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        Vector(
            key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12),
            plaintext: String(repeating: "00", count: 16),
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"
        ),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
            tag: "b094dac5d93471bdec1a502270e3cc6c"
        ),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            associatedData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ]

    @Test(arguments: vectors)
    func `published vectors are sealed and opened`(vector: Vector) throws {
        let cipher = try AES256GCM(key: Secret(bytes(vector.key)))
        let sealed = try cipher.seal(
            bytes(vector.plaintext),
            nonce: bytes(vector.nonce),
            associatedData: bytes(vector.associatedData)
        )
        #expect(sealed == bytes(vector.ciphertext + vector.tag))
        let opened = try cipher.open(
            sealed,
            nonce: bytes(vector.nonce),
            associatedData: bytes(vector.associatedData)
        )
        #expect(opened == bytes(vector.plaintext))
    }

    private static let nonce = Array(1...12) as [UInt8]

    private func makeCipher(keyByte: UInt8 = 7) throws -> AES256GCM {
        try AES256GCM(key: Secret([UInt8](repeating: keyByte, count: 32)))
    }

    @Test func `a flipped bit anywhere is refused`() throws {
        let cipher = try makeCipher()
        let sealed = try cipher.seal(Array("a token".utf8), nonce: Self.nonce, associatedData: [1])
        for index in sealed.indices {
            var tampered = sealed
            tampered[index] ^= 0x10
            #expect(throws: CryptoError.authenticationFailed) {
                try cipher.open(tampered, nonce: Self.nonce, associatedData: [1])
            }
        }
    }

    @Test func `another nonce, key, associated data or length is refused`() throws {
        let cipher = try makeCipher()
        let sealed = try cipher.seal(Array("a token".utf8), nonce: Self.nonce, associatedData: [1])
        #expect(throws: CryptoError.authenticationFailed) {
            try cipher.open(sealed, nonce: Self.nonce.reversed(), associatedData: [1])
        }
        #expect(throws: CryptoError.authenticationFailed) {
            try makeCipher(keyByte: 8).open(sealed, nonce: Self.nonce, associatedData: [1])
        }
        #expect(throws: CryptoError.authenticationFailed) {
            try cipher.open(sealed, nonce: Self.nonce, associatedData: [2])
        }
        #expect(throws: CryptoError.authenticationFailed) {
            try cipher.open(Array(sealed.dropLast()), nonce: Self.nonce, associatedData: [1])
        }
        #expect(throws: CryptoError.authenticationFailed) { try cipher.open([1, 2], nonce: Self.nonce) }
    }

    @Test(arguments: [0, 16, 31, 33])
    func `a key of another length is refused`(length: Int) {
        #expect(throws: CryptoError.wrongKeyLength(bytes: length, expected: 32)) {
            _ = try AES256GCM(key: Secret([UInt8](repeating: 0, count: length)))
        }
    }

    @Test(arguments: [0, 11, 13])
    func `a nonce of another length is refused`(length: Int) throws {
        let cipher = try makeCipher()
        let nonce = [UInt8](repeating: 0, count: length)
        let error = CryptoError.wrongNonceLength(bytes: length, expected: 12)
        #expect(throws: error) { try cipher.seal([1], nonce: nonce) }
        #expect(throws: error) { try cipher.open([UInt8](repeating: 0, count: 17), nonce: nonce) }
    }
}
