import HTTP

/// Why a request to the REST API was refused, as the client sees it: one object with a code, a sentence for people and what to
/// do next. Codes never change meaning; wording may.
///
/// A value and no enum: what a code means stands beside its name, one file per area, and nobody has to switch over the codes.
struct APIError: Error, Equatable, Sendable {
    /// Of HTTP.
    var status: Int
    var code: String
    /// For people; says what is wrong.
    var message: String
    /// Says what to do about it.
    var hint: String
    /// Header fields beside the object.
    var fields = HTTPFields()
    /// What was the matter with GitLab, for the log.
    var reason: String?

    init(_ status: Int, _ code: String, _ message: String, hint: String, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.fields = fields
    }
}

extension APIError {
    /// The request is to be sent again with another token as Bearer, as the answer's header field says.
    static func unauthorized(_ code: String, _ message: String, hint: String) -> APIError {
        APIError(401, code, message, hint: hint, fields: ["WWW-Authenticate": "Bearer"])
    }
}
