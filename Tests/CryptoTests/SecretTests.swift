import Crypto
import Testing

struct SecretTests {
    private static let text = "glpat-abcdefgh"

    private struct Configuration {
        var token = Secret(SecretTests.text)
        var retries = 3
    }

    @Test func `no way of printing shows a secret`() {
        let secret = Secret(Self.text)
        var dumped = ""
        dump(Configuration(), to: &dumped)
        let prints = [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", "\(secret as Any)",
            String(describing: Configuration()), String(reflecting: Configuration()), "\(Optional(secret) as Any)",
            dumped,
        ]
        for print in prints {
            #expect(print.contains("<redacted>"))
            #expect(!print.contains("glpat"))
            // The first bytes as numbers would give the token away as well; one alone may stand in the address of a type.
            #expect(!print.contains("103, 108"))
        }
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func `the bytes come out by name only`() {
        #expect(Secret(Self.text).exposedText == Self.text)
        #expect(Secret([1, 2, 3]).exposedBytes == [1, 2, 3])
        #expect(Secret(Self.text).count == 14)
    }

    @Test func `secrets with the same bytes are equal`() {
        #expect(Secret("abc") == Secret(Array("abc".utf8)))
        #expect(Secret("abc") != Secret("abd"))
        #expect(Secret("abc") != Secret("abcd"))
        #expect(Secret("") == Secret([]))
    }
}
