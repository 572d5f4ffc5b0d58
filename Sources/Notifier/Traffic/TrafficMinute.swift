import HTTP
import Platform

/// What one service answered within one minute, for an incident report: how often which way, first and last, and how long it took.
/// Numbers and words of this program, nothing of what was asked for.
package struct TrafficMinute: Sendable {
    /// Whom the requests went to; or, of webhooks, whom they came from.
    enum Service: String, Sendable, CaseIterable { case gitlab, apns, webhook }

    /// How requests ended: with a status and APNs' word for it, which is empty where there is none, or how else.
    private enum Ending: Hashable, Comparable {
        case status(Int, reason: String)
        case failure(String)
    }

    private struct Count {
        var count: Int
        var first: WallTime
        var last: WallTime
    }

    /// Upper bounds of the counts of lengths, in milliseconds; what takes longer is counted last.
    package static let bounds: [Int64] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000,
    ]
    /// The longest wait that a `Retry-After` is believed to ask for, in seconds.
    private static let longestWait = 86_400
    /// Of each minute at most so many different endings are told, the rest is counted as the last of them.
    private static let endingLimit = 16
    /// Letters of one of APNs' words.
    private static let reasonLimit = 40
    /// A clock that is further ahead, or behind, is told as that far.
    private static let farthestClock = Duration.days(366)

    let service: Service
    /// In minutes since 1970.
    let minute: Int64
    private var endings: [Ending: Count] = [:]
    private var lengths = [Int](repeating: 0, count: Self.bounds.count + 1)
    /// When the first answer of the minute came that asked to wait, and how many seconds.
    private var wait: (at: WallTime, seconds: Int)?
    /// By how much GitLab's clock was ahead of this one, in milliseconds. A `Date` is cut to its second, and on its way for a while: the
    /// greatest of the minute comes nearest, and is up to a second too small.
    private var dateAhead: Int64?

    init(_ service: Service, minute: Int64) {
        (self.service, self.minute) = (service, minute)
    }

    static func minute(of time: WallTime) -> Int64 { time.microseconds / 60_000_000 }

    /// Counts a request that ended at `time`.
    mutating func count(_ outcome: HTTPOutcome, at time: WallTime, length: Duration) {
        let ending = ending(of: outcome)
        endings[ending, default: Count(count: 0, first: time, last: time)].count += 1
        endings[ending]?.last = time
        let milliseconds = length.wholeMilliseconds
        lengths[Self.bounds.firstIndex { milliseconds <= $0 } ?? Self.bounds.count] += 1
        if service == .gitlab, let ahead = Self.dateAhead(outcome, at: time) {
            dateAhead = max(dateAhead ?? ahead, ahead)
        }
        guard wait == nil, case .response(let response) = outcome, response.status == 429 else { return }
        if let text = response.fields["Retry-After"], let seconds = Int(text), (0...Self.longestWait).contains(seconds)
        {
            wait = (time, seconds)
        }
    }

    private func ending(of outcome: HTTPOutcome) -> Ending {
        let ending: Ending =
            switch outcome {
            case .response(let response): .status(response.status, reason: reason(response))
            case .notSent(let failure), .unknown(let failure): .failure(failure.rawValue)
            }
        guard endings[ending] == nil, endings.count >= Self.endingLimit else { return ending }
        return endings.keys.max() ?? ending
    }

    /// Why APNs refused a push.
    private func reason(_ response: HTTPResponse) -> String {
        guard service == .apns, response.status != 200 else { return "" }
        let reason = PushRejection(response).reason
        let isWord = reason.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
        return isWord && reason.utf8.count <= Self.reasonLimit ? reason : ""
    }

    private static func dateAhead(_ outcome: HTTPOutcome, at time: WallTime) -> Int64? {
        guard case .response(let response) = outcome, let date = response.fields["Date"].flatMap(HTTPDate.wallTime)
        else {
            return nil
        }
        let ahead = time.duration(to: date)
        return max(Duration.zero - farthestClock, min(farthestClock, ahead)).wholeMilliseconds
    }

    /// One line of JSON.
    var json: String {
        let answers = endings.sorted { $0.key < $1.key }.map { ending, count in
            let name =
                switch ending {
                case .status(let status, reason: ""): #""status":\#(status)"#
                case .status(let status, reason: let reason): #""status":\#(status),"reason":"\#(reason)""#
                case .failure(let failure): #""failure":"\#(failure)""#
                }
            let (first, last) = (count.first.microseconds, count.last.microseconds)
            return #"{\#(name),"count":\#(count.count),"first":\#(first),"last":\#(last)}"#
        }
        var members = [
            #""kind":"traffic""#, #""at":\#(minute * 60_000_000)"#, #""service":"\#(service.rawValue)""#,
            #""answers":[\#(answers.joined(separator: ","))]"#,
            #""lengths":[\#(lengths.map(String.init).joined(separator: ","))]"#,
        ]
        if let dateAhead { members.append(#""dateAhead":\#(dateAhead)"#) }
        if let wait { members.append(#""waitAt":\#(wait.at.microseconds),"retryAfter":\#(wait.seconds)"#) }
        return "{\(members.joined(separator: ","))}"
    }
}
