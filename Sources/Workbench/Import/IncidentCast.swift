import JSON
import Platform

/// Who and what a bundle is about, with names of the import's own: the bundle has none.
struct IncidentCast {
    /// People who do what users of the notifier did not do themselves.
    static let colleagues = (1...5).map { "@colleague\($0)" }
    /// Who made every item, and does nothing else.
    static let author = "@author"
    static let group = "imported"

    private let bundle: IncidentBundle
    private let references: [Int64: String]
    /// Who has an item to do by a day, by items; but for whom it was given to in the course of the story.
    private let assignees: [Int64: [Int64]]

    init(_ bundle: IncidentBundle) {
        self.bundle = bundle
        references = Dictionary(
            bundle.items.map { ($0.number, "\(Self.path($0.project))\($0.kind == .issue ? "#" : "!")\($0.number)") },
            uniquingKeysWith: { first, _ in first }
        )
        let given = Set(bundle.notifications.filter { $0.action == "assigned" }.map { [$0.account, $0.item ?? 0] })
        let due = bundle.dueWatches.filter { !given.contains([$0.account, $0.item]) }
        assignees = Dictionary(grouping: due, by: \.item).mapValues { $0.map(\.account) }
    }

    func name(_ account: Int64) -> String { "@person\(account)" }

    /// Nil for an item that the bundle does not list.
    func reference(_ item: Int64) -> String? { references[item] }

    func knows(_ account: Int64) -> Bool { bundle.accounts.contains { $0.id == account } }

    /// Who is on a deny-list.
    func name(of denial: IncidentBundle.Denial) -> String {
        if let person = denial.person, knows(person) { return name(person) }
        return "@denied\(denial.actor)"
    }

    /// Those on deny-lists who do not use the notifier.
    private var denied: [String] {
        var names: [String] = []
        for denial in bundle.denials.sorted(by: { $0.actor < $1.actor }) {
            let name = name(of: denial)
            if !(denial.person.map(knows) ?? false), !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func path(_ project: Int64) -> String { "\(group)/project\(project)" }

    /// Those who are signed in at `start`; the others register later.
    func isRegistered(_ account: IncidentBundle.Account, at start: WallTime) -> Bool {
        account.createdAt <= start.advanced(by: .minutes(1))
    }

    // MARK: Devices

    /// A device of the story: those that took the place of one another are one.
    struct Device {
        var name: String
        var first: IncidentBundle.Device
        /// Those that came after it, each in the place of the one before.
        var successors: [IncidentBundle.Device] = []

        var last: IncidentBundle.Device { successors.last ?? first }
    }

    /// A person's devices, oldest first. A new one of the same kind takes the place of one that had died by then.
    func devices(of account: Int64) -> [Device] {
        var devices: [Device] = []
        for device in bundle.devices where device.account == account {
            let place = devices.firstIndex {
                $0.last.platform == device.platform && $0.last.environment == device.environment
                    && $0.last.state == .dead && $0.last.registeredAt < device.registeredAt
            }
            if let place {
                devices[place].successors.append(device)
            } else {
                let kind = device.platform == .ios ? "phone" : "mac"
                devices.append(Device(name: "\(kind)\(devices.count + 1)", first: device))
            }
        }
        return devices
    }

    /// Whether the device joined later than its person, or than `start`.
    func joinsLater(_ device: Device, of account: IncidentBundle.Account, start: WallTime) -> Bool {
        device.first.registeredAt > max(account.createdAt, start).advanced(by: .minutes(2))
    }

    // MARK: The world

    func world(_ timeline: IncidentTimeline) -> JSONValue {
        let duties = IncidentRota(bundle, timeline, self).duties
        return .object(
            [
                JSONMember("gitlab", gitlab),
                JSONMember("people", .array(bundle.accounts.map { person($0, timeline) } + others)),
                JSONMember("projects", .array(projects)),
            ] + (duties.isEmpty ? [] : [JSONMember("duties", .array(duties))])
        )
    }

    /// The newest release that the fake knows and that is not newer than GitLab's.
    private var gitlab: JSONValue {
        var members: [JSONMember] = []
        if let version { members.append(JSONMember("version", .string(version))) }
        if bundle.accounts.contains(where: \.isEnterprise) { members.append(JSONMember("edition", "ee")) }
        if bundle.hasWebhooks { members.append(JSONMember("webhooks", true)) }
        if let latency = IncidentLatency(bundle.minutes.filter { $0.service == .gitlab }) {
            members.append(JSONMember("latency", Self.eachWay(latency)))
        }
        return .object(members)
    }

    private var version: String? {
        let releases = bundle.accounts.compactMap { account in
            account.major.map { (major: $0, minor: account.minor ?? 0) }
        }
        guard let release = releases.max(by: <) else { return nil }
        return IncidentRelease.nearest(major: release.major, minor: release.minor)
    }

    private static func eachWay(_ latency: IncidentLatency) -> JSONValue {
        func half(_ length: Duration) -> JSONValue {
            .string(DurationNotation.text(max(.milliseconds(1), .milliseconds(length.wholeMilliseconds / 2))))
        }
        return .object([
            JSONMember("min", "1ms"), JSONMember("p50", half(latency.p50)), JSONMember("p90", half(latency.p90)),
            JSONMember("p99", half(latency.p99)), JSONMember("max", half(latency.max)),
        ])
    }

    private func person(_ account: IncidentBundle.Account, _ timeline: IncidentTimeline) -> JSONValue {
        var devices = devices(of: account.id).map { device in
            var members = [
                JSONMember("name", .string(device.name)),
                JSONMember("platform", .string(device.first.platform.rawValue)),
            ]
            if device.first.environment == .sandbox { members.append(JSONMember("environment", "sandbox")) }
            if joinsLater(device, of: account, start: timeline.start) { members.append(JSONMember("joinsLater", true)) }
            return JSONValue.object(members)
        }
        // Nobody uses the notifier without a device; what a guess it is stands in the description.
        if !devices.contains(where: { $0["joinsLater"] == nil }) {
            devices.append(.object([JSONMember("name", "guessed"), JSONMember("platform", "ios")]))
        }
        var notified = [JSONMember("devices", .array(devices))]
        let watched = initialWatches(of: account, timeline).compactMap { reference($0.item) }
        if !watched.isEmpty { notified.append(JSONMember("watches", .strings(watched))) }
        return .object([
            JSONMember("username", .string(name(account.id))), JSONMember("name", .string("Person \(account.id)")),
            JSONMember("notified", .object(notified)),
        ])
    }

    /// What the person watched from the beginning, or soon after they had registered; the rest is watched in the course of the story. A
    /// watch that has ended was there from the beginning.
    func initialWatches(
        of account: IncidentBundle.Account,
        _ timeline: IncidentTimeline
    ) -> [IncidentBundle.Watch] {
        let limit = limit(of: account, timeline)
        let ended = bundle.endedWatches.filter { $0.account == account.id && limit < $0.changedAt }.map {
            IncidentBundle.Watch(account: account.id, item: $0.item, createdAt: account.createdAt)
        }
        return bundle.watches.filter { $0.account == account.id && $0.createdAt <= limit } + ended
    }

    /// What was watched in the course of the story, and stands.
    func laterWatches(of account: IncidentBundle.Account, _ timeline: IncidentTimeline) -> [IncidentBundle.Watch] {
        let limit = limit(of: account, timeline)
        return bundle.watches.filter { $0.account == account.id && limit < $0.createdAt }
    }

    /// What is watched so soon is watched from the beginning.
    private func limit(of account: IncidentBundle.Account, _ timeline: IncidentTimeline) -> WallTime {
        max(account.createdAt, timeline.start).advanced(by: .minutes(2))
    }

    private var others: [JSONValue] {
        ([Self.author] + Self.colleagues + denied).map { name in
            .object([JSONMember("username", .string(name)), JSONMember("name", .string(Self.spoken(name)))])
        }
    }

    private static func spoken(_ name: String) -> String {
        let word = name.dropFirst()
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    private var projects: [JSONValue] {
        let members = bundle.accounts.map { name($0.id) } + [Self.author] + Self.colleagues + denied
        // A world has a project, also where nobody watches anything.
        let numbers = bundle.items.isEmpty ? [1] : Set(bundle.items.map(\.project)).sorted()
        return numbers.map { project in
            let items = bundle.items.filter { $0.project == project }
            func list(_ kind: IncidentBundle.Item.Kind) -> JSONValue {
                .array(
                    items.filter { $0.kind == kind }.map { item -> JSONValue in
                        let word = kind == .issue ? "Issue" : "Merge request"
                        var members = [
                            JSONMember("iid", .integer(item.number)),
                            JSONMember("title", .string("\(word) \(item.number)")),
                            JSONMember("author", .string(Self.author)),
                        ]
                        let names = (assignees[item.number] ?? []).filter(knows).map { name($0) }
                        if !names.isEmpty { members.append(JSONMember("assignees", .strings(names))) }
                        return .object(members)
                    }
                )
            }
            return .object([
                JSONMember("path", .string(Self.path(project))),
                JSONMember(
                    "members",
                    .array(
                        members.map {
                            .object([JSONMember("username", .string($0)), JSONMember("role", "maintainer")])
                        }
                    )
                ),
                JSONMember("mergeRequests", list(.mergeRequest)), JSONMember("issues", list(.issue)),
            ])
        }
    }
}
