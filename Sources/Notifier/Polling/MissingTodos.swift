import Platform

/// Which to-do items behind unread notifications the list of pending ones has left out lately. A replica that is behind leaves out what it has not heard
/// of yet, so one reading proves nothing (GitLab facts, trap 36): what is gone is left out a second time, ``ReminderPolicy/absence`` later.
struct MissingTodos: Sendable {
    /// When each was left out first, without one reading that had it since.
    private var since: [Int64: MonotonicInstant] = [:]

    /// Whether another reading would tell more.
    var isEmpty: Bool { since.isEmpty }

    /// Takes what a complete list left out of those that are waited for.
    mutating func leaveOut(_ todos: Set<Int64>, at now: MonotonicInstant) {
        since = since.filter { todos.contains($0.key) }
        for todo in todos where since[todo] == nil { since[todo] = now }
    }

    /// What is gone by a list that came at that instant, or is as it was: what it left out then it leaves out now.
    func gone(at now: MonotonicInstant) -> Set<Int64> {
        Set(since.filter { $0.value.advanced(by: ReminderPolicy.absence) <= now }.keys)
    }

    /// The store knows that they are gone.
    mutating func settle(_ gone: Set<Int64>) {
        for todo in gone { since[todo] = nil }
    }
}
