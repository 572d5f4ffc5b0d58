package import JSON
import Scenarios

/// `sweep.json`: a sweep for programs. Every member of version 1 stays; new ones may be added.
package enum SweepFile {
    static let schemaVersion: Int64 = 1

    /// Indented, with a newline at its end.
    package static func text(_ sweep: Sweep) -> String { value(sweep).text(indented: true) + "\n" }

    /// The sweep as a JSON value, its members in a fixed order.
    package static func value(_ sweep: Sweep) -> JSONValue {
        .object([
            JSONMember("schemaVersion", .integer(schemaVersion)),
            JSONMember("scenario", .string(sweep.scenario)),
            JSONMember("seeds", .array(sweep.seeds.map { .number(String($0)) })),
            JSONMember("keys", .strings(sweep.keys)),
            JSONMember("wants", .strings(sweep.wants.map(\.text))),
            JSONMember("exitCode", .integer(Int64(sweep.exitCode.rawValue))),
            JSONMember("sentence", .string(sweep.sentence)),
            JSONMember("recommended", sweep.recommended.map { .integer(Int64($0 + 1)) } ?? .null),
            JSONMember("asCheap", .array(sweep.asCheap.map { .integer(Int64($0 + 1)) })),
            JSONMember("settings", .array(sweep.points.indices.map { point(sweep, $0) })),
        ])
    }

    private static func point(_ sweep: Sweep, _ index: Int) -> JSONValue {
        let point = sweep.points[index]
        let latencies = SweepFigure.compared.map { figure in
            JSONMember(figure.metric.rawValue, estimate(point.latency(figure, confidence: Sweep.confidence)))
        }
        let fronts = zip(SweepFigure.compared, sweep.fronts).map { figure, front in
            JSONMember(figure.metric.rawValue, mark(front.marks[index]))
        }
        return .object([
            JSONMember("number", .integer(Int64(index + 1))),
            JSONMember("notifier", .object(zip(sweep.keys, point.settings).map { JSONMember($0, .string($1)) })),
            JSONMember("report", .string(point.path)),
            JSONMember("milliseconds", .object(latencies)),
            JSONMember("requests", estimate(point.requests(confidence: Sweep.confidence))),
            JSONMember("front", .object(fronts)),
            JSONMember("want", sweep.wants.isEmpty ? .null : .string("\(sweep.standings[index])")),
            JSONMember("failures", .strings(point.failures)),
        ])
    }

    private static func estimate(_ estimate: SweepPoint.Estimate?) -> JSONValue {
        guard let estimate else { return .null }
        return .object([
            JSONMember("value", ComparisonFile.decimal(estimate.value)),
            JSONMember("lower", ComparisonFile.decimal(estimate.interval?.lower)),
            JSONMember("upper", ComparisonFile.decimal(estimate.interval?.upper)),
        ])
    }

    private static func mark(_ mark: ParetoFront.Mark) -> JSONValue {
        let (word, other): (String, Int?) =
            switch mark {
            case .onFront: ("on-front", nil)
            case .perhaps(let other): ("perhaps-dominated", other)
            case .dominated(let other): ("dominated", other)
            case .infeasible: ("infeasible", nil)
            }
        return .object([
            JSONMember("mark", .string(word)), JSONMember("by", other.map { .integer(Int64($0 + 1)) } ?? .null),
        ])
    }
}
