extension TaskStarter {
    /// Tasks of Swift's runtime: what an app and a program use.
    public static let unstructured = TaskStarter { work in
        // Nobody cancels it: each piece of work has its own time limit.
        Task { await work() }
    }
}
