import Testing

@testable import Crypto

struct SHA256Tests {
    /// FIPS 180-4's published examples, and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `published messages have their published digest`(message: String, digest: String) {
        #expect(SHA256.digest(Array(message.utf8)) == bytes(digest))
    }

    @Test func `pieces give the digest of the whole`() {
        let whole = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var hash = SHA256()
        for start in stride(from: 0, to: whole.count, by: 37) {
            hash.update(Array(whole[start..<min(start + 37, whole.count)]))
        }
        let digest = hash.finalize()
        #expect(digest == SHA256.digest(whole))
    }

    @Test func `text is hashed as UTF-8`() {
        var hash = SHA256()
        hash.update("naïve ")
        hash.update("🙂")
        let digest = hash.finalize()
        #expect(digest == SHA256.digest(Array("naïve 🙂".utf8)))
    }
}

struct HMACSHA256Tests {
    /// RFC 4231 §4, cases 1, 2, 3 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `published messages have their published code`(key: [UInt8], message: [UInt8], code: String) {
        #expect(HMACSHA256.code(for: message, key: Secret(key)) == bytes(code))
        #expect(HMACSHA256.isValid(bytes(code), for: message, key: Secret(key)))
    }

    @Test func `a changed code, message or key is refused`() {
        let key = Secret("key")
        var code = HMACSHA256.code(for: [1, 2], key: key)
        #expect(!HMACSHA256.isValid(code, for: [1, 3], key: key))
        #expect(!HMACSHA256.isValid(code, for: [1, 2], key: Secret("kex")))
        #expect(!HMACSHA256.isValid(Array(code.dropLast()), for: [1, 2], key: key))
        code[31] ^= 1
        #expect(!HMACSHA256.isValid(code, for: [1, 2], key: key))
    }

    @Test func `an empty key and an empty message have a code`() {
        let code = HMACSHA256.code(for: [], key: Secret([]))
        #expect(code == bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }
}
