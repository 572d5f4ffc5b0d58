/// A text that must never be printed: a GitLab access token, a key.
///
/// It has no log value, is not `Encodable`, and describes itself as redacted however it is printed.
struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The text itself: for the one place that sends or seals it.
    var revealed: String { text }

    var description: String { "redacted" }
    var debugDescription: String { "redacted" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
