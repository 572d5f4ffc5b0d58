import JSON
import Platform
import Scenarios

/// What `notifierd export-incident` wrote, read strictly and within bounds. Lines of kinds that an import does not need are passed over.
struct IncidentBundle: Equatable {
    /// Larger files are refused.
    static let limitBytes = 64 * 1_048_576
    /// Of a whole bundle; more is refused.
    private static let limitLines = 200_000
    private static let limitLineBytes = 1_048_576
    /// Beyond these a scenario would be none that anybody reads.
    private static let limitAccounts = 500
    private static let limitItems = 5_000
    private static let origin = "notifierd export-incident writes such a file, one JSON object a line"

    struct Account: Equatable {
        var id: Int64
        var createdAt: WallTime
        var isExpired: Bool
        /// When GitLab was asked last about the token that it has now.
        var tokenReadAt: WallTime?
        /// Of GitLab's release; nil where it was not known.
        var major: Int64?
        var minor: Int64?
        var isEnterprise: Bool
    }

    struct Device: Equatable {
        enum Platform: String { case ios, macos }
        enum Environment: String { case production, sandbox }
        enum State: String { case active, held, dead }

        var id: Int64
        var account: Int64
        var platform: Platform
        var environment: Environment
        var state: State
        var registeredAt: WallTime
        var stateChangedAt: WallTime
    }

    struct Item: Equatable {
        enum Kind: String {
            case issue
            case mergeRequest = "merge_request"
        }

        var number: Int64
        var project: Int64
        var kind: Kind
    }

    struct Watch: Equatable {
        var account: Int64
        var item: Int64
        var createdAt: WallTime
        /// Until when the item says nothing; nil where it is not muted.
        var mutedUntil: WallTime?
        /// When the person chose last whether it is.
        var muteChangedAt: WallTime?
        /// Watched by itself, because the person was tagged there.
        var isAutomatic = false
        /// When an earlier watch of the item ended.
        var endedAt: WallTime?
        /// The day by which the person is to finish the item, such as `2026-03-30`.
        var dueOn: String?
    }

    struct Notification: Equatable {
        var id: Int64
        var account: Int64
        /// What it is about, such as `activity`.
        var kind: String
        var action: String?
        var item: Int64?
        var createdAt: WallTime
    }

    /// That an account was told of something, or that it was kept from it.
    struct Fact: Equatable {
        /// The same for all who know of it.
        var number: Int64
        var account: Int64
        /// Which list of GitLab's it is from, such as `note`.
        var source: String
        /// Nil where it was told to nobody.
        var notification: Int64?
        var item: Int64?
        var happenedAt: WallTime
        var noticedAt: WallTime
        /// Why they were not told.
        var silence: Silence?
        /// Whether it waits for the end of their quiet hours.
        var isHeld = false
        /// Whether the server keeps why somebody was not told: older ones do not.
        var saysWhy = false

        /// Told to them, by a fact of another number.
        var isToldElsewhere: Bool { saysWhy && notification == nil && silence == nil && !isHeld }
    }

    /// What a minute came to.
    struct Minute: Equatable {
        enum Service: String { case gitlab, apns, webhook }

        struct Answers: Equatable {
            /// Nil where there was no answer.
            var status: Int64?
            /// APNs' word for it; nil where it is not known.
            var reason: APNsReason?
            var failure: String?
            var count: Int64
            var first: WallTime
            var last: WallTime
        }

        var at: WallTime
        var service: Service
        var answers: [Answers]
        /// How many took how long, by ``TrafficMinute/bounds``.
        var lengths: [Int64]
        /// By how much GitLab's clock was ahead of the server's; up to a second too small.
        var dateAhead: Duration?
        /// When an answer asked to wait, and how long.
        var waitAt: WallTime?
        var retryAfter: Duration?
    }

    /// A beginning or an orderly end of the process.
    struct Mark: Equatable {
        enum What: String { case start, end }

        var what: What
        var at: WallTime
    }

    /// What a person says they missed.
    struct Report: Equatable {
        var account: Int64
        var item: Int64?
        var at: WallTime
    }

    private(set) var exportedAt: WallTime?
    private(set) var linesRead = 0
    /// How many lines stand before the last one, as that says; nil where it is missing.
    private(set) var linesWritten: Int64?
    /// Why nothing of the server's database is in it; nil where something is.
    private(set) var databaseFault: DatabaseFault?
    /// The notifier's settings, as they were written.
    private(set) var settings: [JSONMember] = []
    private(set) var accounts: [Account] = []
    private(set) var devices: [Device] = []
    private(set) var items: [Item] = []
    private(set) var watches: [Watch] = []
    private(set) var notifications: [Notification] = []
    private(set) var facts: [Fact] = []
    private(set) var minutes: [Minute] = []
    private(set) var marks: [Mark] = []
    private(set) var reports: [Report] = []
    private(set) var preferences: [Preferences] = []
    private(set) var clocks: [Clock] = []
    private(set) var denials: [Denial] = []
    private(set) var choices: [Choice] = []
    private(set) var duties: [Duty] = []
    private(set) var dutyMembers: [DutyMember] = []
    private(set) var dutyEvents: [DutyEvent] = []
    private(set) var dutyTurns: [DutyTurn] = []
    private(set) var dutyMutes: [DutyMute] = []
    private(set) var signals: [Signal] = []
    private(set) var answers: [Answer] = []
    private(set) var deliveries: [Delivery] = []
    private(set) var receipts: [Receipt] = []

