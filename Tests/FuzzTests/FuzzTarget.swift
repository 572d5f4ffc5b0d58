/// A decoder of bytes that come from outside, as a fuzzer feeds it and the tests replay its corpus.
struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name of its folder below `Corpus`.
    let name: String
    /// Decodes, and traps where a promise about such bytes does not hold.
    let feed: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ feed: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.feed = feed
    }

    var description: String { name }

    /// Every one there is.
    static let all: [FuzzTarget] = [
        .gitLabAnswers, .polling, .webhooks, .apnsAnswers, .noteTexts, .zoneFiles, .http1Answers, .http2Answers,
        .forwardedFor, .apiRequests, .pushRequests, .gitLabRequests, .controlRequests, .controlAPI, .http1, .http2,
        .tls,
        .scenarios, .settings, .secrets, .incidentLogs, .requestRecords, .backups, .certificates, .keys, .timestamps,
        .notations, .arguments, .machineNames, .reports, .shards, .parts, .workerLines, .runLogs, .appAnswers,
        .incidents,
    ]
}

/// Ends the process where a promise does not hold, in every build.
func promise(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError("broken promise: \(sentence())")
}
