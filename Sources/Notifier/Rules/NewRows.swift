import Platform

/// Which rows of a list are news that have not been seen before.
enum NewRows: Hashable, Sendable {
    /// The list was read before: all of them.
    case all
    /// It is read for the first time: those that came since the watch began. The instants are by GitLab's clock; nil where the watch's lists
    /// have been read before, so that the person has wanted these rows, or GitLab has offered them, only since.
    case since(ClosedRange<WallTime>?)

    /// Whether a row is one that came at `instant`; nil where it does not say.
    func contains(_ instant: WallTime?) -> Bool {
        switch self {
        case .all: true
        case .since(let span): instant.flatMap { instant in span.map { $0.contains(instant) } } ?? false
        }
    }
}
