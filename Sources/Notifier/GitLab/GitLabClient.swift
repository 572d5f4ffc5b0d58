import Crypto
import FoundationEssentials
import HTTP
import Platform

/// Asks one GitLab in the name of one person. Sends nothing to any other origin and never follows a redirect.
///
/// Every call throws `GitLabError` and makes one request, but where it says otherwise; waiting, repeating and giving up are the caller's
/// decisions.
struct GitLabClient: Sendable {
    /// More than any list has; a number beyond it is a mistake of something in between.
    private static let mostPages = 10_000_000
    /// In bytes; GitLab's have 36. A longer one is not remembered, and the page is read in full each time.
    private static let longestEntityTag = 256

    /// What there is to show in place of what GitLab has just refused; nil where there is nothing. Throws where that is not known now.
    typealias Replacement = @Sendable (_ refused: GitLabCredential) async throws(GitLabError) -> GitLabCredential?

    let origin: HTTPOrigin
    /// Rows asked for per page; GitLab gives at most 100 (GitLab facts §4).
    let rowsPerPage: Int
    private let http: any HTTPClient
    private let options: HTTPSendOptions
    private let box: CredentialBox
    /// What the first request shows.
    private let first: GitLabCredential
    private let replacement: Replacement?
    private let answers: ResponseBudget?
    private let decoded: DecodedAnswers?
    private let account: AccountID?
    private var appGate: AppRequestGate?
    private let pass: InstancePass?

    /// One exchange may take `requestTimeout`, connecting included; a body over `responseLimitBytes` fails it. What answers hold is
    /// counted in `answers`, for the account that is polled; nil for no such limit. `decoded` remembers what others' equal answers held. `appGate` stands before each request of an app's call, `pass` before every one.
    /// With a `replacement` a request for which GitLab refuses the first credential is made once more with another.
    init(
        origin: HTTPOrigin,
        credential: GitLabCredential,
        http: any HTTPClient,
        requestTimeout: Duration = .seconds(30),
        rowsPerPage: Int = 100,
        responseLimitBytes: Int = ResponseBounds.bodyBytes,
        answers: ResponseBudget? = nil,
        decoded: DecodedAnswers? = nil,
        account: AccountID? = nil,
        appGate: AppRequestGate? = nil,
        pass: InstancePass? = nil,
        replacement: Replacement? = nil
    ) {
        self.origin = origin
        self.http = http
        self.rowsPerPage = min(max(rowsPerPage, 1), 100)
        options = HTTPSendOptions(
            connectTimeout: min(requestTimeout, .seconds(10)),
            totalTimeout: requestTimeout,
            responseLimitBytes: responseLimitBytes
        )
        box = CredentialBox(credential)
        first = credential
        self.replacement = replacement
        self.answers = answers
        self.decoded = decoded
        self.account = account
        self.appGate = appGate
        self.pass = pass
    }

    /// What the requests to come show to be let in.
    var credential: GitLabCredential {
        get { box.credential }
        nonmutating set { box.credential = newValue }
    }

    /// How many requests the account may send at once; nil where nothing holds them back.
    var requestsLeft: Int? { appGate?.requestsLeft }

    /// The same client, whose requests pass that gate from now on.
    func passing(_ gate: AppRequestGate) -> GitLabClient {
        var client = self
        client.appGate = gate
        return client
    }

    /// The person the token belongs to. Also the question that tells whether a token is dead (trap 21).
    func currentUser() async throws(GitLabError) -> CurrentUser {
        try await object(at: "/api/v4/user")
    }

    /// What the token is allowed; GitLab before 15.5 answers `notFound`, other kinds of token `rejected(400)`.
    func personalAccessTokenSelf() async throws(GitLabError) -> PersonalAccessToken {
        try await object(at: "/api/v4/personal_access_tokens/self")
    }

    /// Which GitLab this is; asks `/version` where `/metadata` does not exist (GitLab facts §5.1).
    func metadata() async throws(GitLabError) -> InstanceMetadata {
        do {
            return try await object(at: "/api/v4/metadata")
        } catch .notFound, .rejected {
            return try await object(at: "/api/v4/version")
        }
    }

    /// A single issue or merge request.
    func item(_ item: ItemReference) async throws(GitLabError) -> ItemDetails {
        try await object(at: item.path)
    }

