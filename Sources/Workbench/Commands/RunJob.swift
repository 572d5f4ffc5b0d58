import Scenarios
import Verdict

/// One scenario of a call: what is run, and where its report goes.
struct RunJob {
    var checked: CheckedScenario
    /// The seeds of the report, with what is known of them already.
    var tally: ScenarioTally
    var place: LiveReportPlace
    /// What the report is a part of; nil when it is whole.
    var shard: ShardManifest?
}
