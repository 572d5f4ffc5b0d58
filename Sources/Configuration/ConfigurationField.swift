import HTTP
import Platform

/// One key of the configuration: its name, where it lives, and what it may hold. Decoding, encoding and validation all read this table.
struct ConfigurationField: Sendable {
    /// A property of the configuration. Key paths of plain properties can be shared.
    typealias Path<Value> = any WritableKeyPath<NotifierConfiguration, Value> & Sendable

    /// What a key holds, with its range.
    enum Kind: Sendable {
        case duration(Path<Duration>, ClosedRange<Duration>)
        case durations(Path<[Duration]>, ClosedRange<Duration>)
        case number(Path<Int>, ClosedRange<Int>)
        case flag(Path<Bool>)
        case origin(Path<HTTPOrigin>)
        case text(Path<String>, maximumBytes: Int)
        case detection(Path<ChangeDetection>)
        case environment(Path<PushEnvironment>)
    }

    /// How many elements a list may have.
    static let listCount = 1...20

    let name: String
    let kind: Kind

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

extension NotifierConfiguration {
    /// Every key, in the order of the documentation.
    static let fields: [ConfigurationField] = [
        .init("intervalSmall", .duration(\.intervalSmall, .seconds(1) ... .hours(1))),
        .init("intervalMedium", .duration(\.intervalMedium, .seconds(1) ... .hours(1))),
        .init("intervalLarge", .duration(\.intervalLarge, .seconds(1) ... .hours(1))),
        .init("changeDetection", .detection(\.changeDetection)),
        .init("sweepInterval", .duration(\.sweepInterval, .seconds(5) ... .hours(1))),
        .init("patrolInterval", .duration(\.patrolInterval, .minutes(1) ... .hours(1))),
        .init("jitterPercent", .number(\.jitterPercent, 0...50)),
        .init("backoffInitial", .duration(\.backoffInitial, .seconds(1) ... .hours(1))),
        .init("backoffMaximum", .duration(\.backoffMaximum, .seconds(1) ... .days(1))),
        .init("outageProbeInterval", .duration(\.outageProbeInterval, .seconds(1) ... .hours(1))),
        .init("requestsPerHour", .number(\.requestsPerHour, 60...1_000_000)),
        .init("gitlabRequestsPerSecond", .number(\.gitlabRequestsPerSecond, 1...10_000)),
        .init("gitlabConcurrency", .number(\.gitlabConcurrency, 1...1_000)),
        .init("itemConcurrency", .number(\.itemConcurrency, 1...100)),
        .init("perPage", .number(\.perPage, 1...100)),
        .init("overlap", .duration(\.overlap, .zero ... .days(1))),
        .init("reconcileEvery", .duration(\.reconcileEvery, .minutes(1) ... .days(7))),
        .init("approvalsEvery", .duration(\.approvalsEvery, .minutes(1) ... .days(7))),
        .init("activities", .text(\.activities, maximumBytes: 255)),
        .init("requestTimeout", .duration(\.requestTimeout, .seconds(1) ... .minutes(5))),
        .init("troubleAfter", .duration(\.troubleAfter, .minutes(1) ... .days(1))),
        .init("tokenWarningDays", .number(\.tokenWarningDays, 2...60)),
        .init("webhookPollsPerMinute", .number(\.webhookPollsPerMinute, 0...60)),
        .init("remindersEnabled", .flag(\.remindersEnabled)),
        .init("reminderDelays", .durations(\.reminderDelays, .seconds(1) ... .days(1))),
        .init("dueRemindersEnabled", .flag(\.dueRemindersEnabled)),
        .init("dueLeadTime", .duration(\.dueLeadTime, .zero ... .days(14))),
        .init("pushEnabled", .flag(\.pushEnabled)),
        .init("deliveryAttempts", .number(\.deliveryAttempts, 1...100)),
        .init("retryDelays", .durations(\.retryDelays, .milliseconds(100) ... .days(1))),
        .init("throttleDelays", .durations(\.throttleDelays, .seconds(1) ... .days(1))),
        .init("probeDelays", .durations(\.probeDelays, .seconds(1) ... .hours(1))),
        .init("configurationProbeInterval", .duration(\.configurationProbeInterval, .seconds(10) ... .hours(6))),
        .init("leaseDuration", .duration(\.leaseDuration, .seconds(2) ... .hours(1))),
        .init("sendTimeout", .duration(\.sendTimeout, .seconds(1) ... .minutes(5))),
        .init("deliveryConcurrency", .number(\.deliveryConcurrency, 1...1_000)),
        .init("expiration", .duration(\.expiration, .minutes(1) ... .days(30))),
        .init("apnsTopic", .text(\.apnsTopic, maximumBytes: 255)),
        .init("apnsEnvironment", .environment(\.apnsEnvironment)),
        .init("productionAPNs", .origin(\.productionAPNs)),
        .init("sandboxAPNs", .origin(\.sandboxAPNs)),
        .init("retention", .duration(\.retention, .days(1) ... .days(3_650))),
        .init("dedupeRetention", .duration(\.dedupeRetention, .days(2) ... .days(3_650))),
        .init("syncRetention", .duration(\.syncRetention, .days(1) ... .days(3_650))),
        .init("silentPushInterval", .duration(\.silentPushInterval, .minutes(20) ... .days(1))),
        .init("tokenLifetime", .duration(\.tokenLifetime, .minutes(1) ... .days(365))),
        .init("refreshTokenLifetime", .duration(\.refreshTokenLifetime, .minutes(1) ... .days(3_650))),
        .init("requestsPerMinute", .number(\.requestsPerMinute, 1...1_000_000)),
        .init("signalsPerMinute", .number(\.signalsPerMinute, 1...10_000)),
        .init("requestBodyLimitBytes", .number(\.requestBodyLimitBytes, 1_024...16_777_216)),
        .init("requestTargetLimitBytes", .number(\.requestTargetLimitBytes, 256...65_536)),
        .init("requestHeaderLimitBytes", .number(\.requestHeaderLimitBytes, 1_024...1_048_576)),
        .init("watchLimit", .number(\.watchLimit, 1...100_000)),
        .init("deviceLimit", .number(\.deviceLimit, 1...1_000)),
        .init("metricsByUser", .flag(\.metricsByUser)),
        .init("shutdownTimeout", .duration(\.shutdownTimeout, .zero ... .minutes(10))),
    ]

