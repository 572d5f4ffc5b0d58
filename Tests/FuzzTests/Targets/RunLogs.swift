import Platform

@testable import Harness
@testable import Scenarios
@testable import Verdict
@testable import Workbench

extension FuzzTarget {
    /// The log of a `notifierd` that a live run started: a line each. Whatever it says, nothing was delivered by it.
    static let runLogs = FuzzTarget("run-logs") { bytes in
        guard let run = try? LoggedRun.shared.get() else { return promise(false, "a small run can be made") }
        var record = run.record
        record.log = []
        var (buffer, probes) = (LineBuffer(), ProbeTable())
        buffer.append(bytes + [UInt8(ascii: "\n")])
        while let line = buffer.next() {
            guard let entry = LogLine(String(decoding: line, as: UTF8.self)) else { continue }
            if entry.servingPort != nil { promise(entry.message == "daemon.ready", "one entry tells the port") }
            let at = record.simulated * record.log.count / 64
            record.log.append(LogRecord(at: min(at, record.simulated), line: entry))
            _ = record.log.last.map { probes.probe(of: $0) }
        }
        promise(figures(of: Assessment.assess(record)) == run.figures, "a log changes no figure")
        promise(Assessment.ledger(record).count == run.ledgerCount, "and no line of the ledger")
    }

    fileprivate static func figures(of result: SeedResult) -> [Int] {
        let whole = result.whole
        return [
            result.activities, whole.expected, whole.accepted, whole.displayed, whole.known, whole.duplicates,
            whole.unexpected, result.causes.reduce(0) { $0 + $1.count },
        ]
    }
}

/// A run in which some is delivered and some is not, and what is found of it without a log.
private struct LoggedRun {
    var record: RunRecord
    var figures: [Int]
    var ledgerCount: Int

    static let shared = Result { try LoggedRun() }

    private init() throws {
        let scenario = try ScenarioReader.read(Array(Self.text.utf8), file: "corpus.json")
        record = try ScenarioRun.perform(scenario.plan(seed: 1)).record
        // As if devices had shown less than they did.
        record.deviceEvents = Array(record.deviceEvents.prefix(1))
        record.log = []
        figures = FuzzTarget.figures(of: Assessment.assess(record))
        ledgerCount = Assessment.ledger(record).count
    }

    private static let text = """
        {"name":"logged","description":"Two comments.","seed":1,"duration":"30m","start":"2026-03-02T07:00:00Z",
        "world":{"people":[{"username":"@maria","name":"Maria","notified":{"devices":[{"name":"phone","platform":"ios"}],
        "watches":["team/backend!*"]}},{"username":"@omar","name":"Omar"}],
        "projects":[{"path":"team/backend","members":[{"username":"@maria","role":"developer"},
        {"username":"@omar","role":"developer"}],
        "mergeRequests":[{"iid":7,"title":"Cache","author":"@maria"}]}]},
        "timeline":[{"at":"5m","action":"comment","by":"@omar","on":"team/backend!7","body":"Looks good."},
        {"at":"10m","action":"comment","by":"@omar","on":"team/backend!7","body":"Merge it?"}],
        "expect":[{"unexpected":"<= 0"}]}
        """
}
