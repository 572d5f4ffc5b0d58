import Scenarios

/// What `simctl import` was asked to do.
struct ImportArguments: Equatable {
    /// The file of `notifierd export-incident`; nil when nothing is known but what persons say.
    var bundle: String?
    /// What persons say they missed.
    var missed: [MissedNews]
    /// Where the scenario goes; standard output when nil.
    var out: String?
}

extension ImportArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        bundle = arguments.operands.first
        var missed: [MissedNews] = []
        for text in arguments.all("--missed") { missed.append(try MissedNews(text)) }
        self.missed = missed
        out = arguments.values["--out"]
        guard bundle != nil || !missed.isEmpty else {
            throw ProgramError(
                .missingOperand,
                "simctl import needs a bundle, or what was missed",
                hint: "simctl import incident.jsonl, or simctl import \(MissedNews.example)"
            )
        }
    }
}
