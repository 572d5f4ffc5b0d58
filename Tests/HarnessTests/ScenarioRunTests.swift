import Platform
import ScenarioFixtures
import Simulation
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

/// An hour in which one colleague writes every few minutes and another approves, with `timeline` on top.
private func makeHour(_ timeline: String = "") throws -> Scenario {
    let traffic = """
        {"every": "4m", "from": "3m", "until": "55m", "action": "comment", "by": "@ben", "on": "team/backend!1"},
        {"at": "20m", "action": "approve", "by": "@lea", "on": "team/backend!1"},
        {"at": "25m30s", "action": "comment", "by": "@ben", "on": "team/backend#2", "mention": "@maria"}
        """
    return try makeScenario(duration: "\"1h\"", timeline: timeline.isEmpty ? traffic : "\(traffic), \(timeline)")
}

private func run(_ scenario: Scenario, seed: UInt64 = 1, options: RunOptions = RunOptions()) throws -> RunOutcome {
    try ScenarioRun.perform(scenario.plan(seed: seed), options: options)
}

@Suite struct ScenarioRunTests {
    @Test func `an hour without trouble is delivered to the last notification`() throws {
        let record = try run(makeHour()).record
        let result = Assessment.assess(record)
        #expect(result.whole.expected == 15)
        #expect(result.whole.known == 15)
        #expect(result.whole.displayed == 15)
        #expect(result.whole.duplicates == 0 && result.whole.unexpected == 0)
        #expect(record.violations.isEmpty)
        #expect(record.idleSince != nil)
        #expect(record.unknownRoutes.isEmpty)
    }

    @Test func `the same seed gives the same events, alone or after another seed`() throws {
        let scenario = try makeHour(
            #"{"every": "7m", "from": "5m", "until": "50m", "mix": {"comment": 3, "push": 1}, "by": "anyone", "on": "any"}"#
        )
        let first = try run(scenario, seed: 7, options: RunOptions(trace: .everything))
        let other = try run(scenario, seed: 8)
        let second = try run(scenario, seed: 7, options: RunOptions(trace: .everything))
        #expect(first.traceLines == second.traceLines)
        #expect(first.record.digest == second.record.digest)
        #expect(first.record.digest != other.record.digest)
        #expect(first.record.behaviour == second.record.behaviour)
        #expect(first.record.behaviour != other.record.behaviour)
    }

    @Test func `what is kept of the trace does not change the run`() throws {
        let scenario = try makeHour()
        let digests = try [RunOptions(), RunOptions(trace: .notable), RunOptions(trace: .everything)].map {
            try run(scenario, options: $0).record.digest
        }
        #expect(Set(digests).count == 1)
    }

    @Test func `exploring schedules reaches the same verdict by another way`() throws {
        let scenario = try makeHour()
        let plain = try run(scenario).record
        for seed: UInt64 in 1...3 {
            let explored = try run(scenario, seed: seed, options: RunOptions(exploresSchedules: true)).record
            #expect(Assessment.assess(explored).whole.missed == 0)
            #expect(explored.digest != plain.digest)
        }
    }

    @Test func `no secret stands in a trace, a log or a push`() throws {
        let outcome = try run(makeHour(), options: RunOptions(trace: .everything))
        #expect(outcome.traceLines.count > 500)
        #expect(!outcome.traceLines.contains { $0.contains("s3cr3t") || $0.contains("glpat-") })
        #expect(!outcome.record.violations.contains { $0.invariant == .secretLeaked })
    }

    @Test(arguments: [
        #"{"at": "10m", "for": "15m", "fault": "latency", "link": "gitlab", "latency": "2s", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "refuse", "link": "gitlab"}"#,
        #"{"at": "10m", "for": "15m", "fault": "stall-before-first-byte", "link": "gitlab", "stall": "5s", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "stall-in-body", "link": "gitlab", "stall": "2m", "ratio": "1/3"}"#,
        #"{"at": "10m", "for": "15m", "fault": "reset-before", "link": "apns", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "truncate", "link": "gitlab", "afterBytes": 20, "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "slow-body", "link": "gitlab", "bytesPerSecond": 500}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "502-text"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "502-html"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "503-json"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "500-json"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "200-html"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "hang"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "truncated-json"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "401-json", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "403-json", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "maintenance"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-outage", "mode": "read-only"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-route-outage", "mode": "401-json", "route": "/projects/*/merge_requests/*/**"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-route-outage", "mode": "403-json", "route": "/projects/*/merge_requests/*/notes"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-rows-changed", "change": "new-members", "route": "/**"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-rows-changed", "change": "other-times", "route": "/**"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-rows-changed", "change": "other-words", "route": "/**"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-rows-changed", "change": "left-out", "route": "/**"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-rows-changed", "change": "other-type", "route": "/projects/**"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-rate-limit", "limiter": "a", "requests": 5, "period": "5m"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-rate-limit", "limiter": "b", "requests": 5, "period": "1m"}"#,
        #"{"at": "10m", "for": "15m", "fault": "gitlab-slow", "latency": "4s"}"#,
        #"{"at": "10m", "for": "15m", "fault": "replica-lag", "lag": "45s", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "late-commit", "hold": "40s", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "page-drift"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-outage", "mode": "503"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-outage", "mode": "500"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-outage", "mode": "hang"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-reason", "reason": "TooManyRequests"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-never-answers", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-sticky-500", "ratio": "1/3"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-slow", "latency": "3s"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-shutdown", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-accepts-without-answer", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-delivery-delay", "delay": "5m", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-reordering", "delay": "5m", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "15m", "fault": "apns-key-revoked"}"#,
        #"{"at": "10m", "for": "15m", "fault": "token-update-limit", "period": "40m"}"#,
        #"{"at": "10m", "fault": "crash", "downFor": "3m"}"#,
        #"{"at": "10m", "fault": "restart", "downFor": "1m"}"#,
        #"{"at": "10m", "for": "4m", "fault": "stall"}"#,
        #"{"at": "10m", "for": "15m", "fault": "clock-offset", "node": "notifier", "offset": "-10m"}"#,
        #"{"at": "10m", "fault": "clock-step", "node": "notifier", "jump": "5m"}"#,
        #"{"at": "10m", "for": "15m", "fault": "clock-drift", "node": "gitlab", "partsPerMillion": 500}"#,
        #"{"at": "10m", "for": "15m", "fault": "clock-drift", "node": "gitlab", "partsPerMillion": 100000}"#,
        #"{"at": "10m", "for": "15m", "fault": "clock-drift", "node": "gitlab", "partsPerMillion": -100000}"#,
    ])
    func `a fault comes, goes and loses nothing`(fault: String) throws {
        let record = try run(makeHour(fault)).record
        let result = Assessment.assess(record)
        #expect(result.whole.missed == 0, "\(result.causes)")
        #expect(result.whole.duplicates == 0)
        #expect(record.violations.isEmpty)
        #expect(record.faults.count == 1)
        #expect(record.faults.first?.span.from == .minutes(10))
    }

