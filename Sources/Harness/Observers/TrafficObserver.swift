import HTTP
import Platform
import Scenarios
import Verdict

/// Counts requests for each person and hour, and sees that nobody is asked for before GitLab's `Retry-After` has passed.
struct TrafficObserver {
    private struct Ledger {
        var person: Username
        var perHour: [Int] = []
        var rejected = 0
        var statuses = StatusCounts()
        var readings: [Duration] = []
        /// Since the start: no request before `until`, once the refusal of `since` can have arrived.
        var pause: (since: Duration, until: Duration)?
        /// The refusal of the pause is seen to be on its way: nobody is bound by it yet.
        var isRefusalUnderWay = false
    }

    /// A refusal whose answer is on its way: whose, and when it was given.
    private struct Refusal {
        var ledger: Int
        var since: Duration
    }

    /// A refusal needs this long at most to reach the notifier and stop what is under way.
    private static let grace = Duration.seconds(5)

    private var ledgers: [Ledger]
    private var indexByToken: [String: Int] = [:]
    private(set) var apnsPerHour: [Int] = []
    /// What was asked of GitLab for people in each full minute since the start.
    private(set) var gitlabPerMinute: [MinuteTraffic] = []
    private var readingsKept = 0
    /// The refusal noted last, until its exchange is known.
    private var justRefused: Refusal?
    private var refusals: [Int64: Refusal] = [:]

    init(people: [Username]) {
        ledgers = people.map { Ledger(person: $0) }
    }

    mutating func learn(_ token: String, of person: Username) {
        indexByToken[token] = ledgers.firstIndex { $0.person == person }
    }

    /// Notes a request to GitLab; returns a sentence when it came before its time. What somebody asks for in the app, as to sign in or to
    /// watch an item, may be asked at any time, and its refusal binds nobody else: some of GitLab's limits are those of one route.
    mutating func noteGitLab(
        _ request: HTTPRequest,
        _ reply: SentResponse,
        isForPerson: Bool,
        at now: Duration
    ) -> String? {
        guard let index = Self.token(of: request).flatMap({ indexByToken[$0] }) else { return nil }
        Self.count(now, in: &ledgers[index].perHour)
        countMinute(request, reply, at: now)
        ledgers[index].statuses.count(reply.response.status)
        if !isForPerson, reply.response.status < 400, readingsKept < RunLimits.readings {
            ledgers[index].readings.append(now)
            readingsKept += 1
        }
        var violation: String?
        if !isForPerson, let pause = ledgers[index].pause, !ledgers[index].isRefusalUnderWay,
            now < pause.until - .seconds(1), now > pause.since + Self.grace
        {
            violation = "a request for \(ledgers[index].person) came \(pause.until - now) before GitLab allowed it"
            ledgers[index].pause = nil
        }
        // Somebody whom GitLab lets in meanwhile may be asked for again.
        if isForPerson, reply.response.status < 400 { ledgers[index].pause = nil }
        if reply.response.status == 429 {
            ledgers[index].rejected += 1
            if !isForPerson, let seconds = reply.response.fields["Retry-After"].flatMap({ Int64($0) }) {
                ledgers[index].pause = (now, now + .seconds(seconds))
                ledgers[index].isRefusalUnderWay = false
                justRefused = Refusal(ledger: index, since: now)
            }
        }
        return violation
    }

    /// The answer to the request noted last goes home in this exchange.
    mutating func lastAnswer(travelsIn exchange: Int64) {
        guard let refusal = justRefused.take() else { return }
        refusals[exchange] = refusal
        ledgers[refusal.ledger].isRefusalUnderWay = true
    }

    /// An exchange is over. A refusal binds from when it was heard, which a slow GitLab may put off, and nobody who did not hear it to its end.
    mutating func exchangeEnded(_ exchange: Int64, failure: String?, at now: Duration) {
        guard let refusal = refusals.removeValue(forKey: exchange),
            let pause = ledgers[refusal.ledger].pause, pause.since == refusal.since
        else { return }
        ledgers[refusal.ledger].pause = failure == nil ? (now, pause.until) : nil
        ledgers[refusal.ledger].isRefusalUnderWay = false
    }

    /// A new process knows nothing of what the former one was refused.
    mutating func forgetPauses() {
        for index in ledgers.indices { ledgers[index].pause = nil }
    }

    private static func token(of request: HTTPRequest) -> String? {
        if let token = request.fields["PRIVATE-TOKEN"] { return token }
        guard let field = request.fields["Authorization"], field.hasPrefix("Bearer ") else { return nil }
        return String(field.dropFirst(7))
    }

    /// Whose token a request to GitLab shows; nil for one of nobody who is known.
    func person(of request: HTTPRequest) -> Username? {
        Self.token(of: request).flatMap { indexByToken[$0] }.map { ledgers[$0].person }
    }

    mutating func noteAPNs(at now: Duration) {
        Self.count(now, in: &apnsPerHour)
    }

    var gitlabRequests: [RequestCount] {
        ledgers.map {
            RequestCount(person: $0.person, perHour: $0.perHour, rejected: $0.rejected, statuses: $0.statuses)
        }
    }

    /// When GitLab was read for each person.
    var readings: [ReadingRecord] { ledgers.map { ReadingRecord(person: $0.person, at: $0.readings) } }

    /// A poll begins with the first page of the pending to-dos.
    private mutating func countMinute(_ request: HTTPRequest, _ reply: SentResponse, at now: Duration) {
        let minute = Int(now.components.seconds / 60)
        while gitlabPerMinute.count <= minute { gitlabPerMinute.append(MinuteTraffic()) }
        gitlabPerMinute[minute].requests += 1
        if reply.response.status == 429 { gitlabPerMinute[minute].refused += 1 }
        let target = request.target.utf8
        guard target.starts(with: "/api/v4/todos?state=pending".utf8),
            !target.split(separator: UInt8(ascii: "&")).contains(where: { $0.starts(with: "page=".utf8) })
        else { return }
        gitlabPerMinute[minute].polls += 1
    }

    private static func count(_ now: Duration, in hours: inout [Int]) {
        let hour = Int(now.components.seconds / 3_600)
        while hours.count <= hour { hours.append(0) }
        hours[hour] += 1
    }
}
