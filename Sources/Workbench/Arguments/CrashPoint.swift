import JSON
import Platform
import Scenarios

/// A durable step at which the notifier dies, counted from the beginning of a run.
struct CrashPoint: Hashable {
    var step: DurableStep
    /// From 1.
    var occurrence: Int

    /// As the command line takes it, such as `after-push:12`.
    var text: String { "\(step.rawValue):\(occurrence)" }

    init(step: DurableStep, occurrence: Int) {
        (self.step, self.occurrence) = (step, occurrence)
    }

    /// Nil for what is no such text.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let step = DurableStep(rawValue: String(parts[0])),
            parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let occurrence = Int(parts[1]),
            (1...1_000_000).contains(occurrence)
        else { return nil }
        self.init(step: step, occurrence: occurrence)
    }

    /// How long the notifier is away.
    static let downFor = Duration.seconds(5)

    /// The scenario with this crash; `document` is one that was checked.
    func added(to document: JSONValue) -> JSONValue {
        let entry = JSONValue.object([
            JSONMember("at", .string("0s")), JSONMember("fault", .string(FaultKind.crashAtStep.rawValue)),
            JSONMember("step", .string(step.rawValue)), JSONMember("occurrence", .integer(Int64(occurrence))),
            JSONMember("downFor", .string(DurationNotation.text(Self.downFor))),
        ])
        return .object(
            (document.members ?? []).map { member in
                guard member.key == "timeline", case .array(let entries) = member.value else { return member }
                return JSONMember("timeline", .array([entry] + entries))
            }
        )
    }
}