    /// An issue by the path of its project, for what only a text names.
    func issue(_ destination: IssueDestination) async throws(GitLabError) -> ItemDetails {
        try await object(at: destination.path)
    }

    /// Subscribes the person to an item or ends it; true when that changed something (GitLab facts §13). Needs a token with the
    /// scope `api`.
    ///
    /// The body is there for its content type: instances in read-only mode redirect writes that have none (trap 37).
    func setSubscribed(_ isSubscribed: Bool, to item: ItemReference) async throws(GitLabError) -> Bool {
        var request = get("\(item.path)/\(isSubscribed ? "subscribe" : "unsubscribe")")
        request.method = .post
        request.fields.append("Content-Type", "application/json")
        request.body = Array("{}".utf8)
        let response = try await exchange(request).response
        if response.status == 304 { return false }
        if let error = ResponseDecoder.error(in: response) { throw error }
        return true
    }

    /// One page of a person's items.
    func items(_ source: ItemSource, page: Int, perPage: Int) async throws(GitLabError) -> Page<ListedItemRow> {
        let answer = try await self.page(
            page,
            as: ListedItemRow.self,
            by: get(source.target(page: page, perPage: perPage))
        )
        guard case .page(let page) = answer else { throw .undecodable(.unexpectedShape) }
        return page
    }

    /// Who approves a merge request now, by the server's clock. The list has no ids and, on most releases, no times (GitLab
    /// facts §11.1).
    func approvals(of item: ItemReference) async throws(GitLabError) -> (
        answer: ApprovalsResponse, serverTime: WallTime?
    ) {
        let answer = try await exchange(get("\(item.path)/approvals"))
        defer { answer.room?.release() }
        let response = answer.response
        if let error = ResponseDecoder.error(in: response) { throw error }
        return (try decode(response.body, within: .object), Self.serverTime(response))
    }

    /// Any merge request the person can read, to ask about routes with; nil when there is none.
    func sampleMergeRequest() async throws(GitLabError) -> ItemDetails? {
        let items: [ItemDetails] = try await object(at: "/api/v4/merge_requests?scope=all&per_page=1")
        return items.first
    }

    /// What a route answers to one request: nil for a success, and whether the answer told of the rate limit.
    func probe(_ target: String) async -> (error: GitLabError?, tellsRateLimit: Bool) {
        do {
            let response = try await exchange(get(target)).response
            return (ResponseDecoder.error(in: response), response.fields["RateLimit-Remaining"] != nil)
        } catch {
            return (error, false)
        }
    }

    /// The requests for a list.
    func list(_ source: ListSource) -> ListRequest {
        ListRequest(firstPage: get(source.target(perPage: rowsPerPage)), rowsPerPage: rowsPerPage)
    }

    /// One page of a list, whole and checked: status, content type, that it is an array (trap 24), and no more rows than were asked
    /// for.
    func page<Row: IdentifiedRow>(
        _ number: Int,
        as row: Row.Type,
        by request: HTTPRequest
    ) async throws(GitLabError) -> PageResponse<Row> {
        let answer = try await exchange(request)
        let response = answer.response
        if response.status == 304 { return .unchanged(Self.head(response.fields)) }
        if let error = ResponseDecoder.error(in: response) { throw error }
        guard response.status == 200 else { throw .undecodable(.unexpectedShape) }
        var head = Self.head(response.fields)
        head.serverTime = Self.serverTime(response)
        if let next = head.nextPage, next <= number || next > Self.mostPages { throw .undecodable(.unexpectedShape) }
        let bounds = ResponseBounds(rows: Self.rowsAsked(request.target))
        let rows: [Row] = try rows(response.body, within: bounds)
        return .page(Page(number: number, rows: rows, head: head, bytes: response.body.count, room: answer.room))
    }

    private func get(_ target: String) -> HTTPRequest {
        HTTPRequest(method: .get, origin: origin, target: target, fields: ["Accept": "application/json"])
    }

    /// A response, and what it holds of the budget.
    private struct Response {
        var response: HTTPResponse
        var room: ResponseAllowance?
    }

    /// Somebody else may have renewed the access token during the question, which ends the one that it shows: then it is asked again. Only the
    /// first credential is replaced, since one that is just given and refused as well is not at fault.
    private func exchange(_ request: HTTPRequest) async throws(GitLabError) -> Response {
        let shown = box.credential
        let answer = try await exchange(request, showing: shown)
        guard let replacement, answer.response.status == 401, shown == first,
            let other = try await replacement(shown), other != shown
        else { return answer }
        answer.room?.release()
        box.credential = other
        return try await exchange(request, showing: other)
    }

