import FoundationEssentials
import Platform
import Testing

@testable import Notifier

/// APNs facts §4 (limit of 4,096 bytes) and §17 item 15 (truncate after encoding, on a character boundary).
struct PayloadComposerTests {
    private struct Decoded: Decodable {
        struct Apple: Decodable {
            struct Alert: Decodable {
                var title: String
                var body: String?
            }
            var alert: Alert
            var badge: Int?
        }
        struct Content: Decodable {
            var facts: [String]
            var factsTruncated: Bool?
            var batchCount: Int
        }
        var aps: Apple
        var data: Content
    }

    private func compose(_ facts: [Fact]) throws -> (bytes: [UInt8], decoded: Decoded) {
        let draft = NotificationDraft(account: AccountID(rawValue: 1), subject: .activity(facts))
        let row = try NotificationRow(
            draft,
            publicID: "550e8400-e29b-41d4-a716-446655440099",
            isNewMention: false,
            at: deliveryStart,
            expiresAt: deliveryStart.advanced(by: .hours(24))
        )
        return (row.payload, try JSONDecoder().decode(Decoded.self, from: Data(row.payload)))
    }

    @Test func `a short comment is sent whole, without a badge`() throws {
        let (_, decoded) = try compose([makeFact()])
        #expect(decoded.aps.alert.title == "Maria commented on MR !847")
        #expect(decoded.aps.alert.body == "Can we use the existing token validator here instead?")
        #expect(decoded.data.facts == ["note/42/1"])
        #expect(decoded.data.factsTruncated == nil)
        #expect(decoded.aps.badge == nil)
    }

    @Test(arguments: ["\"", "\\", "\n", "\u{1}", "é", "👩‍👩‍👧‍👦", "/", "\u{7F}", "a\u{301}\u{302}", "漢"])
    func `a long text of any character fits the limit to within one character`(_ character: String) throws {
        let (bytes, decoded) = try compose([makeFact(body: String(repeating: character, count: 5_000))])
        #expect(bytes.count <= PayloadComposer.limitBytes)
        // Room kept for the truncation flag, which is not needed here, and one character that did not fit.
        #expect(bytes.count > PayloadComposer.limitBytes - 26 - character.utf8.count - 3)
        let body = try #require(decoded.aps.alert.body)
        #expect(body.hasSuffix("…"))
        #expect(body.dropLast().allSatisfy { String($0) == character })
    }

    @Test func `a letter under thousands of marks is cut between them`() throws {
        let heap = "a" + String(repeating: "\u{301}", count: 3_000)
        let cut = JSONText.prefix("Z" + heap, encodedLimit: 240)
        #expect(cut.unicodeScalars.count > 100 && cut.hasPrefix("Z") && cut.hasSuffix("…"))
        #expect(JSONText.encodedLength(cut) <= 240)
        #expect(JSONText.prefix("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", encodedLimit: 30) == "👩‍👩‍👧‍👦…")
        let (bytes, _) = try compose([makeFact(title: heap, body: heap)])
        #expect(bytes.count > 4_000 && bytes.count <= PayloadComposer.limitBytes)
    }

    @Test func `the counted length is the encoded length`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        let scalars = (0..<0x3000).compactMap(Unicode.Scalar.init) + ["\u{1F469}", "\u{10FFFF}"]
        for scalar in scalars {
            let text = String(Character(scalar))
            #expect(
                try encoder.encode(text).count == JSONText.encodedLength(text) + 2,
                "U+\(String(scalar.value, radix: 16))"
            )
        }
    }

    @Test func `a burst keeps every key that fits and says when some do not`() throws {
        let few = try compose((1...100).map { makeFact(note: 1_000 + Int64($0)) })
        #expect(few.decoded.data.facts.count == 100)
        #expect(few.decoded.data.factsTruncated == nil)
        let many = try compose((1...600).map { makeFact(note: 1_000_000 + Int64($0)) })
        #expect(many.bytes.count <= PayloadComposer.limitBytes)
        #expect(many.decoded.data.factsTruncated == true)
        #expect(many.decoded.data.batchCount == 600)
        #expect(many.decoded.data.facts.count > 100)
        #expect(many.decoded.data.facts.first == "note/42/1000001")
        #expect(many.decoded.aps.alert.body?.isEmpty == false)
    }

    @Test func `hostile names and links never break the limit`() throws {
        let long = String(repeating: "\u{1}\"", count: 4_000)
        var fact = makeFact(.other(long), actor: long, title: long, body: long)
        fact.projectPath = long
        fact.webURL = long
        fact.actor.username = long
        fact.actor.avatarURL = long
        let (bytes, decoded) = try compose([fact])
        #expect(bytes.count <= PayloadComposer.limitBytes)
        #expect(decoded.data.facts == ["note/42/1"])
    }

    @Test func `the same draft gives the same bytes`() throws {
        #expect(try compose([makeFact()]).bytes == compose([makeFact()]).bytes)
    }
}
