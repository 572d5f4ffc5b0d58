package import Scenarios

/// What two runs told that must tell the same.
package struct ToldComparison: Sendable, Equatable {
    /// Facts in which a difference would have been a flaw.
    package private(set) var compared = 0
    /// Each fact that only one of the two told, in the order of the world's.
    package private(set) var flaws: [Flaw] = []

    private struct Key: Hashable {
        var person: String
        var activity: String
    }

    /// Holds what a world told against what its twin told. What only one of the two knows to have happened is left out.
    package init(_ world: ToldFacts, _ twin: ToldFacts, under relation: WorldRelation) {
        var others: [Key: ToldFacts.Fact] = [:]
        for fact in twin.facts { others[Key(person: fact.person, activity: fact.activity)] = fact }
        for fact in world.facts {
            guard let other = others[Key(person: fact.person, activity: fact.activity)] else { continue }
            let owesTwin = Self.owes(other, after: fact)
            let owesWorld = !relation.mayTellMore && Self.owes(fact, after: other)
            if owesTwin || owesWorld { compared += 1 }
            if owesTwin && fact.isTold && !other.isTold {
                add(other, told: "world", by: relation)
            } else if owesWorld && other.isTold && !fact.isTold {
                add(fact, told: "twin", by: relation)
            }
        }
    }

    /// Whether silence in one run is wrong, or one more telling in the other: where silence is excused neither is.
    private static func owes(_ silent: ToldFacts.Fact, after telling: ToldFacts.Fact) -> Bool {
        switch silent.duty {
        case .must: true
        case .may: false
        case .mustNot: telling.duty == .mustNot
        }
    }

    private mutating func add(_ silent: ToldFacts.Fact, told side: String, by relation: WorldRelation) {
        let cause = "\(relation.rawValue): by the \(side) alone: \(silent.reason)"
        let detail = "\(silent.person) was told by the \(side) alone: \(silent.activity)"
        flaws.append(Flaw(.toldDifferently, cause, detail: detail))
    }
}
