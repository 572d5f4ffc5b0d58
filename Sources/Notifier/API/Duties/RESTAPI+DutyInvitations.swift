import Crypto
import Duties
import HTTP
import JSON
import Platform

/// `POST /duties/{id}/invitations` and `POST /duties/join`: how somebody with an account of their own comes to take part.
extension RESTAPI {
    static let dutyInvitationRoutes = [
        APIRoute(.post, "/duties/{id}/invitations", .inviteToDuty) { try await $0.inviteToDuty($1) },
        APIRoute(.post, "/duties/join", .joinDuty) { try await $0.joinDuty($1) },
    ]

    private func inviteToDuty(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        guard let id = EntityID(call.parameter("id")) else { throw APIError.dutyNotFound }
        let now = context.time.wallNow
        let end = now.advanced(by: DutyPolicy.invitationLifetime)
        let code = try await context.store.transaction {
            [entropy = context.entropy, sessions = context.sessions] store in
            guard let record = try store.duty(id, of: account) else { throw APIError.dutyNotFound }
            return try PairingPolicy.issueCode(
                .invitations,
                to: record.id,
                expiresAt: end,
                at: now,
                entropy,
                sessions,
                in: store
            )
        }
        return Self.answer(
            201,
            ["invitationCode": .string(code), "expiresAt": .string(ISO8601.text(end))]
        )
    }

    private struct JoinRequest: Decodable {
        var invitationCode: String
        var name: String
        var memberId: String?
    }

    private func joinDuty(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let request = try call.request.decodeBody(JoinRequest.self)
        guard let code = PairingPolicy.normalized(request.invitationCode) else {
            throw APIError.invalidField(
                "invitationCode",
                expected: "six letters and digits as the invitation shows them"
            )
        }
        let name = try DutyInput.name(request.name)
        let member = try DutyInput.id(request.memberId, "memberId", context)
        try takeAttempt(call.peer)
        let now = context.time.wallNow
        let stamp = try Self.stamp(now, call)
        let teller = dutyTeller
        let joined = try await withRightCode(call.peer) { [context] in
            try await context.store.transaction {
                [sessions = context.sessions] store -> (answer: JSONValue, told: DutyTeller.Told)? in
                guard try store.hasAccount(account) else { throw APIError.sessionInvalid }
                let codes = try store.liveCodes(.invitations, at: now)
                guard let number = PairingPolicy.match(sessions.digest(code), among: codes),
                    let record = try store.duty(number: number)
                else {
                    // The miss is kept, so this is no error inside the transaction.
                    try store.noteMiss(.invitations, at: now)
                    return nil
                }
                do {
                    let outcome = try teller.book.join(
                        record,
                        as: member,
                        name,
                        account: account,
                        stamp,
                        at: now,
                        in: store
                    )
                    try store.deleteCode(.invitations, of: number)
                    let told = try teller.tell(outcome, by: account, at: now, in: store)
                    return (try Self.shown(outcome.duty, to: account, at: now, in: store), told)
                } catch let error as DutyError {
                    throw APIError(error)
                }
            }
        }
        guard let joined else { throw APIError.invitationUnknown }
        report(joined.told, at: now)
        context.log.write(.dutyJoined, [("account.id", .number(account.rawValue))])
        return Self.answer(201, joined.answer)
    }
}
