import HTTP
import JSON

/// The description of the REST API, for programs that do not ask a server.
package enum NotifierAPI {
    /// The OpenAPI 3.1 document that `GET /openapi.json` gives.
    package static let openAPIDocument = OpenAPIDocument(routes: RESTAPI.routes).json.text(indented: false)
}

/// `GET /openapi.json`: the description of this API.
extension RESTAPI {
    static let documentRoutes: [APIRoute] = [
        APIRoute(.get, "/openapi.json", access: .open, .openAPI) { _, _ in document }
    ]

    /// Made once: the table does not change.
    private static let document = HTTPResponse.json(200, body: Array(NotifierAPI.openAPIDocument.utf8))
}

extension RouteDescription {
    fileprivate static let openAPI = RouteDescription(
        "openAPI",
        "Gives this document.",
        answers: [.json(200, "An OpenAPI 3.1 document.", .anyObject)],
        examples: [Example("document", "Anybody reads the document.")]
    )
}
