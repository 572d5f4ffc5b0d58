import JSON
import Platform
import Scenarios

/// Looks through what the notifier's operator would send with an incident report: it can be read, and tells nobody's name, no project, no
/// title and no secret (docs/verdict.md).
struct IncidentCheck {
    /// Larger worlds would take long for it.
    private static let mostPeople = 12
    private static let longestStory = Duration.hours(26)
    /// It is done under one seed of so many.
    private static let oneOfSeeds: UInt64 = 4
    private static let linesRead = 200
    private static let itemsOfProject = 3

    /// Names and titles of several words, and paths: what is shorter may be a word of the notifier's own.
    private let words: [[UInt8]]

    init(_ world: World) {
        let titles = world.projects.flatMap { $0.items.prefix(Self.itemsOfProject).map(\.title) }
        let texts = world.people.map(\.name) + titles
        let telling = texts.filter { $0.contains(" ") && $0.utf8.count >= 8 }
        let paths = world.projects.map(\.path.text).filter { $0.utf8.count >= 8 }
        words = Set(telling + paths).sorted().map { Array($0.utf8) }
    }

    /// Whether it is done in that run.
    static func isDone(in resolved: ResolvedScenario) -> Bool {
        let scenario = resolved.scenario
        let isSmall = scenario.world.people.count <= mostPeople && scenario.duration <= longestStory
        return isSmall && resolved.seed % oneOfSeeds == 1
    }

    /// What is wrong with its lines; nil when nothing is. Secrets that were given are looked for elsewhere.
    func complaint(about lines: [String]) -> String? {
        for line in lines.prefix(Self.linesRead) where JSONValue(reading: Array(line.utf8)) == nil {
            return "a line that is no JSON: \(line.prefix(80))"
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let found = (words + WorldSecrets.markers).first { word in
            bytes.withUnsafeBufferPointer { Recorder.contains($0, word) }
        }
        return found.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }
    }
}
