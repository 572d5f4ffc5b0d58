import Platform
import Scenarios

/// The arguments after a command's name, told apart by that command's syntax. What the values mean is decided later.
struct ParsedArguments: Equatable {
    /// Values by flag; a flag without a value has the empty text, a repeated one its last.
    private(set) var values: [String: String] = [:]
    /// All values of flags that may stand several times.
    private var repeated: [String: [String]] = [:]
    private(set) var operands: [String] = []

    /// - Throws: `ProgramError` for anything the syntax does not allow.
    init(_ arguments: some Sequence<String>, syntax: CommandSyntax) throws(ProgramError) {
        var rest = Array(arguments)[...]
        var takesFlags = true
        while let argument = rest.popFirst() {
            if takesFlags && argument == "--" {
                takesFlags = false
            } else if takesFlags && argument.hasPrefix("-") && argument != "-" {
                try takeFlag(argument, rest: &rest, syntax: syntax)
            } else {
                operands.append(argument)
            }
        }
        if !has(CommandSyntax.help.name) { try checkOperands(syntax) }
    }

    /// The operands as scenario files. Among several, JSON Schemas are passed over, because the pattern
    /// `scenarios/*.json` brings along the one that lies there for editors.
    var scenarioFiles: [String] {
        let scenarios = operands.filter { !$0.hasSuffix(".schema.json") }
        return scenarios.isEmpty ? operands : scenarios
    }

    func has(_ flag: String) -> Bool { values[flag] != nil }

    /// The values of a flag that may stand several times, in their order.
    func all(_ flag: String) -> [String] { repeated[flag] ?? [] }

    private static let longName = ["-h": CommandSyntax.help.name, "-o": "--out"]

    private mutating func takeFlag(
        _ argument: String,
        rest: inout ArraySlice<String>,
        syntax: CommandSyntax
    ) throws(ProgramError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? argument
        guard let flag = syntax.flag(named: Self.longName[name] ?? name) else {
            throw Self.unknownFlag(name, syntax: syntax)
        }
        guard values[flag.name] == nil || flag.isRepeatable else {
            throw ProgramError(.repeatedFlag, "\(flag.name) is given twice", hint: "keep one of them")
        }
        let value = try Self.value(of: flag, attached: parts.dropFirst().first.map(String.init), rest: &rest)
        values[flag.name] = value
        if flag.isRepeatable { repeated[flag.name, default: []].append(value) }
    }

    private static func value(
        of flag: CommandSyntax.Flag,
        attached: String?,
        rest: inout ArraySlice<String>
    ) throws(ProgramError) -> String {
        guard let valueName = flag.value else {
            guard attached == nil else { throw ProgramError(.unexpectedValue, "\(flag.name) takes no value") }
            return ""
        }
        if let attached, !attached.isEmpty { return attached }
        guard attached == nil, let next = rest.first, !next.isEmpty, !next.hasPrefix("--") else {
            throw ProgramError(.missingValue, "\(flag.name) needs a value", hint: "\(flag.name) \(valueName)")
        }
        rest.removeFirst()
        return next
    }

    private static func unknownFlag(_ name: String, syntax: CommandSyntax) -> ProgramError {
        let names = syntax.flags.map(\.name) + [CommandSyntax.help.name]
        let nearest = NearestName.find(name, in: names).map { "did you mean \($0)?" }
        return ProgramError(
            .unknownFlag,
            "simctl \(syntax.name) has no flag \(name)",
            hint: nearest ?? "simctl \(syntax.name) --help lists them"
        )
    }

    private func checkOperands(_ syntax: CommandSyntax) throws(ProgramError) {
        let usage = "usage: " + HelpText.usageLine(of: syntax)
        if operands.count < syntax.operands.count.lowerBound {
            throw ProgramError(.missingOperand, "simctl \(syntax.name) needs \(syntax.operands.notation)", hint: usage)
        }
        if operands.count > syntax.operands.count.upperBound {
            let surplus = operands[syntax.operands.count.upperBound]
            throw ProgramError(.unexpectedOperand, "simctl \(syntax.name) does not take \"\(surplus)\"", hint: usage)
        }
    }
}
