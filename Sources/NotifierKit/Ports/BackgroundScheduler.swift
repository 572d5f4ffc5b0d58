/// Asks the system to wake the app in the background: `BGTaskScheduler` with a `BGAppRefreshTaskRequest` on iOS.
public protocol BackgroundScheduler: Sendable {
    /// Asks to be woken not before so much time has passed; when, the system decides. One request stands at a time, the last.
    func wake(after pause: Duration) async throws(BackgroundRefused)
}

/// The system lets nothing be done in the background now.
public struct BackgroundRefused: Error, Sendable, Equatable {
    /// Why, in the system's words.
    public var reason: String

    /// `reason` is what the system said.
    public init(_ reason: String) { self.reason = reason }
}
