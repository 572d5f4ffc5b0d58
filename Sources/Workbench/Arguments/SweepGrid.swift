import JSON
import Platform

/// Every combination of the values that are tried.
struct SweepGrid: Equatable, Sendable {
    /// A setting with its values, in the order of the command line.
    struct Key: Equatable, Sendable {
        var name: String
        var values: [JSONValue]

        /// As it is written on a command line.
        var text: String { "\(SettingChange.prefix)\(name)=\(values.map(SettingChange.text).joined(separator: ","))" }
    }

    /// More combinations than these are refused.
    static let maximumCombinations = 100

    let keys: [Key]

    /// - Throws: `ProgramError` for no key, one that stands twice, a value that does, or too many combinations.
    init(_ keys: [Key]) throws(ProgramError) {
        guard !keys.isEmpty else {
            throw ProgramError(
                .missingOperand,
                "which settings are to be tried?",
                hint: "--vary notifier.sweepInterval=20s,30s,60s"
            )
        }
        var count = 1
        for (index, key) in keys.enumerated() {
            guard !keys[..<index].contains(where: { $0.name == key.name }) else {
                throw ProgramError(.repeatedFlag, "notifier.\(key.name) is varied twice", hint: "name its values once")
            }
            for (position, value) in key.values.enumerated() where key.values[..<position].contains(value) {
                throw ProgramError(
                    .badValue,
                    "notifier.\(key.name) has the value \(SettingChange.text(value)) twice",
                    hint: "name it once"
                )
            }
            count *= min(key.values.count, Self.maximumCombinations + 1)
            guard count <= Self.maximumCombinations else {
                throw ProgramError(
                    .badValue,
                    "these are more than \(Self.maximumCombinations) combinations",
                    hint: "vary fewer settings at a time"
                )
            }
        }
        self.keys = keys
    }

    /// In the order of the keys, the last one changing fastest.
    var combinations: [[SettingChange]] {
        keys.reduce([[]]) { rows, key in
            rows.flatMap { row in key.values.map { row + [SettingChange(key: key.name, value: $0)] } }
        }
    }

    /// The name of a combination's report: the same for the same settings, whatever else is tried.
    static func folderName(_ changes: [SettingChange]) -> String {
        let plain = changes.map(\.text).joined(separator: ",")
        let safe = plain.utf8.map { byte -> String in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || "=.,-_".contains(character))
                ? String(character) : "%" + String(byte, radix: 16)
        }
        let name = safe.joined()
        guard name.utf8.count > longestName else { return name }
        return name.prefix(longestName) + "-" + digest(plain)
    }

    private static let longestName = 150

    /// At commas that stand in no brackets and no quotes.
    static func split(_ text: String) -> [String] {
        var parts = [""]
        var depth = 0
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted && character == "[" { depth += 1 }
            if !isQuoted && character == "]" { depth -= 1 }
            if character == ",", depth == 0, !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    private static func digest(_ text: String) -> String {
        var digest = RunningDigest()
        digest.fold(text)
        return digest.text
    }
}
