import Configuration
import Duties
import HTTP
import JSON
import Platform

/// `POST /occurrences/{id}/…`: what happened to one time that a duty was due.
extension RESTAPI {
    static let occurrenceRoutes = [
        APIRoute(.post, "/occurrences/{id}/complete", .completeOccurrence) { try await $0.end(.done, $1) },
        APIRoute(.post, "/occurrences/{id}/skip", .skipOccurrence) { try await $0.end(.skip, $1) },
        APIRoute(.post, "/occurrences/{id}/reassign", .reassignOccurrence) { try await $0.reassign($1) },
    ]

    private struct EndRequest: Decodable {
        var completionId: String?
        var by: String?
        var at: String?
        var note: String?
    }

    private struct ReassignRequest: Decodable {
        var reassignmentId: String?
        var to: String
        var at: String?
    }

    private func end(_ kind: Completion.Kind, _ call: APICall) async throws -> HTTPResponse {
        let request = try call.request.decodeBody(EndRequest.self)
        let wish = DutyEventWish(
            id: try DutyInput.id(request.completionId, "completionId", context),
            occurrence: try Self.occurrence(call),
            by: try request.by.map { text throws(APIError) in try DutyInput.known(text, "by") },
            at: try happened(request.at),
            what: .end(kind, note: try DutyInput.note(request.note))
        )
        return try await record(wish, call)
    }

    private func reassign(_ call: APICall) async throws -> HTTPResponse {
        let request = try call.request.decodeBody(ReassignRequest.self)
        let wish = DutyEventWish(
            id: try DutyInput.id(request.reassignmentId, "reassignmentId", context),
            occurrence: try Self.occurrence(call),
            at: try happened(request.at),
            what: .give(to: try DutyInput.known(request.to, "to"))
        )
        return try await record(wish, call)
    }

    /// The occurrence as it stands now, and whether what was sent is what made it so.
    private func record(_ wish: DutyEventWish, _ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let now = context.time.wallNow
        let answer = try await change(call) { book, store in
            let (outcome, occurrence) = try book.record(wish, by: account, at: now, in: store)
            let value: JSONValue = [
                "occurrence": DutyValues.occurrence(occurrence), "stands": .bool(!outcome.isOvertaken),
            ]
            return (outcome, value)
        }
        return Self.answer(200, answer)
    }

    private static func occurrence(_ call: APICall) throws(APIError) -> EntityID {
        guard let id = EntityID(call.parameter("id")) else { throw .occurrenceNotFound }
        return id
    }

    /// When something was done, in whole seconds; a time that lies too far back is refused, as by `POST /sync`.
    private func happened(_ text: String?) throws(APIError) -> Int64 {
        let now = context.time.wallNow
        guard let text else { return now.secondsSinceEpoch }
        guard let time = ISO8601.wallTime(text) else {
            throw .invalidField("at", expected: "an instant such as 2026-03-02T09:00:00Z")
        }
        let retention = context.configuration.syncRetention
        guard time >= now.advanced(by: .zero - retention) else {
            throw .changeTooOld(days: Int(retention.components.seconds / 86_400))
        }
        return DutyMergePolicy.clamped(time.secondsSinceEpoch, receivedAt: now.secondsSinceEpoch)
    }
}
