import Platform

/// The two numbers by which a person's apps learn that there is something to fetch. Only whether they differ means anything.
///
/// They never fall. A backup that is restored brings older ones back, and somebody who leaves and comes again begins anew; an app that
/// remembers a number from before must not meet it again. So they begin where the clock says, and leap there after a restore
/// (``leap(_:over:at:)``): no account is told of a million things a second, so a later instant lies above all that was counted before.
struct AccountVersions: Equatable, Sendable {
    /// Rises with what the account's routes show apart from notifications: watch list, choices, settings, devices, what is read.
    var data: Int64
    /// Rises with each notification.
    var notifications: Int64

    /// How many steps a second of the clock is worth.
    private static let stepsPerSecond: Int64 = 1 << 20
    /// A clock that says more is wrong. Up to here the numbers stay far below 2^53, so that clients may keep them as floating point.
    private static let lastSecond: Int64 = (1 << 32) - 1

    /// Where both begin at that instant.
    static func first(at now: WallTime) -> Int64 {
        min(max(now.secondsSinceEpoch, 0), lastSecond) * stepsPerSecond
    }

    /// Where a number goes on that a backup brought back: above itself, and above all that was counted until now. Where the clock is
    /// behind, `former` helps: the highest number of the database that gives way to the backup.
    static func leap(_ number: Int64, over former: Int64?, at now: WallTime) -> Int64 {
        // What stands in a file may be anything.
        let known = max(number, min(former ?? 0, first(at: WallTime(secondsSinceEpoch: lastSecond))))
        // Above those that were counted within this second, too.
        return max(known + 1, first(at: now.advanced(by: .seconds(1))))
    }
}
