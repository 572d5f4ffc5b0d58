import HTTP

/// The responses of one operation: what succeeds and what is refused, by status.
struct OpenAPIResponses {
    let route: APIRoute

    var json: [String: JSONValue] {
        let statuses = Set(route.description.answers.map(\.status) + route.allErrors.map(\.status))
        var responses: [String: JSONValue] = [:]
        for status in statuses { responses[String(status)] = response(status) }
        return responses
    }

    private func response(_ status: Int) -> JSONValue {
        let answers = route.description.answers.filter { $0.status == status }
        let errors = route.allErrors.filter { $0.status == status }
        let summaries = answers.map(\.summary) + errors.map { "`\($0.code)`: \($0.message)" }
        var response: [String: JSONValue] = ["description": .text(summaries.joined(separator: "\n\n"))]
        let content = content(answers, errors)
        if !content.isEmpty { response["content"] = .object(content) }
        let headers = headers(errors)
        if !headers.isEmpty { response["headers"] = .object(headers) }
        return .object(response)
    }

    private func content(_ answers: [RouteDescription.Answer], _ errors: [APIError]) -> [String: JSONValue] {
        var schemas: [JSONValue] = []
        var content: [String: JSONValue] = [:]
        for answer in answers {
            switch answer.content {
            case .none: break
            case .json(let schema): schemas.append(schema.json(isClosed: true))
            case .text(let mediaType): content[mediaType] = ["schema": ["type": "string"]]
            }
        }
        if !errors.isEmpty { schemas.append(["$ref": "#/components/schemas/Error"]) }
        guard let first = schemas.first else { return content }
        var json: [String: JSONValue] = ["schema": schemas.count == 1 ? first : ["anyOf": .list(schemas)]]
        let examples = examples(Set(answers.map(\.status)), errors)
        if !examples.isEmpty { json["examples"] = .object(examples) }
        content["application/json"] = .object(json)
        return content
    }

    private func examples(_ statuses: Set<Int>, _ errors: [APIError]) -> [String: JSONValue] {
        var examples: [String: JSONValue] = [:]
        for error in errors {
            examples[error.code] = [
                "summary": .text(error.message),
                "value": ["code": .text(error.code), "message": .text(error.message), "hint": .text(error.hint)],
            ]
        }
        for example in route.description.examples {
            guard let answer = example.answer else { continue }
            let isHere = statuses.contains(example.status) || errors.contains { $0.status == example.status }
            guard isHere else { continue }
            examples[example.name] = ["summary": .text(example.summary), "value": answer]
        }
        return examples
    }

    private func headers(_ errors: [APIError]) -> [String: JSONValue] {
        var headers: [String: JSONValue] = [:]
        for field in errors.flatMap(\.fields.fields) {
            headers[field.name] = ["schema": ["type": "string"], "example": .text(field.value)]
        }
        return headers
    }
}
