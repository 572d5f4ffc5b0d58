/// What `simctl shrink` was asked to do.
struct ShrinkArguments: Equatable {
    var file: String
    var seed: SeedSelection
    /// What is to stay wrong; nil for what is found first.
    var finding: String?
    /// Where the result goes; standard output when nil.
    var out: String?
}

extension ShrinkArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        file = arguments.scenarioFiles[0]
        seed = try SeedSelection(arguments)
        finding = arguments.values["--finding"]
        out = arguments.values["--out"]
    }
}
