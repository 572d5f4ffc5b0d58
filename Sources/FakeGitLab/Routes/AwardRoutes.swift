import HTTP
import Platform

/// `…/award_emoji` of issues, merge requests and notes (supplement §1.1).
extension InstanceState {
    /// By id ascending: the order is not established (supplement §7).
    mutating func awardList(_ call: Call) throws(APIError) -> RouteResponse {
        let (item, note) = try awardable(of: call)
        let rows = awards(on: item, note: note, at: call.instant)
        let page = try page(call, of: rows.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for row in rows[page.request.range(of: page.total)] { write(row, on: item, into: &array) }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    mutating func awardAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let (item, note) = try awardable(of: call)
        if call.route.endpoint == .createAward { return try createAward(call, on: item, note: note) }
        let id = call.parameters.integer("award_id") ?? 0
        guard let row = awards(on: item, note: note, at: call.instant).first(where: { $0.id == id }) else {
            throw .recordNotFound
        }
        guard call.route.endpoint == .deleteAward else { return answer(row, on: item, status: 200) }
        guard row.current.person == call.reader else { throw .unauthorized }
        try requireUnmodified(since: row.current.createdAt, call)
        _ = try APIError.translating { try removeReaction(id, on: item, at: call.now) }
        return .noContent
    }

    /// What is reacted to; what cannot be read answers as if it had no reactions at all.
    private func awardable(of call: Call) throws(APIError) -> (item: Int, note: Int64?) {
        let project = try project(of: call)
        let iid = call.parameters.integer(call.route.kind == .issue ? "issue_iid" : "merge_request_iid") ?? 0
        let table = call.route.kind == .issue ? projects[project].issues : projects[project].mergeRequests
        guard let item = table[iid], items[item].row.exists(at: call.instant) else { throw .recordNotFound }
        guard canRead(item: item, call.reader) else { throw .notFound("Award Emoji") }
        guard call.parameters["note_id"] != nil else { return (item, nil) }
        let id = call.parameters.integer("note_id") ?? 0
        guard let note = items[item].notes.value(id, at: call.instant) else { throw .recordNotFound }
        guard canRead(note, on: item, call.reader), !note.isSystem else { throw .notFound("Award Emoji") }
        return (item, id)
    }

    /// Every refusal is a 404 with the model's sentence in it.
    private mutating func createAward(_ call: Call, on item: Int, note: Int64?) throws(APIError) -> RouteResponse {
        guard let name = Emoji.name(call.parameters["name"] ?? "") else {
            throw .notFound("Award Emoji Name is not a valid emoji name")
        }
        guard !hasAwarded(call.reader, name, on: item, note: note, at: call.instant) else {
            throw .notFound("Award Emoji Name has already been taken")
        }
        let username = people[call.reader].username
        _ = try APIError.translating { try react(by: username, on: item, note: note, name: name, at: call.now) }
        guard let row = awards(on: item, note: note, at: call.instant).last else { throw .internalError }
        return answer(row, on: item, status: 201)
    }

    private mutating func answer(_ row: Row<Award>, on item: Int, status: Int) -> RouteResponse {
        var writer = writer()
        write(row, on: item, into: &writer)
        return RouteResponse(status: status, body: writer.bytes)
    }

    private mutating func write(_ row: Row<Award>, on item: Int, into writer: inout JSONWriter) {
        let award = row.current
        writer.object { object in
            object.field("id", row.id)
            object.field("name", award.name)
            write("user", person: award.person, into: &object)
            object.field("created_at", award.createdAt)
            object.field("updated_at", award.createdAt)
            // Global ids, not those within a project.
            object.field("awardable_id", award.note ?? items[item].id)
            object.field("awardable_type", award.note == nil ? items[item].kind.className : "Note")
        }
    }

    /// `If-Unmodified-Since` of a deletion: 412 for what was changed after it.
    func requireUnmodified(since changed: WallTime, _ call: Call) throws(APIError) {
        guard let text = call.request.fields["If-Unmodified-Since"], let bound = HTTPDate.parse(text) else { return }
        guard changed.secondsSinceEpoch <= bound.secondsSinceEpoch else {
            throw .message(412, "412 Precondition Failed")
        }
    }
}

/// `Fri, 17 Jun 2016 07:52:35 GMT` (RFC 9110 §5.6.7).
enum HTTPDate {
    /// Nil for another form.
    static func parse(_ text: String) -> WallTime? {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let clock = parts[4].split(separator: ":").map { Int($0) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else { return nil }
        let date = CivilDate(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        return date.isValid && (0...9_999).contains(year) ? date.wallTime() : nil
    }
}
