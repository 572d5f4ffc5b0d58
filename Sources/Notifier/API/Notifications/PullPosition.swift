import HTTP

/// From where on an app asks for what is new: behind a notification that it knows, or from the oldest that is kept.
struct PullPosition: Equatable, Sendable {
    /// Nil for an app that knows none.
    var id: String?

    /// What must not stand beside it: it is no filter, and leaving something out would look as if there were nothing.
    private static let others = ["until", "cursor", "projectId", "itemType", "itemIid"]

    /// From `after`, or from an id where `since` has an instant otherwise. Nil for a request that is about the history.
    ///
    /// - Throws: `APIError.invalidField`.
    init?(_ request: HTTPRequest) throws(APIError) {
        let (after, since) = (request.parameter("after"), request.parameter("since"))
        let id = after ?? since.flatMap(Self.id)
        guard let id else { return nil }
        if after != nil, since != nil { throw .invalidField("since", expected: "absent beside \"after\"") }
        for name in Self.others where request.parameter(name) != nil {
            throw .invalidField(name, expected: "absent beside \"after\"")
        }
        guard !id.isEmpty else { return }
        guard let id = Self.id(id) else { throw .invalidField("after", expected: "a notification's id, or empty") }
        self.id = id
    }

    /// The text as an id of this server's; nil when it has not the form of one.
    private static func id(_ text: String) -> String? {
        let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        let isHexadecimal = parts.allSatisfy { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
        return isHexadecimal ? text.lowercased() : nil
    }
}
