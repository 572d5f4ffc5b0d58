/// Finds what a mistyped name was meant to be.
package enum NearestName {
    /// The candidate with the fewest single-character edits, when at most a third of the name would have to change.
    package static func find(_ name: String, among candidates: [String]) -> String? {
        let limit = max(1, name.utf8.count / 3)
        var best: (distance: Int, name: String)?
        for candidate in candidates {
            let distance = distance(Array(name.lowercased().utf8), Array(candidate.lowercased().utf8))
            if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.name
    }

    /// The Levenshtein distance, one row at a time.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (rowIndex, leftByte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = rowIndex + 1
            for (column, rightByte) in right.enumerated() {
                let substitution = diagonal + (leftByte == rightByte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
