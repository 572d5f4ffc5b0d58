import Duties
import FoundationEssentials
import Testing

/// The vectors that other clients check themselves against, and whether they would notice. One test after the other: the first may write them.
@Suite(.serialized)
struct DutyVectorsTests {
    private func text(_ vectors: DutyVectors) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(vectors), as: UTF8.self) + "\n"
    }

    private func read() throws -> DutyVectors {
        try JSONDecoder().decode(DutyVectors.self, from: Data(LiveSourceTree.text(at: DutyVectors.path).utf8))
    }

    @Test func `the vectors are what the engine makes of them`() throws {
        let made = try text(DutyVectors.made())
        if LiveSourceTree.writesDocuments { try LiveSourceTree.write(made, to: DutyVectors.path) }
        #expect(try LiveSourceTree.text(at: DutyVectors.path) == made, "run `make docs`")
        // Read and computed again by what stands in the file alone, as another client does.
        for rotation in try read().rotations {
            #expect(rotation.computed() == rotation, "\(rotation.name)")
            #expect(!rotation.occurrences.isEmpty, "\(rotation.name) says nothing")
        }
        #expect(try read().rotations.count > 20)
    }

    @Test func `the vectors tell which copy and which change stand`() throws {
        for copies in try read().copies {
            let one = try #require(copies.one.occurrence(of: copies.duty))
            let other = try #require(copies.other.occurrence(of: copies.duty))
            #expect(DutyVectors.OccurrenceValue(DutyMergePolicy.merged(one, other)) == copies.stands)
            #expect(DutyVectors.OccurrenceValue(DutyMergePolicy.merged(other, one)) == copies.stands)
        }
        for stamps in try read().stamps {
            let overtaken = RowStamp(at: stamps.overtaken.at, by: stamps.overtaken.by)
            let stands = RowStamp(at: stamps.stands.at, by: stamps.stands.by)
            #expect(DutyMergePolicy.takes(stands, over: overtaken) && !DutyMergePolicy.takes(overtaken, over: stands))
        }
        for id in try read().ids { #expect(Occurrence.id(of: id.duty, index: id.index) == id.id) }
    }

    /// Ways in which a client may be wrong. Each is a change of what it computes from.
    enum Mistake: String, CaseIterable {
        case forgetsCompletions, forgetsReassignments, takesTheLastEnd, takesTheFirstGift, goesByTheList, ignoresModes
        case knowsNoZones, ignoresTheBase, neverLetsGo, letsJoinAtOnce, startsWeeksAtTheStart

        func apply(to rotation: inout DutyVectors.Rotation) {
            switch self {
            case .forgetsCompletions: rotation.completions = []
            case .forgetsReassignments: rotation.reassignments = []
            case .takesTheLastEnd:
                let last = rotation.completions.map(\.at).max() ?? 0
                for place in rotation.completions.indices {
                    rotation.completions[place].at = last - rotation.completions[place].at
                }
            case .takesTheFirstGift:
                for place in rotation.reassignments.indices { rotation.reassignments[place].at *= -1 }
            case .goesByTheList:
                for place in rotation.members.indices { rotation.members[place].position = place }
            case .ignoresModes: rotation.duty.mode = Duty.Mode.alternate.rawValue
            case .knowsNoZones: rotation.duty.zone.changes = []
            case .ignoresTheBase: rotation.duty.base.queue = []
            case .neverLetsGo: for place in rotation.members.indices { rotation.members[place].leftAt = nil }
            case .letsJoinAtOnce: for place in rotation.members.indices { rotation.members[place].joinedAt = 0 }
            case .startsWeeksAtTheStart:
                guard rotation.duty.weekdays != nil else { return }
                rotation.duty.start.number -= rotation.duty.start.weekday - 1
            }
        }
    }

    @Test(arguments: Mistake.allCases) func `a client that is wrong finds itself wrong`(mistake: Mistake) throws {
        let wrong = try read().rotations.filter { rotation in
            var changed = rotation
            mistake.apply(to: &changed)
            guard let computed = changed.computed() else { return true }
            return computed.occurrences != rotation.occurrences
        }
        #expect(!wrong.isEmpty, "no vector shows \(mistake.rawValue)")
        #expect(try wrong.count < read().rotations.count, "a mistake in one thing is not one in everything")
    }
}
