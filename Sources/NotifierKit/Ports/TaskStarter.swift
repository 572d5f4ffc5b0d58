/// Starts work that must end whoever asked for it, such as a refresh whose answer is a rotated token: a screen that was closed meanwhile
/// must not lose it.
public struct TaskStarter: Sendable {
    private let begin: @Sendable (_ work: @escaping @Sendable () async -> Void) -> Void

    /// `begin` runs the work it is given, in a task of its own.
    public init(_ begin: @escaping @Sendable (_ work: @escaping @Sendable () async -> Void) -> Void) {
        self.begin = begin
    }

    /// Starts `work` and returns at once.
    func start(_ work: @escaping @Sendable () async -> Void) { begin(work) }
}
