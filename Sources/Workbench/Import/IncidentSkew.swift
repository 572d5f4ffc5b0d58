import Notifier
import Platform

/// A time in which GitLab's clock did not show what the server's did.
struct IncidentSkew: Equatable {
    /// What is less may be the way of an answer, and makes nothing late.
    private static let least = Duration.seconds(10)
    /// Answers that took longer say of a clock that is behind nothing.
    private static let fast: Int64 = 1_000

    var from: WallTime
    var until: WallTime
    /// By how much GitLab's was ahead, in whole seconds.
    var ahead: Duration

    /// From minute to minute, as GitLab dated its answers; in between it changed half way.
    ///
    /// - Parameters:
    ///   - minutes: of GitLab, in order.
    ///   - start: of the story.
    ///   - end: of the story.
    /// - Returns: in order.
    static func all(in minutes: [IncidentBundle.Minute], from start: WallTime, until end: WallTime) -> [IncidentSkew] {
        var skews: [IncidentSkew] = []
        var lastAnswer: WallTime?
        for minute in minutes {
            guard let told = minute.dateAhead, let first = minute.answers.map(\.first).min(),
                let last = minute.answers.map(\.last).max(), told > .zero || isFast(minute)
            else { continue }
            let begin = lastAnswer.map { $0.advanced(by: half($0, first)) } ?? start
            if let former = skews.last,
                abs(former.ahead.wholeMilliseconds - told.wholeMilliseconds) < least.wholeMilliseconds
            {
                skews[skews.count - 1].ahead = max(former.ahead, told)
            } else {
                if !skews.isEmpty { skews[skews.count - 1].until = begin }
                skews.append(IncidentSkew(from: begin, until: end, ahead: told))
            }
            lastAnswer = last
        }
        return skews.filter { least < $0.ahead || $0.ahead < .zero - least }.map { skew in
            var whole = skew
            // The greatest that was told is up to a second too small.
            let milliseconds = skew.ahead.wholeMilliseconds
            let isCut = milliseconds % 1_000 > 0
            whole.ahead = .seconds(milliseconds / 1_000 + (isCut ? 1 : 0))
            return whole
        }
    }

    /// Whether one of its dates was on its way for no longer than that: what had no answer may have failed as fast.
    private static func isFast(_ minute: IncidentBundle.Minute) -> Bool {
        minute.answers.allSatisfy { $0.status != nil }
            && zip(TrafficMinute.bounds, minute.lengths).contains { $0 <= fast && $1 > 0 }
    }

    private static func half(_ one: WallTime, _ other: WallTime) -> Duration {
        .microseconds(max(0, one.duration(to: other).wholeMicroseconds / 2))
    }
}
