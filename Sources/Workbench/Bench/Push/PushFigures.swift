import JSON
import Platform
import Scenarios

/// What pushing a queue until it was empty came to.
struct PushFigures: Sendable {
    /// From the first push to the moment at which every outcome was recorded.
    var seconds: Double
    /// Time of the processor that this process took meanwhile.
    var processorSeconds: Double
    /// Pushes that had an outcome.
    var pushes: Int
    /// By status, in order.
    var answers: [(status: Int, count: Int)]
    /// Those without an answer.
    var unanswered: Int
    /// Percentiles of the time to an outcome in milliseconds, of all pushes.
    var p50: Double
    var p99: Double
    var p999: Double

    init(_ samples: [PushMeter.Sample], until end: MonotonicInstant, processorSeconds: Double) {
        let start = samples.map(\.startedAt).min() ?? end
        let sorted = samples.map(\.nanoseconds).sorted()
        let statuses = samples.compactMap(\.status)
        seconds = Double(start.duration(to: end).wholeNanoseconds) / 1e9
        self.processorSeconds = processorSeconds
        pushes = samples.count
        answers = Set(statuses).sorted().map { status in (status, statuses.count { $0 == status }) }
        unanswered = samples.count - statuses.count
        p50 = Self.milliseconds(sorted, perMille: 500)
        p99 = Self.milliseconds(sorted, perMille: 990)
        p999 = Self.milliseconds(sorted, perMille: 999)
    }

    var json: JSONValue {
        let tally = answers.map { JSONMember(String($0.status), .integer(Int64($0.count))) }
        return .object([
            JSONMember("answers", .object(tally)),
            JSONMember("cpuSeconds", .number(FigureNumber.plain(processorSeconds))),
            JSONMember("p50", .number(FigureNumber.plain(p50))),
            JSONMember("p99", .number(FigureNumber.plain(p99))),
            JSONMember("p999", .number(FigureNumber.plain(p999))),
            JSONMember("pushes", .integer(Int64(pushes))),
            JSONMember("rate", .number(FigureNumber.plain(seconds > 0 ? Double(pushes) / seconds : 0))),
            JSONMember("seconds", .number(FigureNumber.plain(seconds))),
            JSONMember("unanswered", .integer(Int64(unanswered))),
        ])
    }

    /// The smallest sample that so many thousandths do not exceed; 0 without samples.
    private static func milliseconds(_ sorted: [Int64], perMille: Int) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = (sorted.count * perMille + 999) / 1_000
        return Double(sorted[max(0, rank - 1)]) / 1e6
    }
}
