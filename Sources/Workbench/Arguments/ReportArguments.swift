/// The arguments of `simctl report`.
struct ReportArguments: Equatable {
    /// The folder of a report.
    var folder: String
    /// The file named with `--out`; nil for `report.html` in the folder.
    var out: String?
    /// The file named with `--svg`.
    var picture: String?
    var output = OutputStyle()
}

extension ReportArguments {
    init(_ arguments: ParsedArguments) {
        self.init(
            folder: arguments.operands[0],
            out: arguments.values["--out"],
            picture: arguments.values["--svg"],
            output: OutputStyle(arguments)
        )
    }
}
