import Platform

/// The arguments of `simctl merge`.
struct MergeArguments: Equatable {
    /// The folders that the shards wrote.
    var folders: [String]
    var output = OutputStyle()
    /// The folder named with `--out`.
    var out: String?
    /// For the one seed that is told in detail.
    var timeLimit = RunArguments.defaultTimeLimit
}

extension MergeArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        self.init(folders: arguments.operands, output: OutputStyle(arguments), out: arguments.values["--out"])
        if let text = arguments.values["--time-limit"] { timeLimit = try RunArguments.timeLimit(text) }
    }
}
