import Platform
import Testing

@testable import Workbench

struct IncidentMutesTests {
    /// When the item was muted for account 1, in minutes from the start: from, until.
    private func mutes(_ watch: String, _ facts: [String]) throws -> [IncidentMutes.Mute] {
        let line = #"{"kind":"watch","account":3,"item":1,"createdAt":\#(BundleLines.at(0))\#(watch)}"#
        let bundle = try BundleLines.bundle([line] + facts)
        let mine = try #require(bundle.watches.first { $0.account == 3 })
        return IncidentMutes(mine, bundle.facts, end: WallTime(microseconds: BundleLines.at(180))).mutes
    }

    private func seconds(_ instant: WallTime) -> Int64 { (instant.microseconds - BundleLines.start) / 1_000_000 }

    private static let story = [
        BundleLines.fact(1, account: 3, at: 20, notification: 1),
        BundleLines.silenced(2, account: 3, at: 22, for: "muted"),
        BundleLines.silenced(3, account: 3, at: 40, for: "muted"),
        BundleLines.fact(4, account: 3, at: 60, notification: 2),
        BundleLines.silenced(5, account: 3, at: 90, for: "muted"),
    ]

    @Test func `a mute of which nothing is known lies between what was told before and after`() throws {
        let mutes = try mutes("", Self.story)
        #expect(mutes.allSatisfy(\.isGuess) && mutes.count == 2)
        // Told at 20m20s, kept from 22m20s to 40m20s, told at 60m20s; and from 90m20s on.
        #expect(mutes.map { seconds($0.from) } == [1_280, 5_120])
        #expect(mutes.map { seconds($0.until) } == [2_720, 5_720])
    }

    @Test func `the last mute is known to the second, and those before it are guessed`() throws {
        let watch = #","mutedUntil":\#(BundleLines.at(120)),"muteChangedAt":\#(BundleLines.at(80))"#
        let mutes = try mutes(watch, Self.story)
        #expect(mutes.map(\.isGuess) == [true, false])
        #expect(
            mutes.last
                == IncidentMutes.Mute(
                    from: WallTime(microseconds: BundleLines.at(80)),
                    until: WallTime(microseconds: BundleLines.at(120))
                )
        )
    }

    @Test func `a mute that the person ended lasted until then`() throws {
        let mutes = try mutes(#","muteChangedAt":\#(BundleLines.at(100))"#, Self.story)
        #expect(mutes.map(\.wasEnded) == [false, true] && mutes.map { seconds($0.until) }.last == 6_000)
    }

    @Test func `who was told of everything muted nothing`() throws {
        #expect(try mutes("", [Self.story[0], Self.story[3]]).isEmpty)
        #expect(try mutes(#","muteChangedAt":\#(BundleLines.at(100))"#, [Self.story[0]]).isEmpty)
    }

    @Test func `what was kept for another reason is no mute`() throws {
        #expect(try mutes("", [BundleLines.silenced(1, account: 3, at: 22, for: "ownAction")]).isEmpty)
    }
}
