/// What became of each expected notification on both sides.
package struct DeliveryDifferences: Sendable, Equatable {
    /// One that differs.
    package struct Difference: Sendable, Equatable {
        /// Which notification of which seed.
        package var place: ComparedReport.MissedPlace
        /// Milliseconds until the person could know, for lost and won ones; milliseconds of excess for the others.
        package var first: Int64?
        package var second: Int64?
        /// Of the miss, where the ledger tells it.
        package var cause: String?
    }

    /// Of one kind: how many, and the first or the largest of them.
    package struct Kind: Sendable, Equatable {
        package var count = 0
        package var kept: [Difference] = []

        fileprivate init(_ all: [Difference]) {
            count = all.count
            kept = Array(all.prefix(DeliveryDifferences.kept))
        }
    }

    /// Of each kind so many are named.
    static let kept = 100
    /// A difference that a person might notice.
    package static let noticedMilliseconds: Int64 = 30_000

    /// Expected on both sides.
    package let pairs: Int
    /// Known by the first alone, and by the second alone.
    package let lost: Kind
    package let won: Kind
    /// By more than ``noticedMilliseconds``, the largest difference first.
    package let slower: Kind
    package let faster: Kind
    /// Expected on one side alone: a longer poll interval excuses more.
    package let expectedByOne: Int
    /// Not listed in a report.
    package let leftOut: Int

    init(_ seeds: PairedSeeds, _ first: ComparedReport, _ second: ComparedReport) {
        var found = Found()
        for (seed, one, other) in seeds.whole {
            found.leftOut += max(one.deliveriesLeftOut, other.deliveriesLeftOut)
            guard one.deliveriesLeftOut == 0, other.deliveriesLeftOut == 0 else { continue }
            found.add(seed, one.deliveries, other.deliveries, first, second)
        }
        pairs = found.pairs
        lost = Kind(found.lost)
        won = Kind(found.won)
        slower = Kind(Self.largestFirst(found.slower))
        faster = Kind(Self.largestFirst(found.faster))
        expectedByOne = found.expectedByOne
        leftOut = found.leftOut
    }

    private static func largestFirst(_ differences: [Difference]) -> [Difference] {
        func size(_ one: Difference) -> Int64 { abs((one.second ?? 0) - (one.first ?? 0)) }
        return differences.enumerated().sorted { (size($0.element), $1.offset) > (size($1.element), $0.offset) }
            .map(\.element)
    }

    /// Everything, before it is cut.
    private struct Found {
        var pairs = 0
        var lost: [Difference] = []
        var won: [Difference] = []
        var slower: [Difference] = []
        var faster: [Difference] = []
        var expectedByOne = 0
        var leftOut = 0

        private struct Key: Hashable {
            var activity: Int
            var person: String
        }

        mutating func add(
            _ seed: UInt64,
            _ ones: [ComparedSeed.Delivery],
            _ others: [ComparedSeed.Delivery],
            _ first: ComparedReport,
            _ second: ComparedReport
        ) {
            var rest: [Key: ComparedSeed.Delivery] = [:]
            for other in others { rest[Key(activity: other.activity, person: other.person)] = other }
            for one in ones {
                guard let other = rest.removeValue(forKey: Key(activity: one.activity, person: one.person)) else {
                    expectedByOne += 1
                    continue
                }
                pairs += 1
                let place = ComparedReport.MissedPlace(seed: seed, activity: one.activity, person: one.person)
                add(place, one, other, first, second)
            }
            expectedByOne += rest.count
        }

        private mutating func add(
            _ place: ComparedReport.MissedPlace,
            _ one: ComparedSeed.Delivery,
            _ other: ComparedSeed.Delivery,
            _ first: ComparedReport,
            _ second: ComparedReport
        ) {
            switch (one.known, other.known) {
            case (let known?, nil):
                lost.append(Difference(place: place, first: known, second: nil, cause: second.causes[place]))
            case (nil, let known?):
                won.append(Difference(place: place, first: nil, second: known, cause: first.causes[place]))
            default:
                guard let before = one.excess, let after = other.excess else { return }
                let difference = Difference(place: place, first: before, second: after)
                if after - before > DeliveryDifferences.noticedMilliseconds { slower.append(difference) }
                if before - after > DeliveryDifferences.noticedMilliseconds { faster.append(difference) }
            }
        }
    }
}
