import Platform

extension ActionForm {
    /// What programs say to people, and what these do about it.
    static let byPrograms: [ActionForm] = [
        ActionForm(
            .signal,
            "A program that the person has let in says something to them, again and again until it is answered.",
            .program,
            [
                .oneActor,
                Field("says", .oneOf(ProgramWord.self), isRequired: true, "What it says."),
                Field(
                    "name",
                    .notation(.name),
                    "Its own name for that: whatever it says again under one is told once. One of its own by default; needed to say that it is settled."
                ),
                Field(
                    "run",
                    .notation(.name),
                    "The run that it belongs to, whose end settles the approvals that it asked for; the name by default."
                ),
            ],
            activity: .signal
        ) { details in
            let word = try details.word
            let name = word == .settled ? try details.name : details.optionalName
            return .program(.say(word, name: name, run: details.run), of: try details.person)
        },
        ActionForm(
            .settleSignal,
            "The person says in the app that what a program asks of them is done.",
            .program,
            [.oneActor, Field("name", .notation(.name), isRequired: true, "The program's name for it.")]
        ) { .program(.settle(name: try $0.name), of: try $0.person) },
        ActionForm(
            .muteProgram,
            "The person mutes their program for a while.",
            .program,
            [.oneActor, Field("for", .length, isRequired: true, "How long it is not heard.")]
        ) { .program(.mute(length: try $0.length), of: try $0.person) },
        ActionForm(.unmuteProgram, "The person ends the mute of their program.", .program, [.oneActor]) {
            .program(.unmute, of: try $0.person)
        },
        ActionForm(
            .revokeProgram,
            "The person shuts their program out; when it next has something to say it is let in as another one.",
            .program,
            [.oneActor]
        ) { .program(.revoke, of: try $0.person) },
    ]
}
