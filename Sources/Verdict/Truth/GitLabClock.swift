import Platform
import Scenarios

/// How GitLab's clock, which stamps every row, was set and went wrong, told from the plan.
struct GitLabClock {
    private var steps: [(at: Duration, jump: Duration)] = []
    private var drifts: [(span: Span, partsPerMillion: Int64)] = []

    init(_ record: RunRecord, faults: FaultSpans) {
        for fault in record.faults {
            switch faults.effect(of: fault.id.text) {
            case .clockStep(.gitlab, let jump): steps.append((fault.span.from, jump))
            case .clockOffset(.gitlab, let offset):
                steps.append((fault.span.from, offset))
                steps.append((fault.span.until, .zero - offset))
            case .clockDrift(.gitlab, let partsPerMillion): drifts.append((fault.span, partsPerMillion))
            default: continue
            }
        }
        steps.sort { $0.at < $1.at }
    }

    /// Whether nothing happened to it between the two instants, so that what was written later says so.
    func isSteady(from instant: Duration, until end: Duration) -> Bool {
        !steps.contains { instant <= $0.at && $0.at <= end }
            && !drifts.contains { $0.span.from <= end && instant <= $0.span.until }
    }

    /// By how much the clock went ahead of true time after `instant`, at the most, until `end`: a row that was stamped at `instant` claims
    /// to be so much older than it is. Of what happens at the very instant of a step nobody knows by which clock it was stamped.
    func gain(from instant: Duration, until end: Duration) -> Duration {
        var gained = Duration.zero
        var most = Duration.zero
        for step in steps where instant <= step.at && step.at <= end {
            gained += step.jump
            most = max(most, gained)
        }
        return drifts.reduce(most) { sum, drift in
            let length = min(drift.span.until, end) - max(drift.span.from, instant)
            guard length > .zero, drift.partsPerMillion > 0 else { return sum }
            return sum + length / 1_000_000 * drift.partsPerMillion
        }
    }
}
