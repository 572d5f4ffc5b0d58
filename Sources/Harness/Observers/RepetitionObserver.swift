import HTTP
import Platform
import Scenarios
import Verdict

/// Sees what the notifier asks GitLab again without need, by itself and with the token of one person: the beginning of a list that it has as
/// it is, or anything again and again within seconds.
struct RepetitionObserver {
    /// Something that was asked without need, unless trouble since then explains it.
    struct Repetition {
        var invariant: ViolationRecord.Invariant
        var since: Duration
        var detail: String
        /// How long after some trouble it may be asked like that.
        var aftermath = Duration.minutes(10)
    }

    private struct Question: Hashable {
        var person: Username
        var target: String
    }

    fileprivate struct History {
        /// When it was asked, the last `limit` times, rising.
        var instants: [Duration] = []
        /// The last answer, as long as the same comes in full: its tag, how often it came, and when first and last.
        var full: (tag: String, times: Int, since: Duration, last: Duration)?
    }

    /// So many answers in a row that say the same in full are too many. One is right where a commit of what the first said failed.
    private static let tooManyAnswers = 4
    /// So many times within `haste` are too many.
    private static let tooManyTimes = 4
    private static let haste = Duration.seconds(5)
    /// What hardly ever changes, and so many times within `patience` are too many of it.
    private static let lasting: Set<Substring> = ["/api/v4/metadata", "/api/v4/version", "/api/v4/user"]
    private static let patience = Duration.hours(1)
    /// What is asked as seldom as this is read from end to end on purpose, for rows that came late (`reconcileEvery`): a tag of its first page says
    /// nothing of the others.
    private let reconciliation: Duration
    private static let mostBetween = Duration.minutes(14)
    /// Of more questions none is remembered.
    private static let bound = 50_000

    private var histories: [Question: History] = [:]
    /// Of the answer noted last, until its exchange is known.
    private var justAnswered: Question?
    private var underWay: [Int64: Question] = [:]

    /// - Parameter reconcileEvery: how often the notifier reads lists from end to end.
    init(reconcileEvery: Duration) {
        reconciliation = min(reconcileEvery - reconcileEvery / 10, Self.mostBetween)
    }

    /// Notes a question that the notifier asked by itself, and its answer; says whether that was once too often.
    mutating func note(_ request: HTTPRequest, _ reply: SentResponse, of person: Username, at now: Duration)
        -> Repetition?
    {
        guard request.method == .get else { return nil }
        if histories.count >= Self.bound { histories = [:] }
        let question = Question(person: person, target: request.target)
        justAnswered = question
        // Taken out, so that it is changed in place.
        var history = histories.removeValue(forKey: question) ?? History()
        defer { histories[question] = history }
        let span = Self.lasting.contains(request.path[...]) ? Self.patience : Self.haste
        if let since = history.haste(at: now, within: span, times: Self.tooManyTimes) {
            history = History()
            let detail = "\(request.target) was asked \(Self.tooManyTimes) times within \(now - since) for \(person)"
            // Whether a refused token is taken again is asked every two minutes for an hour.
            let aftermath = span == Self.haste ? .minutes(10) : Self.patience
            return Repetition(invariant: .askedTooOften, since: since, detail: detail, aftermath: aftermath)
        }
        guard
            let since = history.repetition(reply.response, at: now, within: reconciliation, times: Self.tooManyAnswers)
        else { return nil }
        history = History()
        let detail = "\(request.target) came in full \(Self.tooManyAnswers) times in a row for \(person)"
        return Repetition(invariant: .knownListRead, since: since, detail: detail)
    }

    /// The answer to the question noted last goes home in this exchange.
    mutating func lastAnswer(travelsIn exchange: Int64) {
        if let question = justAnswered.take() { underWay[exchange] = question }
    }

    /// An exchange is over. What did not arrive is rightly asked again.
    mutating func exchangeEnded(_ exchange: Int64, failure: String?) {
        guard let question = underWay.removeValue(forKey: exchange), failure != nil else { return }
        histories[question] = nil
    }

    /// Somebody gave the notifier another token: what it reads with that, it reads from the beginning.
    mutating func forget(_ person: Username) {
        histories = histories.filter { $0.key.person != person }
    }

    /// A new process knows nothing of what the former one had read.
    mutating func forget() {
        (histories, justAnswered, underWay) = ([:], nil, [:])
    }
}

extension RepetitionObserver.History {
    /// Notes that it was asked. Gives the first of so many times within `span`; nil when there were fewer.
    fileprivate mutating func haste(at now: Duration, within span: Duration, times: Int) -> Duration? {
        instants.append(now)
        guard instants.count >= times else { return nil }
        let first = instants.removeFirst()
        return now - first < span ? first : nil
    }

    /// Notes an answer. Gives when the same began to come in full, if it did so many times in a row, with less than `gap` between.
    fileprivate mutating func repetition(
        _ response: HTTPResponse,
        at now: Duration,
        within gap: Duration,
        times: Int
    ) -> Duration? {
        guard response.status == 200, let tag = response.fields["ETag"], response.isBeginningOfKnownLength else {
            full = nil
            return nil
        }
        if let known = full, known.tag == tag, now - known.last < gap {
            full = (tag, known.times + 1, known.since, now)
        } else {
            full = (tag, 1, now, now)
        }
        return full.flatMap { $0.times >= times ? $0.since : nil }
    }
}

extension HTTPResponse {
    /// Whether it is the first page of a list, with a tag that tells all that becomes of it: not the last page, or one with room for further
    /// rows. A row that goes to another page leaves a full one as it is. Further pages are read without a tag, once the first is another.
    fileprivate var isBeginningOfKnownLength: Bool {
        let number = { (name: String) in fields[name].flatMap { Int($0) } }
        guard number("X-Page") == 1, let rows = number("X-Per-Page") else { return false }
        return number("X-Next-Page") != nil || number("X-Total").map { $0 < rows } ?? false
    }
}
