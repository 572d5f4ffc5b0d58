import Platform

/// A declared parameter: undeclared ones are ignored, declared ones are checked (GitLab facts §1).
struct ParameterRule: Sendable {
    enum Kind: Sendable {
        case integer
        /// A number, `None` or `Any` in any letter case.
        case integerNoneAny
        case text
        case boolean
        case time
        case date
        case choice([String])
        /// `name[]=…`, or comma separated.
        case list
    }

    let name: String
    let kind: Kind
    /// The declared default, which `Link` addresses repeat.
    var standard: String?
    var isRequired = false

    init(_ name: String, _ kind: Kind, standard: String? = nil, isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.isRequired = isRequired
    }
}

/// A request's parameters: of the path, of the query and of the body. The last of several values wins (GitLab facts
/// §19).
struct Parameters: Sendable {
    /// In the order in which they were given, defaults last.
    private(set) var entries: [(name: String, values: [String])] = []

    mutating func add(_ name: String, _ value: String) {
        if let index = entries.firstIndex(where: { $0.name == name }) {
            entries[index].values.append(value)
        } else {
            entries.append((name, [value]))
        }
    }

    mutating func setDefaults(_ rules: [ParameterRule]) {
        for rule in rules {
            if let standard = rule.standard, self[rule.name] == nil { entries.append((rule.name, [standard])) }
        }
    }

    /// The last value.
    subscript(name: String) -> String? {
        entries.first { $0.name == name }?.values.last
    }

    func integer(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

    func isTrue(_ name: String) -> Bool { self[name].flatMap(BooleanText.value) ?? false }

    /// The values of `name[]`, or those of `name` between commas.
    func list(_ name: String) -> [String]? {
        if let values = entries.first(where: { $0.name == name + "[]" })?.values { return values }
        return self[name].map { $0.split(separator: ",").map(String.init) }
    }

    func time(_ name: String) -> WallTime? { self[name].flatMap(TimestampParser.parse) }

    /// Checks declared parameters as the framework does: every complaint in one sentence.
    func check(_ rules: [ParameterRule]) throws(APIError) {
        let complaints = rules.compactMap { complaint(of: $0) }
        guard complaints.isEmpty else { throw APIError.error(400, complaints.joined(separator: ", ")) }
    }

    private func complaint(of rule: ParameterRule) -> String? {
        if case .list = rule.kind { return nil }
        if entries.contains(where: { $0.name == rule.name + "[]" }) { return "\(rule.name) is invalid" }
        guard let value = self[rule.name] else { return rule.isRequired ? "\(rule.name) is missing" : nil }
        switch rule.kind {
        case .integer: return isInteger(value) ? nil : "\(rule.name) is invalid"
        case .integerNoneAny:
            guard !isInteger(value), !["none", "any"].contains(value.lowercased()) else { return nil }
            return "\(rule.name) should be an integer, 'None' or 'Any', however got \(value)"
        case .text, .list: return nil
        case .boolean: return isBoolean(value) ? nil : "\(rule.name) is invalid"
        case .time: return TimestampParser.parse(value) == nil ? "\(rule.name) is invalid" : nil
        case .date: return TimestampParser.parseDate(value) == nil ? "\(rule.name) is invalid" : nil
        case .choice(let values): return values.contains(value) ? nil : "\(rule.name) does not have a valid value"
        }
    }

    private func isInteger(_ value: String) -> Bool { value.isEmpty || Int64(value) != nil }

    private func isBoolean(_ value: String) -> Bool {
        value.isEmpty || BooleanText.value(value) != nil
    }
}
