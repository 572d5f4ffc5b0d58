package import Configuration
import FoundationEssentials
package import JSON
import Platform

/// Overrides of the notifier's configuration, kept as the JSON object it reads. Keys, ranges and messages are the notifier's own.
package struct NotifierOverrides: Sendable, Equatable {
    /// What of the configuration is not the scenario's to choose, with the reason.
    static let leftOut = [
        "productionAPNs": "the world has its own Apple, at the address of the real one",
        "sandboxAPNs": "the world has its own Apple, at the address of the real one",
    ]

    /// Every key that a scenario can set, in the order of the notifier's documentation.
    static var keys: [ConfigurationKeyDescription] {
        NotifierConfiguration.keyDescriptions.filter { leftOut[$0.name] == nil }
    }

    /// Keys in the order of the file.
    package var values: [JSONMember] = []

    /// The value of a key, nil where its default applies. Traps for a key that the notifier does not have.
    package subscript(key: String) -> JSONValue? {
        get {
            Self.expectKnown(key)
            return values.first { $0.key == key }?.value
        }
        set {
            Self.expectKnown(key)
            values.removeAll { $0.key == key }
            if let newValue { values.append(JSONMember(key, newValue)) }
        }
    }

    /// A duration, nil where its default applies.
    package func duration(_ key: String) -> Duration? {
        guard case .string(let text)? = self[key] else { return nil }
        return DurationNotation.parse(text)
    }

    /// The JSON text of the object, for the notifier's own decoder.
    var json: String { JSONValue.object(values).text(indented: false) }

    /// How long the notifier waits for an answer of GitLab: what is set, or its default.
    package var requestTimeout: Duration {
        ((try? configuration()) ?? NotifierConfiguration()).requestTimeout
    }

    /// Requests to GitLab that the notifier allows itself for one person in an hour: what is set, or its default.
    package var requestsPerHour: Int {
        ((try? configuration()) ?? NotifierConfiguration()).requestsPerHour
    }

    /// How long the notifier keeps what people were notified of: what is set, or its default.
    package var retention: Duration { ((try? configuration()) ?? NotifierConfiguration()).retention }

    /// How many items one person may watch: what is set, or its default.
    package var watchLimit: Int { ((try? configuration()) ?? NotifierConfiguration()).watchLimit }

    /// How long news is useful.
    package var expiration: Duration { ((try? configuration()) ?? NotifierConfiguration()).expiration }

    /// How long GitLab must have failed before people are told: what is set, or its default.
    package var troubleAfter: Duration { ((try? configuration()) ?? NotifierConfiguration()).troubleAfter }

    /// How many days before a token dies its person is warned: what is set, or its default.
    package var tokenWarningDays: Int { ((try? configuration()) ?? NotifierConfiguration()).tokenWarningDays }

    /// How long before a day people are reminded of what is due then: what is set, or its default; nil where nobody is, as where no row is swept.
    package var dueLeadTime: Duration? {
        let configuration = (try? configuration()) ?? NotifierConfiguration()
        guard configuration.dueRemindersEnabled, configuration.changeDetection == .sweep else { return nil }
        return configuration.dueLeadTime
    }

    /// Whether rows of watched items are read in lists: nothing else tells what an item is called now.
    package var readsRows: Bool { ((try? configuration()) ?? NotifierConfiguration()).changeDetection == .sweep }

    /// Whether anybody is reminded of what is due before it is.
    package var remindsAhead: Bool { ((try? configuration()) ?? NotifierConfiguration()).dueRemindersEnabled }

    /// Whether anything is pushed.
    package var isPushing: Bool { ((try? configuration()) ?? NotifierConfiguration()).pushEnabled }

    /// When people are told again that somebody waits, counted from the first time; none where nobody is, or nothing is pushed.
    package var reminderDelays: [Duration] { isPushing ? possibleReminderDelays : [] }

    /// The same, also where nothing is pushed: apps that ask for what there is show reminders, too, but when one asks is its own affair.
    package var possibleReminderDelays: [Duration] {
        let configuration = (try? configuration()) ?? NotifierConfiguration()
        return configuration.remindersEnabled ? configuration.reminderDelays : []
    }

    /// The configuration a notifier starts with, read by the notifier's own decoder, which also checks every range.
    ///
    /// - Throws: `ConfigurationError` for what the notifier refuses.
    package func configuration() throws -> NotifierConfiguration {
        let json = values.isEmpty ? "{}" : json
        return try JSONDecoder().decode(NotifierConfiguration.self, from: Data(json.utf8))
    }

    private static let names = Set(NotifierConfiguration.keyDescriptions.map(\.name))

    /// A key that was renamed must not silently mean its default.
    private static func expectKnown(_ key: String) {
        precondition(names.contains(key), "the notifier has no setting \(key)")
    }
}
