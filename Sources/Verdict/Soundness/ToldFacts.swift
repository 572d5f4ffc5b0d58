import Platform
import Scenarios

/// Of which activities each person was told in one run, whatever the way (a push that was shown, or the feed) and whenever.
package struct ToldFacts: Codable, Sendable, Equatable {
    /// A run with more pairs of an activity and a person keeps none of them: a part would be compared with another part.
    static let kept = 20_000

    /// What may be said of somebody who was not told.
    enum Duty: String, Codable {
        /// They had to be told, and nothing excuses that they were not.
        case must
        /// Telling them was neither required nor wrong, or the miss has an excuse.
        case may
        /// They were not to be told.
        case mustNot = "must-not"
    }

    /// One activity and one person.
    struct Fact: Codable, Sendable, Equatable {
        var person: String
        /// What happened and when: the same in runs of one world, whatever else happens in them.
        var activity: String
        var isTold: Bool
        var duty: Duty
        /// The cause of a miss, or the reason of the standing.
        var reason: String
    }

    /// In the order of the activities, for each in that of the people.
    var facts: [Fact] = []
}

extension Assessment {
    /// Everything a report needs of the run, and what was told.
    package static func assessWithFacts(_ record: RunRecord) -> SeedResult {
        let judged = JudgedRun(record)
        var result = ResultBuilder(judged: judged).result()
        result.told = ToldFacts(judged)
        return result
    }
}

extension ToldFacts {
    init(_ judged: JudgedRun) {
        guard judged.outcomes.count <= Self.kept else { return }
        let names = Self.names(of: judged.record.activities)
        let keys = Self.keysTold(judged)
        facts = judged.outcomes.map { outcome in
            let pair = outcome.pair
            let isForThem = !pair.standing.isNotForThem
            return Fact(
                person: judged.truth.people[pair.person].description,
                activity: names[pair.activity],
                isTold: isForThem ? outcome.knownAt != nil : Self.isTold(of: pair, judged, keys),
                duty: Self.duty(outcome),
                reason: outcome.cause?.code ?? pair.standing.reason
            )
        }
    }

    private static func duty(_ outcome: Outcome) -> Duty {
        switch outcome.pair.standing {
        case .expected: outcome.cause.map { Excuse.reasons[$0.code] != nil } == true ? .may : .must
        case .optional: .may
        case .notForThem: .mustNot
        }
    }

    /// Numbers of activities shift when a fault brings some of its own; several of one kind at one instant are counted.
    private static func names(of activities: [ActivityRecord]) -> [String] {
        var counts: [String: Int] = [:]
        return activities.map { activity in
            let place = activity.item?.description ?? activity.project?.description ?? "nothing"
            let at = DurationNotation.text(.milliseconds(activity.at.wholeMilliseconds))
            let name = "\(activity.kind.rawValue) by \(activity.actor) on \(place) at \(at)"
            counts[name, default: 0] += 1
            return counts[name] == 1 ? name : "\(name) #\(counts[name] ?? 0)"
        }
    }

    // MARK: What somebody was not to be told

    /// The keys of all that a person was told: nothing else is kept of what is not for them.
    private static func keysTold(_ judged: JudgedRun) -> [Username: Set<String>] {
        var keys: [Username: Set<String>] = [:]
        for event in judged.record.deviceEvents where event.isShown {
            guard let content = judged.observations.content(of: event, in: judged.record), content.type == nil else {
                continue
            }
            keys[event.person, default: []].formUnion(content.factKeys)
        }
        for catchUp in judged.record.catchUps { keys[catchUp.person, default: []].formUnion(catchUp.factKeys) }
        return keys
    }

    /// Whether they were told all the same, as in one notification with what is for them. A key that also stands for something that is for
    /// them says nothing.
    private static func isTold(of pair: TruthPair, _ judged: JudgedRun, _ keys: [Username: Set<String>]) -> Bool {
        let person = judged.truth.people[pair.person]
        guard let told = keys[person] else { return false }
        return CoveringKeys(of: judged.record.activities[pair.activity], for: person).own.contains {
            told.contains($0) && !judged.observations.isAllowed($0, for: person)
        }
    }
}
