import HTTP

/// Whether the description of the API says what any client may rely on. An answer that is held against it alone would be right by a
/// description that leaves things out, or that makes the same mistake.
enum DescriptionJudge {
    /// The statuses of which clients make something: what they do not know they take for the first of its hundred.
    private static let known: Set<Int> = [
        200, 201, 202, 204, 304, 400, 401, 403, 404, 409, 413, 414, 422, 429, 431, 500, 502, 503, 505,
    ]
    /// What comes without a body.
    private static let empty: Set<Int> = [204, 304]
    /// What says when to come again.
    private static let passing: Set<Int> = [429, 503]

    /// What is wrong with each operation, in words, by its name.
    static func complaints(about description: APIDescription) -> [(name: String, what: String)] {
        description.operations.compactMap { operation in
            complaint(about: operation).map { ("\(operation.method.rawValue) \(operation.path)", $0) }
        }
    }

    private static func complaint(about operation: APIDescription.Operation) -> String? {
        let statuses = operation.responses.keys.sorted()
        guard statuses.contains(where: { $0 < 300 }) else { return "is described without an answer that succeeds" }
        guard operation.scheme == nil || statuses.contains(401) else {
            return "asks for a session and is described without a 401"
        }
        for status in statuses {
            guard let response = operation.responses[status] else { continue }
            if let what = complaint(about: response, status) { return "is described with \(status)\(what)" }
        }
        return nil
    }

    private static func complaint(about response: APIDescription.Response, _ status: Int) -> String? {
        guard known.contains(status) else { return ", which no client expects" }
        guard response.hasContent != empty.contains(status) else {
            return response.hasContent ? ", and a body" : " without a body"
        }
        guard status >= 400 else { return nil }
        guard response.schema != nil, !response.codes.isEmpty else { return " without a code" }
        return passing.contains(status) && !response.fields.contains("Retry-After") ? " without Retry-After" : nil
    }
}
