import Configuration
import JSON

extension ScenarioDecoder {
    /// The overrides at `cursor`. What the notifier itself would refuse is a problem of the file.
    mutating func decodeNotifier(_ cursor: Cursor?) -> NotifierOverrides {
        guard let cursor, case .object(let members) = cursor.node.value else { return NotifierOverrides() }
        let overrides = NotifierOverrides(values: members)
        do {
            _ = try overrides.configuration()
        } catch let error as ConfigurationError {
            for error in error.each { note(error, at: cursor) }
        } catch {
            note(.badNotation, cursor, "The notifier cannot read this configuration: \(error).")
        }
        return overrides
    }

    private mutating func note(_ error: ConfigurationError, at cursor: Cursor) {
        let message = "The notifier refuses this configuration: \(error)."
        switch error {
        case .unknownKey(let key, let nearest):
            note(.unknownKey, cursor[key] ?? cursor, message, nearest: nearest)
        case .badValue(let key, _):
            note(.badNotation, cursor[key] ?? cursor, message)
        case .outOfRange(let key, _):
            // A rule that ties two keys together may name the one that the file leaves alone.
            let hint = cursor[key] == nil ? "The file does not set \(quoted(key)), so that its default applies." : nil
            note(.outOfRange, cursor[key] ?? cursor, message, hint: hint)
        case .badSecret, .several:
            note(.badNotation, cursor, message)
        }
    }
}
