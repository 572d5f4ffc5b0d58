import HTTP
import JSON
import Platform
import Testing

@testable import Notifier

/// Whatever becomes of the envelopes of five devices on their way, the server comes to the same state, and every device with it.
struct SyncConvergenceTests {
    private static let deviceCount = 5
    private static let start: Int64 = 1_772_438_400  // 2026-03-02T08:00:00Z

    /// An envelope of one of the devices.
    private struct Envelope {
        var device: Int
        var body: String
    }

    /// A device's copy: what it was told.
    private struct Copy {
        var values: [String: JSONValue] = [:]
        var revision: Int64 = 0

        mutating func take(_ answer: JSONValue) {
            if answer["reset"] == true { values = [:] }
            for (entity, key) in [("watches", "itemIid"), ("choices", "itemIid"), ("deniedActors", "gitlabUserId")] {
                for value in answer.list("changes", entity) {
                    values["\(entity) \(value.whole(key) ?? 0)"] = plain(value)
                }
            }
            for value in answer.list("changes", "readMarks") {
                // What is unread again is as what never was read.
                let name = "readMarks \(value.text("notificationId"))"
                if value["read"] == true { values[name] = value } else { values.removeValue(forKey: name) }
            }
            if let settings = answer["changes"]?["settings"] { values["settings"] = settings }
            for value in answer.list("deleted") {
                let name = value.text("entity") == "watch" ? "watches" : "deniedActors"
                values["\(name) \(value.whole("itemIid") ?? value.whole("gitlabUserId") ?? 0)"] = nil
            }
            revision = answer.whole("revision") ?? 0
        }

        /// Without what the server draws for each run.
        private func plain(_ value: JSONValue) -> JSONValue {
            .object((value.members ?? []).filter { $0.key != "watchedItemId" })
        }
    }

    private static func makeBench() throws -> (bench: ServerBench, sessions: [String], told: [String]) {
        let bench = try ServerBench()
        bench.serveItems(1...3)
        let sessions = try (0..<deviceCount).map { _ in try bench.register() }
        return (bench, sessions, try bench.tell(1, count: 2))
    }

    /// Few things and few instants, so that many choices meet; some lie in the future.
    private static func change(_ id: Int, _ told: [String], _ random: inout RandomStream) -> String {
        let seconds = start + Int64(random.next(below: 6)) * 1_000
        let head =
            #"{"id": "\#(id)", "changedAt": "\#(ISO8601.text(WallTime(secondsSinceEpoch: seconds)))", "entity": "#
        let item = #""projectId": 42, "itemType": "merge_request", "itemIid": \#(1 + random.next(below: 3))"#
        switch random.next(below: 6) {
        case 0, 1:
            let choice = ItemChoice.Choice.allCases[Int(random.next(below: 3))].rawValue
            return head + #""choice", "choice": "\#(choice)", \#(item)}"#
        case 2:
            let end = #", "mutedUntil": "2026-03-0\#(3 + random.next(below: 5))T09:00:00Z""#
            return head + #""mute", \#(item)\#(random.next(below: 3) == 0 ? "" : end)}"#
        case 3:
            let isDenied = random.next(below: 2) == 0
            return head
                + #""deniedActor", "gitlabUserId": \#(1 + random.next(below: 2)), "denied": \#(isDenied), "reason": "\#(id)"}"#
        case 4:
            let settings = [
                #""reminders": false"#, #""reminders": true"#, #""autoWatch": true"#, #""dueLeadHours": \#(id)"#,
            ]
            let (one, other) = (Int(random.next(below: 2)), Int(2 + random.next(below: 2)))
            return head + #""settings", "settings": {\#(settings[one]), \#(settings[other])}}"#
        default:
            let notification = told[Int(random.next(below: UInt64(told.count)))]
            return head + #""readMark", "notificationId": "\#(notification)", "read": \#(random.next(below: 2) == 0)}"#
        }
    }

    private static func envelopes(_ told: [String], _ random: inout RandomStream) -> [Envelope] {
        (0..<deviceCount).flatMap { device in
            (0..<3).map { number in
                let changes = (0..<4).map { change(number * 4 + $0, told, &random) }.joined(separator: ",")
                let body = #"{"baseRevision": 0, "clientChangeId": "e-\#(number)", "changes": [\#(changes)]}"#
                return Envelope(device: device, body: body)
            }
        }
    }

    /// Every envelope at least once, in any order; some twice, as their answers were lost.
    private static func journey(_ envelopes: [Envelope], _ random: inout RandomStream) -> [Envelope] {
        var rest = envelopes + envelopes.filter { _ in random.next(below: 3) == 0 }
        var journey: [Envelope] = []
        while !rest.isEmpty { journey.append(rest.remove(at: Int(random.next(below: UInt64(rest.count))))) }
        return journey
    }

    /// What everybody knows in the end, after the devices have asked now and then on the way.
    private static func outcome(
        of journey: (_ told: [String], inout RandomStream) -> [Envelope],
        _ random: inout RandomStream
    ) throws -> [String: JSONValue] {
        let (bench, sessions, told) = try makeBench()
        var copies = Array(repeating: Copy(), count: deviceCount)
        func pull(_ device: Int, _ limit: Int) throws {
            var snapshot = ""
            repeat {
                let target = "/sync?since=\(copies[device].revision)&limit=\(limit)\(snapshot)"
                let answer = try #require(ContractBench.json(bench.call(.get, target, session: sessions[device])))
                copies[device].take(answer)
                snapshot = answer.whole("snapshot").map { "&snapshot=\($0)" } ?? ""
                guard answer["hasMore"] == true else { break }
            } while true
        }
        for envelope in journey(told, &random) {
            let answer = try bench.call(.post, "/sync", envelope.body, session: sessions[envelope.device])
            #expect(answer.status == 200, "\(answer.bodyText)")
            if let refused = ContractBench.json(answer)?.list("refused") { #expect(refused.isEmpty, "\(refused)") }
            if random.next(below: 2) == 0 { try pull(Int(random.next(below: UInt64(deviceCount))), 3) }
        }
        for device in 0..<deviceCount { try pull(device, 7) }
        for copy in copies {
            #expect(differences(copy.values, copies[0].values).isEmpty, "every device tells the same")
        }
        var fresh = Copy()
        fresh.take(try #require(ContractBench.json(bench.call(.get, "/sync", session: sessions[0]))))
        #expect(differences(fresh.values, copies[0].values).isEmpty, "and so does one that begins")
        return copies[0].values
    }

    private static func differences(_ one: [String: JSONValue], _ other: [String: JSONValue]) -> [String] {
        Set(one.keys).union(other.keys).sorted().filter { one[$0] != other[$0] }.map { key in
            "\(key): \(one[key]?.text(indented: false) ?? "nothing"), \(other[key]?.text(indented: false) ?? "nothing")"
        }
    }

    @Test(arguments: 0..<12)
    func `any order, repetition and loss of envelopes comes to one state`(seed: Int) throws {
        var random = RandomStream(seed: UInt64(seed) + 1)
        let content = RandomStream(seed: UInt64(seed) + 1_000)
        var outcomes: [[String: JSONValue]] = []
        for _ in 0..<4 {
            let outcome = try Self.outcome(
                of: { told, random in
                    var content = content
                    return Self.journey(Self.envelopes(told, &content), &random)
                },
                &random
            )
            outcomes.append(outcome)
        }
        for outcome in outcomes { #expect(Self.differences(outcome, outcomes[0]).isEmpty) }
        #expect(outcomes[0].count > 5, "something happened")
    }
}
