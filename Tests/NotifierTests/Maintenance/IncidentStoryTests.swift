import FoundationEssentials
import Platform
import Testing

@testable import Notifier
@testable import SQLite

/// What a report tells of who was told what, over a database in which everything that people and services write is personal.
struct IncidentStoryTests {
    private static let personal = [
        "secret", "maria", "tom", "Title", "Body", "Add retries", "team/backend", "gitlab.example", "deploy", "847",
        "5001",
        "Phone", "aa01", "Berlin", "noisy", "5003",
    ]

    private static func database() throws -> Database {
        let database = try FilledDatabase.make()
        try database.executeScript(
            """
            UPDATE accounts SET gitlab_version = '17.11.2-ee secret' WHERE id = 1;
            UPDATE accounts SET gitlab_version = 'secret' WHERE id = 2;
            UPDATE notifications SET action_type = 'secret' WHERE id = 5;
            UPDATE notifications SET fact_keys = 'note/42/5001 mention/42/5001 signal/1/secret"deploy' WHERE id = 1;
            DELETE FROM notified_facts;
            INSERT INTO notified_facts VALUES (1, 'note/42/5001', 299, 300, NULL), (1, 'mention/42/5001', 299, 300, NULL),
                (2, 'note/42/5001', 299, 310, 'ownAction'), (1, 'signal/1/secret"deploy', 299, 300, NULL),
                (1, 'todo/71', 298, 306, NULL);
            INSERT INTO account_settings VALUES (1, 'Europe/Berlin', 0, 0, 0, 0, 1, NULL, 'secret', 400);
            INSERT INTO quiet_windows VALUES (1, 1, 1320, 420);
            INSERT INTO denied_actors VALUES (1, 5001, 'secret', 'noisy', 410), (1, 9007199254740993, 'tom', NULL, 420);
            INSERT INTO choice_stamps VALUES (1, 'actor', '5001', 410, 'secret', NULL), (1, 'actor', '5003', 430, 'secret', NULL),
                (1, 'setting', 'quietHours', 390, 'secret', NULL), (1, 'setting', 'autoWatch', 400, 'secret', NULL),
                (1, 'setting', 'reminders', 395, 'secret', NULL);
            INSERT INTO duties VALUES (1, '00000000-0000-4000-8000-000000000001', 'secret', 1, NULL, NULL, 20514, 720, 'Europe/Berlin',
                7200, 'alternate', 1, 500, 500, 'secret', 0, '');
            INSERT INTO duty_members VALUES
                (1, '00000000-0000-4000-8000-000000000002', 1, 1, 'maria', 1, 500, NULL, 500, 'secret'),
                (2, '00000000-0000-4000-8000-000000000003', 1, NULL, 'tom', 2, 500, 600, 600, 'secret');
            INSERT INTO duty_occurrences VALUES (1, 0, '00000000-0000-4000-8000-000000000004', 1772449200000000,
                '00000000-0000-4000-8000-000000000002', 'completed', 550, '00000000-0000-4000-8000-000000000005');
            INSERT INTO duty_events VALUES ('00000000-0000-4000-8000-000000000005', 1, 0, 'done',
                '00000000-0000-4000-8000-000000000002', NULL, 550, 'secret');
            INSERT INTO duty_mutes VALUES (1, 1, 900, 560, 'secret');
            INSERT INTO item_choices VALUES (1, 42, 'issue', 234, 'watched', 'secret', 'team/backend', NULL, 160, 'secret');
            """
        )
        return database
    }

    private struct Fact: Decodable, Equatable {
        var fact: Int
        var account: Int
        var of: String
        var notification: Int?
        var item: Int?
        var silenced: String?
        var noticedAt: Int
    }

    private static func lines(of database: Database) throws -> [String] {
        try IncidentRecord.lines(of: database, zones: FixedZones(), at: deliveryStart)
    }

