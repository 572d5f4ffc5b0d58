/// Sends and fetches every two to three hours while nobody looks, as far as the system lets the app: for what no silent push has told.
public struct BackgroundRefresh: Sendable {
    /// The shortest pause that is asked for; the longest is half as much again.
    public static let pause = Duration.seconds(7_200)
    /// The system ends what takes longer than half a minute.
    static let budget = Duration.seconds(25)

    private let engine: SyncEngine
    private let scheduler: any BackgroundScheduler
    private let chance: any ChanceSource

    /// Works for `engine`, woken by `scheduler`.
    public init(engine: SyncEngine, scheduler: any BackgroundScheduler, chance: any ChanceSource) {
        (self.engine, self.scheduler, self.chance) = (engine, scheduler, chance)
    }

    /// Asks for the next time; an app calls it when it leaves the foreground. Not all devices come at once.
    ///
    /// - Throws: that the system will not have it: the person has switched background refresh off, say.
    public func schedule() async throws(BackgroundRefused) {
        let stretch = Int64(await chance.next() * 3_600)
        try await scheduler.wake(after: Self.pause + .seconds(stretch))
    }

    /// The system has woken the app for it. The next time is asked for first: who is ended half-way is woken again.
    ///
    /// - Throws: why nothing could be exchanged now.
    public func woken() async throws(NotifierError) {
        try? await schedule()
        try await engine.sync(within: Self.budget)
    }
}
