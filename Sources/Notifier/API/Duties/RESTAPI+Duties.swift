import Duties
import HTTP
import JSON
import Platform

/// `/duties`: what several people do in turn, and who takes part.
extension RESTAPI {
    static let dutyRoutes = [
        APIRoute(.get, "/duties", .listDuties) { try await $0.listDuties($1) },
        APIRoute(.post, "/duties", .makeDuty) { try await $0.makeDuty($1) },
        APIRoute(.get, "/duties/{id}", .readDuty) { try await $0.readDuty($1) },
        APIRoute(.patch, "/duties/{id}", .changeDuty) { try await $0.changeDuty($1) },
        APIRoute(.delete, "/duties/{id}", .endDuty) { try await $0.endDuty($1) },
        APIRoute(.post, "/duties/{id}/members", .addDutyMember) { try await $0.addDutyMember($1) },
        APIRoute(.delete, "/duties/{id}/members/{memberId}", .removeDutyMember) { try await $0.removeDutyMember($1) },
    ]

    /// How far back `GET /duties/{id}` looks.
    private static let shownBehind: Duration = .days(60)
    /// Occurrences of each duty in `GET /duties`.
    static let nextOccurrences = 5
    /// Occurrences of one duty at most, in `GET /duties/{id}`.
    static let mostOccurrences = 200

    private struct MakeRequest: Decodable {
        var dutyId: String?
        var members: [DutyInput.Member]?
    }

    /// What is carried out of duties, and what follows from it.
    var duties: DutyBook { DutyBook(zones: context.zones) }

    private func listDuties(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let now = context.time.wallNow
        let duties = try await context.store.read { store in
            try store.duties(of: account).map { record in
                let next = try store.openOccurrences(of: record, limit: Self.nextOccurrences)
                return try Self.whole(record, next, for: account, at: now, in: store)
            }
        }
        return Self.answer(200, ["duties": .array(duties)])
    }

    private func readDuty(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        guard let id = EntityID(call.parameter("id")) else { throw APIError.dutyNotFound }
        let now = context.time.wallNow
        return Self.answer(
            200,
            try await context.store.read { store in
                guard let record = try store.duty(id, of: account) else { throw APIError.dutyNotFound }
                return try Self.shown(record, to: account, at: now, in: store)
            }
        )
    }

    private func makeDuty(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        let request = try call.request.decodeBody(MakeRequest.self)
        let now = context.time.wallNow
        let wish = try call.request.decodeBody(DutyInput.self).wish(
            id: try DutyInput.id(request.dutyId, "dutyId", context),
            members: request.members ?? [],
            at: now,
            context
        )
        let stamp = try Self.stamp(now, call)
        let answer = try await change(call) { book, store in
            let outcome = try book.make(wish, by: account, stamp, at: now, in: store)
            return (outcome, try Self.shown(outcome.duty, to: account, at: now, in: store))
        }
        context.log.write(.dutyMade, [("account.id", .number(account.rawValue))])
        return Self.answer(201, answer)
    }

    private struct ChangeRequest: Decodable {
        var changedAt: String?
    }

    private func changeDuty(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        guard let id = EntityID(call.parameter("id")) else { throw APIError.dutyNotFound }
        let now = context.time.wallNow
        let edit = try call.request.decodeBody(DutyInput.self).edit(context)
        let changedAt = try ChangeTime.read(call.request.decodeBody(ChangeRequest.self).changedAt, at: now)
        let stamp = try Self.stamp(changedAt, call)
        return Self.answer(
            200,
            try await change(call) { book, store in
                let outcome = try book.edit(id, edit, by: account, stamp, at: now, in: store)
                return (outcome, try Self.shown(outcome.duty, to: account, at: now, in: store))
            }
        )
    }

    private func endDuty(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        guard let id = EntityID(call.parameter("id")) else { throw APIError.dutyNotFound }
        let (book, now) = (duties, context.time.wallNow)
        try await context.store.transaction { store in
            do { try book.delete(id, by: account, at: now, in: store) } catch let error as DutyError {
                throw APIError(error)
            }
        }
        context.log.write(.dutyEnded, [("account.id", .number(account.rawValue))])
        return HTTPResponse(status: 204)
    }

