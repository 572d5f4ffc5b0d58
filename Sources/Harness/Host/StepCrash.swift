import Scenarios

/// A crash that waits for the notifier to reach a step.
struct StepCrash {
    /// The entry of the timeline that it comes from.
    var id: EntryID
    var step: DurableStep
    /// How often the step is still to be reached.
    var occurrence: Int
    /// How often the process is to be started before the step counts.
    var restarts: Int
    var keeps: KeptWrites
    var downFor: Duration

    /// Whether the crash comes now that this step is reached.
    mutating func strikes(at reached: DurableStep) -> Bool {
        guard reached == step, occurrence > 0 else { return false }
        occurrence -= 1
        return occurrence == 0
    }
}