    /// Where others' answers leave no room for this one, a question is asked once more when it is the account's turn.
    private func exchange(
        _ request: HTTPRequest,
        showing credential: GitLabCredential
    ) async throws(GitLabError) -> Response {
        try await appGate?.admit()
        var request = request
        credential.authorize(&request)
        var options = options
        let room = answers?.allowance(for: account)
        options.bodyMeter = room
        let outcome = try await send(request, options)
        guard let answers, let room, room.wasRefused else {
            return Response(response: try Self.take(outcome), room: room)
        }
        room.release()
        guard request.method == .get else { throw .crowded }
        let turn = try await answers.turn(for: account)
        options.bodyMeter = turn
        options.totalTimeout = min(options.totalTimeout, ResponseBudget.turnTime)
        return Response(response: try Self.take(await send(request, options)), room: turn)
    }

    private func send(_ request: HTTPRequest, _ options: HTTPSendOptions) async throws(GitLabError) -> HTTPOutcome {
        guard let pass else { return await http.send(request, options: options) }
        return try await pass.send(request, options, through: http)
    }

    private static func take(_ outcome: HTTPOutcome) throws(GitLabError) -> HTTPResponse {
        switch outcome {
        case .response(let response): return response
        case .notSent(let failure), .unknown(let failure): throw .unreachable(failure)
        }
    }

    private func object<Object: Decodable & Sendable>(at target: String) async throws(GitLabError) -> Object {
        let answer = try await exchange(get(target))
        // The room is held until the answer has been decoded.
        defer { answer.room?.release() }
        if let error = ResponseDecoder.error(in: answer.response) { throw error }
        return try decode(answer.response.body, within: .object)
    }

    /// What `per_page` says, or as many as GitLab gives to who does not say (GitLab facts §4).
    private static func rowsAsked(_ target: String) -> Int {
        let name = "per_page=".utf8
        let parameters = target.utf8.split { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }
        return parameters.last { $0.starts(with: name) }.flatMap { Int(Substring($0.dropFirst(name.count))) } ?? 20
    }

    private static func serverTime(_ response: HTTPResponse) -> WallTime? {
        response.fields["Date"].flatMap(HTTPDate.wallTime)
    }

    private static func head(_ fields: HTTPFields) -> PageHead {
        PageHead(
            nextPage: ResponseDecoder.nextPage(fields),
            total: fields["X-Total"].flatMap { Int($0) },
            entityTag: fields["ETag"].flatMap { $0.utf8.count <= longestEntityTag ? $0 : nil }
        )
    }

    private func rows<Row: IdentifiedRow>(
        _ body: [UInt8],
        within bounds: ResponseBounds
    ) throws(GitLabError) -> [Row] {
        if body == [UInt8(ascii: "["), UInt8(ascii: "]")] { return [] }
        let first = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        guard first == UInt8(ascii: "[") else {
            throw .undecodable(first == UInt8(ascii: "{") ? .notAnArray : .notJSON)
        }
        return try decode(body, within: bounds)
    }

    private func decode<Value: Decodable & Sendable>(
        _ body: [UInt8],
        within bounds: ResponseBounds
    ) throws(GitLabError) -> Value {
        guard let decoded else { return try Self.decode(body, within: bounds) }
        return try decoded.value(of: body, within: bounds) { () throws(GitLabError) in
            try Self.decode(body, within: bounds)
        }
    }

    private static func decode<Value: Decodable>(
        _ body: [UInt8],
        within bounds: ResponseBounds
    ) throws(GitLabError) -> Value {
        guard bounds.admit(body) else { throw .undecodable(.outOfBounds) }
        do {
            return try body.withUnsafeBytes { bytes in
                // Not copied: nothing that is decoded refers to the bytes.
                let data = bytes.baseAddress.map { start in
                    Data(
                        bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
                        count: bytes.count,
                        deallocator: .none
                    )
                }
                return try JSONDecoder().decode(Value.self, from: data ?? Data())
            }
        } catch {
            guard case DecodingError.dataCorrupted = error else { throw .undecodable(.unexpectedShape) }
            throw .undecodable(.notJSON)
        }
    }
}
