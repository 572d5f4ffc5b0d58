package import HTTP
import Platform

/// Everything about the notifier that can be chosen and is not a secret. As JSON the keys are the property names, durations are
/// text with units (`"90s"`, `"1h30m"`), and a missing key means its default. ``NotifierConfiguration/fields`` holds the ranges.
package struct NotifierConfiguration: Sendable, Equatable {
    // MARK: Polling

    /// Time between two polls of a person who watches up to 20 items.
    package var intervalSmall: Duration = .seconds(60)
    /// Time between two polls of a person who watches 21 to 50 items.
    package var intervalMedium: Duration = .seconds(90)
    /// Time between two polls of a person who watches more than 50 items.
    package var intervalLarge: Duration = .seconds(120)
    /// How changes are noticed: by reading every item each time, or by sweeps that tell which to read.
    package var changeDetection = ChangeDetection.sweep
    /// Time between two sweeps; longer when their requests would take more than a third of `requestsPerHour`.
    package var sweepInterval: Duration = .seconds(30)
    /// Within this time sweeps look at everything that can be told, also at what GitLab has not marked as updated.
    package var patrolInterval: Duration = .minutes(4)
    /// By how many percent an interval varies at random in both directions, so that people do not poll in step.
    package var jitterPercent = 10
    /// First pause after a 429 or repeated 5xx of GitLab; doubles with each further one.
    package var backoffInitial: Duration = .seconds(30)
    /// Longest pause the backoff reaches by itself; a longer `Retry-After` is honoured all the same.
    package var backoffMaximum: Duration = .minutes(10)
    /// Time between two probes of a GitLab that does not answer at all.
    package var outageProbeInterval: Duration = .seconds(60)
    /// Requests one person's polling may send to GitLab in an hour; beyond it polls stretch.
    package var requestsPerHour = 6_000
    /// Requests that go to one GitLab in a second, over all its people; beyond it they wait, what nothing points to longest.
    package var gitlabRequestsPerSecond = 20
    /// Requests to one GitLab that are under way at the same time, over all its people.
    package var gitlabConcurrency = 20
    /// Items of one person that are read from GitLab at the same time.
    package var itemConcurrency = 5
    /// Rows asked of GitLab per page; GitLab allows 100 (GitLab facts §2).
    package var perPage = 100
    /// How far behind the newest row already seen a scan still looks for late ones.
    package var overlap: Duration = .minutes(5)
    /// Time between two complete reads of an item, which find rows that came in backdated.
    package var reconcileEvery: Duration = .hours(1)
    /// Time between two looks at the list of approvals of a merge request, which finds approvals without a system note.
    package var approvalsEvery: Duration = .minutes(15)
    /// Kinds of activity on watched items that are told to people who have chosen nothing, by name, separated by spaces:
    /// comments, approvals, pushes, states, assignees, reviewers, labels, milestones, pipelines.
    package var activities = "comments approvals pushes states"
    /// How long GitLab may take for one answer.
    package var requestTimeout: Duration = .seconds(30)
    /// How long GitLab must have failed before the person is notified.
    package var troubleAfter: Duration = .minutes(15)

    /// How many days before their token expires a person is warned; a second warning follows a day before.
    package var tokenWarningDays = 7

    /// Polls out of turn that webhooks may cause for one person in a minute; 0 leaves webhooks without effect.
    package var webhookPollsPerMinute = 10

    /// Whether people are told again, twice at most, that somebody waits for their review, their approval or their answer.
    package var remindersEnabled = true
    /// When they are told again, once or twice, each counted from when the first of their devices had the first notification; rising.
    package var reminderDelays: [Duration] = [.minutes(15), .hours(1)]
    /// Whether people are reminded of the day by which something is due that they watch and are assigned to, and once more when it is over.
    /// Dates are read with `changeDetection` `sweep` alone.
    package var dueRemindersEnabled = true
    /// How long before that day begins, by the clock of the person's zone, who has chosen nothing is reminded: 15 h is nine in the morning of
    /// the day before. What is overdue is told at the same time of day.
    package var dueLeadTime: Duration = .hours(15)

    // MARK: Delivery

    /// Whether anything is pushed. Without pushes everything is made and kept all the same, and apps ask for it; nothing waits for a push,
    /// so that switching it on again sends nobody what they have seen.
    package var pushEnabled = true
    /// Attempts after which APNs' refusal of a device token that the app has registered since ends a delivery. What may pass (5xx, 429,
    /// no answer, no connection) ends no delivery before the news expires.
    package var deliveryAttempts = 5
    /// Pauses after the first, second, … attempt whose outcome is unknown or that was refused for now; the last one repeats until
    /// the news expires.
    package var retryDelays: [Duration] = [.seconds(2), .seconds(10), .seconds(30), .minutes(2), .minutes(5)]
    /// Pauses after the first, second, … 429 in a row for one device; the last one repeats. A longer `Retry-After` is honoured.
    package var throttleDelays: [Duration] = [.minutes(1), .minutes(5), .minutes(15), .hours(1)]
    /// Pauses between two probes of an APNs that is down; the last one repeats. Also the first ones while every push is refused for the
    /// way the server is configured.
    package var probeDelays: [Duration] = [.seconds(5), .seconds(10), .seconds(20), .seconds(40), .seconds(60)]
    /// Pause between two later probes while every push is refused for the way the server is configured.
    package var configurationProbeInterval: Duration = .minutes(5)
    /// How long a claimed delivery belongs to its worker; at least twice `sendTimeout`.
    package var leaseDuration: Duration = .seconds(60)
    /// How long APNs may take for one answer; afterwards its outcome is unknown.
    package var sendTimeout: Duration = .seconds(15)
    /// Pushes under way at the same time, per environment.
    package var deliveryConcurrency = 20
    /// How long news is useful: the push's expiration, and the end of every retry.
    package var expiration: Duration = .hours(24)
    /// The app's bundle id, which APNs calls the topic.
    package var apnsTopic = "com.example.gitlab-notifier"
    /// Which of Apple's services a device token belongs to when its registration does not say: `production` or `sandbox`, the latter,
    /// also called `development`, for apps that Xcode installed.
    package var apnsEnvironment = PushEnvironment.production
    /// Where devices with production tokens are reached.
    package var productionAPNs = HTTPOrigin(scheme: "https", host: "api.push.apple.com")
    /// Where devices with sandbox tokens are reached.
    package var sandboxAPNs = HTTPOrigin(scheme: "https", host: "api.sandbox.push.apple.com")
    /// How long notifications stay in the history after they were made.
    package var retention: Duration = .days(30)
    /// How long is remembered what was notified, and which to-dos were seen after GitLab stopped listing them.
    package var dedupeRetention: Duration = .days(90)
    /// How long deletions, and when something was chosen, are kept for devices that were away; one that was longer begins anew.
    package var syncRetention: Duration = .days(90)

    /// Least time between two silent pushes to one device, which let it fetch what was changed on another one; Apple's systems take two or
    /// three an hour (APNs facts §9).
    package var silentPushInterval: Duration = .minutes(30)

    // MARK: REST API

    /// How long a session token of the REST API is valid.
    package var tokenLifetime: Duration = .days(7)
    /// How long after its last refresh a session can be refreshed; at least `tokenLifetime`.
    package var refreshTokenLifetime: Duration = .days(60)
    /// Requests to the REST API that one network address may send in a minute, all of them at once at most; health is not counted.
    package var requestsPerMinute = 100
    /// Signals that one program may send a person in a minute, all of them at once at most; repeated ones count.
    package var signalsPerMinute = 30
    /// Longest request body in bytes; longer ones are refused with 413.
    package var requestBodyLimitBytes = 262_144
    /// Longest path and query in bytes; longer ones are refused with 414.
    package var requestTargetLimitBytes = 4_096
    /// Longest sum of header names and values in bytes; more is refused with 431.
    package var requestHeaderLimitBytes = 16_384
    /// Items one person may watch.
    package var watchLimit = 1_000
    /// Devices one person may have.
    package var deviceLimit = 20
    /// Whether metrics tell people apart by a label `user_id`: one series per person for most of them.
    package var metricsByUser = false
    /// How long a stopping server waits for pushes under way.
    package var shutdownTimeout: Duration = .seconds(20)

    /// The defaults.
    package init() {}
}