    // MARK: Members

    private struct MemberRequest: Decodable {
        var memberId: String?
        var name: String
    }

    private func addDutyMember(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        guard let id = EntityID(call.parameter("id")) else { throw APIError.dutyNotFound }
        let request = try call.request.decodeBody(MemberRequest.self)
        let member = try DutyInput.id(request.memberId, "memberId", context)
        let name = try DutyInput.name(request.name)
        let now = context.time.wallNow
        let stamp = try Self.stamp(now, call)
        return Self.answer(
            201,
            try await change(call) { book, store in
                let outcome = try book.addMember(member, name, to: id, by: account, stamp, at: now, in: store)
                return (outcome, try Self.shown(outcome.duty, to: account, at: now, in: store))
            }
        )
    }

    private func removeDutyMember(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account.id
        guard let id = EntityID(call.parameter("id")) else { throw APIError.dutyNotFound }
        guard let member = EntityID(call.parameter("memberId")) else { throw APIError.memberNotFound }
        let now = context.time.wallNow
        let stamp = try Self.stamp(now, call)
        _ = try await change(call) { book, store in
            (try book.removeMember(member, of: id, by: account, stamp, at: now, in: store), .null)
        }
        return HTTPResponse(status: 204)
    }

    // MARK: Shared

    /// Carries a wish out in one transaction, with what follows from it.
    func change(
        _ call: APICall,
        _ body: @escaping @Sendable (DutyBook, Store) throws -> (DutyBook.Outcome, JSONValue)
    ) async throws -> JSONValue {
        let account = try call.account.id
        let teller = dutyTeller
        let now = context.time.wallNow
        let (answer, told) = try await context.store.transaction { store in
            guard try store.hasAccount(account) else { throw APIError.sessionInvalid }
            do {
                let (outcome, answer) = try body(teller.book, store)
                return (answer, try teller.tell(outcome, by: account, at: now, in: store))
            } catch let error as DutyError {
                throw APIError(error)
            }
        }
        report(told, at: now)
        return answer
    }

    /// Tells people of what others have changed.
    var dutyTeller: DutyTeller { DutyTeller(pipeline: context.pipeline, book: duties) }

    /// What follows from news outside the database, once it is committed.
    func report(_ told: DutyTeller.Told, at now: WallTime) {
        for (account, outcome) in told {
            if !outcome.notifications.isEmpty { context.delivery.wakeSignal.send() }
            if !outcome.ruleOutcome.held.isEmpty { context.digestSignal.send() }
            outcome.write(to: context.log, Log.Field("account.id", .number(account.rawValue)))
            outcome.measure(in: context.metrics, of: account, at: now)
        }
    }

    /// A duty with what is kept of the last and the next two months.
    static func shown(
        _ record: DutyRecord,
        to account: AccountID,
        at now: WallTime,
        in store: Store
    ) throws -> JSONValue {
        let start = now.advanced(by: .zero - shownBehind)
        let occurrences = try store.occurrences(of: record, from: start, limit: mostOccurrences)
        return try whole(record, occurrences, for: account, at: now, in: store)
    }

    private static func whole(
        _ record: DutyRecord,
        _ occurrences: [Occurrence],
        for account: AccountID,
        at now: WallTime,
        in store: Store
    ) throws -> JSONValue {
        let end = try store.dutyMute(record, of: account)?.end.flatMap { now < $0 ? $0 : nil }
        return DutyValues.whole(record, occurrences, mutedUntil: end, for: account)
    }

    /// The stamp of a change that a request alone makes, as that of an envelope's change, without an id.
    static func stamp(_ changedAt: WallTime, _ call: APICall) throws(APIError) -> RowStamp {
        RowStamp(at: changedAt.secondsSinceEpoch, by: "\(try call.origin)/")
    }

    static func answer(_ status: Int, _ value: JSONValue) -> HTTPResponse {
        .json(status, body: Array(value.text(indented: false).utf8))
    }
}
