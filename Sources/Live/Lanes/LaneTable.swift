import HTTP
import Synchronization

/// The lanes of a client, one for each origin.
///
/// Asking for a fresh connection replaces the lane: the old one finishes what it carries and takes nothing more, so that a connection
/// that has gone bad is left for good.
final class LaneTable<Work: LaneWork>: Sendable {
    private struct Entry {
        let origin: HTTPOrigin
        let lane: Lane<Work>
    }

    /// The lane used last stands last.
    private let entries = Mutex<[Entry]>([])
    /// Origins that are remembered at most; the one unused for the longest goes first.
    private let limit: Int
    private let makeLane: @Sendable () -> Lane<Work>?

    /// `makeLane` gives nil when the system has no thread or memory for one.
    init(limit: Int, makeLane: @escaping @Sendable () -> Lane<Work>?) {
        self.limit = limit
        self.makeLane = makeLane
    }

    /// What is under way ends with an unknown outcome.
    deinit {
        for entry in entries.withLock({ $0 }) { entry.lane.close(.atOnce) }
    }

    /// Gives an exchange to the lane of its origin, and waits for its outcome.
    func carry(_ transfer: Work.Transfer, to origin: HTTPOrigin, isFresh: Bool) async -> HTTPOutcome {
        var isFresh = isFresh
        while let lane = lane(to: origin, isFresh: isFresh) {
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in lane.begin(transfer, continuation) }
            } onCancel: {
                lane.cancel(transfer)
            }
            if let outcome { return outcome }
            // Somebody has put another lane in its place since it was looked up.
            isFresh = false
        }
        return .notSent(.connectionRefused)
    }

    private func lane(to origin: HTTPOrigin, isFresh: Bool) -> Lane<Work>? {
        var left: [Lane<Work>] = []
        defer { left.forEach { $0.close(.whenIdle) } }
        return entries.withLock { entries in
            if let index = entries.firstIndex(where: { $0.origin == origin }) {
                let known = entries.remove(at: index)
                if !isFresh {
                    entries.append(known)
                    return known.lane
                }
                left.append(known.lane)
            }
            guard let lane = makeLane() else { return nil }
            if entries.count >= limit { left.append(entries.removeFirst().lane) }
            entries.append(Entry(origin: origin, lane: lane))
            return lane
        }
    }
}
