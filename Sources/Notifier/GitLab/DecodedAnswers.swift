import Synchronization

/// Decodes answers that are equal to the byte once: where many watch the same lists, GitLab sends each of them the same.
///
/// Whoever is given what was decoded has just been sent the very bytes it was decoded from, so nothing passes from one person to another.
final class DecodedAnswers: Sendable {
    private struct Answer: Sendable {
        var body: [UInt8]
        var bounds: ResponseBounds
        var value: any Sendable
    }

    /// So many answers are remembered at most.
    private static let limit = 32
    /// Bytes that all bodies have together at most; what is decoded from them takes a few times as much.
    private static let limitBytes = 512 * 1_024
    /// A shorter body costs no more to decode than to find.
    private static let leastBytes = 256

    private struct State {
        /// The one decoded last is last.
        var answers: [Answer] = []
        var bytes = 0
    }

    private let state = Mutex(State())

    /// What `body` holds: as it was decoded before from the same bytes within the same bounds, or else by `decode`, whose errors are thrown on
    /// and not remembered.
    func value<Value: Sendable>(
        of body: [UInt8],
        within bounds: ResponseBounds,
        _ decode: () throws(GitLabError) -> Value
    ) throws(GitLabError) -> Value {
        guard (Self.leastBytes...Self.limitBytes).contains(body.count) else { return try decode() }
        if let known: Value = known(body, bounds) { return known }
        let value = try decode()
        remember(Answer(body: body, bounds: bounds, value: value))
        return value
    }

    private func known<Value: Sendable>(_ body: [UInt8], _ bounds: ResponseBounds) -> Value? {
        state.withLock { state in
            for answer in state.answers.reversed() where answer.body.count == body.count && answer.bounds == bounds {
                if let value = answer.value as? Value, answer.body == body { return value }
            }
            return nil
        }
    }

    private func remember(_ answer: Answer) {
        state.withLock { state in
            state.answers.append(answer)
            state.bytes += answer.body.count
            while state.answers.count > Self.limit || state.bytes > Self.limitBytes {
                state.bytes -= state.answers.removeFirst().body.count
            }
        }
    }
}
