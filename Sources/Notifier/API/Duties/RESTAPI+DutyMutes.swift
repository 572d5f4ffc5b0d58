import Duties
import HTTP
import JSON
import Platform

/// `POST`, `DELETE /duties/{id}/mute`: a duty that tells one person nothing for a while, and everybody else as ever.
extension RESTAPI {
    static let dutyMuteRoutes = [
        APIRoute(.post, "/duties/{id}/mute", .muteDuty) { try await $0.muteDuty($1) },
        APIRoute(.delete, "/duties/{id}/mute", .unmuteDuty) { try await $0.unmuteDuty($1) },
    ]

    private func muteDuty(_ call: APICall) async throws -> HTTPResponse {
        let request = try call.request.decodeBody(MuteRequest.self)
        let now = context.time.wallNow
        let end = try Self.muteEnd(until: request.until, minutes: request.minutes, at: now)
        return try await setDutyMute(until: end, changedAt: try ChangeTime.read(request.changedAt, at: now), call)
    }

    /// Query: `changedAt`.
    private func unmuteDuty(_ call: APICall) async throws -> HTTPResponse {
        let changedAt = try ChangeTime.read(call.request.parameter("changedAt"), at: context.time.wallNow)
        return try await setDutyMute(until: nil, changedAt: changedAt, call)
    }

    /// Answers with what holds now, which is another device's choice when that was made later.
    private func setDutyMute(until end: WallTime?, changedAt: WallTime, _ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        guard let id = EntityID(call.parameter("id")) else { throw APIError.dutyNotFound }
        let stamp = try call.stamp(changedAt)
        let now = context.time.wallNow
        let (isChanged, mutedUntil) = try await choose(call.known) { store in
            guard let record = try store.duty(id, of: account) else { throw APIError.dutyNotFound }
            let isChanged = try store.muteDuty(record, until: end, of: account, stamp, at: now)
            return (isChanged, try store.dutyMute(record, of: account)?.end)
        }
        if isChanged {
            let fields: [Log.Field] = [
                ("account.id", .number(account.rawValue)), ("duty.id", .text(id.description)),
            ]
            context.log.write(end == nil ? .dutyUnmuted : .dutyMuted, fields)
        }
        return try .json(200, MuteResponse(end: mutedUntil, at: now))
    }
}

extension RouteDescription {
    fileprivate static let muteDuty = RouteDescription(
        "muteDuty",
        "Keeps a duty silent for the person until an instant: reminders, turns, and what others did. Everybody else hears of it as ever.",
        parameters: [dutyID],
        body: muteBody,
        answers: [muteAnswer],
        errors: [.dutyNotFound],
        examples: [
            Example(
                "a-day",
                "A person mutes a duty for a day.",
                after: ["makeDuty"],
                parameters: ["id": exampleDuty],
                body: ["minutes": 1_440],
                answer: ["mutedUntil": "2026-03-03T09:00:00.000Z"]
            )
        ]
    )

    fileprivate static let unmuteDuty = RouteDescription(
        "unmuteDuty",
        "Lets a muted duty speak to the person again.",
        parameters: [dutyID, muteChangedAt],
        answers: [muteAnswer],
        errors: [.dutyNotFound],
        examples: [
            Example(
                "muted",
                "A person ends the mute of a duty early.",
                after: ["makeDuty", "muteDuty"],
                parameters: ["id": exampleDuty],
                answer: [:]
            )
        ]
    )
}
