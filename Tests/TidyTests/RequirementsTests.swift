import FoundationEssentials
import Testing

/// `docs/requirements.md` against the tests and scenarios it names.
struct RequirementsTests {
    private let document = Requirements.read()

    @Test func `every requirement stands in the document once, in its order`() {
        let functional = (1...51).map { "FR\($0)" }
        let others = (1...17).map { "NFR\($0)" }
        let pull = (1...8).map { "PULL\($0)" }
        let asks = (1...19).map { "ASK\($0)" }
        let due = (1...4).map { "DUE\($0)" }
        let sync = (1...16).map { "SYNC\($0)" }
        let kit = (1...10).map { "KIT\($0)" }
        #expect(document.map(\.number) == functional + others + pull + asks + due + sync + kit)
    }

    @Test func `a requirement that is proven names its proofs, another one says why there is none`() {
        for requirement in document {
            #expect(!requirement.text.isEmpty, "\(requirement.number) is not told")
            if requirement.state == .proven || requirement.state == .partly {
                #expect(!requirement.proofs.isEmpty, "\(requirement.number) has no proof")
            } else {
                #expect(requirement.proofs.isEmpty, "\(requirement.number) has proofs it must not have")
            }
            if requirement.state != .proven {
                #expect(requirement.remark.utf8.count > 10, "\(requirement.number) does not say why")
            }
        }
    }

    @Test func `every proof that is named exists`() {
        let known = Requirements.tests.union(Requirements.scenarios)
        for requirement in document {
            for proof in requirement.proofs {
                #expect(known.contains(proof), "\(requirement.number) names what is not there: \(proof)")
            }
        }
    }

    /// An empty list of what exists would let nothing pass, an empty document everything.
    @Test func `tests and scenarios are found`() {
        #expect(Requirements.tests.contains("every proof that is named exists"))
        #expect(Requirements.scenarios.contains("scenarios/outage.json"))
        #expect(!Requirements.tests.contains("no such test"))
    }

    @Test(arguments: [
        ("| FR1 | a | proven | `x`; `y z` | |", ["x", "y z"], Requirement.State.proven),
        ("| NFR2 | a | apps | | It is the app's. |", [], .apps),
        ("| FR3 | a | partly | `x` | The rest is open. |", ["x"], .partly),
    ])
    func `a line of the document is read`(_ line: String, _ proofs: [String], _ state: Requirement.State) throws {
        let requirement = try #require(Requirement(line: line[...]))
        #expect(requirement.proofs == proofs && requirement.state == state && requirement.text == "a")
    }

    @Test(arguments: ["", "| FR | a | proven | | |", "| FR1 | a | done | `x` | |", "| FR1 | a | proven |", "FR1"])
    func `a line that is none is not read`(_ line: String) {
        #expect(Requirement(line: line[...]) == nil)
    }
}

/// One line of the document.
struct Requirement {
    enum State: String {
        case proven, partly, open
        /// It concerns the apps and not the server.
        case apps
    }

    var number: String
    var text: String
    var state: State
    /// Names of tests, and paths of scenarios.
    var proofs: [String]
    var remark: String

    /// Nil for a line that is no requirement.
    init?(line: Substring) {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(Self.trimmed)
        guard cells.count == 7, cells[0].isEmpty, cells[6].isEmpty, let state = State(rawValue: cells[3]) else {
            return nil
        }
        guard let prefix = ["NFR", "FR", "PULL", "ASK", "DUE", "SYNC", "KIT"].first(where: { cells[1].hasPrefix($0) }),
            Int(cells[1].dropFirst(prefix.utf8.count)) != nil
        else { return nil }
        number = cells[1]
        text = cells[2]
        self.state = state
        proofs = cells[4].split(separator: "`").enumerated().filter { $0.offset.isMultiple(of: 2) }
            .map { String($0.element) }.filter { !$0.isEmpty }
        remark = cells[5]
    }

    private static func trimmed(_ cell: Substring) -> String {
        var text = cell
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

/// What the document says, and what there is.
enum Requirements {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static func read() -> [Requirement] {
        guard let data = FileManager.default.contents(atPath: "\(root)/docs/requirements.md") else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap(Requirement.init)
    }

    /// The names of every test function.
    static let tests: Set<String> = Set(
        SourceTree.files.filter { $0.folder == "Tests" }.flatMap { file in
            let text = FileManager.default.contents(atPath: "\(root)/\(file.path)") ?? Data()
            return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap(testName)
        }
    )

    private static func testName(_ line: Substring) -> String? {
        guard let start = line.firstRange(of: "func `")?.upperBound else { return nil }
        return line[start...].firstIndex(of: "`").map { String(line[start..<$0]) }
    }

    /// The paths of the shipped scenarios.
    static let scenarios: Set<String> = Set(
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/scenarios")) ?? [])
            .filter { $0.hasSuffix(".json") }.map { "scenarios/\($0)" }
    )
}
