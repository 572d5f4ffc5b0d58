import JSON

/// What the published document says of a route. It stands beside the route's definition; tests hold the two together: every
/// example is replayed, every answer must have one of the shapes, every error must be among the errors.
struct RouteDescription: Sendable {
    /// The operation's name in the document, such as `addWatch`; no other route has it.
    var operationID: String
    /// One sentence in the third person: what the route does.
    var summary: String
    /// Every name in the path, and what the query and the header may hold.
    var parameters: [Parameter]
    /// The shape of the request's body; nil for a route that reads none.
    var body: APISchema?
    /// Whether a request without a body is refused; one that may do without means the same as an empty object.
    var isBodyRequired: Bool
    /// What a success looks like, one for each status.
    var answers: [Response]
    /// The refusals of this route. Those that every route of its kind shares are added by ``APIRoute/allErrors``.
    var errors: [APIError]
    /// At least one, a success first.
    var examples: [Example]

    init(
        _ operationID: String,
        _ summary: String,
        parameters: [Parameter] = [],
        body: APISchema? = nil,
        isBodyRequired: Bool = true,
        answers: [Response],
        errors: [APIError] = [],
        examples: [Example]
    ) {
        self.operationID = operationID
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.isBodyRequired = isBodyRequired
        self.answers = answers
        self.errors = errors
        self.examples = examples
    }

    /// A value in the path, the query or a header field.
    struct Parameter: Sendable {
        enum Place: String, Sendable { case path, query, header }

        var place: Place
        var name: String
        var schema: APISchema
        var summary: String
        /// Always true in a path.
        var isRequired: Bool

        static func path(_ name: String, _ schema: APISchema, _ summary: String) -> Parameter {
            Parameter(place: .path, name: name, schema: schema, summary: summary, isRequired: true)
        }

        /// Absent is always allowed in a query.
        static func query(_ name: String, _ schema: APISchema, _ summary: String) -> Parameter {
            Parameter(place: .query, name: name, schema: schema, summary: summary, isRequired: false)
        }

        static func optionalHeader(_ name: String, _ schema: APISchema, _ summary: String) -> Parameter {
            Parameter(place: .header, name: name, schema: schema, summary: summary, isRequired: false)
        }

        static func header(_ name: String, _ schema: APISchema, _ summary: String) -> Parameter {
            Parameter(place: .header, name: name, schema: schema, summary: summary, isRequired: true)
        }
    }

    /// One status that is no refusal, and what comes with it.
    struct Response: Sendable {
        enum Content: Sendable {
            case none
            case json(APISchema)
            /// Text of that media type, such as `text/plain; version=0.0.4`.
            case text(mediaType: String)
        }

        var status: Int
        var summary: String
        var content: Content

        static func json(_ status: Int, _ summary: String, _ schema: APISchema) -> Response {
            Response(status: status, summary: summary, content: .json(schema))
        }

        static func notModified(_ summary: String) -> Response {
            Response(status: 304, summary: summary, content: .none)
        }

        static func empty(_ summary: String) -> Response {
            Response(status: 204, summary: summary, content: .none)
        }

        static func text(_ summary: String, mediaType: String) -> Response {
            Response(status: 200, summary: summary, content: .text(mediaType: mediaType))
        }
    }

    /// One request and its answer, as they really happen: apart from ids, opaque texts and instants the server gives the very
    /// answer that stands here. An id that one example's answer shows stands for the same thing in every later one.
    struct Example: Sendable {
        /// Letters and hyphens; unique within the route.
        var name: String
        /// One sentence.
        var summary: String
        /// The operations whose first examples come before this one, in their order; each brings its own along. Registration
        /// need not be named.
        var after: [String]
        /// Values of the parameters, by name, not percent-encoded.
        var parameters: [String: String]
        var body: JSONValue?
        var status: Int
        /// Nil for an answer without a body, and for text.
        var answer: JSONValue?

        init(
            _ name: String,
            _ summary: String,
            after: [String] = [],
            parameters: [String: String] = [:],
            body: JSONValue? = nil,
            status: Int = 200,
            answer: JSONValue? = nil
        ) {
            self.name = name
            self.summary = summary
            self.after = after
            self.parameters = parameters
            self.body = body
            self.status = status
            self.answer = answer
        }
    }
}
