import JSON
import Platform

/// Whether GitLab sent webhooks, and when none came although something had happened that they tell of.
struct IncidentHooks {
    /// A time without webhooks.
    struct Silence: Equatable {
        var from: WallTime
        var until: WallTime
    }

    /// GitLab's jobs are so late at the most.
    private static let latest = Duration.minutes(3)
    /// A webhook may have been on its way before its activity's second was over.
    private static let slack = Duration.seconds(2)
    /// Fewer activities that none told of are chance.
    private static let fewest = 3
    /// So far from what is known a silence begins and ends at the most.
    private static let margin = Duration.minutes(5)
    /// What GitLab certainly tells of, as a webhook is usually set up.
    private static let told: Set<String> = [
        "comment", "approve", "unapprove", "merge", "close", "reopen", "assign", "request-review", "add-label",
    ]

    private(set) var silences: [Silence] = []

    /// - Parameters:
    ///   - bundle: with the minutes in which webhooks came.
    ///   - events: what happened.
    ///   - timeline: of the story.
    init(_ bundle: IncidentBundle, _ events: [IncidentEvents.Event], _ timeline: IncidentTimeline) {
        guard bundle.hasWebhooks else { return }
        let came = bundle.minutes.filter { $0.service == .webhook }.flatMap(\.answers).filter { $0.status == 202 }
            .flatMap { [$0.first, $0.last] }.sorted()
        let happened = events.filter { $0.guess == nil && Self.told.contains($0.action) }.map(\.at).sorted()
        var (next, unheard): (Int, [WallTime]) = (0, [])
        for at in happened where !timeline.isDown(at) {
            while next < came.count, came[next] < at.advanced(by: .zero - Self.slack) { next += 1 }
            let isHeard = next < came.count && came[next] <= at.advanced(by: Self.latest)
            if !isHeard {
                unheard.append(at)
                continue
            }
            close(unheard, before: at)
            unheard = []
        }
        close(unheard, before: nil, end: timeline.end)
        // It begins no earlier than half way from the last one that came.
        for index in silences.indices {
            let former = came.last { $0 <= silences[index].from } ?? timeline.start
            let half = Duration.microseconds(former.duration(to: silences[index].from).wholeMicroseconds / 2)
            silences[index].from = silences[index].from.advanced(by: .zero - max(.zero, min(Self.margin, half)))
        }
    }

    private mutating func close(_ unheard: [WallTime], before next: WallTime?, end: WallTime? = nil) {
        guard unheard.count >= Self.fewest, let first = unheard.first, let last = unheard.last else { return }
        let half = next.map { Duration.microseconds(last.duration(to: $0).wholeMicroseconds / 2) } ?? Self.margin
        silences.append(Silence(from: first, until: end ?? last.advanced(by: min(Self.margin, half))))
    }

    /// What of it stands in a scenario's timeline.
    func entries(_ timeline: IncidentTimeline) -> [JSONValue] {
        silences.enumerated().compactMap { index, silence in
            guard let at = timeline.offset(silence.from) else { return nil }
            let length = max(.seconds(1), silence.from.duration(to: silence.until))
            let guess = "Guess: the way was closed to webhooks; GitLab may have sent none."
            return .object([
                JSONMember("description", .string(guess)), at, JSONMember("fault", "refuse"),
                JSONMember("id", .string("hooks-\(index + 1)")), JSONMember("link", "webhook"),
                JSONMember("for", .string(DurationNotation.text(length))),
            ])
        }
    }
}

extension IncidentBundle {
    /// Whether a webhook came that the server took: GitLab has one.
    var hasWebhooks: Bool {
        minutes.contains { $0.service == .webhook && $0.answers.contains { $0.status == 202 } }
    }
}
