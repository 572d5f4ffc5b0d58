import CommandTable

extension CommandSyntax {
    /// Everything that may be written after `gitlab-notify`, for completion and manual.
    static var program: ProgramTable {
        ProgramTable(
            name: "gitlab-notify",
            version: TerminalProgram.version,
            section: 1,
            summary: "what happens to your issues and merge requests, in the terminal",
            description: [
                "gitlab-notify is a client of a notifierd server, which watches GitLab for you: it shows news as it comes, what you "
                    + "missed and what you watch, and changes what you are told. It needs neither a phone nor a key of Apple's.",
                "What was seen last can be shown while nobody answers, and what you choose meanwhile waits.",
            ],
            commands: all.map(\.table),
            flags: [
                Flag(name: "--help", summary: "print a short help; after a command, that of the command"),
                Flag(name: "--version", summary: "print which program this is"),
            ],
            exitCodes: [ProgramTable.Entry("0", "done")]
                + TerminalError.Exit.allCases.map { ProgramTable.Entry("\($0.rawValue)", $0.meaning) },
            environment: [
                ProgramTable.Entry("NO_COLOR", "When it is set, nothing is coloured."),
                ProgramTable.Entry("XDG_STATE_HOME", "Where sign-in and state are kept (~/.local/state)."),
            ],
            files: [
                ProgramTable.Entry(
                    "~/.local/state/gitlab-notify/",
                    "The session, the watch list as last seen, what waits, and where tail is."
                )
            ],
            seeAlso: ["notifierd(8)"]
        )
    }

    private var table: ProgramTable.Command {
        let flags = allFlags.filter { $0.name != ProgramTable.help.name }
        return ProgramTable.Command(name: name, summary: summary, operands: operands, flags: flags, notes: notes)
    }
}
