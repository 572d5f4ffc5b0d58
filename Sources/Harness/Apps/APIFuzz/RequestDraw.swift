import HTTP
import JSON
import Platform

/// Draws what is tried.
struct RequestDraw {
    private let description: APIDescription
    private let origin: HTTPOrigin
    /// What goes into `Authorization`, by the name of the scheme.
    private let tokens: [String: String]
    private let names: NamesInAPI.Known
    private let values: StrangeValues
    private let check: SchemaCheck
    private var random: RandomStream

    init(
        of description: APIDescription,
        at origin: HTTPOrigin,
        tokens: [String: String],
        _ names: NamesInAPI.Known,
        _ random: RandomStream
    ) {
        (self.description, self.origin, self.tokens, self.names) = (description, origin, tokens, names)
        self.random = random
        check = SchemaCheck(description.schemas)
        values = StrangeValues(check)
    }

    /// The request that brings nothing and changes nothing; nil where there is none.
    func plainRequest(for operation: APIDescription.Operation) -> TriedRequest? {
        guard operation.isPlain, operation.method == .get else { return nil }
        return TriedRequest(operation: operation, mistake: .none, request: signed(operation, operation.path))
    }

    /// One request for that operation with a mistake; nil when the one that was drawn cannot be made there.
    mutating func request(for operation: APIDescription.Operation) -> TriedRequest? {
        // What can be strange in many ways is tried more often.
        let possible = mistakes(for: operation)
        let varied = possible.filter { [.strangeBody, .strangeQuery].contains($0) }
        guard let mistake = random.pick(possible + varied + varied + varied) else { return nil }
        guard let target = target(of: operation, mistake), let body = body(of: operation, mistake) else { return nil }
        var request = signed(operation, target)
        request.body = body
        if !body.isEmpty { request.fields.append("Content-Type", "application/json") }
        switch mistake {
        case .noSession: request.fields["Authorization"] = nil
        case .forgedSession: request.fields["Authorization"] = "Bearer \(String(random.next(), radix: 36))"
        case .otherMethod:
            let taken = Set(description.operations.filter { $0.path == operation.path }.map(\.method))
            let others: [HTTPMethod] = [.get, .post, .put, .patch, .delete].filter { !taken.contains($0) }
            guard let other = random.pick(others) else { return nil }
            request.method = other
        default: break
        }
        return TriedRequest(operation: operation, mistake: mistake, request: request)
    }

    private func signed(_ operation: APIDescription.Operation, _ target: String) -> HTTPRequest {
        var request = HTTPRequest(method: operation.method, origin: origin, target: target)
        if let token = operation.scheme.flatMap({ tokens[$0] }) {
            request.fields.append("Authorization", "Bearer \(token)")
        }
        return request
    }

    /// Those that can be made there, and change nothing.
    private func mistakes(for operation: APIDescription.Operation) -> [TriedRequest.Mistake] {
        TriedRequest.Mistake.allCases.filter { mistake in
            switch mistake {
            case .none: false
            case .noSession, .forgedSession: operation.scheme != nil
            case .otherMethod: true
            // What nobody has under a name, PUT may make.
            case .unknownName, .strangeName: operation.namesSomething && operation.method != .put
            case .foreignName: operation.namesSomething && !names.foreign(to: operation.path).isEmpty
            case .strangeQuery: operation.parameters.contains { $0.place == "query" }
            case .noBody: operation.body?.isRequired ?? false
            case .cutBody: operation.body != nil
            case .strangeBody: operation.body.map { !examples(of: $0).isEmpty } ?? false
            }
        }
    }

    // MARK: Path and query

    private mutating func target(of operation: APIDescription.Operation, _ mistake: TriedRequest.Mistake) -> String? {
        var target = operation.path
        for parameter in operation.parameters where parameter.place == "path" {
            let name = name(by: parameter.schema, in: operation.path, mistake)
            target = target.replacing("{\(parameter.name)}", with: name)
        }
        let queries = operation.parameters.filter { $0.place == "query" }
        guard mistake == .strangeQuery, let strange = random.pick(queries) else { return target }
        let wrong = Self.strangeTexts.filter { check.breach(of: strange.schema, byText: $0.plain) }
        return random.pick(wrong).map { "\(target)?\(strange.name)=\($0.coded)" }
    }

    /// What hardly any parameter is, as it stands in a query and as the server reads it.
    private static let strangeTexts: [(coded: String, plain: String)] = [
        ("", ""), ("-1", "-1"), ("1.5", "1.5"), ("no%20such%20word", "no such word"), ("%00", "\u{0}"),
        ("99999999999999999999", "99999999999999999999"),
    ]

    /// What is strange beside it must be refused also where the name is one of the person's own.
    private mutating func name(by schema: JSONValue, in path: String, _ mistake: TriedRequest.Mistake) -> String {
        switch mistake {
        case .strangeName: return "..%20x"
        case .foreignName: return random.pick(names.foreign(to: path)) ?? unknownName(by: schema)
        case .noSession, .forgedSession, .strangeQuery, .cutBody, .noBody, .strangeBody:
            return random.pick(names.own(in: path)) ?? unknownName(by: schema)
        case .none, .otherMethod, .unknownName: return unknownName(by: schema)
        }
    }

    /// Of the form that is asked for, and nobody's.
    private mutating func unknownName(by schema: JSONValue) -> String {
        if schema["type"] == "integer" { return String(900_000_000 + random.next(below: 1_000_000)) }
        if schema["format"] == "uuid" { return uuid() }
        return String(random.next(), radix: 16)
    }

    private mutating func uuid() -> String {
        let digits = Array((String(random.next() | 1 << 63, radix: 16) + String(random.next() | 1 << 63, radix: 16)))
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { String(digits[$0]) }.joined(separator: "-")
    }

    // MARK: Body

    /// Those that are no example of what is refused.
    private func examples(of body: APIDescription.Body) -> [JSONValue] {
        body.examples.filter { check.breach(of: body.schema, by: $0) == nil }
    }

    /// Nil when there is none with that mistake.
    private mutating func body(of operation: APIDescription.Operation, _ mistake: TriedRequest.Mistake) -> [UInt8]? {
        guard let body = operation.body, let example = random.pick(examples(of: body)) else {
            return operation.body?.isRequired == true ? nil : []
        }
        switch mistake {
        case .noBody: return []
        case .cutBody: return Array(example.text(indented: false).utf8.dropLast())
        case .strangeBody:
            return values.spoil(example, by: body.schema, &random).map { Array($0.text(indented: false).utf8) }
        default: return Array(example.text(indented: false).utf8)
        }
    }
}

extension SchemaCheck {
    /// Whether what stands in a query is not what the schema of the parameter allows.
    fileprivate func breach(of schema: JSONValue, byText text: String) -> Bool {
        let asText = breach(of: schema, by: .string(text)) == nil
        let asNumber = Int64(text).map { breach(of: schema, by: .integer($0)) == nil } ?? false
        return !asText && !asNumber
    }
}
