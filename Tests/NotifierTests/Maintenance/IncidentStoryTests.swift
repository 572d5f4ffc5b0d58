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
        "Phone", "aa01",
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
            INSERT INTO notified_facts VALUES (1, 'note/42/5001', 299, 300), (1, 'mention/42/5001', 299, 300),
                (2, 'note/42/5001', 299, 310), (1, 'signal/1/secret"deploy', 299, 300), (1, 'todo/71', 298, 306);
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
        var noticedAt: Int
    }

    private static func lines<Line: Decodable>(_ kind: String, _ type: Line.Type, in lines: [String]) throws -> [Line] {
        try lines.filter { $0.hasPrefix(#"{"kind":"\#(kind)""#) }.map {
            try JSONDecoder().decode(type, from: Data($0.utf8))
        }
    }

    @Test func `no name, title, text, address, number of GitLab's or word of others stands in it`() throws {
        let lines = try IncidentRecord.lines(of: Self.database())
        #expect(lines.count > 30)
        for line in lines {
            for word in Self.personal { #expect(!line.contains(word), "\(word) in \(line)") }
        }
    }

    @Test func `who was told of a fact and who knew of it have one number for it`() throws {
        let facts = try Self.lines("fact", Fact.self, in: IncidentRecord.lines(of: Self.database()))
        let notes = facts.filter { ["note", "mention"].contains($0.of) }
        #expect(notes.count == 3 && Set(notes.map(\.fact)).count == 1)
        #expect(notes.filter { $0.account == 1 }.allSatisfy { $0.notification == 1 && $0.item == 3 })
        #expect(notes.filter { $0.account == 2 }.allSatisfy { $0.notification == nil && $0.item == nil })
        #expect(facts.count { $0.of == "other" && $0.notification == 1 } == 1)
    }

    @Test func `of GitLab's release there are numbers`() throws {
        struct Account: Decodable, Equatable {
            var id: Int
            var gitlabMajor: Int
            var gitlabMinor: Int
            var isEnterprise: Int
        }
        let accounts = try Self.lines("account", Account.self, in: IncidentRecord.lines(of: Self.database()))
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
