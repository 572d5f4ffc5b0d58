import Configuration
import Platform

/// What a person chose about being told, as far as it concerns no single item.
struct PersonSettings: Hashable, Sendable {
    /// A name of the tz database, in which the quiet hours are meant and days begin and end.
    var timeZone = "UTC"
    /// Sorted, no two beginning in the same minute.
    var quietWindows: [QuietHours.Window] = []
    /// Whether mentions and review requests are notified in quiet hours, too.
    var isUrgentBypassOn = true
    /// Whether an item on which the person is newly tagged is watched from then on.
    var isAutoWatchOn = false
    /// Whether the watch list follows GitLab's own subscriptions, and they it.
    var isMirroringOn = false
    /// Whether the person is told again that somebody waits for them.
    var areRemindersOn = true
    /// Whether the person is reminded of what they have to have done by a day.
    var areDueRemindersOn = true
    /// How many hours before that day; nil for the server's standard. 0…336.
    var dueLeadHours: Int?
    /// The kinds of activity that are told, by name, sorted; nil for the server's standard.
    var activityKinds: [String]?

    /// The kinds of activity that are told; `standard` is the server's.
    func activities(orElse standard: Set<ActivityKind>) -> Set<ActivityKind> {
        activityKinds.map { Set($0.compactMap(ActivityKind.init(rawValue:))) } ?? standard
    }
}

/// What a person chose about one item.
struct ItemStanding: Hashable, Sendable {
    var isWatched = false
    /// The item tells nothing before that instant.
    var mutedUntil: WallTime?
    /// The person wants to hear no more of it.
    var isDismissed = false
    /// When the person chose to watch it no more; nil when they did not, or chose otherwise since.
    var unwatchedAt: WallTime?
}
