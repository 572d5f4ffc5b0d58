import Crypto
import Testing

struct Base64URLTests {
    /// RFC 4648 §10 without its padding, and RFC 7515 appendix C.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `published texts are encoded and decoded`(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test func `the two characters beside letters and digits are safe in a URL`() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME") == [3, 236, 255, 224, 193])
    }

    @Test func `every length comes back`() {
        for length in 0..<70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ length) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Zm9v ", " Zm9v", "Zm\n9v", "A+z", "A/z4", "Z", "Zm9vZ", "Zh", "Zm9", "é", "Zm9vYmF\u{0}",
    ])
    func `anything but the one text of a value is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
