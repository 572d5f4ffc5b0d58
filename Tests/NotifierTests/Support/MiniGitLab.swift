import HTTP
import Platform
import Synchronization

@testable import Notifier

/// Lists in pages, with entity tags, and any trouble a test asks for; a project's list of merge requests follows what happens to each.
/// Far from all of GitLab: see the fake for that.
final class MiniGitLab: HTTPClient {
    struct Row: Sendable {
        var id: Int64
        var json: String
        /// Hidden rows take their place on a page and are left out of it (GitLab facts §4).
        var isHidden = false
        /// Of an item in a list of items: its number, and when it was updated, as the list writes it.
        var item: (iid: Int64, updatedAt: String)?
        /// Of a note: what people wrote, which the item's row counts.
        var isComment = false
        /// Of a state event: the item's state from then on.
        var state: String?
    }

    struct Exchange: Sendable {
        var target: String
        var status: Int
        var isConditional: Bool
    }

    private struct State {
        var lists: [String: [Row]] = [:]
        var exchanges: [Exchange] = []
        var trouble: (@Sendable (HTTPRequest) -> HTTPOutcome?)?
        var afterAnswer: (@Sendable (HTTPRequest) async -> Void)?
        var date: String?
        /// When the item at a path was updated last, as its row writes it.
        var updates: [String: String] = [:]
        var updateCount: Int64 = 0
        var unlisted: Set<Int64> = []
    }

    private let state = Mutex(State())

    var exchanges: [Exchange] { state.withLock { $0.exchanges } }
    var targets: [String] { exchanges.map(\.target) }
    var count: Int { state.withLock { $0.exchanges.count } }

    func forgetExchanges() { state.withLock { $0.exchanges = [] } }

    /// The rows of the list at `path`, in the order of their ids.
    func set(_ rows: [Row], at path: String) {
        state.withLock { state in
            state.lists[path] = rows.sorted { $0.id < $1.id }
            Self.update(path, &state)
        }
    }

    func add(_ row: Row, at path: String) {
        state.withLock { state in
            state.lists[path] = ((state.lists[path] ?? []) + [row]).sorted { $0.id < $1.id }
            Self.update(path, &state)
        }
    }

    func hasList(_ path: String) -> Bool { state.withLock { $0.lists[path] != nil } }

    func remove(_ id: Int64, at path: String) {
        state.withLock { state in
            state.lists[path]?.removeAll { $0.id == id }
            Self.update(path, &state)
        }
    }

    /// Leaves the item out of the list of its project, as if the person could not see it.
    func unlist(_ iid: Int64, _ isUnlisted: Bool = true) {
        state.withLock { state in
            if isUnlisted { state.unlisted.insert(iid) } else { state.unlisted.remove(iid) }
        }
    }

    /// Answers instead of the lists wherever it gives an outcome.
    func trouble(_ trouble: (@Sendable (HTTPRequest) -> HTTPOutcome?)?) { state.withLock { $0.trouble = trouble } }

    /// Happens between one answer and the next request.
    func afterAnswer(_ action: (@Sendable (HTTPRequest) async -> Void)?) { state.withLock { $0.afterAnswer = action } }