    private static func lines<Line: Decodable>(_ kind: String, _ type: Line.Type, in lines: [String]) throws -> [Line] {
        try lines.filter { $0.hasPrefix(#"{"kind":"\#(kind)""#) }.map {
            try JSONDecoder().decode(type, from: Data($0.utf8))
        }
    }

    @Test func `no name, title, text, address, number of GitLab's or word of others stands in it`() throws {
        let lines = try Self.lines(of: Self.database())
        #expect(lines.count > 30)
        for line in lines {
            for word in Self.personal { #expect(!line.contains(word), "\(word) in \(line)") }
        }
    }

    @Test func `who was told of a fact and who knew of it have one number for it`() throws {
        let facts = try Self.lines("fact", Fact.self, in: Self.lines(of: Self.database()))
        let notes = facts.filter { ["note", "mention"].contains($0.of) }
        #expect(notes.count == 3 && Set(notes.map(\.fact)).count == 1)
        #expect(notes.filter { $0.account == 1 }.allSatisfy { $0.notification == 1 && $0.item == 3 })
        #expect(notes.filter { $0.account == 2 }.allSatisfy { $0.notification == nil && $0.item == nil })
        #expect(facts.count { $0.of == "signal" && $0.notification == 1 } == 1)
    }

    @Test func `why somebody was not told of a fact stands beside it`() throws {
        let facts = try Self.lines("fact", Fact.self, in: Self.lines(of: Self.database()))
        #expect(facts.filter { $0.silenced != nil }.map { [$0.account, $0.noticedAt] } == [[2, 310]])
    }

    @Test func `what a person wants to hear, and since when, stands there without names`() throws {
        struct Preferences: Decodable, Equatable {
            struct Window: Decodable, Equatable {
                var weekday: Int
                var from: Int
                var until: Int
            }
            var account: Int
            var quiet: [Window]
            var quietChangedAt: Int
            var reminders: Int
            var remindersChangedAt: Int
        }
        struct Denied: Decodable, Equatable {
            var actor: Int
            var person: Int?
            var isDenied: Int
            var changedAt: Int
        }
        struct Clock: Decodable, Equatable {
            var account: Int?
            var minutesAhead: [Int]
        }
        let lines = try Self.lines(of: Self.database())
        let window = Preferences.Window(weekday: 1, from: 1_320, until: 420)
        #expect(
            try Self.lines("preferences", Preferences.self, in: lines) == [
                Preferences(account: 1, quiet: [window], quietChangedAt: 390, reminders: 0, remindersChangedAt: 395)
            ]
        )
        #expect(
            try Self.lines("denied", Denied.self, in: lines) == [
                Denied(actor: 2, isDenied: 0, changedAt: 430), Denied(actor: 3, person: 2, isDenied: 1, changedAt: 420),
                Denied(actor: 1, isDenied: 1, changedAt: 410),
            ]
        )
        let clock = Clock(account: 1, minutesAhead: Array(repeating: 60, count: 14))
        #expect(try Self.lines("clock", Clock.self, in: lines).filter { $0.account != nil } == [clock])
    }

    @Test func `kinds of news and other choices stand there by this program's words, and since when`() throws {
        struct Preferences: Decodable, Equatable {
            var autoWatch: Int
            var autoWatchChangedAt: Int?
            var mirrorsSubscriptions: Int
            var mirrorChangedAt: Int?
            var kinds: [String]?
            var kindsChangedAt: Int?
        }
        let database = try Self.database()
        func preferences() throws -> [Preferences] {
            try Self.lines("preferences", Preferences.self, in: Self.lines(of: database))
        }
        let standard = Preferences(autoWatch: 0, autoWatchChangedAt: 400, mirrorsSubscriptions: 0)
        var none = standard
        none.kinds = []
        #expect(try preferences() == [none])
        try database.executeScript(
            """
            UPDATE account_settings SET activity_kinds = 'pushes secret comments', mirror_subscriptions = 1;
            INSERT INTO choice_stamps VALUES (1, 'setting', 'kinds', 440, 'secret', NULL),
                (1, 'setting', 'mirrorSubscriptions', 450, 'secret', NULL);
            """
        )
        var chosen = Preferences(autoWatch: 0, autoWatchChangedAt: 400, mirrorsSubscriptions: 1, mirrorChangedAt: 450)
        (chosen.kinds, chosen.kindsChangedAt) = (["pushes", "comments"], 440)
        #expect(try preferences() == [chosen])
        try database.executeScript(
            "UPDATE account_settings SET activity_kinds = NULL, mirror_subscriptions = 0; DELETE FROM choice_stamps WHERE changed_at > 430;"
        )
        #expect(try preferences() == [standard])
    }

