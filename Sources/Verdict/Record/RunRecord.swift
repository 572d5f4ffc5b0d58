package import Scenarios

/// Everything one run of one seed observed, from outside the notifier: the input of the verdict.
///
/// Instants are true virtual time since the start of the scenario, whatever the nodes' wall clocks showed.
package struct RunRecord: Sendable {
    /// What was run, every choice made.
    package var resolved: ResolvedScenario
    /// How long the run lasted: the scenario's duration and the time it took to drain.
    package var simulated: Duration
    /// Everything done on the fake GitLab, in order.
    package var activities: [ActivityRecord] = []
    /// Who was registered with the notifier, and when.
    package var registrations: [RegistrationRecord] = []
    /// Who watched what, and when.
    package var watches: [WatchRecord] = []
    /// Which device the notifier could push to, and when.
    package var deviceSpans: [DeviceSpanRecord] = []
    /// Which devices were replaced by others of the same name, in order.
    package var deviceReplacements: [DeviceReplacementRecord] = []
    /// Who left or signed out everywhere, in order.
    package var devicesEnds: [DevicesEndRecord] = []
    /// From which devices the notifier took another push token than before, in order.
    package var pushTokenChanges: [PushTokenChangeRecord] = []
    /// What people chose in the app, in the order in which the notifier confirmed it.
    package var preferences: [PreferenceRecord] = []
    /// Choices of which the app said that they cannot be kept.
    package var refusedChoices: [RefusedChoiceRecord] = []
    /// Choices that waited on their devices when the run was over.
    package var unansweredChoices: [UnansweredChoiceRecord] = []
    /// What people did about duties, in the order in which they did.
    package var dutyDeeds: [DutyDeed] = []
    /// Items whose milestone was moved, in order.
    package var dueMoves: [DueMoveRecord] = []
    /// The occurrences of duties by their ids on the wire, the first `RunLimits.dutyPlaces` of each.
    package var dutyPlaces: [String: DutyPlace] = [:]
    /// What their devices showed of duties, bounded by `RunLimits.dutyLooks`.
    package var dutyLooks: [DutyLook] = []
    /// What APNs did with each push, in the order in which the requests arrived.
    package var pushes: [PushRecord] = []
    /// What APNs said of devices when pushes went there that nobody sees, bounded by `RunLimits.silentPushes`.
    package var silentPushes: [SilentPushRecord] = []
    /// What happened on the devices, in order.
    package var deviceEvents: [DeviceEventRecord] = []
    /// What devices read from the notifier's feed.
    package var catchUps: [CatchUpRecord] = []
    /// Numbers of unread notifications that apps showed, bounded by `RunLimits.badges`.
    package var badges: [BadgeRecord] = []
    /// What stood on screens beside what it should have taken the place of, bounded by `RunLimits.violations`.
    package var screenDoubles: [ScreenDoubleRecord] = []
    /// What apps showed whose person went through their screens, bounded by `RunLimits.screens`.
    package var screens: [ScreenRecord] = []
    /// What apps were told of their person's settings, bounded by `RunLimits.screens`.
    package var settings: [SettingsRecord] = []
    /// What apps listed of each notification and ask when they did so first, bounded by `RunLimits.listedTexts`.
    package var listedTexts: [ListedTextRecord] = []
    /// Test notifications that people asked for, bounded by `RunLimits.tests`.
    package var tests: [TestRecord] = []
    /// What the notifier's operator announced, bounded as tests are.
    package var announcements: [AnnouncementRecord] = []
    /// Notifications that people had sent again, and of which the notifier said that something goes; bounded as tests are.
    package var sentAgain: [TestRecord] = []
    /// What the notifier said when it was asked whether it is ready, in the order of its answers, bounded by `RunLimits.readiness`.
    package var readiness: [ReadinessRecord] = []
    /// What devices told the notifier of pushes they showed; never a proof that anything was lost.
    package var receipts: [ReceiptRecord] = []
    /// When each fault was in force.
    package var faults: [FaultRecord] = []
    /// When the notifier's process was not running.
    package var downtimes: [Span] = []
    /// The crashes at a step that struck, in their order.
    package var stepCrashes: [EntryID] = []
    /// What the verdict reads of the notifier's log, bounded by `RunLimits.logEntries`.
    package var log: [LogRecord] = []
    /// Requests the notifier sent to GitLab for a person, by full hour since the start.
    package var gitlabRequests: [RequestCount] = []
    /// Requests the notifier sent to GitLab for anybody, by full minute since the start.
    package var gitlabPerMinute: [MinuteTraffic] = []
    /// What pushes and log say, once each.
    package var pool = RecordPool()
    /// When the notifier read GitLab for each person, bounded by `RunLimits.readings`.
    package var readings: [ReadingRecord] = []
    /// Which items the notifier asked GitLab for by itself, once for each person and item, in order.
    package var itemRequests: [ItemRequestRecord] = []
    /// How many requests the notifier allows itself for one person in an hour; nil when the driver does not say.
    package var requestsPerHour: Int?
    /// Requests the notifier sent to APNs, by full hour since the start.
    package var apnsRequestsPerHour: [Int] = []
    /// Requests for which the fake GitLab has no route, each with the nearest route it knows.
    package var unknownRoutes: [String] = []
    /// What must never happen and did.
    package var violations: [ViolationRecord] = []
    /// Paths that were seen, with the first instant.
    package var probes: [ProbeRecord] = []
    /// When the last thing happened to a notification, if the notifier had nothing left to deliver when it was asked at the end;
    /// nil when it had, or did not answer.
    package var idleSince: Duration?
    /// The digest over the run's trace.
    package var digest: String = ""
    /// The digest over its events alone.
    package var behaviour: String = ""
    /// Jobs run and events fired.
    package var steps: Int64 = 0

    package init(resolved: ResolvedScenario, simulated: Duration) {
        self.resolved = resolved
        self.simulated = simulated
    }
}

/// Bounds of what a record keeps.
package enum RunLimits {
    /// More log entries than these are not kept; checks that need a whole log then stay silent.
    package static let logEntries = 2_000_000
    /// More requests to GitLab than these have no instant of their own: when something was polled is then not known.
    package static let readings = 1_000_000
    /// More silent pushes than these are not kept.
    package static let silentPushes = 100_000
    /// More numbers of unread notifications than these are not kept.
    package static let badges = 100_000
    /// More tours through an app's screens than these are not kept.
    package static let screens = 10_000
    /// The words of more notifications and asks than these, as apps list them, are not kept.
    package static let listedTexts = 20_000
    /// More test notifications than these are not kept.
    package static let tests = 10_000
    /// Questions about its readiness: two days at one a minute. A longer run is asked less often.
    package static let readiness = 2_880
    /// More looks at duties than these are not kept.
    package static let dutyLooks = 50_000
    /// Occurrences of a duty that are compared, from its first on, and days in which they are looked for.
    package static let dutyTurns = 60
    static let dutyDays = 10_000
    /// Occurrences of a duty that are known by their ids: more than there are in two months and a run.
    package static let dutyPlaces = 200
    /// More violations of one invariant than these are not kept: one is enough to fail a run.
    package static let violations = 100
}

/// From an instant (included) to another (excluded), both since the start.
package struct Span: Sendable, Equatable {
    package var from: Duration
    package var until: Duration

    package init(from: Duration, until: Duration) {
        self.from = from
        self.until = until
    }
}
