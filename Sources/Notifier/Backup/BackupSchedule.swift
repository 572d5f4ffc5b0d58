import Platform

/// Decides when the next backup is due and which old ones go. The names hold the time, so a restart neither skips a day nor makes
/// two backups of one.
struct BackupSchedule: Sendable {
    static let interval: Duration = .hours(24)
    /// After a start, so that a server that cannot stay up does not spend its time on backups.
    static let firstDelay: Duration = .minutes(10)
    /// After a failure.
    static let retryDelay: Duration = .hours(1)
    static let kept = 7
    /// A backup that is further ahead is from the future.
    static let clockTolerance: Duration = .minutes(10)
    /// What was begun so long ago is not being written any more: `notifierd backup` may be at work beside the server.
    static let longestCopy: Duration = .hours(24)

    private static let prefix = "notifier-"
    private static let suffix = ".sqlite"

    /// The name of a backup made at `instant`: `notifier-1772442000.sqlite`, with seconds since 1970.
    static func name(at instant: WallTime) -> String {
        "\(prefix)\(instant.secondsSinceEpoch)\(suffix)"
    }

    /// When the backup of that name was made; nil when it is none of ours.
    static func instant(of name: String) -> WallTime? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard !digits.isEmpty, digits.count <= 12, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(digits).map { WallTime(secondsSinceEpoch: $0) }
    }

    /// How long to wait at `now`, given the backups there are. One from the future, of a clock since set back, does not count.
    static func wait(names: [String], at now: WallTime) -> Duration {
        let newest = names.compactMap(instant).filter { $0 <= now }.max()
        guard let newest else { return .zero }
        return max(newest.advanced(by: interval).duration(from: now), .zero)
    }

    /// What an interruption left of those that were begun, and nobody is writing any more.
    static func abandoned(names: [String], at now: WallTime) -> [String] {
        names.filter { name in instant(of: name).map { $0 < now.advanced(by: .zero - longestCopy) } ?? false }
    }

    /// The backups beyond the newest so many, oldest first. Files that are none of ours stay, and so does one from the future, of a clock
    /// since set back: it neither counts among the newest, where it would drive the others out, nor goes.
    static func expired(names: [String], at now: WallTime) -> [String] {
        let latest = now.advanced(by: clockTolerance)
        let ours = names.compactMap { name in instant(of: name).map { (name: name, instant: $0) } }
            .filter { $0.instant <= latest }
            .sorted { $0.instant < $1.instant }
        return ours.dropLast(kept).map(\.name)
    }
}

extension WallTime {
    /// How long after `other` this instant is.
    fileprivate func duration(from other: WallTime) -> Duration { other.duration(to: self) }
}
