import HTTP

/// A request that somebody tries who knows the API by its description alone: one that it does not allow, or one that changes nothing.
struct TriedRequest {
    /// What is wrong with it.
    enum Mistake: String, CaseIterable {
        case none
        case noSession = "no session"
        case forgedSession = "a forged session"
        case otherMethod = "a method that the path does not take"
        case unknownName = "the name of nothing"
        case foreignName = "the name of what is another person's"
        case strangeName = "a name of another form"
        case strangeQuery = "a query of another form"
        case noBody = "no body"
        case cutBody = "a body that is cut off"
        case strangeBody = "a body of another form"
    }

    var operation: APIDescription.Operation
    var mistake: Mistake
    var request: HTTPRequest

    /// The statuses that say what is wrong; nil where any refusal does.
    var expected: Set<Int>? {
        switch mistake {
        case .noSession, .forgedSession: [401]
        case .otherMethod: [405]
        case .foreignName: [400, 401, 404]
        case .noBody, .cutBody: operation.isPlain ? [400, 401] : nil
        case .none, .unknownName, .strangeName, .strangeQuery, .strangeBody: nil
        }
    }

    /// In a sentence, with the beginning of a body that is of another form.
    var name: String {
        let name = "\(request.method.rawValue) \(request.target) with \(mistake.rawValue)"
        guard mistake == .strangeBody else { return name }
        let body = String(decoding: request.body.prefix(Self.shownBytes), as: UTF8.self)
        return "\(name) (\(body)\(request.body.count > Self.shownBytes ? "…" : ""))"
    }

    private static let shownBytes = 300
}
