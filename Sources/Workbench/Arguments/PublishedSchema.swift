import Platform
import Scenarios
import Verdict

/// The schemas that `simctl schema` prints.
enum PublishedSchema: Equatable {
    case scenario
    case report(ReportSchema)

    private static let scenarioName = "scenario"

    /// What a command line names; scenario files when it names nothing.
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        guard let name = arguments.operands.first, name != Self.scenarioName else {
            self = .scenario
            return
        }
        guard let schema = ReportSchema(rawValue: name) else {
            let names = [Self.scenarioName] + ReportSchema.allCases.map(\.rawValue)
            throw ProgramError(
                .unexpectedOperand,
                "there is no schema of \"\(name)\"",
                hint: NearestName.find(name, in: names).map { "did you mean simctl schema \($0)?" }
                    ?? "there are: \(names.joined(separator: ", "))"
            )
        }
        self = .report(schema)
    }

    var text: String {
        switch self {
        case .scenario: SchemaWriter.scenarioSchema()
        case .report(let schema): schema.text
        }
    }
}
