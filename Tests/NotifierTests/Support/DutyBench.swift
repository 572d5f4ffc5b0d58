import Configuration
import HTTP
import JSON
import Platform
import Testing

@testable import Notifier

/// A server on which Anna and Bert have accounts, at nine in the morning of 2 March 2026.
struct DutyBench {
    let server: ServerBench
    let anna: String
    let bert: String

    init(_ configuration: NotifierConfiguration = ServerBench.unhurried) throws {
        server = try ServerBench(configuration)
        anna = try server.register()
        bert = try server.register("glpat-bert")
    }

    /// The next process of a server, on what it left.
    init(_ configuration: NotifierConfiguration = ServerBench.unhurried, continuing former: DutyBench) throws {
        server = try ServerBench(configuration, continuing: former.server, secrets: former.server.secrets)
        server.world.advance(by: MonotonicInstant(nanoseconds: 0).duration(to: former.server.world.monotonicNow))
        (anna, bert) = (former.anna, former.bert)
    }

    /// Gives both a phone.
    func registerPhones() throws {
        _ = try server.registerDevice("aa11", anna)
        _ = try server.registerDevice("bb22", bert)
    }

    /// The titles of what somebody's phone was sent.
    func pushed(_ session: String) -> [String] {
        let token = session == anna ? "aa11" : "bb22"
        return server.apns.requests.filter { $0.target.hasSuffix(token) }.map { request in
            ContractBench.json(HTTPResponse(status: 200, body: request.body))?["aps"]?["alert"]?.text("title") ?? ""
        }
    }

    /// An answer, which must have that status.
    @discardableResult
    func call(
        _ method: HTTPMethod,
        _ target: String,
        _ body: String = "",
        as session: String,
        _ status: Int = 200
    ) throws -> JSONValue {
        let response = try server.call(method, target, body, session: session)
        #expect(response.status == status, "\(method.rawValue) \(target): \(response.status) \(response.bodyText)")
        return response.body.isEmpty ? .null : try #require(ContractBench.json(response))
    }

    /// The code of a refusal.
    func refusal(_ method: HTTPMethod, _ target: String, _ body: String = "", as session: String) throws -> String {
        let response = try server.call(method, target, body, session: session)
        #expect((400..<500).contains(response.status), "\(response.status) \(response.bodyText)")
        return response.text("code") ?? ""
    }

    /// A duty of every day at half past two in the afternoon, UTC, that Anna makes with people who have no account.
    func makeDuty(
        _ others: [String] = ["Carla"],
        title: String = "Triage",
        rhythm: String = #""everyDays": 1"#,
        extra: String = ""
    ) throws -> JSONValue {
        let members = others.map { #", {"name": "\#($0)"}"# }.joined()
        return try call(
            .post,
            "/duties",
            """
            {"title": "\(title)", \(rhythm), "startOn": "2026-03-02", "timeOfDay": "14:30", "timeZone": "UTC"\(extra), \
            "members": [{"name": "Anna", "isYou": true}\(members)]}
            """,
            as: anna,
            201
        )
    }

    /// Lets Bert take part in a duty of Anna's.
    @discardableResult
    func join(_ duty: JSONValue, name: String = "Bert") throws -> JSONValue {
        let code = try call(.post, "/duties/\(duty.text("dutyId"))/invitations", as: anna, 201).text("invitationCode")
        return try call(
            .post,
            "/duties/join",
            #"{"invitationCode": "\#(code)", "name": "\#(name)"}"#,
            as: bert,
            201
        )
    }

    /// A duty as one who takes part sees it.
    func read(_ duty: JSONValue, as session: String) throws -> JSONValue {
        try call(.get, "/duties/\(duty.text("dutyId"))", as: session)
    }

    /// What somebody says of one occurrence: `complete`, `skip` or `reassign`.
    func say(
        of duty: JSONValue,
        _ index: Int,
        _ act: String,
        _ body: String = "{}",
        as session: String
    ) throws {
        try call(.post, "/occurrences/\(Self.occurrence(duty, index))/\(act)", body, as: session)
    }

    /// Lets time pass up to an instant of the day, such as `12:30:00`, of 2 March 2026 or one of the next days.
    func wait(_ time: String, day: Int = 2) throws {
        let end = try #require(ISO8601.wallTime("2026-03-0\(day)T\(time)Z"))
        server.world.advance(by: server.world.wallNow.duration(to: end))
    }

    /// Whose the first occurrences are, by the members' names.
    static func turns(_ duty: JSONValue, _ count: Int) -> [String] {
        duty.list("occurrences").prefix(count).map { occurrence in
            let id = occurrence.text("assignee")
            return duty.list("members").first { $0.text("memberId") == id }?.text("name") ?? "nobody"
        }
    }

    static func occurrence(_ duty: JSONValue, _ index: Int) -> String {
        duty.list("occurrences")[index].text("occurrenceId")
    }

    static func member(_ duty: JSONValue, _ name: String) -> String {
        duty.list("members").first { $0.text("name") == name }?.text("memberId") ?? ""
    }
}
