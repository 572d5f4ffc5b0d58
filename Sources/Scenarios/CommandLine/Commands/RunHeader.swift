/// The first line of a run: what is run, with which seeds, by which build.
struct RunHeader {
    var scenario: Scenario
    var seeds: ClosedRange<UInt64>
    var build: String

    var text: String {
        let numbers = seeds.count == 1 ? "seed \(seeds.lowerBound)" : "seeds \(seeds.lowerBound)-\(seeds.upperBound)"
        return "\(scenario.name)  \"\(scenario.description)\"  \(numbers)  build \(build)\n"
    }
}
