import NotifierKit

/// Why a command did not do what it was for: a stable code, a plain sentence, the next step.
struct TerminalError: Error, Sendable, Equatable {
    /// What the program's exit status says.
    enum Exit: Int32, Sendable, CaseIterable {
        /// The server or GitLab will not do it.
        case refused = 1
        /// The command line is not understood.
        case usage = 64
        /// A file or an answer is not what it should be.
        case badInput = 65
        /// Nobody answers; what was chosen waits.
        case unavailable = 69
        /// Something on this machine does not work.
        case failed = 70
        /// Nobody is signed in, or the session is over.
        case signedOut = 77
        /// Ctrl-C.
        case interrupted = 130

        /// For the manual.
        var meaning: String {
            switch self {
            case .refused: "the server or GitLab will not do it"
            case .usage: "wrong usage"
            case .badInput: "a file is not what it should be"
            case .unavailable: "nobody answers, and what was chosen waits"
            case .failed: "this machine"
            case .signedOut: "not signed in"
            case .interrupted: "interrupted"
            }
        }
    }

    var exit: Exit
    var code: String
    var message: String
    var hint: String?

    init(_ exit: Exit, _ code: String, _ message: String, hint: String? = nil) {
        (self.exit, self.code, self.message, self.hint) = (exit, code, message, hint)
    }

    static func usage(_ message: String, hint: String? = nil) -> TerminalError {
        TerminalError(.usage, "usage", message, hint: hint ?? "gitlab-notify --help")
    }

    /// What was chosen is kept and goes with the next command that reaches the server.
    static func waiting(hint: String? = nil) -> TerminalError {
        TerminalError(.unavailable, "waiting", ErrorCatalogue.offline.message, hint: hint)
    }

    /// What failed in the kit, in its words.
    init(_ error: any Error) {
        switch error {
        case let error as TerminalError: self = error
        case let error as NotifierError: self.init(error)
        case let error as SyncReversal: self.init(error.reason)
        default: self.init(.failed, "internal", "\(error)")
        }
    }

    init(_ error: NotifierError) {
        let exit: Exit =
            switch error.kind {
            case .refused: .refused
            case .signedOut: .signedOut
            case .offline, .unreachable, .unavailable, .unreadable: .unavailable
            case .storage: .failed
            case .cancelled: .interrupted
            }
        let hint = error.kind == .signedOut ? "gitlab-notify login" : error.hint
        self.init(exit, error.code, error.message, hint: hint)
    }
}
