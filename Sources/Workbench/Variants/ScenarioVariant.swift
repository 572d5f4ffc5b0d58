import JSON
import Scenarios

/// A scenario with other settings of the notifier: the same world, told by a file of its own.
enum ScenarioVariant {
    /// The text of the scenario with the settings, read as any other file. `file` is where it will be written, for messages and for the
    /// line that repeats a run.
    ///
    /// - Throws: `ProgramError` for a key that the notifier does not have, and a value that it refuses.
    static func make(
        _ checked: CheckedScenario,
        _ changes: [SettingChange],
        file: String,
        flag: String
    ) throws(ProgramError) -> CheckedScenario {
        guard !changes.isEmpty else { return checked }
        var reader = JSONReader(bytes: Array(checked.text.utf8))
        guard let document = try? reader.read().value else {
            throw ProgramError(.invalidScenario, "\(checked.file) is not JSON")
        }
        var settings = document["notifier"] ?? .object([])
        for change in changes { settings = settings.with(change.key, change.value) }
        let text = document.with("notifier", settings).text(indented: true) + "\n"
        do throws(InvalidScenario) {
            let scenario = try ScenarioReader.read(Array(text.utf8), file: file)
            return CheckedScenario(file: file, text: text, scenario: scenario)
        } catch {
            throw refusal(error, changes, flag: flag)
        }
    }

    /// For who put something else than commas between the values of a sweep.
    private static func severalValues(_ changes: [SettingChange], _ flag: String) -> String? {
        for change in changes where flag == "--vary" {
            guard case .string(let text) = change.value else { continue }
            let values = text.split { ";|/ ".contains($0) }
            if values.count > 1 {
                let list = values.joined(separator: ",")
                return "commas stand between values: --vary \(SettingChange.prefix)\(change.key)=\(list)"
            }
        }
        return nil
    }

    private static func refusal(_ error: InvalidScenario, _ changes: [SettingChange], flag: String) -> ProgramError {
        let problem = error.problems.first?.json
        func text(_ key: String) -> String? {
            guard case .string(let text)? = problem?[key] else { return nil }
            return text
        }
        let settings = changes.map { SettingChange.prefix + $0.text }.joined(separator: ", ")
        let nearest = text("nearest").map { "did you mean \(SettingChange.prefix)\($0)?" }
        let hint = nearest ?? severalValues(changes, flag) ?? text("hint")
        return ProgramError(
            .badValue,
            "\(flag) \(settings): \(text("message") ?? "the scenario is invalid with it")",
            hint: hint ?? "docs/settings.md lists keys with their ranges"
        )
    }
}
