import Platform
import Synchronization

/// What was read of items that people want to watch, where a limit of GitLab's has ended the reading: the app asks again, and that goes on with it.
/// Else nothing would ever be watched where a limit lets through less than one watch takes.
final class BegunWatches: Sendable {
    /// What somebody chose: another choice begins another watch, and counts as old what was there before it.
    struct Choice: Hashable, Sendable {
        var account: AccountID
        var gitlabUserID: Int64
        var item: ItemReference
        /// By the device's clock: one that is ahead says the same each time, too.
        var saidAt: WallTime
    }

    private struct Entry: Sendable {
        var choice: Choice
        var progress: BaselineProgress
        var keptAt: MonotonicInstant
    }

    /// An app in the background asks again after a quarter of an hour.
    static let lifetime = Duration.hours(1)
    static let limit = 200

    /// In the order in which they were kept.
    private let entries = Mutex<[Entry]>([])

    init() {}

    /// Takes out what there is of it; nothing where that is too old.
    func take(_ choice: Choice, at now: MonotonicInstant) -> BaselineProgress {
        entries.withLock { entries in
            entries.removeAll { $0.keptAt.duration(to: now) >= Self.lifetime }
            guard let place = entries.firstIndex(where: { $0.choice == choice }) else { return BaselineProgress() }
            return entries.remove(at: place).progress
        }
    }

    /// Keeps it for the next attempt. Where there are too many, that goes which nobody has asked for again for longest.
    func keep(_ progress: BaselineProgress, for choice: Choice, at now: MonotonicInstant) {
        entries.withLock { entries in
            entries.removeAll { $0.choice == choice }
            if entries.count >= Self.limit { entries.removeFirst() }
            entries.append(Entry(choice: choice, progress: progress, keptAt: now))
        }
    }
}
