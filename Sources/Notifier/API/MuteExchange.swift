import Platform

/// What a request for a mute says, of an item or of a duty.
struct MuteRequest: Decodable {
    var until: String?
    var minutes: WholeNumber?
    var changedAt: String?
}

/// What holds after it.
struct MuteResponse: Encodable {
    /// Absent when nothing is muted.
    private(set) var mutedUntil: String?

    /// A mute that is over is none.
    init(end: WallTime?, at now: WallTime) {
        mutedUntil = end.flatMap { now < $0 ? ISO8601.text($0) : nil }
    }
}

extension RouteDescription {
    private static let chosen = "When the person chose it, if earlier than now: the last choice wins."

    /// The body that begins a mute.
    static let muteBody = endOrLength(and: [.optional("changedAt", .instant, chosen)])

    /// A body that gives a mute by its end or by its length, and says more beside either.
    static func endOrLength(and more: [APISchema.Property]) -> APISchema {
        .either([
            .object(
                [
                    .required("until", .instant, "The end, within a year."),
                    .optional("minutes", .null, "Not beside `until`."),
                ] + more
            ),
            .object(
                [
                    .required("minutes", .number(1...525_600), "How long."),
                    .optional("until", .null, "Not beside `minutes`."),
                ] + more
            ),
        ])
    }

    /// The parameter of what ends one.
    static let muteChangedAt = Parameter.query("changedAt", .instant, chosen)

    /// The answer to both.
    static let muteAnswer = Response.json(
        200,
        "What holds now, which is another device's choice if that was made later.",
        .object([.optional("mutedUntil", .instant, "Until when it says nothing; absent when it is not muted.")])
    )
}
