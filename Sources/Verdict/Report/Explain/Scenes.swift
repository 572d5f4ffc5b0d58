import Scenarios

/// What happened to one activity for one person, scene by scene.
struct Scenes {
    struct Scene {
        var at: Int64
        var place: String
        var what: String
    }

    private var scenes: [Scene] = []

    /// By time; of one instant in the order of the way from GitLab to the device.
    var inOrder: [Scene] {
        scenes.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    init(_ line: LedgerLine, _ polls: Polls) {
        add(line.atNanoseconds, "gitlab", "\(line.kind ?? "it") was done; keys \(line.keys.joined(separator: ", "))")
        if let readable = line.readableNanoseconds, readable > line.atNanoseconds {
            add(readable, "gitlab", "it could be read")
        }
        if let pollable = line.pollableNanoseconds, pollable > max(line.readableNanoseconds ?? 0, line.atNanoseconds) {
            add(pollable, "gitlab", "nothing stood in the way of a poll any more")
        }
        if let gone = line.goneNanoseconds { add(gone, "gitlab", "it vanished") }
        addPolls(polls, until: line.enqueuedNanoseconds ?? line.attempts.first?.atNanoseconds)
        for fault in polls.faults { add(fault.at, "fault", fault.what) }
        for id in line.faults where !polls.faults.contains(where: { $0.id == id }) {
            add(line.atNanoseconds, "fault", "\(id) was in force during this story")
        }
        addNotification(line)
    }

    private mutating func addNotification(_ line: LedgerLine) {
        if let enqueued = line.enqueuedNanoseconds {
            add(enqueued, "outbox", "enqueued as \(line.notifications.first ?? "a notification")")
        }
        for attempt in line.attempts {
            var what = "pushed to \(attempt.device ?? "an unknown device"): \(attempt.status)"
            if let reason = attempt.reason { what += " \(reason)" }
            if attempt.answerLost == true { what += ", the answer was lost" }
            if let fault = attempt.fault { what += " (fault \(fault))" }
            add(attempt.atNanoseconds, "apns", what)
        }
        for event in line.deviceEvents {
            add(event.atNanoseconds, event.device, event.event + (event.cause.map { ": \($0)" } ?? ""))
        }
        if let caughtUp = line.caughtUpNanoseconds { add(caughtUp, "feed", "read by a device that caught up") }
    }

    /// Polls of the item until the one that found it, the last of which tells most.
    private mutating func addPolls(_ polls: Polls, until end: Int64?) {
        let before = polls.polls.filter { poll in end.map { poll.at <= $0 } ?? true }
        let shown = before.suffix(Polls.shown)
        if let first = shown.first, before.count > shown.count {
            add(first.at, "poll", "\(before.count - shown.count) polls before this one are left out")
        }
        for poll in shown { add(poll.at, "poll", poll.what) }
    }

    private mutating func add(_ at: Int64, _ place: String, _ what: String) {
        scenes.append(Scene(at: at, place: place, what: what))
    }
}

/// The polls of one item and the faults around them, from a trace.
struct Polls {
    /// A story shows at most so many.
    static let shown = 12

    private(set) var polls: [(at: Int64, what: String)] = []
    private(set) var faults: [(id: String, at: Int64, what: String)] = []

    init(_ trace: [TraceLine], about line: LedgerLine, _ all: [LedgerLine]) {
        let needle = Self.path(line, all)
        var ends: [Int64: TraceLine] = [:]
        var causes: [Int64: String] = [:]
        for event in trace {
            guard let exchange = event.exchange else { continue }
            if event.event == "exchange.ended" { ends[exchange] = event }
            if let fault = event.fault { causes[exchange] = fault }
        }
        for event in trace {
            switch event.event {
            case "request.sent":
                guard let target = event.target, needle.contains(where: target.contains) else { continue }
                let end = event.exchange.flatMap { ends[$0] }
                let fault = event.exchange.flatMap { causes[$0] }
                polls.append((event.atNanoseconds, Self.describe(event, target, end, fault)))
            case "fault.began":
                faults.append((event.id ?? "", event.atNanoseconds, "\(event.id ?? "") begins (\(event.kind ?? ""))"))
            case "fault.ended": faults.append((event.id ?? "", event.atNanoseconds, "\(event.id ?? "") ends"))
            case "node.crashed", "node.stopped", "node.started", "node.stalled":
                let verb = event.event.dropFirst("node.".count)
                faults.append(("", event.atNanoseconds, "\(event.name ?? "a node") \(verb)"))
            default: continue
            }
        }
    }

    private static func describe(_ event: TraceLine, _ target: String, _ end: TraceLine?, _ fault: String?) -> String {
        let answer = end.map { $0.failure ?? "\($0.status ?? 0)" } ?? "no answer"
        return "\(event.method ?? "") \(TerminalText.cut(target, to: 60)) -> \(answer)"
            + (fault.map { " (fault \($0))" } ?? "")
    }

    /// What the address of a poll that could have found it contains.
    private static func path(_ line: LedgerLine, _ all: [LedgerLine]) -> [String] {
        var needles = ["/todos"]
        guard let item = line.item.flatMap(ItemReference.init(notation:)) else { return needles }
        let path = item.kind == .mergeRequest ? "/merge_requests/\(item.iid)" : "/issues/\(item.iid)"
        let projects = all.flatMap(\.keys).compactMap { key -> Substring? in
            let parts = key.split(separator: "/")
            return parts.count == 3 ? parts[1] : nil
        }
        needles.append(projects.first.map { "/projects/\($0)\(path)" } ?? path)
        return needles
    }
}
