/// Finds the name somebody probably meant.
package enum NearestName {
    /// The candidate with the fewest edits from `name`, the first of equals; nil when even that one looks different:
    /// more than a third of the letters, at least two.
    package static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
        let limit = max(2, wanted.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased().unicodeScalars.prefix(64))
            guard abs(letters.count - wanted.count) <= limit else { continue }
            let distance = editDistance(wanted, letters)
            if distance <= limit && distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
    private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(
                    previous[column] + (letter == other ? 0 : 1),
                    previous[column + 1] + 1,
                    current[column] + 1
                )
                if row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == other {
                    cost = min(cost, before[column - 1] + 1)
                }
                current.append(cost)
            }
            (before, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
