/// Why a request did not do what it was for: what to tell the person, and whether to try again.
public struct NotifierError: Error, Sendable, Equatable, Codable {
    /// What kind of failure it is, which decides what happens next.
    public enum Kind: String, Sendable, Equatable, Codable, CaseIterable {
        /// The server answered, and will not do it. Asking again does not help.
        case refused
        /// The session is over; the person has to sign in.
        case signedOut
        /// This device has no network.
        case offline
        /// Nobody answers at the server's address, or not in time.
        case unreachable
        /// The server, or GitLab behind it, cannot do it now.
        case unavailable
        /// What answered is not this API.
        case unreadable
        /// Secrets or state cannot be read or kept on this device now.
        case storage
        /// The task was cancelled.
        case cancelled
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// A stable word: the server's code, or one of the kit's own such as `offline`.
    public var code: String
    /// A sentence for people.
    public var message: String
    /// What to do about it.
    public var hint: String?
    /// The status of HTTP, where there was an answer.
    public var status: Int?
    /// How long to wait before asking again, where the server says so.
    public var retryAfter: Duration?

    /// A value of these members.
    public init(
        _ kind: Kind,
        code: String,
        _ message: String,
        hint: String? = nil,
        status: Int? = nil,
        retryAfter: Duration? = nil
    ) {
        (self.kind, self.code, self.message, self.hint) = (kind, code, message, hint)
        (self.status, self.retryAfter) = (status, retryAfter)
    }

    /// Whether the same request may succeed later without anybody doing anything.
    public var isTemporary: Bool {
        switch kind {
        case .offline, .unreachable, .unavailable, .storage, .cancelled: true
        // Somebody stands between this device and the server, as a hotel's sign-in page does.
        case .unreadable: true
        case .refused, .signedOut: false
        }
    }
}

extension NotifierError {
    /// Whether the request has certainly not left this device, so that nobody acts on it.
    var wasNotSent: Bool { ["offline", "cannot_connect", "untrusted"].contains(code) }

    /// Whether this device cannot keep or read something now, and has what it kept before.
    var leavesStore: Bool { code == Self.stateNotKept }

    /// Whether all that this device had kept is gone.
    var hasLostStore: Bool { code == Self.stateLost }

    private static let stateNotKept = "state_not_kept"
    private static let stateLost = "state_lost"

    /// Nobody is signed in on this device.
    static let notSignedIn = NotifierError(
        .signedOut,
        code: "not_signed_in",
        "You are not signed in.",
        hint: "Sign in first."
    )

    /// Whoever asked has signed out, or signed in anew, before the answer came.
    static let signInEnded = NotifierError(
        .cancelled,
        code: "sign_in_ended",
        "You have signed out, or in again, meanwhile."
    )

    init(_ failure: TransportFailure, to server: ServerAddress) {
        switch failure {
        case .offline: self.init(.offline, code: "offline", ErrorCatalogue.offline.message)
        case .cannotConnect:
            self.init(.unreachable, "cannot_connect", "Check that \(server) is right and runs.")
        case .untrusted:
            self.init(.unreachable, "untrusted", "The certificate of \(server) is not trusted on this device.")
        case .timedOut: self.init(.unreachable, "timed_out", "\(server) did not answer in time.")
        case .interrupted: self.init(.unreachable, "interrupted", "The connection to \(server) broke.")
        case .answerTooLarge: self = .unreadable("The answer of \(server) is larger than this API's are.")
        case .cancelled: self.init(.cancelled, code: "cancelled", "Cancelled.")
        }
    }

    private init(_ kind: Kind, _ code: String, _ hint: String) {
        self.init(kind, code: code, ErrorCatalogue.serverUnreachable.message, hint: hint)
    }

    static func unreadable(_ hint: String, status: Int? = nil) -> NotifierError {
        NotifierError(
            .unreadable,
            code: "unreadable_answer",
            ErrorCatalogue.serverUnreachable.message,
            hint: hint,
            status: status
        )
    }

    init(_ error: KeyStoreError) {
        switch error {
        case .unavailable(let reason):
            self.init(.storage, code: "key_store_unavailable", "Your sign-in cannot be read now.", hint: reason)
        case .damaged(let reason):
            self.init(.signedOut, code: "key_store_damaged", "Your sign-in cannot be read.", hint: reason)
        }
    }

    init(_ error: KeyValueStoreError) {
        guard !error.hasBegunAnew else {
            let message = "What this device had kept was damaged. What you chose here and was not sent is lost."
            self.init(.storage, code: Self.stateLost, message, hint: error.reason)
            return
        }
        let message = "What you chose cannot be kept on this device."
        self.init(.storage, code: Self.stateNotKept, message, hint: error.reason)
    }
}
