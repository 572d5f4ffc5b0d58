import Platform

extension FaultForm {
    /// What strikes the notifier's process, its disk and the clocks.
    static let machine = [
        FaultForm(
            .crash,
            .process,
            .process,
            "The notifier dies where it stands and is started again.",
            length: .downFor,
            effect: { .crash },
            values: { if case .crash = $0 { () } else { nil } }
        ),
        FaultForm(
            .crashAtStep,
            .process,
            .process,
            "The notifier dies at a named step and is started again; not when it would not be up again before the end.",
            .choice("step", "At which step."),
            .integer(
                "occurrence",
                1...1_000_000,
                standard: 1,
                "At its nth time after the entry's instant; 1 by default."
            ),
            .integer(
                "afterRestarts",
                0...100,
                standard: 0,
                "It counts from the start of the process that follows so many deaths; 0 by default."
            ),
            .choice("keeps", standard: .all, "What the disk keeps of writes before their sync; all by default."),
            length: .downFor,
            effect: { .crashAtStep($0, occurrence: $1, afterRestarts: $2, keeps: $3) },
            values: {
                if case .crashAtStep(let step, let number, let restarts, let keeps) = $0 {
                    (step, number, restarts, keeps)
                } else {
                    nil
                }
            }
        ),
        FaultForm(
            .powerLoss,
            .process,
            .process,
            "The notifier's machine loses its power and is started again.",
            .choice("keeps", standard: .torn, "What the disk keeps of writes before their sync; torn by default."),
            length: .downFor,
            effect: { .powerLoss(keeps: $0) },
            values: { if case .powerLoss(let keeps) = $0 { keeps } else { nil } }
        ),
        FaultForm(
            .restart,
            .process,
            .process,
            "The notifier is shut down in order and started again.",
            length: .downFor,
            effect: { .restart },
            values: { if case .restart = $0 { () } else { nil } }
        ),
        FaultForm(
            .restoreBackup,
            .database,
            .process,
            "A backup is made; half a minute before the end the notifier is shut down, and started again from that backup.",
            effect: { .restoreBackup },
            values: { if case .restoreBackup = $0 { () } else { nil } }
        ),
        FaultForm(
            .stall,
            .process,
            .process,
            "Nothing of the notifier runs.",
            effect: { .stall },
            values: { if case .stall = $0 { () } else { nil } }
        ),
        FaultForm(
            .diskFull,
            .disk,
            .process,
            "The notifier can write nothing: its disk is full.",
            effect: { .diskFull },
            values: { if case .diskFull = $0 { () } else { nil } }
        ),
        FaultForm(
            .diskDamaged,
            .disk,
            .process,
            "The notifier finds its database damaged with every write.",
            effect: { .diskDamaged },
            values: { if case .diskDamaged = $0 { () } else { nil } }
        ),
        FaultForm(
            .diskError,
            .disk,
            .process,
            "The notifier's disk fails to do what the database asks.",
            .choice("operation", "What fails."),
            .ratio,
            effect: { .diskError($0, ratio: $1) },
            values: { if case .diskError(let operation, let ratio) = $0 { (operation, ratio) } else { nil } }
        ),
        FaultForm(
            .diskSlow,
            .disk,
            .slow,
            "The notifier's disk is slow: each piece of work on the database takes its time.",
            .length("delay", "How long each takes."),
            effect: { .diskSlow($0) },
            values: { if case .diskSlow(let delay) = $0 { delay } else { nil } }
        ),
        FaultForm(
            .blockDamage,
            .database,
            .process,
            "The notifier dies, and a block of its database is spoilt; refused, it gives way to a backup of then in the end.",
            effect: { .blockDamage },
            values: { if case .blockDamage = $0 { () } else { nil } }
        ),
        FaultForm(
            .clockOffset,
            .clock,
            .clock,
            "A wall clock is wrong for a while.",
            .node,
            .signed("offset", "How wrong."),
            effect: { .clockOffset($0, $1) },
            values: { if case .clockOffset(let node, let offset) = $0 { (node, offset) } else { nil } }
        ),
        FaultForm(
            .clockStep,
            .clock,
            .clock,
            "A wall clock jumps.",
            .node,
            .signed("jump", "How far it jumps."),
            length: .none,
            effect: { .clockStep($0, $1) },
            values: { if case .clockStep(let node, let jump) = $0 { (node, jump) } else { nil } }
        ),
        FaultForm(
            .clockDrift,
            .clock,
            .clock,
            "A wall clock runs fast or slow.",
            .node,
            .integer("partsPerMillion", -100_000...100_000, "How fast (or, negative, slow) it runs."),
            effect: { .clockDrift($0, partsPerMillion: Int64($1)) },
            values: { if case .clockDrift(let node, let drift) = $0 { (node, Int(drift)) } else { nil } }
        ),
    ]
}
