import Platform

/// A declared parameter: undeclared ones are ignored, declared ones are checked (GitLab facts §1).
struct ParameterRule: Sendable {
    enum Kind: Sendable, Equatable {
        case integer
        /// A number, `None` or `Any`, in any letter case.
        case integerNoneAny
        case text
        case boolean
        case time
        case date
        case choice([String])
        /// Some of these, between commas.
        case choices([String])
        /// `name[]=…`, or comma separated.
        case list
        case integerList
        /// A list that may hold one value.
        case single
        /// Parameters in brackets behind the name.
        case hash
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
}