    /// The server's clock, as the `Date` field writes it.
    func setDate(_ date: String?) { state.withLock { $0.date = date } }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        let (outcome, after) = state.withLock { state in
            let answer = state.trouble.flatMap { $0(request) } ?? .response(Self.answer(request, state))
            let outcome = Self.received(answer, options)
            var status = 0
            if case .response(let response) = outcome { status = response.status }
            let isConditional = request.fields["If-None-Match"] != nil
            state.exchanges.append(
                Exchange(target: request.target, status: status, isConditional: isConditional)
            )
            return (outcome, state.afterAnswer)
        }
        await after?(request)
        return outcome
    }

    /// What a client makes of an answer that it has no room for.
    private static func received(_ outcome: HTTPOutcome, _ options: HTTPSendOptions) -> HTTPOutcome {
        guard case .response(let response) = outcome else { return outcome }
        let bytes = response.body.count
        let isReceived = bytes <= options.responseLimitBytes && options.bodyMeter?.take(bytes) ?? true
        return isReceived ? outcome : .unknown(.responseTooLarge)
    }

    private static func answer(_ request: HTTPRequest, _ state: State) -> HTTPResponse {
        let path = String(request.path)
        if path == "/api/v4/user" { return makeJSON(200, #"{"id":7,"username":"alice","name":"Alice"}"#) }
        guard var rows = state.lists[path] ?? items(at: path, state) else {
            return makeJSON(404, #"{"message":"404 Not found"}"#)
        }
        if !path.hasSuffix("_events") { rows.reverse() }
        rows = rows.filter { isWanted($0, by: request) }
        let page = parameter("page", request) ?? 1
        let perPage = parameter("per_page", request) ?? 20
        let slice = rows.dropFirst((page - 1) * perPage).prefix(perPage)
        let body = "[" + slice.filter { !$0.isHidden }.map(\.json).joined(separator: ",") + "]"
        let next = page * perPage < rows.count ? "\(page + 1)" : ""
        let tag = "W/\"\(digest(body))\""
        var fields: HTTPFields = [
            "Content-Type": "application/json", "X-Total": "\(rows.count)", "X-Next-Page": next, "ETag": tag,
        ]
        if let date = state.date { fields.append("Date", date) }
        if request.fields["If-None-Match"] == tag {
            // Some proxies strip what a 304 does not need, so the notifier must not rely on it.
            return HTTPResponse(status: 304, fields: ["ETag": tag])
        }
        return HTTPResponse(status: 200, fields: fields, body: Array(body.utf8))
    }

    /// What happens to an item's lists moves the time in its row, but for pipelines, which leave no trace in it (GitLab facts §7.1,
    /// §11.3). GitLab does so once a minute at most; tests of that set the list of items themselves.
    private static func update(_ path: String, _ state: inout State) {
        guard let slash = path.lastIndex(of: "/"), !path.hasSuffix("/pipelines") else { return }
        state.updateCount += 1
        let now = state.date.flatMap(HTTPDate.wallTime) ?? WallTime(secondsSinceEpoch: 1_800_000_000)
        let time = now.advanced(by: .milliseconds(state.updateCount))
        state.updates[String(path[..<slash])] = ISO8601.text(time)
    }

    /// The list of a project's merge requests that have notes, unless a test has set one.
    private static func items(at path: String, _ state: State) -> [Row]? {
        guard path.hasSuffix("/merge_requests") else { return nil }
        let lists = state.lists.filter { $0.key.hasPrefix(path + "/") && $0.key.hasSuffix("/notes") }
        let rows = lists.compactMap { notes in
            let item = notes.key.dropLast("/notes".count)
            guard let iid = Int64(item.dropFirst(path.count + 1)), !state.unlisted.contains(iid) else {
                return nil as Row?
            }
            let last = state.lists["\(item)/resource_state_events"]?.last?.state
            return .item(
                iid,
                updated: state.updates[String(item)] ?? "",
                comments: notes.value.count(where: \.isComment),
                state: last.map { $0 == "reopened" ? "opened" : $0 } ?? "opened"
            )
        }
        return rows.sorted { $0.id < $1.id }
    }

    /// `iids[]` and the inclusive `updated_after` of lists of items (GitLab facts §7.2); times of one form compare as texts.
    private static func isWanted(_ row: Row, by request: HTTPRequest) -> Bool {
        guard let item = row.item else { return true }
        let pairs = request.query?.split(separator: "&").map(String.init) ?? []
        let numbers = pairs.filter { $0.hasPrefix("iids%5B%5D=") }
        let bound = pairs.last { $0.hasPrefix("updated_after=") }?.dropFirst("updated_after=".count)
        return (numbers.isEmpty || numbers.contains("iids%5B%5D=\(item.iid)"))
            && bound.map { item.updatedAt >= $0 } ?? true
    }

    private static func parameter(_ name: String, _ request: HTTPRequest) -> Int? {
        let pairs = request.query?.split(separator: "&") ?? []
        return pairs.last { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    private static func digest(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

func makeJSON(_ status: Int, _ body: String, _ fields: [(String, String)] = []) -> HTTPResponse {
    var response = HTTPResponse(status: status, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
    for (name, value) in fields { response.fields.append(name, value) }
    return response
}

func makeText(_ status: Int, _ body: String, _ fields: [(String, String)] = []) -> HTTPResponse {
    var response = makeJSON(status, body, fields)
    response.fields["Content-Type"] = "text/plain"
    return response
}

extension MiniGitLab.Row {
    static func note(
        _ id: Int64,
        by author: Int64 = 9,
        _ body: String = "Looks good",
        at created: String = "2027-01-15T08:00:00.000Z",
        system: Bool = false
    ) -> Self {
        Self(
            id: id,
            json: """
                {"id":\(id),"type":null,"body":"\(body)","author":\(user(author)),"created_at":"\(created)",\
                "updated_at":"\(created)","system":\(system),"noteable_type":"MergeRequest","resolvable":null}
                """,
            isComment: !system
        )
    }

    /// Merge request `iid` as a list shows it.
    static func item(
        _ iid: Int64,
        updated: String,
        comments: Int = 0,
        state: String = "opened",
        assignee: Int64 = 8,
        due: String? = nil,
        title: String = "Fix it",
        path: String? = nil
    ) -> Self {
        let place = path.map { #""web_url":"https://x/\#($0)","references":{"full":"\#($0)!\#(iid)"},"# } ?? ""
        let milestone = due.map { #"{"id":4,"due_date":"\#($0)"}"# } ?? #"{"id":4}"#
        return Self(
            id: 50 + iid,
            json: """
                {"id":\(50 + iid),"iid":\(iid),"project_id":1,"title":"\(title)","state":"\(state)",\
                \(place)"updated_at":"\(updated)","user_notes_count":\(comments),"labels":["bug"],"sha":"abc",\
                "milestone":\(milestone),"assignees":[\(user(assignee))],"reviewers":[],"draft":false}
                """,
            item: (iid, updated)
        )
    }

    static func stateEvent(_ id: Int64, _ state: String, by user: Int64 = 9) -> Self {
        Self(
            id: id,
            json: """
                {"id":\(id),"user":\(self.user(user)),"created_at":"2027-01-15T08:00:00.000Z",\
                "resource_type":"MergeRequest","resource_id":1,"state":"\(state)"}
                """,
            state: state
        )
    }

    static func todo(
        _ id: Int64,
        _ action: String = "mentioned",
        on iid: Int64 = 3,
        note: Int64? = nil,
        by author: Int64 = 9,
        at created: String = "2027-01-15T08:00:00.000Z"
    ) -> Self {
        let fragment = note.map { "#note_\($0)" } ?? ""
        return Self(
            id: id,
            json: """
                {"id":\(id),"project":{"id":1,"path_with_namespace":"team/app"},"author":\(user(author)),\
                "action_name":"\(action)","target_type":"MergeRequest","target":{"id":50,"iid":\(iid),\
                "project_id":1,"title":"Fix it"},"body":"Looks good","state":"pending","created_at":"\(created)",\
                "target_url":"https://gitlab.example.com/team/app/-/merge_requests/\(iid)\(fragment)"}
                """
        )
    }

    private static func user(_ id: Int64) -> String {
        #"{"id":\#(id),"username":"user\#(id)","name":"User \#(id)","avatar_url":null}"#
    }
}
