import JSON
import Platform
import Scenarios

/// Reads what is posted as entries of the scenario's timeline that happen now: the file's own syntax, without a time.
///
/// What is posted is read as the end of a timeline that holds everything that has happened so far, so that it may name what came to
/// be meanwhile, and is refused when it is not possible any more.
struct PostedEntries: Sendable {
    private static let limitBytes = 262_144
    /// The scenario as text, up to its timeline and behind it.
    private let head: String
    private let tail: String
    private let seed: UInt64

    init(_ scenario: Scenario) {
        var empty = scenario
        empty.timeline = []
        empty.expectations = []
        empty.probes = []
        // Longer than any fault that is posted.
        empty.duration = .seconds(360 * 86_400)
        guard case .object(var members) = ScenarioEncoder.scenario(empty) else {
            preconditionFailure("a scenario is an object")
        }
        members.removeAll { ["timeline", "expect", "probes"].contains($0.key) }
        head = String(JSONValue.object(members).text(indented: false).dropLast()) + #","timeline":["#
        // A file must expect something; nobody judges this one.
        tail = #"],"expect":[{"unexpected":"<= 0"}]}"#
        seed = scenario.seed
    }

    /// What one entry, or each of an array, lets happen after what has happened.
    ///
    /// - Throws: `InvalidScenario` with everything that is wrong, `ControlRefusal`.
    func read(_ bytes: [UInt8], after past: ServedWorld.Past) throws -> [Step.Event] {
        var reader = JSONReader(bytes: bytes)
        guard bytes.count <= Self.limitBytes, let node = try? reader.read() else {
            throw ControlRefusal(
                400,
                "bad-json",
                "The body is not JSON.",
                hint: #"{"action":"comment","by":"@maria","on":"…"}"#
            )
        }
        let entries = node.elements ?? [node]
        guard !entries.isEmpty, entries.allSatisfy({ $0.members != nil }) else {
            throw ControlRefusal(
                422,
                "no-entry",
                "An entry of the timeline is a JSON object.",
                hint: #"{"action":"comment","by":"@maria","on":"…"}"#
            )
        }
        for entry in entries where ["at", "from", "until", "every", "rate"].contains(where: { entry[$0] != nil }) {
            throw ControlRefusal(422, "has-time", "What is posted happens now.", hint: "Leave the time out.")
        }
        let offset = past.next
        let posted = entries.map { Self.text(of: $0, at: offset) }
        let text = head + (past.entries + posted).joined(separator: ",") + tail
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "the posted entry")
        return try scenario.plan(seed: seed).steps.filter { $0.offset == offset }.map(\.event)
    }

    /// An entry with its time.
    private static func text(of entry: JSONNode, at offset: Duration) -> String {
        let members = (entry.members ?? []).map { JSONMember($0.key, $0.node.value) }
        let time = JSONMember("at", .string(DurationNotation.text(offset)))
        return JSONValue.object([time] + members).text(indented: false)
    }
}