    /// - Throws: `IncidentFault`, which says in which line.
    init(bytes: [UInt8]) throws(IncidentFault) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count <= Self.limitLines else {
            throw IncidentFault("it has more than \(Self.limitLines) lines")
        }
        for (index, line) in lines.enumerated() where !line.isEmpty {
            try read(line, number: index + 1)
            linesRead += 1
        }
        guard exportedAt != nil else {
            throw IncidentFault("no line of it is of the kind \"incident\"", hint: Self.origin)
        }
        guard accounts.count <= Self.limitAccounts, items.count <= Self.limitItems else {
            throw IncidentFault(
                "it has more than \(Self.limitAccounts) accounts or \(Self.limitItems) items",
                hint: "leave those out that it is not about"
            )
        }
        guard Set(denials.map(\.actor)).count <= Self.limitDenied else {
            throw IncidentFault(
                "it has more than \(Self.limitDenied) people on deny-lists",
                hint: "leave those out that it is not about"
            )
        }
        sort()
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, number: Int) throws(IncidentFault) {
        guard bytes.count <= Self.limitLineBytes else {
            throw IncidentFault(line: number, "it is longer than \(Self.limitLineBytes) bytes")
        }
        var reader = JSONReader(bytes: Array(bytes))
        let node: JSONNode
        do throws(JSONReader.Failure) {
            node = try reader.read()
        } catch {
            // What does not even begin like a report is mostly another file, whose grammar is of no interest.
            let hint = number == 1 ? Self.origin : error.hint
            throw IncidentFault(line: number, "it is not JSON: \(error.message)", hint: hint)
        }
        let fields = IncidentFields(line: number, node: node)
        guard node.members != nil, let kind = try fields.optionalText("kind") else {
            let hint = number == 1 ? Self.origin : "each line is a JSON object"
            throw IncidentFault(line: number, "it is no object with a \"kind\"", hint: hint)
        }
        try take(fields, kind: kind)
    }

    private mutating func take(_ fields: IncidentFields, kind: String) throws(IncidentFault) {
        switch kind {
        case "incident":
            guard exportedAt == nil else { throw Self.second(fields.line) }
            exportedAt = try fields.instant("at")
            settings = fields.member("settings")?["notifier"]?.value.members ?? []
        case "end": linesWritten = try fields.number("lines")
        case "database": databaseFault = try fields.word("fault", DatabaseFault.self)
        case "account": accounts.append(try Account(fields))
        case "device": if let device = try Device(fields) { devices.append(device) }
        case "item": if let item = try Item(fields) { items.append(item) }
        case "watch": watches.append(try Watch(fields))
        case "notification": notifications.append(try Notification(fields))
        case "fact": facts.append(try Fact(fields))
        case "traffic": if let minute = try Minute(fields) { minutes.append(minute) }
        case "process": if let mark = try Mark(fields) { marks.append(mark) }
        case "report": reports.append(try Report(fields))
        case "preferences": preferences.append(try Preferences(fields))
        case "clock": clocks.append(try Clock(fields))
        case "denied": denials.append(try Denial(fields))
        case "choice": if let choice = try Choice(fields) { choices.append(choice) }
        default: try takeMore(fields, kind: kind)
        }
    }

    private mutating func takeMore(_ fields: IncidentFields, kind: String) throws(IncidentFault) {
        switch kind {
        case "duty": if let duty = try Duty(fields) { duties.append(duty) }
        case "duty_member": dutyMembers.append(try DutyMember(fields))
        case "duty_event": if let event = try DutyEvent(fields) { dutyEvents.append(event) }
        case "duty_turn": dutyTurns.append(try DutyTurn(fields))
        case "duty_mute": dutyMutes.append(try DutyMute(fields))
        case "ask": if let answer = try Answer(fields) { answers.append(answer) }
        case "signal": if let signal = try Signal(fields) { signals.append(signal) }
        case "delivery": if let delivery = try Delivery(fields) { deliveries.append(delivery) }
        case "receipt": if let receipt = try Receipt(fields) { receipts.append(receipt) }
        default: break
        }
    }

    /// Everything in its order, whatever order the lines had; of what stands there twice the first.
    private mutating func sort() {
        accounts = Self.sorted(accounts) { [$0.id] }
        devices = Self.sorted(devices) { [$0.id] }
        items = Self.sorted(items) { [$0.number] }
        watches = Self.sorted(watches) { [$0.account, $0.item] }
        preferences = Self.sorted(preferences) { [$0.account] }
        clocks = Self.sorted(clocks) { [$0.account ?? 0, $0.duty ?? 0] }
        duties = Self.sorted(duties) { [$0.number] }
        dutyMembers = Self.sorted(dutyMembers) { [$0.member] }
        dutyTurns = Self.sorted(dutyTurns) { [$0.duty, $0.turn] }
        dutyMutes = Self.sorted(dutyMutes) { [$0.account, $0.duty] }
        dutyEvents.sort { ($0.happenedAt, $0.duty, $0.turn) < ($1.happenedAt, $1.duty, $1.turn) }
        denials = Self.sorted(denials) { [$0.account, $0.actor] }
        choices = Self.sorted(choices) { [$0.account, $0.item] }
        deliveries = Self.sorted(deliveries) { [$0.device, $0.notification] }
        receipts = Self.sorted(receipts) { [$0.device, $0.notification] }
        answers.sort { ($0.at, $0.account, $0.item) < ($1.at, $1.account, $1.item) }
        signals.sort { ($0.at, $0.account, $0.name) < ($1.at, $1.account, $1.name) }
        notifications.sort { $0.id < $1.id }
        facts.sort { ($0.happenedAt, $0.number, $0.account) < ($1.happenedAt, $1.number, $1.account) }
        minutes.sort { ($0.at, $0.service.rawValue) < ($1.at, $1.service.rawValue) }
        marks.sort { $0.at < $1.at }
    }

    private static func sorted<Line>(_ lines: [Line], by numbers: (Line) -> [Int64]) -> [Line] {
        let named = Dictionary(lines.map { (numbers($0), $0) }, uniquingKeysWith: { first, _ in first })
        return named.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// The same with reports of a person beside those of the bundle.
    func adding(_ reports: [Report]) -> IncidentBundle {
        var bundle = self
        bundle.reports += reports
        return bundle
    }
}

