import Configuration
import FoundationEssentials
import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

/// What can be set on a server can be simulated, within the same limits and with the same words.
struct NotifierSettingsTests {
    @Test func `sessions are drawn so short that they end in a drawn world`() throws {
        let key = try #require(NotifierOverrides.keys.first { $0.name == "tokenLifetime" })
        var random = RandomStream(seed: 1, stream: "settings")
        let drawn = (0..<20).map { _ in SettingDraw.value(of: key, random: &random) }
        #expect(drawn.allSatisfy { ["1m", "10m", "1h"].contains($0) } && drawn.contains("1m"))
    }

    @Test func `every setting of the notifier can be simulated, or is left out for a reason`() {
        let all = Set(NotifierConfiguration.keyDescriptions.map(\.name))
        let offered = Set(ScenarioShape.notifier.keys)
        let leftOut = Set(NotifierOverrides.leftOut.keys)
        #expect(offered == all.subtracting(leftOut))
        #expect(leftOut.isSubset(of: all))
        // Only addresses are the world's; every number, time and switch is the operator's.
        for key in NotifierConfiguration.keyDescriptions where leftOut.contains(key.name) {
            #expect(key.value == .origin)
            #expect(NotifierOverrides.leftOut[key.name]?.isEmpty == false)
        }
    }

    @Test(arguments: NotifierOverrides.keys)
    func `a scenario may say of a setting what a server may, and is refused in the same words`(
        key: ConfigurationKeyDescription
    ) throws {
        for value in key.candidates {
            let object = "{\"\(key.name)\": \(value)}"
            let refusal = refusal(of: object)
            let found = problems(in: makeScenarioText(extra: ", \"notifier\": \(object)"))
            #expect(found.isEmpty == (refusal == nil), "\(object): \(found.map(\.message))")
            if let refusal { #expect(found.contains { $0.message.contains(refusal) }, "\(object): \(refusal)") }
        }
    }

    @Test(arguments: NotifierOverrides.keys)
    func `the schema takes whatever the notifier takes, and no number that it refuses`(
        key: ConfigurationKeyDescription
    ) throws {
        guard case .setting(let shape)? = ScenarioShape.notifier[key.name]?.shape else {
            Issue.record("\(key.name) is checked by the format, not by the notifier")
            return
        }
        for value in key.candidates {
            let isTaken = refusal(of: "{\"\(key.name)\": \(value)}") == nil
            var reader = JSONReader(bytes: Array(value.utf8))
            let bytes = Array(value.utf8)
            var check = ShapeCheck(report: ProblemReport(file: "value", source: SourceText(bytes: bytes)))
            check.check(try reader.read(), shape, at: "")
            let fits = (try? check.report.throwIfAny()) != nil
            #expect(fits || !isTaken, "\(key.name): \(value)")
            if case .number = key.value { #expect(fits == isTaken, "\(key.name): \(value)") }
        }
    }

    @Test func `what is the world's own is refused with the reason`() {
        for (key, reason) in NotifierOverrides.leftOut {
            let found = problems(in: makeScenarioText(extra: ", \"notifier\": {\"\(key)\": \"https://example.com\"}"))
            #expect(found.map(\.code) == [.unknownKey])
            #expect(found.first?.message.contains(reason) == true)
        }
    }

    private func refusal(of object: String) -> String? {
        do {
            _ = try JSONDecoder().decode(NotifierConfiguration.self, from: Data(object.utf8))
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension ConfigurationKeyDescription {
    /// JSON values at both edges of what is allowed, just beyond them, and of other kinds.
    fileprivate var candidates: [String] {
        let others = ["null", "[]", "{}", "true", "7", "\"\"", "\"7\"", "\"nonsense\""]
        return switch value {
        case .duration(let range): Self.durations(around: range) + others
        case .durations(let range, let count):
            Self.durations(around: range).map { "[\($0)]" } + others
                + [0, 1].map { extra in
                    let one = "\"\(DurationNotation.text(range.lowerBound))\""
                    return "[" + repeatElement(one, count: count.upperBound + extra).joined(separator: ", ") + "]"
                }
        case .number(let range):
            [range.lowerBound - 1, range.lowerBound, range.upperBound, range.upperBound + 1].map(String.init) + others
        case .text(let maximum):
            [maximum, maximum + 1].map { "\"" + String(repeating: "a", count: $0) + "\"" } + others
        case .choice(let names): names.map { "\"\($0)\"" } + others
        case .flag: ["false"] + others
        case .origin: ["\"https://example.com\""] + others
        }
    }

    private static func durations(around range: ClosedRange<Duration>) -> [String] {
        let step = Duration.milliseconds(1)
        return [range.lowerBound - step, range.lowerBound, range.upperBound, range.upperBound + step]
            .map { "\"\(DurationNotation.text($0))\"" }
    }
}
