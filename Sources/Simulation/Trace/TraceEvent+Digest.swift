import Platform

extension TraceEvent {
    /// Folds everything the event says into a digest, but for the number of its exchange.
    func fold(into digest: inout RunningDigest) {
        switch self {
        case .nodeStarted(let name, let incarnation):
            digest.fold(UInt64(1))
            digest.fold(name)
            digest.fold(Int64(incarnation))
        case .nodeStopped(let name): digest.fold(2, name)
        case .nodeCrashed(let name): digest.fold(3, name)
        case .nodeStalled(let name): digest.fold(4, name)
        case .requestSent(_, let link, let method, let target, let bodyBytes):
            digest.fold(UInt64(5))
            digest.fold(link)
            digest.fold(method)
            digest.fold(target)
            digest.fold(Int64(bodyBytes))
        case .requestArrived:
            digest.fold(UInt64(6))
        case .replySent(_, let status, let bodyBytes, let fault):
            digest.fold(UInt64(7))
            digest.fold(Int64(status))
            digest.fold(Int64(bodyBytes))
            if let fault { digest.fold(fault) }
        case .exchangeEnded(_, let status, let failure):
            digest.fold(UInt64(8))
            digest.fold(Int64(status))
            if let failure { digest.fold(failure) }
        case .faultBegan(let id, let kind):
            digest.fold(9, id)
            digest.fold(kind)
        case .faultEnded(let id): digest.fold(10, id)
        case .log(let entry): entry.fold(into: &digest)
        case .world(let kind, let subject, let detail):
            digest.fold(kind)
            digest.fold(subject)
            digest.fold(detail)
        }
    }
}

extension LogEntry {
    fileprivate func fold(into digest: inout RunningDigest) {
        digest.fold(message)
        for (key, value) in fields {
            digest.fold(key)
            switch value {
            case .text(let text): digest.fold(text)
            case .number(let number): digest.fold(number)
            }
        }
    }
}

extension RunningDigest {
    fileprivate mutating func fold(_ tag: UInt64, _ text: String) {
        fold(tag)
        fold(text)
    }
}
