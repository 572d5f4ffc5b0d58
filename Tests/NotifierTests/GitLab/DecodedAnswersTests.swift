import Testing

@testable import Notifier

struct DecodedAnswersTests {
    private let decoded = DecodedAnswers()

    /// What comes back for a body of so many bytes, whose decoding gives `fresh`.
    private func value<Value: Sendable>(_ fresh: Value, bytes: Int = 1_000, filledWith byte: UInt8 = 1, rows: Int = 20)
        throws(GitLabError) -> Value
    {
        let body = [UInt8](repeating: byte, count: bytes)
        return try decoded.value(of: body, within: ResponseBounds(rows: rows)) { fresh }
    }

    @Test func `equal answers are decoded once`() throws {
        #expect(try value("first") == "first")
        #expect(try value("again") == "first")
    }

    @Test func `other bytes, other bounds and other types are decoded anew`() throws {
        #expect(try value("first") == "first")
        #expect(try value("other", filledWith: 2) == "other")
        #expect(try value("longer", bytes: 1_001) == "longer")
        #expect(try value("bounded", rows: 1) == "bounded")
        #expect(try value(7) == 7)
    }

    @Test func `what is short or very long is not remembered`() throws {
        for bytes in [255, 512 * 1_024 + 1] {
            #expect(try value("first", bytes: bytes) == "first")
            #expect(try value("again", bytes: bytes) == "again")
        }
    }

    @Test func `the oldest are forgotten when there are many, or they are long`() throws {
        #expect(try value("first") == "first")
        for byte in 2...33 { #expect(try value("other", filledWith: UInt8(byte)) == "other") }
        #expect(try value("again") == "again")
        #expect(try value("long", bytes: 512 * 1_024) == "long")
        #expect(try value("anew") == "anew")
    }

    @Test func `an answer that could not be decoded is not remembered`() throws {
        let body = [UInt8](repeating: 1, count: 1_000)
        #expect(throws: GitLabError.undecodable(.notJSON)) {
            let _: String = try decoded.value(of: body, within: ResponseBounds(rows: 20)) { () throws(GitLabError) in
                throw .undecodable(.notJSON)
            }
        }
        #expect(try value("first") == "first")
    }
}
