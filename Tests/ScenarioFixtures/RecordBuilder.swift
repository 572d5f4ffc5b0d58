package import Platform
package import Scenarios
package import Verdict

/// Builds small records by hand: one team, one project, maria with a phone and a mac, jonas who works with her.
///
/// A test states only what matters; instants are seconds since the start.
package struct RecordBuilder {
    package static let backend = Fixture.project("team/backend")
    package static let request = ItemReference(project: backend, kind: .mergeRequest, iid: 847)
    package static let issue = ItemReference(project: backend, kind: .issue, iid: 234)
    package static let maria = Fixture.username("maria")
    package static let jonas = Fixture.username("jonas")
    package static let tom = Fixture.username("tom")
    package static let phone = Fixture.device("phone")
    package static let mac = Fixture.device("mac")

    package var record: RunRecord

    package init(
        seed: UInt64 = 1,
        gates: [Gate] = [],
        probes: [Probe] = [],
        steps: [Step] = [],
        simulated: Int = 36_000,
        world: World = RecordBuilder.makeWorld()
    ) {
        let scenario = Scenario(
            name: "fixture",
            description: "A working day.",
            seed: 1,
            duration: .seconds(simulated),
            start: WallTime(secondsSinceEpoch: 1_800_000_000),
            world: world,
            expectations: gates,
            probes: probes
        )
        let resolved = ResolvedScenario(scenario: scenario, seed: seed, steps: steps)
        record = RunRecord(resolved: resolved, simulated: .seconds(simulated))
        record.digest = "d5074f8dcbfc2be2"
        record.steps = 1_000
        record.idleSince = .seconds(simulated - 60)
        record.registrations = [
            RegistrationRecord(person: Self.maria, requestedAt: .zero, activeFrom: .seconds(1))
        ]
        record.watches = [Self.watch(Self.request), Self.watch(Self.issue)]
        for device in world.person(Self.maria)?.notified?.devices ?? [] where !device.joinsLater {
            record.deviceSpans.append(
                DeviceSpanRecord(person: Self.maria, device: device.name, activeFrom: .seconds(2))
            )
        }
    }

    package static func makeWorld(limit: RequestLimit? = nil, macJoinsLater: Bool = false) -> World {
        let devices = [Device(name: phone), Device(name: mac, platform: .macos, joinsLater: macJoinsLater)]
        let people = [
            Person(username: maria, name: "Maria", notified: NotifiedPerson(devices: devices, watches: [request])),
            Person(username: jonas, name: "Jonas"), Person(username: tom, name: "Tom"),
        ]
        let members = [
            Member(username: maria, role: .developer), Member(username: jonas, role: .developer),
            Member(username: tom, role: .guest),
        ]
        let items = [
            Item(kind: .mergeRequest, iid: 847, title: "Retry logic", author: maria),
            Item(kind: .issue, iid: 234, title: "Leak", author: jonas),
        ]
        let project = Project(path: backend, members: members, items: items)
        return World(gitlab: GitLabWorld(authenticatedLimit: limit), people: people, projects: [project])
    }

    package static func watch(_ item: ItemReference, by person: Username = maria) -> WatchRecord {
        WatchRecord(person: person, item: item, requestedAt: .seconds(1), activeFrom: .seconds(2))
    }

    // MARK: deeds

    /// Adds an activity, by default a comment of jonas on the merge request whose note id is its number plus 1,000.
    @discardableResult
    package mutating func activity(
        _ kind: ActivityKind = .comment,
        at seconds: Double,
        readableAfter lag: Double = 0,
        goneAfter: Double? = nil,
        claims age: Double = 0,
        by actor: Username = jonas,
        on item: ItemReference? = request,
        note: Bool = true,
        noteID: Int64? = nil,
        stateEventID: Int64? = nil,
        todos: [ActivityRecord.Todo] = [],
        mentions: [Username] = []
    ) -> ActivityRecord {
        let number = record.activities.count + 1
        let activity = ActivityRecord(
            number: number,
            kind: kind,
            at: .seconds(seconds),
            readableFrom: .seconds(seconds + lag),
            goneAt: goneAfter.map { .seconds(seconds + $0) },
            claimedAt: .seconds(seconds - age),
            actor: actor,
            item: item,
            projectID: item == nil ? nil : 7,
            itemTitle: "Retry logic",
            noteID: note ? noteID ?? Int64(1_000 + number) : nil,
            stateEventID: stateEventID,
            todos: todos,
            mentions: mentions
        )
        record.activities.append(activity)
        return activity
    }

    // MARK: what was observed

    package static func content(
        _ keys: [String],
        id: String,
        type: String? = nil,
        isTruncated: Bool = false
    ) -> PushContent {
        PushContent(notificationID: id, type: type, factKeys: keys, isTruncated: isTruncated, title: "news")
    }

    /// One push request.
    package mutating func push(
        _ keys: [String],
        at seconds: Double,
        id: String = "n1",
        apnsID: String? = nil,
        to person: Username = maria,
        device: DeviceName = phone,
        status: Int = 200,
        reason: String = "",
        answerLost: Bool = false,
        fault: String? = nil,
        isTruncated: Bool = false
    ) {
        record.pushes.append(
            PushRecord(
                at: .seconds(seconds),
                person: person,
                device: device,
                apnsID: apnsID ?? "\(id)-\(device)",
                status: status,
                reason: reason,
                answerLost: answerLost,
                faultID: fault,
                content: Self.content(keys, id: id, isTruncated: isTruncated)
            )
        )
    }

    /// One event on a device.
    package mutating func event(
        _ kind: DeviceEventRecord.Kind = .displayed,
        _ keys: [String],
        at seconds: Double,
        id: String = "n1",
        apnsID: String? = nil,
        to person: Username = maria,
        device: DeviceName = phone,
        cause: String? = nil,
        type: String? = nil,
        isTruncated: Bool = false
    ) {
        record.deviceEvents.append(
            DeviceEventRecord(
                at: .seconds(seconds),
                person: person,
                device: device,
                kind: kind,
                apnsID: apnsID ?? "\(id)-\(device)",
                cause: cause,
                content: Self.content(keys, id: id, type: type, isTruncated: isTruncated)
            )
        )
    }

    /// An accepted push and its display.
    package mutating func deliver(
        _ keys: [String],
        pushed: Double,
        shown: Double,
        id: String = "n1",
        to person: Username = maria,
        device: DeviceName = phone
    ) {
        push(keys, at: pushed, id: id, to: person, device: device)
        event(.displayed, keys, at: shown, id: id, to: person, device: device)
    }

    /// The notifier's log entry for a notification put into the outbox.
    package mutating func enqueue(_ keys: [String], at seconds: Double, id: String = "n1") {
        log(
            "notification.enqueued",
            at: seconds,
            [
                ("notification.id", .text(id)), ("facts", .text(keys.joined(separator: ","))),
            ]
        )
    }

    package mutating func log(
        _ message: StaticString,
        at seconds: Double,
        _ fields: [(key: StaticString, value: LogValue)]
    ) {
        let logged = LogRecord(
            at: .seconds(seconds),
            entry: LogEntry(level: .info, message: message, fields: fields)
        )
        // As a run keeps it.
        if logged.isRead { record.log.append(logged) }
    }

    /// A fault that was in force; with an effect also a step of the plan.
    package mutating func fault(
        _ kind: FaultKind,
        id: String,
        from: Double,
        until: Double,
        effect: FaultEffect? = nil
    ) {
        let id = Fixture.entry(id)
        let span = Span(from: .seconds(from), until: .seconds(until))
        record.faults.append(FaultRecord(id: id, kind: kind, span: span))
        guard let effect else { return }
        let fault = Fault(id: id, effect: effect, length: .seconds(until - from))
        let step = Step(sequence: record.resolved.steps.count, offset: .seconds(from), event: .fault(fault))
        record.resolved.steps.append(step)
    }

    /// A run in which `count` comments were delivered after `latency` seconds each, but for the first `missed`.
    package static func makeDay(
        seed: UInt64 = 1,
        gates: [Gate] = [],
        probes: [Probe] = [],
        count: Int,
        missed: Int = 0,
        latency: Double = 10
    ) -> RunRecord {
        var builder = RecordBuilder(seed: seed, gates: gates, probes: probes, simulated: 100 * count + 3_600)
        for index in 0..<count {
            let at = Double(100 + 100 * index)
            let activity = builder.activity(at: at)
            guard index >= missed, let note = activity.noteID else { continue }
            builder.deliver(["note/7/\(note)"], pushed: at + latency - 1, shown: at + latency, id: "n\(index)")
        }
        return builder.record
    }
}

/// Names that are right by construction; a wrong literal stops the test that wrote it.
package enum Fixture {
    package static func username(_ text: String) -> Username { made(Username(text), text) }
    package static func project(_ text: String) -> ProjectPath { made(ProjectPath(text), text) }
    package static func device(_ text: String) -> DeviceName { made(DeviceName(text), text) }
    package static func entry(_ text: String) -> EntryID { made(EntryID(text), text) }
    package static func ratio(_ text: String) -> Ratio { made(Ratio(notation: text), text) }

    private static func made<Value>(_ value: Value?, _ text: String) -> Value {
        guard let value else { preconditionFailure("\(text) is no valid \(Value.self)") }
        return value
    }
}
