/// What a route declares, made for looking up: a request of the usual kind is checked in one pass over what it gives.
struct ParameterRuleSet: Sendable {
    private let rules: [ParameterRule]
    /// Places of rules by name, also with the brackets of a list.
    private let places: [String: Int]
    private let required: [Int]
    private let defaults: [(name: String, value: String)]
    private let exclusive: [[String]]
    /// Names whose parts in brackets are anybody's: `position[base_sha]`.
    private let hashes: Set<String>

    init(_ rules: [ParameterRule], exclusive: [[String]] = []) {
        self.rules = rules
        self.exclusive = exclusive
        var places: [String: Int] = [:]
        for (place, rule) in rules.enumerated() {
            places[rule.name] = place
            places[rule.name + "[]"] = place
        }
        self.places = places
        required = rules.indices.filter { rules[$0].isRequired }
        defaults = rules.compactMap { rule in rule.standard.map { (rule.name, $0) } }
        hashes = Set(rules.filter { $0.kind == .hash }.map(\.name))
    }

    /// Checks declared parameters as the framework does, every complaint in one sentence, and adds declared defaults.
    ///
    /// - Returns: The names of those that are not declared, which GitLab ignores (GitLab facts §1).
    func apply(to parameters: inout Parameters) throws(APIError) -> [String] {
        var unknown: [String] = []
        var complaints: [(place: Int, text: String)] = []
        for entry in parameters.entries {
            guard let place = places[entry.name] else {
                if !isKnown(entry.name) { unknown.append(entry.name) }
                continue
            }
            if let text = rules[place].complaint(of: entry) { complaints.append((place, text)) }
        }
        for place in required where !parameters.has(rules[place].name) {
            complaints.append((place, "\(rules[place].name) is missing"))
        }
        var texts = complaints.sorted { $0.place < $1.place }.map(\.text)
        for names in exclusive where names.allSatisfy(parameters.has) {
            texts.append(names.joined(separator: ", ") + " are mutually exclusive")
        }
        guard texts.isEmpty else { throw APIError.error(400, texts.joined(separator: ", ")) }
        for (name, value) in defaults where parameters[name] == nil { parameters.add(name, value) }
        return unknown
    }

    /// What every route takes, and the parts of a hash.
    private func isKnown(_ name: String) -> Bool {
        if Self.everywhere.contains(name) { return true }
        guard let bracket = name.firstIndex(of: "[") else { return false }
        return hashes.contains(String(name[..<bracket]))
    }

    private static let everywhere: Set<String> = [
        "page", "per_page", "private_token", "access_token", "id", "discussion_id", "sudo",
    ]
}

extension ParameterRule {
    /// What is wrong with a given parameter; nil when nothing is.
    func complaint(of entry: (name: String, values: [String])) -> String? {
        let isArray = entry.name.hasSuffix("[]")
        let values =
            isArray ? entry.values : entry.values.suffix(1).flatMap { $0.split(separator: ",").map(String.init) }
        switch kind {
        case .list, .hash: return nil
        case .integerList: return values.allSatisfy { Int64($0) != nil } ? nil : "\(name) is invalid"
        case .single:
            guard values.count > 1 else { return nil }
            return "\(name) allows one value, but found \(values.count): \(values.joined(separator: ", "))"
        default: break
        }
        guard !isArray, let value = entry.values.last else { return "\(name) is invalid" }
        return complaint(of: value)
    }

    private func complaint(of value: String) -> String? {
        switch kind {
        case .integer: return isInteger(value) ? nil : "\(name) is invalid"
        case .integerNoneAny:
            guard !isInteger(value), !["none", "any"].contains(value.lowercased()) else { return nil }
            return "\(name) should be an integer, none, or any, however got \(value)"
        case .boolean: return isBoolean(value) ? nil : "\(name) is invalid"
        case .time: return !value.isEmpty && TimestampParser.parse(value) == nil ? "\(name) is invalid" : nil
        case .date: return !value.isEmpty && TimestampParser.parseDate(value) == nil ? "\(name) is invalid" : nil
        case .choice(let values): return values.contains(value) ? nil : "\(name) does not have a valid value"
        case .choices(let values):
            let isValid = value.split(separator: ",").allSatisfy { values.contains(String($0)) }
            return isValid ? nil : "\(name) does not have a valid value"
        case .text, .list, .integerList, .single, .hash: return nil
        }
    }

    private func isInteger(_ value: String) -> Bool { value.isEmpty || Int64(value) != nil }

    private func isBoolean(_ value: String) -> Bool {
        value.isEmpty || BooleanText.value(value) != nil
    }
}
