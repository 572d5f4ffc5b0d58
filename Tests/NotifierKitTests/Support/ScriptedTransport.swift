import FoundationEssentials

@testable import NotifierKit

/// Answers as it is told, and remembers what was asked.
actor ScriptedTransport: Transport {
    typealias Script = @Sendable (TransportRequest) async -> Result<TransportResponse, TransportFailure>

    private(set) var requests: [TransportRequest] = []
    private var script: Script

    init(_ script: @escaping Script = { _ in .failure(.cannotConnect) }) {
        self.script = script
    }

    /// From now on this answers.
    func answer(_ script: @escaping Script) { self.script = script }

    /// `METHOD target` of everything asked so far.
    var lines: [String] { requests.map { "\($0.method) \($0.target)" } }

    func forgetRequests() { requests = [] }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        requests.append(request)
        return try await script(request).get()
    }
}

extension Result where Success == TransportResponse, Failure == TransportFailure {
    /// An answer with a body of JSON.
    static func json(_ status: Int, _ text: String, fields: [HeaderField] = []) -> Self {
        .success(TransportResponse(status: status, fields: fields, body: Data(text.utf8)))
    }

    /// One of the server's refusals.
    static func refusal(_ status: Int, _ code: String, fields: [HeaderField] = []) -> Self {
        json(status, #"{"code":"\#(code)","hint":"What to do.","message":"What is wrong."}"#, fields: fields)
    }

    static let gone = Self.success(TransportResponse(status: 204))
}

extension TransportRequest {
    /// Its path without the query.
    var path: String { String(target.prefix { $0 != "?" }) }

    var line: String { "\(method) \(path)" }

    var token: String? { fields.first { $0.name == "Authorization" }.map { String($0.value.dropFirst(7)) } }

    var text: String { String(decoding: body, as: UTF8.self) }
}
