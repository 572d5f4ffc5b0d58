import Configuration
import Notifier

@testable import Daemon

/// `docs/settings.md`: the tables of the code, and what the notifier's properties say of themselves.
enum SettingsDocument {
    static let path = "docs/settings.md"
    /// Where the notifier's properties say what they are for.
    static let source = "Sources/Configuration/NotifierConfiguration.swift"

    static func text() throws -> String {
        let meanings = try meanings(in: LiveSourceTree.text(at: source))
        return """
            # Settings

            <!-- Written by `make docs` from the tables in the code; a test holds it up to date. -->

            [deploy.md](deploy.md) says how to begin. An unknown name or a bad value is refused, with the nearest name, before anything
            starts: `notifierd check-config --config FILE`.

            ## Variables

            They come from the environment, or from the file that `secrets` names: one `NAME=value` a line, as systemd's
            `EnvironmentFile=` takes them. Where both have one the environment's counts. What is read again on SIGHUP comes from the
            file, as nobody can change the environment of a program that runs.

            | Variable | Needed | Holds |
            |---|---|---|
            \(variables)
            Without `APNS_KEY_PATH`, `APNS_KEY_ID` and `APNS_TEAM_ID` the server runs in log-only mode, which
            [operations.md](operations.md) describes; a part of them is refused.

            ## The file

            One JSON file, given as `--config FILE`. Every key may be left out, and so may the file.

            | Key | Default | Meaning |
            |---|---|---|
            \(rows(SettingsKey.top))
            ### `listen`

            | Key | Default | Meaning |
            |---|---|---|
            \(rows(SettingsKey.listen))
            ### An entry of `gitlabs`, where it is no text

            | Key | Default | Meaning |
            |---|---|---|
            \(rows(SettingsKey.gitlab))
            ### Each of `oauth`

            | Key | Default | Meaning |
            |---|---|---|
            \(rows(SettingsKey.oauth))
            ### `notifier`

            Durations are text with units: `"90s"`, `"1h30m"`. [ARCHITECTURE.md](ARCHITECTURE.md#sweeps-tell-which-items-to-read) says
            whom `"perItem"` serves as `changeDetection`.

            | Key | Default | Range | Meaning |
            |---|---|---|---|
            \(notifier(meanings))
            """
    }

    private static var variables: String {
        ServiceVariables.table.map { "| `\($0.name)` | \($0.isNeeded ? "yes" : "") | \($0.meaning) |\n" }.joined()
            + "| `\(ServiceVariables.oauthSecret)…` | | secrets of applications, by the names that `oauth` gives them |\n"
    }

    private static func rows(_ keys: [SettingsKey]) -> String {
        keys.map { "| `\($0.name)` | \($0.standard.map { "`\($0)`" } ?? "") | \($0.meaning) |\n" }.joined()
    }

    private static func notifier(_ meanings: [String: String]) -> String {
        NotifierConfiguration.keyDescriptions.map { key in
            "| `\(key.name)` | `\(key.standard)` | \(key.allowed) | \(meanings[key.name] ?? "") |\n"
        }.joined()
    }

    /// What stands above each property of a source text.
    static func meanings(in source: String) -> [String: String] {
        var meanings: [String: String] = [:]
        var comment: [Substring] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("/// ") {
                comment.append(text.dropFirst(4))
                continue
            }
            if text.hasPrefix("package var ") {
                let name = text.dropFirst("package var ".count).prefix { $0.isLetter || $0.isNumber }
                meanings[String(name)] = comment.joined(separator: " ")
            }
            comment = []
        }
        return meanings
    }
}
