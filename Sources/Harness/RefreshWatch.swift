import JSON
import NotifierKit
import Scenarios
import Verdict

/// Holds what the notifier may answer to an app that shows its refresh token: the newest that it has, each until the answer to it has arrived. A
/// lost answer comes again, with the same token, and nobody is taken for a thief.
struct RefreshWatch {
    /// What an answer shows.
    enum Finding: Equatable {
        /// The pair that followed a token which the app had shown before.
        case givenAgain
        case complaint(String)
    }

    private var shown: Set<String> = []
    /// Those that were shown again.
    private var repeated: Set<String> = []
    /// Which token was given for each.
    private var given: [String: String] = [:]

    private static let reused = "refresh_token_reused"

    /// The app shows a token.
    mutating func sends(_ body: [UInt8]) {
        guard let token = Self.token(in: body) else { return }
        if !shown.insert(token).inserted { repeated.insert(token) }
    }

    /// It has an answer.
    mutating func hears(_ status: Int, _ answer: [UInt8], to body: [UInt8]) -> Finding? {
        guard let token = Self.token(in: body) else { return nil }
        if status == 401, JSONValue(reading: answer)?["code"]?.text == Self.reused {
            return .complaint("was taken for a thief, though it showed the newest refresh token that it had")
        }
        guard status == 200, let next = Self.token(in: answer) else { return nil }
        if let former = given.updateValue(next, forKey: token), former != next {
            return .complaint("was given two refresh tokens for the same one")
        }
        return repeated.contains(token) ? .givenAgain : nil
    }

    private static func token(in body: [UInt8]) -> String? { JSONValue(reading: body)?["refreshToken"]?.text }
}

extension RefreshWatch {
    /// Whether it is the question that this is about.
    static func isAbout(_ request: TransportRequest) -> Bool { request.target == "/auth/refresh" }
}

extension Recorder {
    /// An app has an answer to a refresh that says something.
    func note(_ finding: RefreshWatch.Finding?, of person: Username) {
        switch finding {
        case .givenAgain: reach(.sessionGivenAgain)
        case .complaint(let complaint) where !mayTokensComeLate:
            violate(.apiMishandled, "an app of \(person) \(complaint)")
        case .complaint, nil: break
        }
    }

    /// Whether a question may have reached the notifier behind one that was asked after it, or found other tokens or times there.
    private var mayTokensComeLate: Bool {
        hasSeenFault(at: [.clock, .database, .disk])
            || record.faults.contains { [.latency, .stall].contains($0.kind) }
    }
}