extension IncidentBundle.Account {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        id = try fields.number("id")
        createdAt = try fields.instant("createdAt")
        isExpired = try fields.optionalText("state") == "auth_expired"
        tokenReadAt = try fields.optionalInstant("tokenReadAt")
        major = try fields.optionalNumber("gitlabMajor")
        minor = try fields.optionalNumber("gitlabMinor")
        isEnterprise = try fields.flag("isEnterprise")
    }
}

extension IncidentBundle.Device {
    /// Nil for one of a kind that is not known.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let platform = try fields.word("platform", Platform.self),
            let environment = try fields.word("environment", Environment.self),
            let state = try fields.word("state", State.self)
        else { return nil }
        (self.platform, self.environment, self.state) = (platform, environment, state)
        id = try fields.number("id")
        account = try fields.number("account")
        registeredAt = try fields.instant("registeredAt")
        stateChangedAt = try fields.instant("stateChangedAt")
    }
}

extension IncidentBundle.Item {
    /// Nil for one of a kind that is not known.
    init?(_ fields: IncidentFields) throws(IncidentFault) {
        guard let kind = try fields.word("of", Kind.self) else { return nil }
        self.kind = kind
        number = try fields.number("item")
        project = try fields.number("project")
    }
}

extension IncidentBundle.Watch {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        account = try fields.number("account")
        item = try fields.number("item")
        createdAt = try fields.instant("createdAt")
        mutedUntil = try fields.optionalInstant("mutedUntil")
        muteChangedAt = try fields.optionalInstant("muteChangedAt")
        isAutomatic = try fields.optionalText("origin") == "auto"
        endedAt = try fields.optionalInstant("endedAt")
        dueOn = try fields.optionalText("dueOn").flatMap { Self.isDay($0) ? $0 : nil }
    }
}

extension IncidentBundle.Watch {
    private static func isDay(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
    }
}

extension IncidentBundle.Notification {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        id = try fields.number("id")
        account = try fields.number("account")
        kind = try fields.optionalText("of") ?? ""
        action = try fields.optionalText("action")
        item = try fields.optionalNumber("item")
        createdAt = try fields.instant("createdAt")
    }
}

extension IncidentBundle.Fact {
    init(_ fields: IncidentFields) throws(IncidentFault) {
        number = try fields.number("fact")
        account = try fields.number("account")
        source = try fields.optionalText("of") ?? ""
        notification = try fields.optionalNumber("notification")
        item = try fields.optionalNumber("item")
        happenedAt = try fields.instant("happenedAt")
        noticedAt = try fields.instant("noticedAt")
        silence = try fields.word("silenced", IncidentBundle.Silence.self)
        isHeld = try fields.flag("isHeld")
        saysWhy = fields.node["silenced"] != nil
    }
}
