import JSON
import Platform
package import Scenarios

extension Scenario {
    /// A digest of what decides, with a seed, which activities there are: people, projects, timeline, services. Equal for scenarios that differ
    /// only in the notifier's settings, in what is expected, or in words.
    package var worldDigest: String {
        let deciding: Set = ["name", "duration", "start", "world", "timeline"]
        let members = ScenarioEncoder.scenario(self).members ?? []
        var digest = RunningDigest()
        digest.fold(JSONValue.object(members.filter { deciding.contains($0.key) }).text(indented: false))
        return digest.text
    }
}
