import HTTP
import JSON

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
        var response: [String: JSONValue] = ["description": .string(summaries.joined(separator: "\n\n"))]
        let content = content(answers, errors)
        if !content.isEmpty { response["content"] = .sorted(content) }
        let headers = headers(errors)
        if !headers.isEmpty { response["headers"] = .sorted(headers) }
        return .sorted(response)
    }

    private func content(_ answers: [RouteDescription.Response], _ errors: [APIError]) -> [String: JSONValue] {
        var schemas: [JSONValue] = []
        var content: [String: JSONValue] = [:]
        for answer in answers {
            switch answer.content {
            case .none: break
            case .json(let schema): schemas.append(schema.jsonSchema(isClosed: true).json)
            case .text(let mediaType): content[mediaType] = ["schema": ["type": "string"]]
            }
        }
        if !errors.isEmpty { schemas.append(["$ref": "#/components/schemas/Error"]) }
        guard let first = schemas.first else { return content }
        var json: [String: JSONValue] = ["schema": schemas.count == 1 ? first : ["anyOf": .array(schemas)]]
        let examples = examples(Set(answers.map(\.status)), errors)
        if !examples.isEmpty { json["examples"] = .sorted(examples) }
        content["application/json"] = .sorted(json)
        return content
    }

    private func examples(_ statuses: Set<Int>, _ errors: [APIError]) -> [String: JSONValue] {
        var examples: [String: JSONValue] = [:]
        for error in errors {
            examples[error.code] = [
                "summary": .string(error.message),
                "value": ["code": .string(error.code), "message": .string(error.message), "hint": .string(error.hint)],
            ]
        }
        for example in route.description.examples {
            guard let answer = example.answer else { continue }
            let isHere = statuses.contains(example.status) || errors.contains { $0.status == example.status }
            guard isHere else { continue }
            examples[example.name] = ["summary": .string(example.summary), "value": answer]
        }
        return examples
    }

    private func headers(_ errors: [APIError]) -> [String: JSONValue] {
        var headers: [String: JSONValue] = [:]
        for field in errors.flatMap(\.fields.fields) {
            headers[field.name] = ["schema": ["type": "string"], "example": .string(field.value)]
        }
        return headers
    }
}
