import Testing

@testable import Duties

struct EntityIDTests {
    private let duty = "6f1d2c3a-0b4e-4d5f-8a6b-7c8d9e0f1a2b"

    /// As Python's `uuid.uuid5` makes them.
    @Test(arguments: [
        (0, "cec3dbe3-7ace-5bbd-87e9-859bc0d62dc6"), (1, "2b2637af-d9c8-5216-a767-73632ab208cf"),
        (59, "29c4ea5a-f6b2-52a3-9a3a-56f62b9f02be"), (100_000, "2d8098fd-fd0c-5972-b39f-ec0e5439fda4"),
    ])
    func `an occurrence's id follows from its duty and its index`(index: Int, id: String) throws {
        #expect(Occurrence.id(of: try #require(EntityID(duty)), index: index).description == id)
    }

    /// RFC 9562, appendix A.4.
    @Test func `the example of the RFC comes to its id`() throws {
        let space = try #require(EntityID("6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        #expect(space.named("www.example.com".utf8).description == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }

    /// Lengths around those at which a further block begins; as `sha1sum` says.
    @Test(arguments: [
        (0, "da39a3ee5e6b4b0d3255bfef95601890afd80709"), (55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        (56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"), (63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"),
        (64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"), (119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
        (1_000, "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func `digests are those of SHA-1`(length: Int, expected: String) {
        let digest = SHA1.digest([UInt8](repeating: UInt8(ascii: "a"), count: length))
        let text = [digest.0, digest.1, digest.2, digest.3, digest.4].map { word in
            let hex = String(word, radix: 16)
            return String(repeating: "0", count: 8 - hex.count) + hex
        }
        #expect(text.joined() == expected)
    }

    @Test func `ids are written in lower case and read in any`() throws {
        #expect(try #require(EntityID(duty.uppercased())).description == duty)
        #expect(makeID(1).description == "00000000-0000-4000-8000-000000000001")
        #expect(makeID(1) < makeID(2))
        #expect(EntityID(high: 1, low: 9) < EntityID(high: 2, low: 0))
    }

    @Test(arguments: [
        "", "6f1d2c3a", "6f1d2c3a-0b4e-4d5f-8a6b-7c8d9e0f1a2", "6f1d2c3a-0b4e-4d5f-8a6b-7c8d9e0f1a2bb",
        "6f1d2c3a00b4e-4d5f-8a6b-7c8d9e0f1a2b", "6f1d2c3g-0b4e-4d5f-8a6b-7c8d9e0f1a2b",
        "6f1d2c3a0b4e4d5f8a6b7c8d9e0f1a2b", "６f1d2c3a-0b4e-4d5f-8a6b-7c8d9e0f1a2b",
    ])
    func `what is no id is not read`(text: String) {
        #expect(EntityID(text) == nil)
    }
}
