/// A program's page for `man`, made from its table.
package enum ManualPage {
    /// The page in roff; equal tables give equal bytes. `date` stands in its foot, such as `2026-11-24`; empty for nothing.
    package static func text(_ program: ProgramTable, date: String = "") -> String {
        let group = program.section == 1 ? "User Commands" : "System Administration"
        var lines = [
            ".TH \(program.name.uppercased()) \(program.section) \"\(date)\" \"\(program.name) \(program.version)\" \"\(group)\"",
            ".SH NAME", "\(escaped(program.name)) \\- \(escaped(program.summary))",
            ".SH SYNOPSIS", ".B \(escaped(program.name))", ".I COMMAND", "[\\fIARGUMENTS\\fR]",
            ".SH DESCRIPTION",
        ]
        lines += paragraphs(program.description)
        lines.append(".SH COMMANDS")
        for command in program.commands { lines += self.command(command, of: program) }
        lines.append(".SH OPTIONS")
        for flag in program.flags { lines += item(flag) }
        lines.append(".SH EXIT STATUS")
        lines += entries(program.exitCodes)
        if !program.environment.isEmpty { lines += [".SH ENVIRONMENT"] + entries(program.environment) }
        if !program.files.isEmpty { lines += [".SH FILES"] + entries(program.files) }
        let examples = program.commands.flatMap(\.examples)
        if !examples.isEmpty {
            lines.append(".SH EXAMPLES")
            for example in examples { lines += [".TP", ".B \(escaped(example.command))", line(example.meaning)] }
        }
        if !program.seeAlso.isEmpty {
            lines += [".SH SEE ALSO"] + [program.seeAlso.map(reference).joined(separator: ", ")]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Whether a text is a date of the calendar, such as `2026-11-24`.
    package static func isDate(_ text: String) -> Bool {
        let hasForm =
            text.utf8.count == 10
            && text.utf8.enumerated().allSatisfy {
                $0.offset == 4 || $0.offset == 7 ? $0.element == 45 : (48...57).contains($0.element)
            }
        let numbers = text.split(separator: "-").compactMap { Int($0) }
        guard hasForm, numbers.count == 3, (1...12).contains(numbers[1]) else { return false }
        return (1...days(inMonth: numbers[1], of: numbers[0])).contains(numbers[2])
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func command(_ command: ProgramTable.Command, of program: ProgramTable) -> [String] {
        let operands = command.operands.isEmpty ? "" : " \\fI\(escaped(command.operands))\\fR"
        var lines = [
            ".SS \(escaped(program.name)) \(escaped(command.name))\(operands)", line(sentence(command.summary)),
        ]
        for flag in command.flags { lines += item(flag) }
        for note in command.notes { lines += [".PP", line(note)] }
        return lines
    }

    private static func item(_ flag: ProgramTable.Flag) -> [String] {
        let value = flag.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
        let short = flag.name == "--out" ? "\\fB\\-o\\fR, " : ""
        return [".TP", "\(short)\\fB\(escaped(flag.name))\\fR\(value)", line(flag.summary)]
    }

    private static func entries(_ entries: [ProgramTable.Entry]) -> [String] {
        entries.flatMap { [".TP", ".B \(escaped($0.name))", line($0.meaning)] }
    }

    private static func paragraphs(_ texts: [String]) -> [String] {
        texts.enumerated().flatMap { index, text in (index == 0 ? [] : [".PP"]) + [line(text)] }
    }

    private static func sentence(_ text: String) -> String {
        guard let first = text.first else { return text }
        return first.uppercased() + text.dropFirst() + "."
    }

    private static func reference(_ text: String) -> String {
        let parts = text.split(separator: "(", maxSplits: 1)
        guard parts.count == 2 else { return escaped(text) }
        return "\\fB\(escaped(String(parts[0])))\\fR(\(parts[1])"
    }

    /// A line of text, which must not look like a request.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// Dashes as they are typed, backslashes as text, other signs by their number in Unicode.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "\n": escaped += " "
            default:
                guard !scalar.isASCII else {
                    escaped.unicodeScalars.append(scalar)
                    continue
                }
                let digits = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return escaped
    }
}
