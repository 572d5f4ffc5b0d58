import JSON
import Scenarios

/// The ids by which people's things go in the API, as far as programs of theirs have read them.
struct NamesInAPI {
    /// By person and the first part of the path at which they were read.
    private var read: [Username: [String: Set<String>]] = [:]

    /// What one person's program knows.
    struct Known {
        fileprivate var ownByArea: [String: [String]] = [:]
        fileprivate var foreignByArea: [String: [String]] = [:]

        /// The person's own things that a path may name.
        func own(in path: String) -> [String] { ownByArea[NamesInAPI.area(of: path)] ?? [] }

        /// What other people's programs know and the person's does not.
        func foreign(to path: String) -> [String] { foreignByArea[NamesInAPI.area(of: path)] ?? [] }
    }

    /// Duties belong to several people, and somebody may join one at any time.
    private static let shared: Set<String> = ["duties", "occurrences"]
    private static let mostOfArea = 200

    /// Notes the ids in an answer that is the person's.
    mutating func note(_ answer: JSONValue, at path: String, of person: Username) {
        let area = Self.area(of: path)
        var known = read[person]?[area] ?? []
        Self.collect(from: answer, into: &known)
        read[person, default: [:]][area] = known
    }

    /// What a program of that person may use, in an order of its own.
    func known(to person: Username) -> Known {
        let own = read[person] ?? [:]
        let all = own.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        var foreign: [String: Set<String>] = [:]
        for (_, areas) in read.filter({ $0.key != person }) {
            for (area, ids) in areas where !Self.shared.contains(area) {
                foreign[area, default: []].formUnion(ids.subtracting(all))
            }
        }
        return Known(ownByArea: own.mapValues { $0.sorted() }, foreignByArea: foreign.mapValues { $0.sorted() })
    }

    private static func collect(from value: JSONValue, into known: inout Set<String>) {
        switch value {
        case .string(let text) where known.count < mostOfArea && SchemaCheck.isUUID(text): known.insert(text)
        case .array(let elements): for element in elements { collect(from: element, into: &known) }
        case .object(let members): for member in members { collect(from: member.value, into: &known) }
        case .null, .bool, .number, .string: break
        }
    }

    fileprivate static func area(of path: String) -> String {
        String(path.dropFirst().prefix { $0 != "/" && $0 != "." })
    }
}
