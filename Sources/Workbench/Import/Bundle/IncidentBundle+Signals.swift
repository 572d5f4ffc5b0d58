import Platform

/// What programs said to people, as a bundle tells it.
extension IncidentBundle {
    struct Signal: Equatable {
        enum Word: String {
            case approvalNeeded = "approval_needed"
            case runCompleted = "run_completed"
            case runFailed = "run_failed"
            case settled
        }

        /// How it ended that somebody was asked; the others follow from what happens.
        enum Ending: String {
            case done, revoked, silenced
            case runEnded = "run_ended"
        }

        var account: Int64
        var program: Int64
        var word: Word
        /// The same for whatever the program says under one name.
        var name: Int64
        var run: Int64?
        var at: WallTime
        var silence: Silence?
        var settledAt: WallTime?
        var ending: Ending?
        /// Until when the program is not heard; nil where it is.
        var mutedUntil: WallTime?
    }
}

extension IncidentBundle.Signal {
    /// Nil for what is not known.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let word = try fields.word("of", Word.self) else { return nil }
        self.word = word
        account = try fields.number("account")
        program = try fields.number("program")
        name = try fields.number("name")
        run = try fields.optionalNumber("run")
        at = try fields.instant("at")
        silence = try fields.word("silenced", IncidentBundle.Silence.self)
        settledAt = try fields.optionalInstant("settledAt")
        ending = try fields.word("settledBy", Ending.self)
        mutedUntil = try fields.optionalInstant("mutedUntil")
    }
}
