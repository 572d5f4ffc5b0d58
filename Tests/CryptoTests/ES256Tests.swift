import Testing

@testable import Crypto

struct ES256Tests {
    private static let message = Array("a message".utf8)

    /// The signing input and signature of RFC 7515 appendix A.3.1.
    private static let jwsInput =
        "eyJhbGciOiJFUzI1NiJ9"
        + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    private static let jwsSignature =
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    @Test func `the signature printed in RFC 7515 is valid`() throws {
        let keys = PublishedKeys.jws
        let key = try ES256PublicKey(pem: PublishedKeys.publicPEM(x: keys.x, y: keys.y))
        let signature = try #require(Base64URL.decode(Self.jwsSignature))
        #expect(try key.isValidSignature(signature, for: Array(Self.jwsInput.utf8)))
        #expect(try !key.isValidSignature(signature, for: Array((Self.jwsInput + "A").utf8)))
    }

    @Test func `the signature printed in RFC 6979 is valid`() throws {
        let keys = PublishedKeys.deterministic
        let key = try ES256PublicKey(pem: PublishedKeys.publicPEM(x: keys.x, y: keys.y))
        let signature = bytes(
            "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        )
        #expect(try key.isValidSignature(signature, for: Array("sample".utf8)))
        #expect(try !key.isValidSignature(signature, for: Array("test".utf8)))
    }

    @Test func `a PKCS#8 key signs for its published public half`() throws {
        let keys = PublishedKeys.jws
        let privateKey = try ES256PrivateKey(pem: PublishedKeys.privatePEM(x: keys.x, y: keys.y, d: keys.d))
        let publicKey = try ES256PublicKey(pem: PublishedKeys.publicPEM(x: keys.x, y: keys.y))
        let signature = try privateKey.sign(Self.message)
        #expect(signature.count == 64)
        #expect(try publicKey.isValidSignature(signature, for: Self.message))
    }

    /// In one of 128 signatures r or s is shorter than 32 bytes, so 600 would show a missing padding.
    @Test func `every signature has 64 bytes and is valid`() throws {
        let key = try ES256PrivateKey.generate()
        for number in 0..<600 {
            let message = Array("message \(number)".utf8)
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(try key.publicKey.isValidSignature(signature, for: message))
        }
    }

    @Test func `a key survives its way through PEM`() throws {
        let key = try ES256PrivateKey.generate()
        let pem = try key.pem.exposedText
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let again = try ES256PrivateKey(pem: pem)
        let publicAgain = try ES256PublicKey(pem: try key.publicKey.pem)
        let signature = try again.sign(Self.message)
        #expect(try key.publicKey.isValidSignature(signature, for: Self.message))
        #expect(try publicAgain.isValidSignature(signature, for: Self.message))
    }

    @Test func `a key file with Windows line ends and text around it is read`() throws {
        let pem = try ES256PrivateKey.generate().pem.exposedText
        let lines = pem.split(separator: "\n").joined(separator: "\r\n")
        _ = try ES256PrivateKey(pem: "the key\r\n\(lines)\r\n\r\n")
    }

    @Test func `another key, message or signature is refused`() throws {
        let key = try ES256PrivateKey.generate()
        let signature = try key.sign(Self.message)
        #expect(try !ES256PrivateKey.generate().publicKey.isValidSignature(signature, for: Self.message))
        #expect(try !key.publicKey.isValidSignature(signature, for: Self.message + [0]))
        for index in signature.indices {
            var tampered = signature
            tampered[index] ^= 1
            #expect(try !key.publicKey.isValidSignature(tampered, for: Self.message))
        }
    }

    @Test(arguments: [0, 63, 65, 70, 72])
    func `a signature of another length is refused`(length: Int) throws {
        let key = try ES256PrivateKey.generate().publicKey
        #expect(try !key.isValidSignature([UInt8](repeating: 1, count: length), for: Self.message))
    }

    @Test(arguments: [UInt8(0), 255])
    func `numbers that no signature has are refused`(byte: UInt8) throws {
        let key = try ES256PrivateKey.generate().publicKey
        #expect(try !key.isValidSignature([UInt8](repeating: byte, count: 64), for: Self.message))
    }

    @Test(arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `text without a key is refused`(text: String) {
        #expect(throws: CryptoError.unreadableKey) { _ = try ES256PrivateKey(pem: text) }
        #expect(throws: CryptoError.unreadableKey) { _ = try ES256PublicKey(pem: text) }
    }

    @Test func `a public key is no private key`() throws {
        let pem = try ES256PrivateKey.generate().publicKey.pem
        #expect(throws: CryptoError.unreadableKey) { _ = try ES256PrivateKey(pem: pem) }
    }

    @Test(arguments: PublishedKeys.otherKinds)
    func `a key of another kind is refused`(pem: String) {
        #expect(throws: CryptoError.wrongCurve) { _ = try ES256PublicKey(pem: pem) }
    }
}
