import JSON
import Platform
import Scenarios

/// How what happened at an instant is written into a scenario's timeline.
extension IncidentTimeline {
    /// How long after the start it is; nil for what was not within the story.
    func offset(_ at: WallTime) -> JSONMember? {
        guard start <= at, at < end else { return nil }
        return JSONMember("at", .string(DurationNotation.text(start.duration(to: at))))
    }

    /// What somebody does.
    ///
    /// - Parameters:
    ///   - name: the action's.
    ///   - person: who does it.
    ///   - at: when.
    ///   - guess: what of it is guessed; nil where nothing is.
    ///   - more: further members.
    /// - Returns: nil for what was not within the story.
    func action(_ name: String, by person: String, at: WallTime, guess: String?, _ more: [JSONMember] = [])
        -> JSONValue?
    {
        guard let at = offset(at) else { return nil }
        let description = guess.map { [JSONMember("description", .string("Guess: \($0)."))] } ?? []
        return .object(
            description + [at, JSONMember("action", .string(name)), JSONMember("by", .string(person))] + more
        )
    }
}
