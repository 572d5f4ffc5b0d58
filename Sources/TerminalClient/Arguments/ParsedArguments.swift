import CommandTable
import Platform

/// The arguments behind a command's name, told apart by that command's syntax.
struct ParsedArguments: Equatable {
    private var values: [String: [String]] = [:]
    private(set) var operands: [String] = []

    /// - Throws: `TerminalError.usage` for anything the syntax does not allow.
    init(_ arguments: some Sequence<String>, syntax: CommandSyntax) throws(TerminalError) {
        var rest = Array(arguments)[...]
        var takesFlags = true
        while let argument = rest.popFirst() {
            if takesFlags, argument == "--" {
                takesFlags = false
            } else if takesFlags, argument.hasPrefix("-"), argument != "-" {
                try takeFlag(argument == "-h" ? "--help" : argument, &rest, syntax)
            } else {
                operands.append(argument)
            }
        }
        guard !has("--help") else { return }
        if operands.count < syntax.count.lowerBound {
            throw .usage("\(syntax.name) needs \(syntax.operands)", hint: HelpText.usage(of: syntax))
        }
        if operands.count > syntax.count.upperBound {
            let surplus = operands[syntax.count.upperBound]
            throw .usage("\(syntax.name) does not take \"\(surplus)\"", hint: HelpText.usage(of: syntax))
        }
    }

    func has(_ flag: String) -> Bool { values[flag] != nil }

    subscript(_ flag: String) -> String? { values[flag]?.last }

    /// All values of a flag that may stand several times.
    func all(_ flag: String) -> [String] { values[flag] ?? [] }

    private mutating func takeFlag(
        _ argument: String,
        _ rest: inout ArraySlice<String>,
        _ syntax: CommandSyntax
    ) throws(TerminalError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let flag = syntax.allFlags.first(where: { $0.name == parts[0] }) else {
            let nearest = NearestName.find(parts[0], in: syntax.allFlags.map(\.name)).map { "did you mean \($0)?" }
            throw .usage(
                "\(syntax.name) has no flag \(parts[0])",
                hint: nearest ?? "gitlab-notify \(syntax.name) --help lists them"
            )
        }
        guard values[flag.name] == nil || flag.isRepeatable else { throw .usage("\(flag.name) is given twice") }
        guard let name = flag.value else {
            guard parts.count == 1 else { throw .usage("\(flag.name) takes no value") }
            values[flag.name] = [""]
            return
        }
        if parts.count == 2, !parts[1].isEmpty {
            values[flag.name, default: []].append(parts[1])
            return
        }
        guard parts.count == 1, let next = rest.first, !next.isEmpty, !next.hasPrefix("--") else {
            throw .usage("\(flag.name) needs a value", hint: "\(flag.name) \(name)")
        }
        rest.removeFirst()
        values[flag.name, default: []].append(next)
    }
}

extension ParsedArguments {
    /// A number of that flag, within `range`; nil without the flag.
    func number(_ flag: String, _ range: ClosedRange<Int64>) throws(TerminalError) -> Int64? {
        guard let text = self[flag] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw .usage("\(flag) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A length of time of that flag; nil without it.
    func duration(_ flag: String) throws(TerminalError) -> Duration? {
        guard let text = self[flag] else { return nil }
        guard let duration = DurationNotation.parse(text), duration > .zero else {
            throw .usage("\(flag) must be a length of time such as 90m, 8h or 2d")
        }
        return duration
    }

    /// `on` or `off` of that flag; nil without it.
    func choice(_ flag: String) throws(TerminalError) -> Bool? {
        guard let text = self[flag] else { return nil }
        guard text == "on" || text == "off" else { throw .usage("\(flag) must be on or off") }
        return text == "on"
    }
}
