import Scenarios
import Testing

@testable import Verdict
@testable import Workbench

struct WorldFamilyTests {
    /// The answer of a worker: one fact, told or not, and what else is wrong.
    private static func outcome(told: Bool?, duplicates: Int = 0) throws -> FuzzOutcome {
        var result = SeedResult(seed: 3, digest: "", steps: 1, simulatedMilliseconds: 1)
        result.drainedAfterMilliseconds = 0
        result.told = told.map { isTold in
            let reason = isTold ? "watched" : "not-detected"
            return ToldFacts(facts: [
                ToldFacts.Fact(person: "@ana", activity: "close", isTold: isTold, duty: .must, reason: reason)
            ])
        }
        var slice = SliceResult()
        slice.duplicates = duplicates
        result.slices = [slice]
        return FuzzOutcome(.answer(try WorkerLine.encode(WorkerResponse.judged(result))))
    }

    private static let relations: [WorldRelation] = [.detection, .pageSize]

    private static func family() throws -> WorldFamily {
        WorldFamily(try WorldGenerator.world(seed: 3), relations: relations)
    }

    @Test func `there is a member for the world and one for each relation that applies`() throws {
        let family = try Self.family()
        #expect(family.members.map(\.relation) == [nil, .detection, .pageSize])
        #expect(
            family.members.map(\.scenario.file) == ["fuzz-3.json", "fuzz-3-detection.json", "fuzz-3-page-size.json"]
        )
        #expect(family.members[0].scenario.text == family.world.text)
        #expect(WorldFamily(family.world, relations: []).members.count == 1)
    }

    @Test func `findings are there once all have run, in whatever order, and name the relation`() throws {
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var family = try Self.family()
            for member in order.dropLast() {
                let early = family.add(try Self.outcome(told: member != 2), of: member)
                #expect(early == nil)
            }
            let last = try #require(order.last)
            let added = family.add(try Self.outcome(told: last != 2), of: last)
            let findings = try #require(added)
            #expect(
                findings.flaws.map(\.signature)
                    == ["told-differently: page-size: by the world alone: not-detected"]
            )
            #expect(findings.compared == [.detection: 1, .pageSize: 1])
        }
    }

    @Test func `what is wrong with a twin is a finding when the world does not have it`() throws {
        var family = try Self.family()
        _ = family.add(try Self.outcome(told: true), of: 0)
        _ = family.add(try Self.outcome(told: true, duplicates: 1), of: 1)
        let added = family.add(FuzzOutcome(.crash(WorkerCrash(.signalled(4), errors: []))), of: 2)
        let findings = try #require(added)
        #expect(findings.flaws.map(\.signature) == ["twin: detection: duplicate", "twin: page-size: crash: SIGILL"])
        #expect(findings.compared == [.detection: 1])

        var both = try Self.family()
        _ = both.add(try Self.outcome(told: true, duplicates: 1), of: 0)
        _ = both.add(try Self.outcome(told: true, duplicates: 1), of: 1)
        let findingsOfBoth = both.add(try Self.outcome(told: true), of: 2)
        #expect(findingsOfBoth?.flaws.map(\.signature) == ["duplicate"])
    }

    @Test func `the tally counts twins, tells whom a finding is about and repeats it with its twins`() throws {
        var family = try Self.family()
        _ = family.add(try Self.outcome(told: true), of: 0)
        _ = family.add(try Self.outcome(told: false), of: 1)
        let added = family.add(try Self.outcome(told: true), of: 2)
        let findings = try #require(added)
        var tally = FuzzTally(relations: Self.relations)
        tally.add(findings, of: family.world)
        #expect(tally.exitCode == .failed && !tally.text.contains("losses of power"))
        #expect(tally.text.contains("\ntwins compared: detection 1 with 1 facts, page-size 1 with 1 facts\n"))
        #expect(
            tally.text.hasSuffix(
                """

                told-differently: detection: by the world alone: not-detected   1 worlds: 3
                  simctl fuzz --seeds 3..3 --relations
                  @ana was told by the world alone: close

                """
            )
        )
    }
}
