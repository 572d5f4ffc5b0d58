import HTTP

/// The description of the REST API, for programs that do not ask a server.
package enum NotifierAPI {
    /// The OpenAPI 3.1 document that `GET /openapi.json` gives; empty never, since a test reads it.
    package static var openAPIDocument: String {
        String(decoding: (try? RESTAPI.document.get().body) ?? [], as: UTF8.self)
    }
}

/// `GET /openapi.json`: the description of this API.
extension RESTAPI {
    static let documentRoutes: [APIRoute] = [
        APIRoute(.get, "/openapi.json", access: .open, .openAPI) { _, _ in try document.get() }
    ]

    /// Made once: the table does not change.
    fileprivate static let document: Result<HTTPResponse, any Error> = Result {
        try HTTPResponse.json(200, OpenAPIDocument(routes: routes).json)
    }
}

extension RouteDescription {
    fileprivate static let openAPI = RouteDescription(
        "openAPI",
        "Gives this document.",
        answers: [.json(200, "An OpenAPI 3.1 document.", .anyObject)],
        examples: [Example("document", "Anybody reads the document.")]
    )
}
