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

    private struct Response: Encodable {
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
    }

    private struct Request: Decodable {
        var timeZone: String?
        var quietHours: [QuietHoursText]?
        var urgentBypass: Bool?
        var autoWatch: Bool?
        var mirrorSubscriptions: Bool?
        var reminders: Bool?
        var dueReminders: Bool?
        var dueLeadHours: Int?
        var kinds: [String]?
    }

    private func getSettings(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        return try answer(try await context.store.read { try $0.settings(of: account.id) })
    }

    /// What the request does not name stays as it was. News that was held and need not be held any longer is told at once.
    private func putSettings(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let request = try call.request.decodeBody(Request.self)
        let windows = try request.quietHours.map { try QuietHoursText.windows($0) }
        if let zone = request.timeZone, TimeZone(zone, from: context.zones) == nil {
            throw APIError.invalidField("timeZone", expected: "a zone of the tz database such as \"Europe/Berlin\"")
        }
        if let hours = request.dueLeadHours, !Self.leadHours.contains(hours) {
            throw APIError.invalidField("dueLeadHours", expected: "a number from 0 to \(Self.leadHours.upperBound)")
        }
        let kinds = try request.kinds.map { try Self.kinds($0) }
        let now = context.time.wallNow
        let (zones, leadTime) = (context.zones, context.configuration.dueLeadTime)
        let settings = try await context.store.transaction { store in
            var settings = try store.settings(of: account.id)
            settings.timeZone = request.timeZone ?? settings.timeZone
            settings.quietWindows = windows ?? settings.quietWindows
            settings.isUrgentBypassOn = request.urgentBypass ?? settings.isUrgentBypassOn
            settings.isAutoWatchOn = request.autoWatch ?? settings.isAutoWatchOn
            settings.isMirroringOn = request.mirrorSubscriptions ?? settings.isMirroringOn
            settings.areRemindersOn = request.reminders ?? settings.areRemindersOn
            settings.areDueRemindersOn = request.dueReminders ?? settings.areDueRemindersOn
            settings.dueLeadHours = request.dueLeadHours ?? settings.dueLeadHours
            settings.activityKinds = kinds ?? settings.activityKinds
            guard try store.account(account.id) != nil else { throw APIError.sessionInvalid }
            try store.setSettings(settings, of: account.id, at: now)
            let policy = settings.dueDatePolicy(zones, leadTime: leadTime)
            try store.replanDueDates(of: account.id, by: policy, at: now)
            return settings
        }
        context.digestSignal.send()
        if kinds != nil { context.polling.accountChanged(account.id) }
        context.log.write(.settingsChanged, [("account.id", .number(account.id.rawValue))])
        return try answer(settings)
    }

    /// Lead times that a person may choose.
    private static let leadHours = 0...336

    /// Sorted, each once.
    private static func kinds(_ names: [String]) throws(APIError) -> [String] {
        let known = ActivityKind.allCases.map(\.rawValue)
        guard names.count <= known.count, names.allSatisfy(known.contains) else {
            throw .invalidField("kinds", expected: "some of \(known.joined(separator: ", "))")
        }
        return Set(names).sorted()
    }

    private func answer(_ settings: PersonSettings) throws -> HTTPResponse {
        let quietUntil = settings.quietHours(context.zones)?.end(at: context.time.wallNow)
        let answer = Response(
            timeZone: settings.timeZone,
            quietHours: QuietHoursText.texts(settings.quietWindows),
            urgentBypass: settings.isUrgentBypassOn,
            autoWatch: settings.isAutoWatchOn,
            mirrorSubscriptions: settings.isMirroringOn,
            reminders: settings.areRemindersOn,
            dueReminders: settings.areDueRemindersOn,
            dueLeadHours: settings.dueLeadHours ?? Int(context.configuration.dueLeadTime.components.seconds / 3_600),
            kinds: settings.activityKinds ?? context.configuration.activitySet.map(\.rawValue).sorted(),
            quietUntil: quietUntil.map(ISO8601.text)
        )
        return try .json(200, answer)
    }
}

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

    private static func properties(isRequired: Bool) -> [APISchema.Property] {
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

    private static let settings = APISchema.object(
        properties(isRequired: true) + [
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
        body: .object(properties(isRequired: false)),
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
