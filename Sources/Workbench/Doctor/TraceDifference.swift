/// The first place at which two traces part.
struct TraceDifference: Equatable {
    /// How many lines are shown before and after.
    static let context = 5
    /// What stands for the end of a trace that is over first.
    static let end = "(the trace ends here)"

    /// Number of the first event that differs, from 1.
    var event: Int
    /// The differing line, marked, with those around it, in the first trace.
    var left: [String]
    /// The same in the second trace.
    var right: [String]

    /// Nil when both traces are the same to the last line.
    static func find(
        _ left: some Sequence<String>,
        _ right: some Sequence<String>
    ) -> TraceDifference? {
        var (left, right) = (left.makeIterator(), right.makeIterator())
        var before: [String] = []
        var event = 0
        while true {
            event += 1
            let (first, second) = (left.next(), right.next())
            if first == nil && second == nil { return nil }
            if let first, first == second {
                if before.count == context { before.removeFirst() }
                before.append(first)
                continue
            }
            return TraceDifference(
                event: event,
                left: excerpt(before, first, &left),
                right: excerpt(before, second, &right)
            )
        }
    }

    private static func excerpt(
        _ before: [String],
        _ differing: String?,
        _ rest: inout some IteratorProtocol<String>
    ) -> [String] {
        var lines = before.map { "  \($0)" }
        lines.append("> \(differing ?? end)")
        while lines.count < before.count + 1 + context, let line = rest.next() { lines.append("  \(line)") }
        return lines
    }
}