    /// Checks every range, and the rules that tie keys together.
    ///
    /// - Throws: `ConfigurationError` for the keys that are out of range, or else for the first rule that is broken.
    package func validate() throws {
        let errors = Self.fields.compactMap { field in
            field.complaint(about: self).map { ConfigurationError.outOfRange(key: field.name, allowed: $0) }
        }
        if let first = errors.first { throw errors.count == 1 ? first : ConfigurationError.several(errors) }
        guard ActivityKind.set(activities) != nil else {
            let names = ActivityKind.allCases.map(\.rawValue).joined(separator: " ")
            throw ConfigurationError.outOfRange(key: "activities", allowed: "some of \"\(names)\"")
        }
        guard leaseDuration >= sendTimeout * 2 else {
            throw ConfigurationError.outOfRange(key: "leaseDuration", allowed: "at least twice \"sendTimeout\"")
        }
        guard backoffMaximum >= backoffInitial else {
            throw ConfigurationError.outOfRange(key: "backoffMaximum", allowed: "at least \"backoffInitial\"")
        }
        guard dedupeRetention >= overlap + reconcileEvery + .hours(24) else {
            throw ConfigurationError.outOfRange(
                key: "dedupeRetention",
                allowed: "at least a day more than \"overlap\" and \"reconcileEvery\" together"
            )
        }
        guard refreshTokenLifetime >= tokenLifetime else {
            throw ConfigurationError.outOfRange(key: "refreshTokenLifetime", allowed: "at least \"tokenLifetime\"")
        }
        guard reminderDelays.count <= 2, zip(reminderDelays, reminderDelays.dropFirst()).allSatisfy(<) else {
            throw ConfigurationError.outOfRange(
                key: "reminderDelays",
                allowed: "one duration, or two of which the second is longer"
            )
        }
        guard retention >= expiration else {
            throw ConfigurationError.outOfRange(key: "retention", allowed: "at least \"expiration\"")
        }
    }
}

extension ConfigurationField {
    /// What the field should have been, or nil when its value is in range.
    func complaint(about configuration: NotifierConfiguration) -> String? {
        switch kind {
        case .duration(let path, let range):
            range.contains(configuration[keyPath: path]) ? nil : Self.text(range)
        case .durations(let path, let range):
            Self.listCount.contains(configuration[keyPath: path].count)
                && configuration[keyPath: path].allSatisfy(range.contains)
                ? nil : "\(Self.listCount.lowerBound) to \(Self.listCount.upperBound) durations " + Self.text(range)
        case .number(let path, let range):
            range.contains(configuration[keyPath: path])
                ? nil : "from \(range.lowerBound) to \(range.upperBound)"
        case .origin(let path):
            configuration[keyPath: path].scheme == "https" || configuration[keyPath: path].isLoopback
                ? nil : "an https origin, unless it is this machine: what signs each push goes there"
        case .flag, .detection, .environment: nil
        case .text(let path, let maximum):
            (1...maximum).contains(configuration[keyPath: path].utf8.count) ? nil : "1 to \(maximum) bytes long"
        }
    }

    /// For an address or a name, which tell who runs the server, whether it is the usual one; nil for every other field. Texts are names
    /// unless they are known to be none.
    func isUsualName(in configuration: NotifierConfiguration) -> Bool? {
        let usual = NotifierConfiguration()
        switch kind {
        case .origin(let path): return configuration[keyPath: path] == usual[keyPath: path]
        case .text(let path, _):
            return name == "activities" ? nil : configuration[keyPath: path] == usual[keyPath: path]
        case .duration, .durations, .number, .flag, .detection, .environment: return nil
        }
    }

    private static func text(_ range: ClosedRange<Duration>) -> String {
        "from \(DurationNotation.text(range.lowerBound)) to \(DurationNotation.text(range.upperBound))"
    }
}
