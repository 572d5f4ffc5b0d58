import JSON
import Notifier
import Scenarios

@testable import Workbench

extension FuzzTarget {
    /// What `notifierd export-incident` wrote, by whoever sends it; the first line also as what somebody says they missed.
    static let incidents = FuzzTarget("incidents") { bytes in
        let first = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        if let missed = try? MissedNews(first) {
            promise(MissedReport(first) != nil, "the server takes what the workbench takes")
            let text = MissedNews.scenario([missed], name: "missed").text(indented: true)
            promise(isScenario(text), "what is missed becomes a scenario")
        }
        do throws(IncidentFault) {
            let bundle = try IncidentBundle(bytes: bytes)
            promise(isScenario(try IncidentScenario(bundle, name: "imported").text()), "what is imported is a scenario")
        } catch {
            promise(!error.message.isEmpty, "a bundle that is refused is told why")
        }
    }

    private static func isScenario(_ text: String) -> Bool {
        (try? ScenarioReader.read(Array(text.utf8), file: "imported")) != nil
    }
}
