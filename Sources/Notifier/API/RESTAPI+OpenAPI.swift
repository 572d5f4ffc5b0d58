import HTTP

/// `GET /openapi.json`: the description of this API.
extension RESTAPI {
    static let documentRoutes: [APIRoute] = [
        APIRoute(.get, "/openapi.json", access: .open, .openAPI) { _, _ in try document.get() }
    ]

    /// Made once: the table does not change.
    private static let document: Result<HTTPResponse, any Error> = Result {
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
