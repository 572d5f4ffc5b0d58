import HTTP
import Synchronization

/// The lanes of a client, one for each origin.
///
/// Asking for a fresh connection replaces the lane: the old one finishes what it carries and takes nothing more, so that a connection
/// that has gone bad is left for good. So is, where that is asked for, a lane on which an exchange got no answer in time and nobody else
/// did meanwhile.
final class LaneTable<Work: LaneWork>: Sendable {
    private struct Entry {
        let origin: HTTPOrigin
        let lane: Lane<Work>
        /// How many exchanges it has brought an answer.
        var answers = 0
    }

    /// The lane used last stands last.
    private let entries = Mutex<[Entry]>([])
    /// Origins that are remembered at most; the one unused for the longest goes first.
    private let limit: Int
    private let leavesSilent: Bool
    private let makeLane: @Sendable () -> Lane<Work>?

    /// - Parameters:
    ///   - limit: origins that are remembered at most.
    ///   - leavesSilent: whether a lane is left when an exchange got no answer in time. Not needed where the lane looks by itself whether
    ///     its connection is alive.
    ///   - makeLane: gives nil when the system has no thread or memory for one.
    init(limit: Int, leavesSilent: Bool = false, makeLane: @escaping @Sendable () -> Lane<Work>?) {
        self.limit = limit
        self.leavesSilent = leavesSilent
        self.makeLane = makeLane
    }

    /// What is under way ends with an unknown outcome.
    deinit {
        for entry in entries.withLock({ $0 }) { entry.lane.close(.atOnce) }
    }

    /// Gives an exchange to the lane of its origin, and waits for its outcome.
    func carry(_ transfer: Work.Transfer, to origin: HTTPOrigin, isFresh: Bool) async -> HTTPOutcome {
        var isFresh = isFresh
        while let (lane, answers) = self.lane(to: origin, isFresh: isFresh) {
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in lane.begin(transfer, continuation) }
            } onCancel: {
                lane.cancel(transfer)
            }
            if let outcome {
                if leavesSilent { learn(outcome, from: lane, answers) }
                return outcome
            }
            // Somebody has put another lane in its place since it was looked up.
            isFresh = false
        }
        return .notSent(.connectionRefused)
    }

    /// Leaves a lane on which there was no answer since it had given so many.
    private func learn(_ outcome: HTTPOutcome, from lane: Lane<Work>, _ answers: Int) {
        let isLeft: Bool = entries.withLock { entries in
            // One that was left before is not among them.
            guard let index = entries.firstIndex(where: { $0.lane === lane }) else { return false }
            switch outcome {
            case .response:
                entries[index].answers += 1
                return false
            case .unknown(.timedOut), .notSent(.timedOut):
                guard entries[index].answers == answers else { return false }
                entries.remove(at: index)
                return true
            default: return false
            }
        }
        if isLeft { lane.close(.whenIdle) }
    }

    /// The lane, and how many answers it has brought so far.
    private func lane(to origin: HTTPOrigin, isFresh: Bool) -> (Lane<Work>, Int)? {
        var left: [Lane<Work>] = []
        defer { left.forEach { $0.close(.whenIdle) } }
        return entries.withLock { entries in
            if let index = entries.firstIndex(where: { $0.origin == origin }) {
                let known = entries.remove(at: index)
                if !isFresh {
                    entries.append(known)
                    return (known.lane, known.answers)
                }
                left.append(known.lane)
            }
            guard let lane = makeLane() else { return nil }
            if entries.count >= limit { left.append(entries.removeFirst().lane) }
            entries.append(Entry(origin: origin, lane: lane))
            return (lane, 0)
        }
    }
}
