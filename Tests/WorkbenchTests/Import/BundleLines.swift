@testable import Workbench

/// A bundle by hand, which each test changes.
enum BundleLines {
    static let start: Int64 = 1_772_434_800_000_000

    static func at(_ minutes: Int64, _ seconds: Int64 = 0) -> Int64 { start + (minutes * 60 + seconds) * 1_000_000 }

    /// Two people who watch one item; nothing has happened in three hours.
    static let base = [
        #"{"kind":"incident","at":\#(at(180)),"settings":{"notifier":{"backoffMaximum":"3m","intervalSmall":"1m"}}}"#,
        #"{"kind":"account","id":1,"state":"active","createdAt":\#(at(0)),"gitlabMajor":17,"gitlabMinor":10}"#,
        #"{"kind":"account","id":2,"state":"active","createdAt":\#(at(0)),"gitlabMajor":17,"gitlabMinor":10}"#,
        device(1, account: 1), device(2, account: 2), #"{"kind":"item","item":1,"project":1,"of":"merge_request"}"#,
        #"{"kind":"watch","account":1,"item":1,"createdAt":\#(at(0, 5))}"#,
        #"{"kind":"watch","account":2,"item":1,"createdAt":\#(at(0, 5))}"#,
        #"{"kind":"process","what":"start","at":\#(at(0))}"#,
    ]

    static func device(_ id: Int64, account: Int64, state: String = "active", registered: Int64 = 0, changed: Int64 = 0)
        -> String
    {
        #"{"kind":"device","id":\#(id),"account":\#(account),"environment":"production","platform":"ios","state":"\#(state)","#
            + #""registeredAt":\#(at(registered, 3)),"stateChangedAt":\#(at(changed, 3))}"#
    }

    /// A minute of GitLab's answers.
    static func minute(_ minute: Int64, _ answers: [(status: Int64, count: Int64)], wait: Int64? = nil) -> String {
        let texts = answers.map {
            #"{"status":\#($0.status),"count":\#($0.count),"first":\#(at(minute, 5)),"last":\#(at(minute, 45))}"#
        }
        let limit = wait.map { #","waitAt":\#(at(minute, 30)),"retryAfter":\#($0)"# } ?? ""
        return
            #"{"kind":"traffic","at":\#(at(minute)),"service":"gitlab","answers":[\#(texts.joined(separator: ","))],"#
            + #""lengths":[0,0,0,0,0,0,50,50]\#(limit)}"#
    }

    /// That the account was told of a fact, or knew it without being told.
    static func fact(
        _ number: Int64,
        account: Int64,
        at minute: Int64,
        of source: String = "note",
        notification: Int64?
    ) -> String {
        #"{"kind":"fact","fact":\#(number),"account":\#(account),"of":"\#(source)","notification":\#(notification.map(String.init) ?? "null"),"#
            + #""item":\#(notification == nil ? "null" : "1"),"happenedAt":\#(at(minute)),"noticedAt":\#(at(minute, 20))}"#
    }

    /// That a server which keeps why did not tell the account of a fact on item 1.
    static func silenced(_ number: Int64, account: Int64, at minute: Int64, for reason: String?) -> String {
        #"{"kind":"fact","fact":\#(number),"account":\#(account),"of":"note","notification":null,"item":1,"#
            + #""silenced":\#(reason.map { "\"\($0)\"" } ?? "null"),"isHeld":0,"#
            + #""happenedAt":\#(at(minute)),"noticedAt":\#(at(minute, 20))}"#
    }

    static func notification(
        _ id: Int64,
        account: Int64,
        at minute: Int64,
        of kind: String = "activity",
        action: String
    ) -> String {
        #"{"kind":"notification","id":\#(id),"account":\#(account),"of":"\#(kind)","action":"\#(action)","item":1,"#
            + #""createdAt":\#(at(minute, 20))}"#
    }

    static func bundle(_ more: [String] = []) throws -> IncidentBundle {
        try IncidentBundle(bytes: Array((base + more).map { $0 + "\n" }.joined().utf8))
    }
}
