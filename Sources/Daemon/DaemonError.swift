/// Why `notifierd` cannot do what it was asked: a stable code, a plain sentence, and the next step.
package struct DaemonError: Error, Sendable, Equatable {
    /// Stable names of what can go wrong.
    package enum Code: String, Sendable, CaseIterable {
        case usage
        case settingsUnreadable = "settings-unreadable"
        case settingsInvalid = "settings-invalid"
        case secretMissing = "secret-missing"
        case secretInvalid = "secret-invalid"
        case databaseMissing = "database-missing"
        case databaseUnusable = "database-unusable"
        case databaseDamaged = "database-damaged"
        case databaseInUse = "database-in-use"
        case backupUnusable = "backup-unusable"
        case keysIncomplete = "keys-incomplete"
        case nobodyToTell = "nobody-to-tell"
        case notKnown = "not-known"
        case cannotWrite = "cannot-write"
        case cannotListen = "cannot-listen"
        case failed

        /// Of sysexits.h, as `simctl` uses them.
        var exitStatus: Int32 {
            switch self {
            case .usage: 64
            case .settingsUnreadable, .settingsInvalid, .secretMissing, .secretInvalid, .databaseMissing,
                .databaseDamaged, .backupUnusable, .keysIncomplete, .nobodyToTell, .notKnown:
                65
            case .databaseUnusable, .databaseInUse, .cannotListen, .cannotWrite, .failed: 70
            }
        }
    }

    var code: Code
    /// Safe to show anyone.
    var message: String
    /// What to do about it.
    var hint: String

    init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// For people, on standard error.
    var text: String { "notifierd: error: \(message) [\(code.rawValue)]\n  hint: \(hint)\n" }
}
