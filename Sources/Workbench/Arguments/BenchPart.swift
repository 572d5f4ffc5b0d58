/// Which figures `simctl bench` is to measure.
enum BenchPart: Equatable {
    /// All but those of a large team, which take minutes.
    case all
    case duties, team

    init(_ arguments: ParsedArguments) {
        self = arguments.has("--duties") ? .duties : arguments.has("--team") ? .team : .all
    }
}
