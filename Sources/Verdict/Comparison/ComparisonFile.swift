package import JSON

/// A comparison for programs. Every member of version 1 stays; new ones may be added.
package enum ComparisonFile {
    static let schemaVersion: Int64 = 1
    /// What the text begins with, so that an older comparison is told from somebody's own file.
    package static let beginning = "{\n  \"schemaVersion\": 1,\n  \"conclusion\": "

    /// Indented, with a newline at its end.
    package static func text(_ comparison: ReportComparison) -> String {
        value(comparison).text(indented: true) + "\n"
    }

    /// The comparison as a JSON value, its members in a fixed order.
    package static func value(_ comparison: ReportComparison) -> JSONValue {
        .object([
            JSONMember("schemaVersion", .integer(schemaVersion)),
            JSONMember("conclusion", .string(comparison.conclusion.rawValue)),
            JSONMember("scenario", .string(comparison.scenario)),
            JSONMember("first", side(comparison.first)),
            JSONMember("second", side(comparison.second)),
            JSONMember("exitCode", .integer(Int64(comparison.exitCode.rawValue))),
            JSONMember("sentence", .string(comparison.sentence)),
            JSONMember("worse", .strings(comparison.worse)),
            JSONMember("better", .strings(comparison.better)),
            JSONMember("noLongerProven", .strings(comparison.noLongerProven)),
            JSONMember("seeds", .array(comparison.seeds.map { .number(String($0)) })),
            JSONMember("hasAllSeeds", .bool(comparison.hasAllSeeds)),
            JSONMember("identicalSeeds", .integer(Int64(comparison.identicalSeeds))),
            JSONMember("figures", .array(comparison.figures.map { figure($0, isJudged: true) })),
            JSONMember("plain", .array(comparison.plain.map { figure($0, isJudged: false) })),
            JSONMember("counts", .array(counts(comparison).map(count))),
            JSONMember("longestMilliseconds", longest(comparison)),
            JSONMember("gates", .array(comparison.gates.map(gate))),
            JSONMember("deliveries", deliveries(comparison.deliveries)),
        ])
    }

    private static func side(_ side: ReportComparison.Side) -> JSONValue {
        let settings = (side.settings ?? [:]).mapValues { JSONValue.string($0.description) }
        return .object([
            JSONMember("report", .string(side.path)), JSONMember("build", .string(side.build)),
            JSONMember("settings", .sorted(settings)),
        ])
    }

    /// Milliseconds, or requests of a seed.
    private static func figure(_ figure: ComparedFigure, isJudged: Bool) -> JSONValue {
        .object([
            JSONMember("figure", .string(figure.kind.rawValue)),
            JSONMember("unit", .string(figure.kind.isDuration ? "milliseconds" : "requests")),
            JSONMember("first", decimal(figure.first)), JSONMember("second", decimal(figure.second)),
            JSONMember("difference", decimal(figure.difference)),
            JSONMember("lower", decimal(figure.interval?.lower)), JSONMember("upper", decimal(figure.interval?.upper)),
            JSONMember("confidence", decimal(figure.confidence)),
            JSONMember("deviation", decimal(figure.differences.deviation)),
            JSONMember("detectable", decimal(figure.detectable)),
            JSONMember("isJudged", .bool(isJudged)),
        ])
    }

    private static func counts(_ comparison: ReportComparison) -> [ComparedCount] {
        comparison.expected + comparison.counts + [comparison.invariants, comparison.crashes]
    }

    private static func count(_ count: ComparedCount) -> JSONValue {
        .object([
            JSONMember("count", .string(count.title)),
            JSONMember("first", .integer(Int64(count.first))), JSONMember("second", .integer(Int64(count.second))),
            JSONMember("moreSeeds", .integer(Int64(count.more))),
            JSONMember("fewerSeeds", .integer(Int64(count.fewer))),
            JSONMember("pValue", decimal(count.pValue)),
        ])
    }

    private static func longest(_ comparison: ReportComparison) -> JSONValue {
        .object([
            JSONMember("first", milliseconds(comparison.longestOfAll.first)),
            JSONMember("second", milliseconds(comparison.longestOfAll.second)),
            JSONMember("longerSeeds", .integer(Int64(comparison.longest.more))),
            JSONMember("shorterSeeds", .integer(Int64(comparison.longest.fewer))),
            JSONMember("pValue", decimal(comparison.longest.pValue)),
        ])
    }

    private static func gate(_ gate: ReportComparison.ChangedGate) -> JSONValue {
        .object([
            JSONMember("rule", .string(gate.rule)), JSONMember("first", .string(gate.first.rawValue)),
            JSONMember("second", .string(gate.second.rawValue)),
        ])
    }

    private static func deliveries(_ deliveries: DeliveryDifferences) -> JSONValue {
        .object([
            JSONMember("pairs", .integer(Int64(deliveries.pairs))),
            JSONMember("lost", kind(deliveries.lost)), JSONMember("won", kind(deliveries.won)),
            JSONMember("slower", kind(deliveries.slower)), JSONMember("faster", kind(deliveries.faster)),
            JSONMember("expectedByOne", .integer(Int64(deliveries.expectedByOne))),
            JSONMember("leftOut", .integer(Int64(deliveries.leftOut))),
        ])
    }

    private static func kind(_ kind: DeliveryDifferences.Kind) -> JSONValue {
        let kept = kind.kept.map { difference -> JSONValue in
            .object([
                JSONMember("seed", .number(String(difference.place.seed))),
                JSONMember("activity", .integer(Int64(difference.place.activity))),
                JSONMember("person", .string(difference.place.person)),
                JSONMember("firstMilliseconds", milliseconds(difference.first)),
                JSONMember("secondMilliseconds", milliseconds(difference.second)),
                JSONMember("cause", difference.cause.map(JSONValue.string) ?? .null),
            ])
        }
        return .object([
            JSONMember("count", .integer(Int64(kind.count))), JSONMember("named", .array(Array(kept))),
        ])
    }

    private static func milliseconds(_ value: Int64?) -> JSONValue { value.map(JSONValue.integer) ?? .null }

    static func decimal(_ value: Double?) -> JSONValue {
        guard let value, value.isFinite else { return .null }
        return .number(FigureText.decimal(value, 6))
    }
}
