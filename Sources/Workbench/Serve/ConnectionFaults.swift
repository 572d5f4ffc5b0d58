import Live

/// Names for what goes wrong with connections to APNs below its answers.
struct ConnectionFaults {
    /// One posted fault.
    enum Kind {
        case frames(HTTP2Fault.Kind)
        case handshake(HandshakeFault.Kind)
    }

    /// What a fault may be told beside its name.
    struct Options {
        /// The reason of a GOAWAY.
        var reason: String?
        /// How many streams a client may have.
        var streams: Int64?
    }

    static let names = [
        "refuse-stream", "reset-stream", "reset-stream-after-acting", "never-answer", "go-away", "go-away-before",
        "go-away-twice", "go-away-fatal", "go-away-on-excess", "go-away-when-idle", "split-answer", "exhausted-window",
        "dead-address", "reset-connection", "half-open", "stream-limit", "tls-expired", "tls-other-name",
        "tls-unknown-authority", "tls-old-version", "tls-stall", "tls-close",
    ]

    let certificates: ServedCertificates

    /// Nil for an unknown name, and for one that lacks what it has to be told.
    func kind(_ name: String, _ options: Options) -> Kind? {
        frames(name, options).map(Kind.frames) ?? handshake(name).map(Kind.handshake)
    }

    private func frames(_ name: String, _ options: Options) -> HTTP2Fault.Kind? {
        switch name {
        case "refuse-stream": .refuseStream
        case "reset-stream": .resetStream
        case "reset-stream-after-acting": .resetStreamAfterActing
        case "never-answer": .neverAnswer
        case "go-away": .goAway(reason: options.reason)
        case "go-away-before": .goAwayBefore(reason: options.reason)
        case "go-away-twice": .goAwayTwice(reason: options.reason)
        case "go-away-fatal": .goAwayFatal(reason: options.reason ?? "BadCertificateEnvironment")
        case "go-away-on-excess": .goAwayOnExcess
        case "go-away-when-idle": .goAwayWhenIdle(reason: options.reason ?? "Shutdown")
        case "split-answer": .splitAnswer
        case "exhausted-window": .exhaustedWindow
        case "reset-connection": .resetConnection
        case "half-open": .halfOpen
        case "stream-limit": options.streams.flatMap { (1...1_000_000).contains($0) ? .streamLimit(Int($0)) : nil }
        default: nil
        }
    }

    private func handshake(_ name: String) -> HandshakeFault.Kind? {
        switch name {
        case "tls-expired": .presents(certificates.expired)
        case "tls-other-name": .presents(certificates.ofOtherName)
        case "tls-unknown-authority": .presents(certificates.ofUnknownAuthority)
        case "tls-old-version": .oldVersion
        case "tls-stall": .stall
        case "tls-close": .close
        case "dead-address": .deadAddress
        default: nil
        }
    }
}
