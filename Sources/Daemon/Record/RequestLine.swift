import HTTP
import Platform

/// What the record says of one request that the server sent: never a host, a token, a name or a text.
struct RequestLine {
    enum Service: String {
        case gitlab, apns
    }

    /// Parts of the paths that the notifier asks for. Of other parts only numbers are told: a path may hold names and tokens.
    private static let words: Set<Substring> = [
        "3", "api", "approvals", "authorize_device", "device", "events", "issues", "merge_requests", "metadata",
        "notes", "oauth", "personal_access_tokens", "pipelines", "projects", "resource_label_events",
        "resource_milestone_events", "resource_state_events", "self", "todos", "token", "user", "v4", "version",
    ]
    private static let idLimit = 64

    var at: WallTime
    var service: Service
    var request: HTTPRequest
    var outcome: HTTPOutcome
    /// From handing it to the client until its outcome, its wait for a free connection included.
    var length: Duration

    /// One line of JSON. Every text in it is a word of ours, a number, or letters and digits.
    var json: String {
        var members = [
            #""kind":"request""#, #""at":\#(at.microseconds)"#, #""service":"\#(service.rawValue)""#,
            #""method":"\#(request.method.rawValue)""#, #""route":"\#(route)""#,
        ]
        if let page = number(after: "page") { members.append(#""page":\#(page)"#) }
        members.append(#""ms":\#(length.wholeMilliseconds)"#)
        switch outcome {
        case .response(let response): members += Self.members(of: response)
        case .notSent(let failure): members += [#""failure":"\#(failure.rawValue)""#, #""sent":"no""#]
        case .unknown(let failure): members += [#""failure":"\#(failure.rawValue)""#, #""sent":"perhaps""#]
        }
        return "{\(members.joined(separator: ","))}"
    }

    private var route: String {
        let path = request.target.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/").map { Self.words.contains($0) || Self.isNumber($0) ? $0 : "*" }
        return "/" + parts.joined(separator: "/")
    }

    private func number(after name: String) -> Substring? {
        guard let query = request.target.firstIndex(of: "?") else { return nil }
        let pairs = request.target[query...].dropFirst().split(separator: "&")
        let value = pairs.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1)
        return value.flatMap { Self.isNumber($0) ? $0 : nil }
    }

    /// The status, what the server calls the request in its own log (GitLab facts §1, APNs facts §5), and what it says of its limits.
    private static func members(of response: HTTPResponse) -> [String] {
        var members = [#""status":\#(response.status)"#]
        if let id = response.fields["X-Request-Id"] ?? response.fields["apns-id"], isID(id) {
            members.append(#""id":"\#(id)""#)
        }
        for (name, key) in [("RateLimit-Remaining", "left"), ("Retry-After", "retryAfter")] {
            guard let value = response.fields[name], isNumber(value[...]) else { continue }
            members.append(#""\#(key)":\#(value)"#)
        }
        return members
    }

    /// No longer than a number of GitLab's is, and one that JSON takes.
    private static func isNumber(_ text: Substring) -> Bool {
        (1...18).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (text == "0" || text.first != "0")
    }

    private static func isID(_ text: String) -> Bool {
        (1...idLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            }
    }
}
