import Platform
package import Scenarios

/// One requirement, judged.
struct GateResult: Sendable, Equatable {
    let gate: Gate
    /// The gate as a sentence of the scenario: `delivery >= 99% at 95%`.
    let rule: String
    var verdict: Verdict
    /// What was seen; `-` without data.
    var observed = "-"
    /// What is proven, for a gate with a confidence.
    var bound: String?
    /// How far the figure judged lies on the right side of the requirement; negative on the wrong one.
    var margin: String?
    /// What is missing to a proof, or where the failures are.
    var note: String?
    /// The figures of `observed` and `bound` in the unit of the metric: a share, a count, or seconds.
    var observedValue: Double?
    var boundValue: Double?
    /// Notifications (or seeds) the judgement stands on.
    var samples = 0

    init(_ gate: Gate, _ verdict: Verdict) {
        self.gate = gate
        self.verdict = verdict
        rule = gate.rule
    }
}

extension Gate {
    /// The gate in words and signs, without what it leaves open.
    package var rule: String {
        var text = "\(metric.rawValue) \(comparison.relation.rawValue) \(comparison.bound.text)"
        if let confidence { text += " at \(confidence)" }
        if let kind { text += ", \(kind.rawValue)" }
        if let person { text += ", \(person)" }
        switch window {
        case .whole: break
        case .during(let id): text += ", during \(id)"
        case .after(let id): text += ", after \(id)"
        }
        return text
    }
}

extension Comparison.Bound {
    fileprivate var text: String {
        switch self {
        case .ratio(let ratio): ratio.description
        case .count(let count): String(count)
        case .duration(let duration): DurationNotation.text(duration)
        }
    }
}

extension Comparison.Relation {
    /// Whether `value` stands in this relation to `bound`.
    func holds<Value: Comparable>(_ value: Value, _ bound: Value) -> Bool {
        switch self {
        case .lessOrEqual: value <= bound
        case .greaterOrEqual: value >= bound
        case .less: value < bound
        case .greater: value > bound
        case .equal: value == bound
        }
    }

    /// Whether more is better.
    var isFloor: Bool { self == .greaterOrEqual || self == .greater }
}

extension Ratio {
    var value: Double { Double(numerator) / Double(denominator) }
}
