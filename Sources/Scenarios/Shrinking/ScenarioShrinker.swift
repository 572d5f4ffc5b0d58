package import JSON
import Platform

/// Makes a scenario smaller as long as it still fails: proposes one candidate after the other and keeps those that do. The same answers
/// lead the same way.
///
/// It knows nothing of single fields: lists lose halves, quarters and single elements (delta debugging), objects lose members, people and
/// projects go with all that names them, durations become round and numbers small. What is no scenario any more is the caller's to refuse.
package struct ScenarioShrinker {
    /// The smallest that fails so far.
    package private(set) var best: JSONValue
    /// Candidates that were proposed.
    package private(set) var proposals = 0

    /// What says how it fails, and what a run is called.
    private static let kept = ["$schema", "name", "description", "seed", "start", "expect"]
    /// One round makes room for the next; more bring nothing in practice.
    private static let rounds = 6

    package init(_ scenario: JSONValue) {
        best = scenario
    }

    /// Goes on until nothing can be left out or made simpler. `fails` says whether a candidate still fails in the same way.
    ///
    /// - Throws: what `fails` throws; ``best`` is then the best so far.
    package mutating func shrink<Failure: Error>(
        _ fails: (JSONValue) throws(Failure) -> Bool
    ) throws(Failure) {
        for _ in 0..<Self.rounds {
            let before = best
            let timeline = JSONPlace(steps: [.key("timeline")])
            try thin(timeline, fails)
            for list in ["people", "projects"] { try dismiss(JSONPlace(steps: [.key("world"), .key(list)]), fails) }
            try simplify(JSONPlace(), fails)
            if best == before { return }
        }
    }

    /// Keeps the candidate when it fails and differs.
    private mutating func attempt<Failure: Error>(
        _ candidate: JSONValue,
        _ fails: (JSONValue) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        guard candidate != best else { return false }
        proposals += 1
        guard try fails(candidate) else { return false }
        best = candidate
        return true
    }

    // MARK: Leaving out

    /// Leaves out elements of the list there: first half of them, then quarters, in the end each by itself.
    private mutating func thin<Failure: Error>(
        _ place: JSONPlace,
        _ fails: (JSONValue) throws(Failure) -> Bool
    ) throws(Failure) {
        var size = count(at: place)
        while size > 0 {
            var first = 0
            while first < count(at: place) {
                guard case .array(var elements) = best[place] else { return }
                elements.removeSubrange(first..<min(first + size, elements.count))
                if try !attempt(best.replacing(place, with: .array(elements)), fails) { first += size }
            }
            size /= 2
        }
    }

    private func count(at place: JSONPlace) -> Int {
        guard case .array(let elements) = best[place] else { return 0 }
        return elements.count
    }

    /// Takes people or projects out, with everything that names them, the last first.
    private mutating func dismiss<Failure: Error>(
        _ place: JSONPlace,
        _ fails: (JSONValue) throws(Failure) -> Bool
    ) throws(Failure) {
        for index in (0..<count(at: place)).reversed() {
            let entry = best[place.appending(.index(index))]
            guard case .string(let name)? = entry?["username"] ?? entry?["path"],
                let rest = NameRemoval(name: name).rest(of: best)
            else { continue }
            _ = try attempt(rest, fails)
        }
    }

    // MARK: Making simpler

    /// Leaves out what can be left out of the value there, and then goes into what is left.
    private mutating func simplify<Failure: Error>(
        _ place: JSONPlace,
        _ fails: (JSONValue) throws(Failure) -> Bool
    ) throws(Failure) {
        switch best[place] {
        case .array:
            try thin(place, fails)
            for index in 0..<count(at: place) { try simplify(place.appending(.index(index)), fails) }
        case .object:
            for key in keys(at: place) {
                guard case .object(let left) = best[place] else { return }
                _ = try attempt(best.replacing(place, with: .object(left.filter { $0.key != key })), fails)
            }
            for key in keys(at: place) { try simplify(place.appending(.key(key)), fails) }
        case .string, .number: try round(place, fails)
        case .null, .bool, nil: return
        }
    }

    /// Those of the object there that may go or change.
    private func keys(at place: JSONPlace) -> [String] {
        let all = best[place]?.members?.map(\.key) ?? []
        return place.steps.isEmpty ? all.filter { !Self.kept.contains($0) } : all
    }

    private mutating func round<Failure: Error>(
        _ place: JSONPlace,
        _ fails: (JSONValue) throws(Failure) -> Bool
    ) throws(Failure) {
        // Each simpler value may have simpler ones of its own.
        while let value = best[place] {
            var isSimpler = false
            for simpler in SimplerValue.candidates(for: value) where !isSimpler {
                isSimpler = try attempt(best.replacing(place, with: simpler), fails)
            }
            guard isSimpler else { return }
        }
    }
}
