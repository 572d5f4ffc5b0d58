import Crypto
import FoundationEssentials
import HTTP
import Platform

/// Asks one GitLab in the name of one person. Sends nothing to any other origin and never follows a redirect.
///
/// Every call throws `GitLabError` and makes one request; waiting, repeating and giving up are the caller's decisions.
struct GitLabClient: Sendable {
    let origin: HTTPOrigin
    /// Rows asked for per page; GitLab gives at most 100 (GitLab facts §4).
    let rowsPerPage: Int
    private let http: any HTTPClient
    private let options: HTTPSendOptions
    private let box: CredentialBox

    /// One exchange may take `requestTimeout`, connecting included; a body over `responseLimitBytes` fails it.
    init(
        origin: HTTPOrigin,
        credential: GitLabCredential,
        http: any HTTPClient,
        requestTimeout: Duration = .seconds(30),
        rowsPerPage: Int = 100,
        responseLimitBytes: Int = 16 * 1_024 * 1_024
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
    }

    /// What the requests to come show to be let in.
    var credential: GitLabCredential {
        get { box.credential }
        nonmutating set { box.credential = newValue }
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

    /// The requests for a list.
    func list(_ source: ListSource) -> ListRequest {
        ListRequest(firstPage: get(source.target(perPage: rowsPerPage)))
    }

    /// One page of a list, whole and checked: status, content type, and that it is an array (trap 24).
    func page<Row: IdentifiedRow>(
        _ number: Int,
        as row: Row.Type,
        by request: HTTPRequest
    ) async throws(GitLabError) -> PageAnswer<Row> {
        let response = try await exchange(request)
        if response.status == 304 { return .unchanged(Self.head(response.fields)) }
        if let error = ResponseReading.error(in: response) { throw error }
        guard response.status == 200 else { throw .undecodable(.unexpectedShape) }
        var head = Self.head(response.fields)
        head.serverTime = response.fields["Date"].flatMap(HTTPDate.wallTime)
        if let next = head.nextPage, next <= number { throw .undecodable(.unexpectedShape) }
        return .page(Page(number: number, rows: try Self.rows(response.body), head: head))
    }

    private func get(_ target: String) -> HTTPRequest {
        HTTPRequest(method: .get, origin: origin, target: target, fields: ["Accept": "application/json"])
    }

    private func exchange(_ request: HTTPRequest) async throws(GitLabError) -> HTTPResponse {
        var request = request
        box.credential.authorize(&request)
        switch await http.send(request, options: options) {
        case .response(let response): return response
        case .notSent(let failure), .unknown(let failure): throw .unreachable(failure)
        }
    }

    private func object<Object: Decodable>(at target: String) async throws(GitLabError) -> Object {
        let response = try await exchange(get(target))
        if let error = ResponseReading.error(in: response) { throw error }
        return try Self.decode(response.body)
    }

    private static func head(_ fields: HTTPFields) -> PageHead {
        PageHead(
            nextPage: ResponseReading.nextPage(fields),
            total: fields["X-Total"].flatMap { Int($0) },
            entityTag: fields["ETag"]
        )
    }

    private static func rows<Row: IdentifiedRow>(_ body: [UInt8]) throws(GitLabError) -> [Row] {
        if body == [UInt8(ascii: "["), UInt8(ascii: "]")] { return [] }
        let first = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        guard first == UInt8(ascii: "[") else {
            throw .undecodable(first == UInt8(ascii: "{") ? .notAnArray : .notJSON)
        }
        return try decode(body)
    }

    private static func decode<Value: Decodable>(_ body: [UInt8]) throws(GitLabError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body))
        } catch {
            guard case DecodingError.dataCorrupted = error else { throw .undecodable(.unexpectedShape) }
            throw .undecodable(.notJSON)
        }
    }
}
