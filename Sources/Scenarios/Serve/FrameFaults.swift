import Live

/// Names for the faults of HTTP/2's frames and connections.
enum FrameFaults {
    static let names = [
        "refuse-stream", "reset-stream", "reset-stream-after-acting", "never-answer", "go-away", "go-away-before",
        "go-away-twice", "reset-connection", "half-open",
    ]

    /// Nil for an unknown name.
    static func kind(_ name: String, reason: String?) -> HTTP2Fault.Kind? {
        switch name {
        case "refuse-stream": .refuseStream
        case "reset-stream": .resetStream
        case "reset-stream-after-acting": .resetStreamAfterActing
        case "never-answer": .neverAnswer
        case "go-away": .goAway(reason: reason)
        case "go-away-before": .goAwayBefore(reason: reason)
        case "go-away-twice": .goAwayTwice
        case "reset-connection": .resetConnection
        case "half-open": .halfOpen
        default: nil
        }
    }
}
