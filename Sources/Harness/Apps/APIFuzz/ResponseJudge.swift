import HTTP
import JSON

/// Holds an answer of the notifier against what the API's description says of it.
struct ResponseJudge {
    private let check: SchemaCheck

    /// What may come of every request: too many of them, and a server that stops or cannot read its database.
    static let always: Set<Int> = [429, 503]

    /// Described of every operation, for what no program here does: the server has failed, or does not speak HTTP/1.1.
    private static let never: Set<Int> = [500, 505]

    init(_ description: APIDescription) { check = SchemaCheck(description.schemas) }

    /// What is wrong with an answer, in words; nil when nothing is.
    func complaint(about response: HTTPResponse, to tried: TriedRequest) -> String? {
        let status = response.status
        if Self.never.contains(status) { return "was answered \(status)" }
        if status == 429, (response.fields["Retry-After"].flatMap(Int.init) ?? 0) < 1 {
            return "was answered 429, and not when to come again"
        }
        if tried.mistake != .none, status < 400, !refusesPart(response, tried) { return "was answered \(status)" }
        if let expected = tried.expected, !expected.union(Self.always).contains(status) {
            return "was answered \(status), and not \(expected.sorted().map(String.init).joined(separator: " or "))"
        }
        if tried.mistake == .otherMethod { return complaint(aboutMethodsIn: response) }
        guard let described = tried.operation.responses[status] else {
            return "was answered \(status), which is not described"
        }
        guard Self.isJSON(response) else { return nil }
        guard let schema = described.schema else { return "was answered \(status) with JSON, which is not described" }
        return complaint(about: response.body, status: status, schema, described.codes)
    }

    /// Of an envelope each part is taken or refused by itself.
    private func refusesPart(_ response: HTTPResponse, _ tried: TriedRequest) -> Bool {
        guard tried.mistake == .strangeBody, Self.isJSON(response) else { return false }
        return JSONValue(reading: response.body)?["refused"].map { !$0.elements.isEmpty } ?? false
    }

    private func complaint(aboutMethodsIn response: HTTPResponse) -> String? {
        guard response.status == 405, response.fields["Allow"] == nil else { return nil }
        return "was not told which methods are allowed"
    }

    private static func isJSON(_ response: HTTPResponse) -> Bool {
        response.fields["Content-Type"]?.hasPrefix("application/json") ?? false
    }

    private func complaint(about body: [UInt8], status: Int, _ schema: JSONValue, _ codes: Set<String>) -> String? {
        guard let value = JSONValue(reading: body) else { return "was answered \(status) with a body that is no JSON" }
        if let breach = check.breach(of: schema, by: value) {
            return "was answered \(status), and in the answer \(breach)"
        }
        guard status >= 400, let code = value["code"]?.text, !codes.contains(code) else { return nil }
        return "was answered \(status) \(code), which is not described"
    }
}
