import HTTP
import JSON
import Platform

/// `POST`, `DELETE /watch/{id}/mute`: an item that says nothing for a while, and stays watched.
extension RESTAPI {
    static let muteRoutes = [
        APIRoute(.post, "/watch/{id}/mute", .muteWatch) { try await $0.mute($1) },
        APIRoute(.delete, "/watch/{id}/mute", .unmuteWatch) { try await $0.unmute($1) },
    ]

    /// A year; who wants more of it unwatches the item.
    private static let longestMuteMinutes: Int64 = 525_600

    private func mute(_ call: APICall) async throws -> HTTPResponse {
        let request = try call.request.decodeBody(MuteRequest.self)
        let now = context.time.wallNow
        let end = try Self.muteEnd(until: request.until, minutes: request.minutes, at: now)
        let changedAt = try ChangeTime.read(request.changedAt, at: now)
        return try await setMute(until: end, changedAt: changedAt, call)
    }

    /// Query: `changedAt`.
    private func unmute(_ call: APICall) async throws -> HTTPResponse {
        let changedAt = try ChangeTime.read(call.request.parameter("changedAt"), at: context.time.wallNow)
        return try await setMute(until: nil, changedAt: changedAt, call)
    }

    /// Answers with what holds now, which is another device's choice when that was made later.
    private func setMute(until end: WallTime?, changedAt: WallTime, _ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let publicID = call.parameter("id")
        let origin = try call.stamp(changedAt).by
        let (isChanged, mutedUntil) = try await choose(call.known) { store in
            guard let watch = try store.watchID(publicID, of: account.id) else { throw APIError.watchNotFound }
            let isChanged = try store.setMute(until: end, of: watch, changedAt: changedAt, by: origin)
            return (isChanged, try store.mutedUntil(watch))
        }
        let now = context.time.wallNow
        if isChanged {
            let fields: [Log.Field] = [
                ("account.id", .number(account.id.rawValue)), ("watch.id", .text(publicID)),
            ]
            context.log.write(end == nil ? .watchUnmuted : .watchMuted, fields)
        }
        return try .json(200, MuteResponse(end: mutedUntil, at: now))
    }

    /// When a mute ends that is given by its end or by its length, and by one of them alone; within a year.
    ///
    /// - Throws: `APIError.invalidField`.
    static func muteEnd(until: String?, minutes: WholeNumber?, at now: WallTime) throws(APIError) -> WallTime {
        let limit = now.advanced(by: .minutes(Int(longestMuteMinutes)))
        switch (until, minutes?.value) {
        case (let text?, nil):
            guard let end = ISO8601.wallTime(text), now < end, end <= limit else {
                throw .invalidField("until", expected: "an instant within the next year, such as 2026-03-02T09:00:00Z")
            }
            return end
        case (nil, let minutes?):
            guard (1...longestMuteMinutes).contains(minutes) else {
                throw .invalidField("minutes", expected: "from 1 to \(longestMuteMinutes)")
            }
            return now.advanced(by: .minutes(Int(minutes)))
        default: throw .invalidField("until", expected: "present when \"minutes\" is not, and only then")
        }
    }
}

extension RouteDescription {
    fileprivate static let muteWatch = RouteDescription(
        "muteWatch",
        "Keeps an item silent until an instant; it stays watched, and what it kept silent does not come later.",
        parameters: [.path("id", .id, "The entry's id.")],
        body: muteBody,
        answers: [muteAnswer],
        errors: [.watchNotFound],
        examples: [
            Example(
                "half-an-hour",
                "A person mutes an item for half an hour.",
                after: ["addWatch"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440002"],
                body: ["minutes": 30],
                answer: ["mutedUntil": "2026-03-02T09:30:00.000Z"]
            )
        ]
    )

    fileprivate static let unmuteWatch = RouteDescription(
        "unmuteWatch",
        "Lets a muted item speak again.",
        parameters: [.path("id", .id, "The entry's id."), muteChangedAt],
        answers: [muteAnswer],
        errors: [.watchNotFound],
        examples: [
            Example(
                "muted",
                "A person ends a mute early.",
                after: ["muteWatch"],
                parameters: ["id": "550e8400-e29b-41d4-a716-446655440002"],
                answer: [:]
            )
        ]
    )
}
