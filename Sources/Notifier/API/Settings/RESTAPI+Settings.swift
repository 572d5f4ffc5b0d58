import Configuration
import HTTP
import JSON
import Platform

/// `GET`, `PUT /settings`: when and of what a person wants to be notified.
extension RESTAPI {
    static let settingsRoutes = [
        APIRoute(.get, "/settings", .getSettings) { try await $0.getSettings($1) },
        APIRoute(.put, "/settings", .putSettings) { try await $0.putSettings($1) },
    ]

    /// Settings as the API shows them.
    struct SettingsEntry: Encodable {
        var timeZone: String
        var quietHours: [QuietHoursText]
        var urgentBypass: Bool
        var autoWatch: Bool
        var mirrorSubscriptions: Bool
        var reminders: Bool
        var dueReminders: Bool
        var dueLeadHours: Int
        var kinds: [String]
        /// When the present quiet hours end; absent when it is not quiet now.
        var quietUntil: String?

        init(_ settings: PersonSettings, _ context: APIContext) {
            timeZone = settings.timeZone
            quietHours = QuietHoursText.texts(settings.quietWindows)
            urgentBypass = settings.isUrgentBypassOn
            autoWatch = settings.isAutoWatchOn
            mirrorSubscriptions = settings.isMirroringOn
            reminders = settings.areRemindersOn
            dueReminders = settings.areDueRemindersOn
            dueLeadHours =
                settings.dueLeadHours ?? Int(context.configuration.dueLeadTime.components.seconds / 3_600)
            kinds = settings.activityKinds ?? context.configuration.activitySet.map(\.rawValue).sorted()
            quietUntil = settings.quietHours(context.zones)?.end(at: context.time.wallNow).map(ISO8601.text)
        }
    }

    /// Settings that are to be changed; what is absent stays as it was.
    struct SettingsRequest: Decodable {
        var timeZone: String?
        var quietHours: [QuietHoursText]?
        var urgentBypass: Bool?
        var autoWatch: Bool?
        var mirrorSubscriptions: Bool?
        var reminders: Bool?
        var dueReminders: Bool?
        var dueLeadHours: WholeNumber?
        var kinds: [String]?
        var changedAt: String?

        /// The change that is meant.
        ///
        /// - Throws: `APIError.invalidField`.
        func patch(_ zones: any TimeZoneSource) throws(APIError) -> SettingsPatch {
            if let timeZone, TimeZone(timeZone, from: zones) == nil {
                throw .invalidField("timeZone", expected: "a zone of the tz database such as \"Europe/Berlin\"")
            }
            if let dueLeadHours, !leadHours.contains(Int(clamping: dueLeadHours.value)) {
                throw .invalidField("dueLeadHours", expected: "a number from 0 to \(leadHours.upperBound)")
            }
            var patch = SettingsPatch()
            patch.timeZone = timeZone
            if let quietHours { patch.quietWindows = try QuietHoursText.windows(quietHours) }
            patch.isUrgentBypassOn = urgentBypass
            patch.isAutoWatchOn = autoWatch
            patch.isMirroringOn = mirrorSubscriptions
            patch.areRemindersOn = reminders
            patch.areDueRemindersOn = dueReminders
            patch.dueLeadHours = dueLeadHours.map { Int(clamping: $0.value) }
            if let kinds { patch.activityKinds = try RESTAPI.kinds(kinds) }
            return patch
        }
    }

    private func getSettings(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        return try answer(try await context.store.read { try $0.settings(of: account.id) })
    }

    /// What the request does not name stays as it was. News that was held and need not be held any longer is told at once.
    private func putSettings(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let request = try call.request.decodeBody(SettingsRequest.self)
        let patch = try request.patch(context.zones)
        let now = context.time.wallNow
        let stamp = try call.stamp(ChangeTime.read(request.changedAt, at: now))
        let settings = try await choose(call.known) { [context] store in
            try Self.change(patch, of: account.id, stamp, at: now, context, in: store)
            return try store.settings(of: account.id)
        }
        context.digestSignal.send()
        if patch.activityKinds != nil { context.polling.accountChanged(account.id) }
        context.log.write(.settingsChanged, [("account.id", .number(account.id.rawValue))])
        return try answer(settings)
    }

    /// Changes settings, and plans anew what depends on them; returns the names of those of which a later choice stands.
    ///
    /// - Throws: `APIError.sessionInvalid` when the account is gone.
    @discardableResult
    static func change(
        _ patch: SettingsPatch,
        of account: AccountID,
        _ stamp: ChangeStamp,
        at now: WallTime,
        _ context: APIContext,
        in store: Store
    ) throws -> [String] {
        guard try store.account(account) != nil else { throw APIError.sessionInvalid }
        let standard = context.configuration.activitySet
        let former = try store.settings(of: account).activities(orElse: standard)
        let lost = try store.change(patch, of: account, stamp, at: now)
        let settings = try store.settings(of: account)
        let changed = former.symmetricDifference(settings.activities(orElse: standard))
        try store.forgetReadings(of: changed, by: account, at: now)
        let policy = settings.dueDatePolicy(context.zones, leadTime: context.configuration.dueLeadTime)
        try store.replanDueDates(of: account, by: policy, at: now)
        try store.replanReminders(of: account, quietUntil: settings.quietHours(context.zones)?.end(at: now), at: now)
        try store.lookAtDuties(of: account, at: now)
        return lost
    }

