#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where the kit learns the time, and how it waits.
public protocol KitClock: Sendable {
    /// The calendar time as this device believes it to be; what a choice is dated by.
    var now: Date { get }

    /// Suspends the task for `duration`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// Where the kit gets chance from: a pause is stretched by it, so that a thousand devices do not come back in the same second.
public protocol ChanceSource: Sendable {
    /// A number in `0..<1`, each equally likely.
    func next() async -> Double
}
