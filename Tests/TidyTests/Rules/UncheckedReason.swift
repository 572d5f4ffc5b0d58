/// Why a promise is kept that the compiler cannot check. `docs/HACKING.md` says what each asks for.
enum UncheckedReason: String, CaseIterable {
    case simulationThread = "simulation thread"
    case ownThread = "own thread"
    case handedOver = "handed over"
    case neverChanges = "never changes"
    case threadSafeLibrary = "thread-safe library"

    /// The reason that a comment names by `Unchecked: own thread: ...`, or with a full stop where nothing has to follow.
    init?(in comment: String) {
        let texts = comment.split(separator: "Unchecked: ", omittingEmptySubsequences: false).dropFirst()
        let named = texts.lazy.compactMap { text in
            Self.allCases.first { text.hasPrefix("\($0.rawValue):") || text.hasPrefix("\($0.rawValue).") }
        }
        guard let reason = named.first else { return nil }
        self = reason
    }
}