    /// Sorted, each once.
    fileprivate static func kinds(_ names: [String]) throws(APIError) -> [String] {
        let known = ActivityKind.allCases.map(\.rawValue)
        guard names.count <= known.count, names.allSatisfy(known.contains) else {
            throw .invalidField("kinds", expected: "some of \(known.joined(separator: ", "))")
        }
        return Set(names).sorted()
    }

    private func answer(_ settings: PersonSettings) throws -> HTTPResponse {
        try .json(200, SettingsEntry(settings, context))
    }

}

/// Lead times that a person may choose.
private let leadHours = 0...336

extension RouteDescription {
    private static let window = APISchema.object([
        .optional(
            "days",
            .list(.word(QuietHoursText.dayNames), count: 0...QuietHoursText.dayNames.count),
            "The days on which it begins, each once; every day without it."
        ),
        .required(
            "from",
            .matching("([01][0-9]|2[0-3]):[0-5][0-9]", length: 5...5),
            "A time of day such as `22:00`, by the clock of the person's zone."
        ),
        .required(
            "until",
            .matching("([01][0-9]|2[0-3]):[0-5][0-9]|24:00", length: 5...5),
            "The end, on the next day if not later than `from`, and another; `24:00` is midnight, and `00:00` is not."
        ),
    ])

    static func settingsProperties(isRequired: Bool) -> [APISchema.Property] {
        func property(_ name: String, _ schema: APISchema, _ summary: String) -> APISchema.Property {
            isRequired ? .required(name, schema, summary) : .optional(name, schema, summary)
        }
        return [
            property("timeZone", .text(1...TimeZone.nameLimitBytes), "A zone of the tz database: `Europe/Berlin`."),
            property("quietHours", .list(window, count: 0...QuietHoursText.mostEntries), "When to hold news back."),
            property(
                "urgentBypass",
                .boolean,
                "Whether mentions and review requests are notified in quiet hours, too."
            ),
            property("autoWatch", .boolean, "Whether an item is watched once the person is tagged there."),
            property(
                "kinds",
                .list(.word(kinds), count: 0...kinds.count),
                "Kinds of activity on watched items to notify."
            ),
            property(
                "mirrorSubscriptions",
                .boolean,
                "Whether watch list and GitLab's subscriptions follow each other."
            ),
            property("reminders", .boolean, "Whether the person is told again that somebody waits for them."),
            property(
                "dueReminders",
                .boolean,
                "Whether the person is reminded of what they have to have done by a day."
            ),
            property(
                "dueLeadHours",
                .number(0...336),
                "How many hours before that day begins by the clock of `timeZone`, in full hours."
            ),
        ]
    }

    private static let kinds = ActivityKind.allCases.map(\.rawValue)

    static let settings = APISchema.object(
        settingsProperties(isRequired: true) + [
            .optional("quietUntil", .instant, "When the present quiet hours end; absent when it is not quiet now.")
        ]
    )

    fileprivate static let getSettings = RouteDescription(
        "getSettings",
        "When and of what the person wants to be notified.",
        answers: [.json(200, "The settings.", settings)],
        examples: [
            Example(
                "defaults",
                "A person who changed nothing.",
                answer: [
                    "timeZone": "UTC", "quietHours": [], "urgentBypass": true, "autoWatch": false,
                    "mirrorSubscriptions": false, "reminders": true, "dueReminders": true, "dueLeadHours": 15,
                    "kinds": ["approvals", "comments", "pushes", "states"],
                ]
            )
        ]
    )

    fileprivate static let putSettings = RouteDescription(
        "putSettings",
        "Changes the settings that it names; news that need not be held any longer is sent at once.",
        body: .object(
            settingsProperties(isRequired: false) + [
                .optional(
                    "changedAt",
                    .instant,
                    "When the person chose it, if earlier than now: of each setting the last choice wins."
                )
            ]
        ),
        answers: [.json(200, "The settings as they are now.", settings)],
        examples: [
            Example(
                "nights",
                "A person who does not want to be disturbed at night, not even by mentions.",
                body: ["quietHours": [["from": "22:00", "until": "07:00"]], "urgentBypass": false],
                answer: [
                    "timeZone": "UTC",
                    "quietHours": [
                        [
                            "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "22:00",
                            "until": "07:00",
                        ]
                    ], "urgentBypass": false, "autoWatch": false, "mirrorSubscriptions": false, "reminders": true,
                    "dueReminders": true, "dueLeadHours": 15,
                    "kinds": ["approvals", "comments", "pushes", "states"],
                ]
            )
        ]
    )
}
