import JSON

/// Collects the problems of one file, at most `InvalidScenario.maximumCount`.
struct ProblemReport {
    let file: String
    let source: SourceText
    private(set) var problems: [Problem] = []

    var isEmpty: Bool { problems.isEmpty }

    /// Whether there is no room for another.
    var isFull: Bool { problems.count >= InvalidScenario.maximumCount }

    /// Notes one problem about the value (or key) that begins at byte `offset`.
    mutating func add(
        _ code: ProblemCode,
        at offset: Int,
        _ pointer: String,
        _ message: String,
        allowed: [String] = [],
        nearest: String? = nil,
        hint: String? = nil
    ) {
        guard !isFull else { return }
        problems.append(
            Problem(
                code: code,
                file: file,
                position: source.position(at: offset),
                pointer: pointer,
                message: message,
                allowed: allowed,
                nearest: nearest,
                hint: hint
            )
        )
    }

    /// Throws everything that was noted, by its place in the file; returns when nothing was.
    func throwIfAny() throws(InvalidScenario) {
        guard !problems.isEmpty else { return }
        let sorted = problems.enumerated().sorted { left, right in
            let (first, second) = (left.element.position, right.element.position)
            let place = (first?.line ?? 0, first?.column ?? 0, left.offset)
            return place < (second?.line ?? 0, second?.column ?? 0, right.offset)
        }
        throw InvalidScenario(problems: sorted.map(\.element))
    }
}
