package import JSON
import Scenarios

/// `growth.json`: a growth for programs. Every member of version 1 stays; new ones may be added.
package enum GrowthFile {
    static let schemaVersion: Int64 = 1

    /// Indented, with a newline at its end.
    package static func text(_ growth: Growth) -> String { value(growth).text(indented: true) + "\n" }

    /// The growth as a JSON value, its members in a fixed order.
    package static func value(_ growth: Growth) -> JSONValue {
        var (lower, upper): (Int?, Int?) = (nil, nil)
        switch growth.search.outcome {
        case .between(let holds, let breaks): (lower, upper) = (holds, breaks)
        case .neverBroke(let size): lower = size
        case .unproven(let size): upper = size
        case .failsAsItIs: upper = growth.points.first?.size
        case nil: break
        }
        let felt = growth.firstFelt.map { JSONMember($0.bound.rawValue, .integer(Int64($0.size))) }
        return .object([
            JSONMember("schemaVersion", .integer(schemaVersion)),
            JSONMember("scenario", .string(growth.scenario)),
            JSONMember("grow", .string(growth.axis.rawValue)),
            JSONMember("until", .strings(growth.rules)),
            JSONMember(
                "seeds",
                .array([growth.seeds.lowerBound, growth.seeds.upperBound].map { .number(String($0)) })
            ),
            JSONMember("exitCode", .integer(Int64(growth.exitCode.rawValue))),
            JSONMember("sentence", .string(growth.sentence)),
            JSONMember("explanation", .strings(growth.explanation)),
            JSONMember("holds", number(lower)),
            JSONMember("breaks", number(upper)),
            JSONMember("gaveWay", growth.gaveWay.map { .string($0.bound.rawValue) } ?? .null),
            JSONMember("firstFelt", .object(felt)),
            JSONMember("cutShort", growth.cutShort.map(JSONValue.string) ?? .null),
            JSONMember("budgetPerHour", .integer(Int64(growth.budget))),
            JSONMember("sizes", .array(growth.points.map { point(growth, $0) })),
        ])
    }

    private static func point(_ growth: Growth, _ point: GrowthPoint) -> JSONValue {
        .object([
            JSONMember("size", .integer(Int64(point.size))),
            JSONMember("report", .string(point.report)),
            JSONMember("verdict", .string(point.verdict.rawValue)),
            JSONMember("confirmation", growth.confirmation(of: point.size).map { .string($0.rawValue) } ?? .null),
            JSONMember("failures", .strings(point.failures)),
            JSONMember("people", .integer(Int64(point.people))),
            JSONMember("items", .integer(Int64(point.items))),
            JSONMember("activities", ComparisonFile.decimal(point.activities)),
            JSONMember("expected", .integer(Int64(point.expected))),
            JSONMember("excessSeconds", excess(point)),
            JSONMember("peakHour", .integer(Int64(point.peakHour))),
            JSONMember("requests", .integer(Int64(point.requests))),
            JSONMember("refused", .integer(Int64(point.refused))),
            JSONMember("budgetWaits", .integer(Int64(point.budgetWaits))),
            JSONMember("instanceWaits", .integer(Int64(point.instanceWaits))),
            JSONMember("slowestSeconds", .object(slowest(point))),
        ])
    }

    private static func excess(_ point: GrowthPoint) -> JSONValue {
        .object([
            JSONMember("p50", ComparisonFile.decimal(point.p50)), JSONMember("p95", ComparisonFile.decimal(point.p95)),
            JSONMember("max", ComparisonFile.decimal(point.longest)),
        ])
    }

    private static func slowest(_ point: GrowthPoint) -> [JSONMember] {
        LatencyOwner.allCases.compactMap { owner in
            point.slowest[owner.rawValue].map { JSONMember(owner.rawValue, ComparisonFile.decimal($0)) }
        }
    }

    private static func number(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
}
