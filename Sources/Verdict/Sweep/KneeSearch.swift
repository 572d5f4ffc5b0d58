/// Decides which size of a world is tried next: doubled until the requirements break, then halved between what holds and what does not,
/// and both ends once more under other seeds.
package struct KneeSearch: Sendable, Equatable {
    /// What is to be run.
    package enum Step: Sendable, Equatable {
        /// A size under the seeds of the search.
        case probe(Int)
        /// A size under seeds that had no part in the choice.
        case confirm(Int)
    }

    /// What there is to say at last.
    package enum Outcome: Sendable, Equatable {
        /// The world of the file breaks the requirements already.
        case failsAsItIs
        /// Nothing broke up to the ceiling.
        case neverBroke(Int)
        /// The requirements hold at one size and break at the other.
        case between(Int, Int)
        /// They break at a size, and no smaller one is proven to hold.
        case unproven(breaksAt: Int?)
    }

    /// A size that was tried, with what it came to.
    package struct Tried: Sendable, Equatable {
        package var size: Int
        package var verdict: Verdict
        /// Under other seeds; nil where that was not tried.
        package var confirmation: Verdict?
    }

    /// More sizes are not tried.
    package static let mostProbes = 24
    /// The ends are near enough when the upper one is at most so many per cent of the lower.
    private static let nearEnough = 105

    private let start: Int
    private let ceiling: Int
    private let step: Int
    private let confirms: Bool
    private var trials: [Int: Tried] = [:]

    /// - Parameters:
    ///   - start: the size of the file.
    ///   - ceiling: the largest size, which is tried; at least `start`.
    ///   - step: sizes are `start` and what is larger by multiples of it.
    ///   - confirms: whether the ends are run again.
    package init(start: Int, ceiling: Int, step: Int, confirms: Bool = true) {
        self.start = start
        self.ceiling = start + max(0, ceiling - start) / step * step
        self.step = step
        self.confirms = confirms
    }

    /// By size.
    package var tried: [Tried] { trials.values.sorted { $0.size < $1.size } }

    package mutating func take(_ verdict: Verdict, of step: Step) {
        switch step {
        case .probe(let size): trials[size] = Tried(size: size, verdict: verdict)
        case .confirm(let size): trials[size]?.confirmation = verdict
        }
    }

    /// What to run next; nil when the search is over.
    package var next: Step? {
        guard trials[start] != nil else { return .probe(start) }
        if let probe = nextSize, trials.count < Self.mostProbes { return .probe(probe) }
        guard confirms, let breaks, breaks > start, let holds else { return nil }
        return [holds, breaks].first { trials[$0]?.confirmation == nil }.map(Step.confirm)
    }

    private var nextSize: Int? {
        guard let breaks else {
            let largest = trials.keys.max() ?? start
            return largest < ceiling ? min(ceiling, on(largest * 2)) : nil
        }
        // What is not proven either way ends the search on that side.
        let below = trials.keys.filter { $0 < breaks }.max()
        guard let below, below == holds, breaks - below > step, breaks * 100 > below * Self.nearEnough else {
            return nil
        }
        let middle = on(Self.root(below * breaks))
        return min(breaks - step, max(below + step, middle))
    }

    /// The smallest size at which they break, and the largest below it at which they hold.
    private var breaks: Int? { trials.values.filter { $0.verdict == .fail }.map(\.size).min() }
    private var holds: Int? {
        trials.values.filter { $0.verdict == .pass && $0.size < breaks ?? .max }.map(\.size).max()
    }

    /// Nil while the search goes on and nothing can be told yet.
    package var outcome: Outcome? {
        guard let first = trials[start] else { return nil }
        guard first.verdict != .fail else { return .failsAsItIs }
        let holding = tried.filter { $0.verdict == .pass && $0.confirmation.map { $0 == .pass } ?? true }.map(\.size)
        let breaking = tried.filter { $0.verdict == .fail && $0.confirmation.map { $0 == .fail } ?? true }.map(\.size)
        guard let upper = breaking.min() else {
            guard breaks == nil, let largest = holding.max() else { return .unproven(breaksAt: nil) }
            return .neverBroke(largest)
        }
        guard let lower = holding.filter({ $0 < upper }).max() else { return .unproven(breaksAt: upper) }
        return .between(lower, upper)
    }

    /// Sizes that hold above one that breaks: then there is more than one knee.
    package var holdsAboveBreak: [Int] {
        guard let breaks else { return [] }
        return tried.filter { $0.size > breaks && $0.verdict == .pass }.map(\.size)
    }

    /// The size of the grid at or below.
    private func on(_ size: Int) -> Int { start + max(0, size - start) / step * step }

    /// The whole part of the square root.
    private static func root(_ value: Int) -> Int {
        var root = Int(Double(value).squareRoot())
        while root * root > value { root -= 1 }
        while (root + 1) * (root + 1) <= value { root += 1 }
        return root
    }
}
