import Platform
import Scenarios

/// Timeline, traffic, coverage and speed of the run.
struct RunLines {
    private let report: RunReport

    private static let stripWidth = 48

    init(_ report: RunReport) { self.report = report }

    var lines: [String] { timeline + [traffic, coverage, speed] }

    // MARK: timeline

    /// The faults of the worst seed, drawn to scale.
    private var timeline: [String] {
        guard let result = report.results.first(where: { $0.seed == report.worstSeed }) ?? report.results.first else {
            return []
        }
        let length = max(1, result.simulatedMilliseconds)
        var strip = [Character](repeating: ".", count: Self.stripWidth)
        var used: Set<FaultMark> = []
        for fault in result.faults {
            guard let mark = FaultKind(rawValue: fault.kind).map(FaultMark.init) else { continue }
            used.insert(mark)
            for index in Self.cells(fault, of: length) where FaultMark.isWeaker(strip[index], than: mark) {
                strip[index] = mark.rawValue
            }
        }
        let end = FigureText.instant(milliseconds: length)
        var lines = ["timeline  00:00:00 \(String(strip)) \(end)"]
        let legend = FaultMark.allCases.filter(used.contains).map { "\($0.rawValue) \($0.meaning)" }
        lines.append("          " + ([". steady"] + legend).joined(separator: "  "))
        lines.append("          \(drained(result))   first miss: \(firstMiss(result))")
        return lines
    }

    private static func cells(_ fault: FaultSpan, of length: Int64) -> ClosedRange<Int> {
        let last = Int64(stripWidth - 1)
        let from = min(last, max(0, fault.fromMilliseconds * Int64(stripWidth) / length))
        let until = min(last, max(from, (fault.untilMilliseconds * Int64(stripWidth) - 1) / length))
        return Int(from)...Int(until)
    }

    private func drained(_ result: SeedResult) -> String {
        let drained = report.results.map(\.drainedAfterMilliseconds)
        guard drained.allSatisfy({ $0 != nil }), let longest = drained.compactMap({ $0 }).max() else {
            return "never drained"
        }
        return "drained in \(FigureText.duration(milliseconds: longest))"
    }

    private func firstMiss(_ result: SeedResult) -> String {
        result.firstMissMilliseconds.map { FigureText.instant(milliseconds: $0) } ?? "none"
    }

    // MARK: figures

    private var traffic: String {
        let traffic = report.traffic
        return
            "traffic   GitLab \(traffic.gitlabRequests)  429s \(traffic.gitlabRefused)  pushes \(traffic.apnsRequests)"
            + "  refused \(traffic.pushesRefused)  repeated \(traffic.pushesRepeated)"
            + "  tokens dropped \(traffic.tokensDropped)" + receipts(traffic)
    }

    /// Beside what was shown, for those who see only receipts in production.
    private func receipts(_ traffic: Traffic) -> String {
        guard traffic.receipts > 0 else { return "" }
        return "  receipts \(traffic.receipts) of \(traffic.shown) shown  opened \(traffic.opened)"
    }

    private var coverage: String {
        let reached = report.probes.count { $0.seeds > 0 }
        let kinds = Set(report.results.flatMap(\.faultKinds)).count
        let expected = report.whole.total.expected
        return "coverage  probes \(reached)/\(report.probes.count)   fault kinds \(kinds)   expected \(expected)"
    }

    private var speed: String {
        let simulated = FigureText.duration(milliseconds: report.simulatedMilliseconds)
        var text = "sim \(simulated)"
        if report.wallNanoseconds > 0 {
            let wall = FigureText.duration(milliseconds: report.wallNanoseconds / 1_000_000)
            let ratio = Double(report.simulatedMilliseconds) * 1_000_000 / Double(report.wallNanoseconds)
            let events = Double(report.steps) * 1_000_000 / Double(report.wallNanoseconds)
            text += " in \(wall)   \(FigureText.decimal(ratio, 0)):1   \(FigureText.decimal(events, 0)) ev/ms"
        }
        return text + "   digest \(report.digest)"
    }
}

/// What a fault looks like in the strip; a later one hides an earlier one.
private enum FaultMark: Character, CaseIterable {
    case device = "d"
    case slow = "~"
    case clock = "c"
    case apns = "a"
    case limited = "+"
    case down = "#"
    case process = "!"

    init(_ kind: FaultKind) {
        switch kind.nature {
        case .device: self = .device
        case .slow: self = .slow
        case .clock: self = .clock
        case .apns: self = .apns
        case .limited: self = .limited
        case .down: self = .down
        case .process: self = .process
        }
    }

    var meaning: String {
        switch self {
        case .device: "device"
        case .slow: "slow or late"
        case .clock: "clock"
        case .apns: "APNs"
        case .limited: "429"
        case .down: "GitLab or link down"
        case .process: "notifier down"
        }
    }

    static func isWeaker(_ character: Character, than mark: FaultMark) -> Bool {
        let order = allCases.map(\.rawValue)
        return (order.firstIndex(of: character) ?? -1) < (order.firstIndex(of: mark.rawValue) ?? 0)
    }
}
