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
        var chosenAt: WallTime
    }

    private struct Entry: Sendable {
        var progress: BaselineProgress
        var keptAt: MonotonicInstant
    }

    /// An app in the background asks again after a quarter of an hour.
    static let lifetime = Duration.hours(1)
    static let limit = 200

    private let entries = Mutex<[Choice: Entry]>([:])

    init() {}

    /// Takes out what there is of it; nothing where that is too old.
    func take(_ choice: Choice, at now: MonotonicInstant) -> BaselineProgress {
        entries.withLock { entries in
            entries = entries.filter { $0.value.keptAt.duration(to: now) < Self.lifetime }
            return entries.removeValue(forKey: choice)?.progress ?? BaselineProgress()
        }
    }

    /// Keeps it for the next attempt, unless there are too many already.
    func keep(_ progress: BaselineProgress, for choice: Choice, at now: MonotonicInstant) {
        entries.withLock { entries in
            guard entries.count < Self.limit else { return }
            entries[choice] = Entry(progress: progress, keptAt: now)
        }
    }
}
