import Scenarios
import Verdict

/// The first line of a run, printed before any seed is in: what is run, with which seeds, by which build.
enum RunHeader {
    /// One line with its end, no wider than a terminal where that is possible.
    static func text(_ scenario: Scenario, seeds: ClosedRange<UInt64>, build: String) -> String {
        let numbers = seeds.count == 1 ? "seed \(seeds.lowerBound)" : "seeds \(seeds.lowerBound)-\(seeds.upperBound)"
        let right = "\(numbers)   build \(build)"
        let room = TerminalSummary.width - scenario.name.count - right.count - 7
        let sentence = String(scenario.description.prefix { $0 != "." && $0 != "\n" })
        guard room >= 12 else { return TerminalText.plain("\(scenario.name)   \(right)") + "\n" }
        return TerminalText.plain("\(scenario.name)  \"\(TerminalText.cut(sentence, to: room))\"   \(right)") + "\n"
    }
}