    @Test(arguments: [
        #"{"at": "10m", "for": "30m", "fault": "apns-lost-answer", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "30m", "fault": "apns-accepts-without-answer", "ratio": "1/2"}"#,
        #"{"at": "10m", "for": "30m", "fault": "reset-after", "link": "apns", "ratio": "1/2"}"#,
    ])
    func `an accepted push whose answer is lost is sent again and shown once`(fault: String) throws {
        let record = try run(makeHour(fault)).record
        let result = Assessment.assess(record)
        #expect(record.pushes.contains { $0.answerLost })
        #expect(record.pushes.count > Set(record.pushes.map(\.apnsID)).count)
        #expect(record.deviceEvents.contains { $0.kind == .replaced })
        #expect(result.whole.missed == 0 && result.whole.duplicates == 0)
    }

    // Nobody here signs in through GitLab; `oauth-refresh-lost` crashes after a renewal.
    @Test(arguments: DurableStep.allCases.filter { $0 != .afterTokenRefresh }, 1...3)
    func `a crash at a durable step loses nothing and shows nothing twice`(step: DurableStep, occurrence: Int) throws {
        let fault = """
            {"at": "12m", "fault": "crash-at-step", "step": "\(step.rawValue)", "occurrence": \(occurrence), "downFor": "30s"}
            """
        let record = try run(makeHour(fault)).record
        let result = Assessment.assess(record)
        #expect(record.downtimes.count == 1)
        #expect(result.whole.missed == 0, "\(result.causes)")
        #expect(result.whole.duplicates == 0)
        #expect(record.violations.isEmpty)
    }

    @Test func `a second crash strikes the process that follows the first, and another one does not count for it`()
        throws
    {
        func crashes(afterRestarts restarts: Int) throws -> [String] {
            let faults = """
                {"at": "12m", "fault": "crash-at-step", "id": "a", "step": "before-commit", "downFor": "30s"},
                {"at": "12m", "fault": "crash-at-step", "id": "b", "step": "before-disk-sync", "afterRestarts": \(restarts),
                 "keeps": "torn", "downFor": "30s"}
                """
            let record = try run(makeHour(faults)).record
            let result = Assessment.assess(record)
            #expect(result.whole.missed == 0 && result.whole.duplicates == 0 && record.violations.isEmpty)
            #expect(record.downtimes.count == result.stepCrashes.count)
            return result.stepCrashes
        }
        #expect(try crashes(afterRestarts: 1) == ["a", "b"])
        #expect(try crashes(afterRestarts: 2) == ["a"])
    }

    @Test func `a notifier starts on a disk that takes no writes`() throws {
        let faults = """
            {"at": "12m", "fault": "disk-error", "operation": "write", "for": "5m"},
            {"at": "13m", "fault": "power-loss", "downFor": "10s"}
            """
        let record = try run(makeHour(faults)).record
        #expect(record.violations.isEmpty && Assessment.assess(record).whole.missed == 0)
        #expect(record.downtimes.count == 1)
    }

    @Test func `a to-do that its owner resolved before any poll is not required`() throws {
        let record = try run(
            makeHour(
                #"{"at": "7m", "action": "diff-comment", "by": "@ben", "on": "team/backend!1"}, "#
                    + #"{"at": "10m", "action": "request-review", "by": "@lea", "user": "@maria", "on": "team/backend!1"}, "#
                    + #"{"at": "10m1s", "action": "react", "by": "@maria", "on": "team/backend!1"}"#
            )
        ).record
        let request = try #require(record.activities.first { $0.kind == .reviewRequested })
        #expect(request.todos.map(\.resolvedAt) == [.seconds(601)])
        #expect(Assessment.assess(record).whole.missed == 0)
    }

    @Test func `a phone that was away learns from the feed what APNs kept only the last of, once its app is opened`()
        throws
    {
        let record = try run(
            makeHour(
                #"{"at": "10m", "action": "device-offline", "by": "@maria", "device": "phone"}, "#
                    + #"{"at": "45m", "action": "device-online", "by": "@maria", "device": "phone"}, "#
                    + #"{"at": "50m", "action": "open-app", "by": "@maria", "device": "phone"}"#
            )
        ).record
        #expect(Assessment.assess(record).whole.missed == 0)
        #expect(record.deviceEvents.contains { $0.cause == "overwritten" })
        #expect(!record.catchUps.isEmpty && record.catchUps.allSatisfy { $0.at >= .minutes(50) })
    }
}