    @Test func `what a program said, and how an ask of it ended, stands there by numbers`() throws {
        let database = try Self.database()
        try database.executeScript(
            """
            INSERT INTO notified_facts VALUES (1, 'signal/1839201123/approval_needed/deploy', 310, 310, NULL),
                (1, 'signal/1839201123/settled/deploy', 330, 330, NULL), (1, 'signal/1839201123/run_failed/a/b', 331, 331, 'muted');
            UPDATE asks SET settled_at = 330, settled_by = 'program' WHERE id = 1;
            """
        )
        let lines = try Self.lines(of: database).filter { $0.hasPrefix(#"{"kind":"signal""#) }
        let start = #"{"kind":"signal","account":1,"program":"#
        #expect(
            lines == [
                start
                    + #"1,"of":"other","name":1,"run":null,"at":299,"silenced":null,"settledAt":null,"settledBy":null,"#
                    + #""mutedUntil":null}"#,
                start + #"2,"of":"approval_needed","name":3,"run":3,"at":310,"silenced":null,"settledAt":330,"#
                    + #""settledBy":"program","mutedUntil":940}"#,
                start
                    + #"2,"of":"settled","name":3,"run":null,"at":330,"silenced":null,"settledAt":null,"settledBy":null,"#
                    + #""mutedUntil":940}"#,
                start + #"2,"of":"run_failed","name":2,"run":null,"at":331,"silenced":"muted","settledAt":null,"#
                    + #""settledBy":null,"mutedUntil":940}"#,
            ]
        )
    }

    @Test func `the day by which an item is due for a person stands beside their watch`() throws {
        let database = try Self.database()
        try database.executeScript("INSERT INTO due_dates VALUES (2, '2026-03-30', 900, NULL, 0);")
        let watches = try Self.lines(of: database).filter { $0.hasPrefix(#"{"kind":"watch""#) }
        #expect(watches.map { $0.contains(#""dueOn":"2026-03-30""#) } == [true, false])
    }

    @Test func `when an earlier watch of an item ended stands beside the one that stands`() throws {
        let database = try Self.database()
        try database.executeScript(
            "INSERT INTO choice_stamps VALUES (1, 'end', '42/merge_request/847', 120, 'secret', NULL), (2, 'end', '42/issue/234', 130, '', NULL);"
        )
        let watches = try Self.lines(of: database).filter { $0.hasPrefix(#"{"kind":"watch""#) }
        #expect(watches.map { $0.contains(#""endedAt":null}"#) } == [true, false])
        #expect(
            watches.map { $0.contains(#""item":3,"origin":"manual"#) && $0.contains(#""endedAt":120}"#) } == [
                false, true,
            ]
        )
    }

    @Test func `how it ended that somebody waited for a person stands there, by the item's number`() throws {
        let database = try Self.database()
        try database.executeScript(
            """
            INSERT INTO asks VALUES (2, 'ask-2', 1, 'todo/71', 'review_requested', 42, 'issue', 900, 71, 5, NULL, 'Title', 'Add retries',
                'team/backend', NULL, 'secret', NULL, 298, 306, 307, NULL, 320, 'done');
            """
        )
        let lines = try Self.lines(of: database).filter { $0.hasPrefix(#"{"kind":"ask""#) }
        // What a program asked is on no item.
        #expect(
            lines == [
                #"{"kind":"ask","account":1,"item":2,"of":"review_requested","raisedAt":306,"toldAt":307,"settledAt":320,"#
                    + #""settledBy":"done"}"#
            ]
        )
    }

    @Test func `what a device said of a push stands there, and that APNs held it back`() throws {
        let database = try Self.database()
        try database.executeScript("INSERT INTO receipts VALUES (1, 1, 1, 315, 320), (2, 5, NULL, 330, NULL);")
        let lines = try Self.lines(of: database)
        let receipts = lines.filter { $0.hasPrefix(#"{"kind":"receipt""#) }
        #expect(
            receipts == [
                #"{"kind":"receipt","notification":5,"device":null,"deliveredAt":330,"openedAt":null}"#,
                #"{"kind":"receipt","notification":1,"device":1,"deliveredAt":315,"openedAt":320}"#,
            ]
        )
        let devices = lines.filter { $0.hasPrefix(#"{"kind":"device""#) }
        #expect(devices.map { $0.contains(#""throttledAt":125}"#) } == [false, true, false])
    }

    @Test func `whose turn it was, and what was said of it, stands there without titles, names and notes`() throws {
        let lines = try Self.lines(of: Self.database()).filter { $0.contains("duty") && !$0.contains(#""name""#) }
        let hour = Array(repeating: "60", count: 14).joined(separator: ",")
        #expect(
            Set(lines) == [
                #"{"kind":"duty","duty":1,"everyDays":1,"weekdays":null,"everyWeeks":null,"startDay":20514,"dueMinute":720,"#
                    + #""leadSeconds":7200,"mode":"alternate","escalates":1,"createdAt":500}"#,
                #"{"kind":"duty_member","duty":1,"member":1,"account":1,"position":1,"joinedAt":500,"leftAt":null}"#,
                #"{"kind":"duty_member","duty":1,"member":2,"account":null,"position":2,"joinedAt":500,"leftAt":600}"#,
                #"{"kind":"duty_event","duty":1,"turn":0,"of":"done","by":1,"to":null,"happenedAt":550}"#,
                #"{"kind":"duty_turn","duty":1,"turn":0,"dueAt":1772449200000000,"member":1}"#,
                #"{"kind":"duty_mute","account":1,"duty":1,"mutedUntil":900,"changedAt":560}"#,
                #"{"kind":"clock","duty":1,"minutesAhead":[\#(hour)]}"#,
            ]
        )
    }

    @Test func `of GitLab's release there are numbers`() throws {
        struct Account: Decodable, Equatable {
            var id: Int
            var gitlabMajor: Int
            var gitlabMinor: Int
            var isEnterprise: Int
        }
        let accounts = try Self.lines("account", Account.self, in: Self.lines(of: Self.database()))
        #expect(accounts.contains(Account(id: 1, gitlabMajor: 17, gitlabMinor: 11, isEnterprise: 1)))
        #expect(accounts.contains(Account(id: 2, gitlabMajor: 0, gitlabMinor: 0, isEnterprise: 0)))
    }

    @Test func `what a person missed stands there by numbers`() throws {
        let report = try #require(MissedReport("@Maria,Team/backend!847,2026-03-02T14:10:00Z"))
        #expect(
            try report.line(in: Self.database())
                == #"{"kind":"report","account":1,"item":3,"at":1772460600000000}"#
        )
    }

    @Test(arguments: [
        "@nobody,team/backend!847,", "@maria,team/other!847,", "@maria,team/backend!1,", "@maria,team/backend#847,",
    ])
    func `nothing stands there of what the server does not know`(start: String) throws {
        let report = try #require(MissedReport(start + "2026-03-02T14:10:00Z"))
        #expect(try report.line(in: Self.database()) == nil)
    }

    @Test(arguments: [
        "", "maria", "@maria", "@maria,team/x!1", "maria,team/x!1,2026-03-02T14:10:00Z",
        "@,team/x!1,2026-03-02T14:10:00Z",
        "@maria,!1,2026-03-02T14:10:00Z", "@maria,team/x!0,2026-03-02T14:10:00Z", "@maria,team/x!1,14:10",
    ])
    func `what is no person, item and instant is refused`(text: String) { #expect(MissedReport(text) == nil) }
}
