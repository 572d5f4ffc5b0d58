/// The arguments of `simctl bench-push`.
struct PushBenchArguments: Equatable {
    /// A file with the first line of `simctl serve`.
    var file: String
    /// Notifications for each device: as many as the notifier lets a person ask for in a minute at most.
    var rounds = 1
    /// Pushes under way at the same time; nil for the notifier's default.
    var concurrency: Int?
    /// Where the database is made; nil for a folder that goes afterwards.
    var folder: String?
}

extension PushBenchArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        self.init(file: arguments.operands[0])
        rounds = try Self.number("--rounds", 1...6, arguments) ?? rounds
        concurrency = try Self.number("--concurrency", 1...1_000, arguments)
        folder = arguments.values["--folder"]
    }

    private static func number(
        _ flag: String,
        _ range: ClosedRange<Int>,
        _ arguments: ParsedArguments
    ) throws(ProgramError) -> Int? {
        guard let text = arguments.values[flag] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" does not go with \(flag), which takes \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }
}
