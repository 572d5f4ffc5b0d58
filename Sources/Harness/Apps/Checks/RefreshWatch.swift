import JSON
import NotifierKit
import Platform
import Scenarios
import Verdict

/// Holds what the notifier may answer to an app that shows its refresh token: the newest that it has, each until the answer to it has arrived. A
/// lost answer comes again, with the same token, and nobody is taken for a thief.
struct RefreshWatch {
    /// What an answer shows.
    enum Finding: Equatable {
        /// The pair that followed a token which the app had shown before.
        case givenAgain
        /// Unless one of the session's questions, which were sent then, may have reached the notifier behind one that was asked after it.
        case complaint(String, late: [Duration])
    }

    private var shown: Set<String> = []
    /// Those that were shown again.
    private var repeated: Set<String> = []
    /// Which token was given for each.
    private var given: [String: String] = [:]
    /// The token that the session of each began with, where that is another.
    private var beginnings: [String: String] = [:]
    /// When questions were sent that have no answer yet, in order, by the token that they show.
    private var unanswered: [String: [Duration]] = [:]
    /// When questions were sent whose answer took long, by what their session began with.
    private var slow: [String: [Duration]] = [:]

    /// What is answered within it has passed no other question by more than the notifier bears: it gives the same answer for ten seconds.
    private static let promptness = Duration.seconds(4)

    private static let reused = "refresh_token_reused"

    /// The app shows a token.
    mutating func sends(_ body: [UInt8], at instant: Duration) {
        guard let token = Self.token(in: body) else { return }
        unanswered[token, default: []].append(instant)
        if !shown.insert(token).inserted { repeated.insert(token) }
    }

    /// It has an answer.
    mutating func hears(_ status: Int, _ answer: [UInt8], to body: [UInt8], at instant: Duration) -> Finding? {
        guard let token = Self.token(in: body) else { return nil }
        let beginning = beginnings[token] ?? token
        noteAnswer(to: token, from: beginning, at: instant)
        if status == 401, JSONValue(reading: answer)?["code"]?.text == Self.reused {
            let what = "was taken for a thief, though it showed the newest refresh token that it had"
            return .complaint(what, late: late(in: beginning))
        }
        guard status == 200, let next = Self.token(in: answer) else { return nil }
        beginnings[next] = beginning
        if let former = given.updateValue(next, forKey: token), former != next {
            return .complaint("was given two refresh tokens for the same one", late: late(in: beginning))
        }
        return repeated.contains(token) ? .givenAgain : nil
    }

    /// Which of several questions has the answer nobody knows: it counts as that to the first of them.
    private mutating func noteAnswer(to token: String, from beginning: String, at instant: Duration) {
        guard var waiting = unanswered[token], !waiting.isEmpty else { return }
        let sentAt = waiting.removeFirst()
        unanswered[token] = waiting.isEmpty ? nil : waiting
        if sentAt + Self.promptness < instant { slow[beginning, default: []].append(sentAt) }
    }

    /// When a session's questions were sent that had their answer late, or have none.
    private func late(in beginning: String) -> [Duration] {
        let open = unanswered.filter { (beginnings[$0.key] ?? $0.key) == beginning }
        return ((slow[beginning] ?? []) + open.values.flatMap { $0 }).sorted()
    }

    private static func token(in body: [UInt8]) -> String? { JSONValue(reading: body)?["refreshToken"]?.text }
}

extension RefreshWatch {
    /// Whether it is the question that this is about.
    static func isAbout(_ request: TransportRequest) -> Bool { request.target == "/auth/refresh" }

    /// An app waits for an answer no longer; what reaches the notifier until then it may hear only when it goes on.
    private static let longestQuestion = Duration.seconds(60)

    /// Whether a slow link, or a notifier that stands still, may have kept one of the questions that were sent then from being heard at once.
    static func mayDelay(_ questions: [Duration], _ faults: [FaultRecord]) -> Bool {
        faults.contains { fault in
            [.latency, .stall].contains(fault.kind)
                && questions.contains { fault.span.from - longestQuestion <= $0 && $0 <= fault.span.until }
        }
    }
}

extension Recorder {
    /// An app has an answer to a refresh that says something.
    func note(_ finding: RefreshWatch.Finding?, of person: Username) {
        switch finding {
        case .givenAgain: reach(.sessionGivenAgain)
        case .complaint(let complaint, let late) where !mayBeOvertaken(late):
            violate(.apiMishandled, "an app of \(person) \(complaint)")
        case .complaint, nil: break
        }
    }

    /// Whether one of these questions may have reached the notifier behind one that was asked after it, or found other tokens or times there.
    private func mayBeOvertaken(_ questions: [Duration]) -> Bool {
        hasSeenFault(at: [.clock, .database, .disk]) || RefreshWatch.mayDelay(questions, record.faults)
    }
}
