import JSON

/// Where a value stands in a JSON document, from the outside in.
struct JSONPlace {
    enum Step {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    func appending(_ step: Step) -> JSONPlace { JSONPlace(steps: steps + [step]) }
}

extension JSONValue {
    /// The value that stands there; nil when nothing does.
    subscript(place: JSONPlace) -> JSONValue? { value(at: place.steps[...]) }

    private func value(at steps: ArraySlice<JSONPlace.Step>) -> JSONValue? {
        switch steps.first {
        case nil: self
        case .key(let key): self[key]?.value(at: steps.dropFirst())
        case .index(let index):
            if case .array(let elements) = self, elements.indices.contains(index) {
                elements[index].value(at: steps.dropFirst())
            } else {
                .none
            }
        }
    }

    /// The document with another value there; as it is when nothing stands there.
    func replacing(_ place: JSONPlace, with value: JSONValue) -> JSONValue { replacing(place.steps[...], with: value) }

    private func replacing(_ steps: ArraySlice<JSONPlace.Step>, with value: JSONValue) -> JSONValue {
        switch (steps.first, self) {
        case (nil, _): return value
        case (.key(let key), .object(let members)):
            return .object(
                members.map {
                    $0.key == key ? JSONMember(key, $0.value.replacing(steps.dropFirst(), with: value)) : $0
                }
            )
        case (.index(let index), .array(var elements)) where elements.indices.contains(index):
            elements[index] = elements[index].replacing(steps.dropFirst(), with: value)
            return .array(elements)
        default: return self
        }
    }
}
