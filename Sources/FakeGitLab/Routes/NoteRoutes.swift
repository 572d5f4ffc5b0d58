import Platform

/// `…/notes` (GitLab facts §8.1).
extension InstanceState {
    /// The page is cut first and filtered for visibility afterwards: it may be short while another follows (trap 3).
    mutating func noteList(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let places = orderedNotes(of: item, call)
        let page = try page(call, of: places.count)
        let range = page.request.range(of: page.total)
        var writer = writer(capacity: 64 + range.count * 700)
        let newestFirst = call.parameters["sort"] != "asc"
        let isPresorted = call.parameters["order_by"] == "updated_at"
        writer.array { array in
            for position in range {
                let place = places.place(position, newestFirst: newestFirst && !isPresorted)
                guard canRead(items[item].notes.rows[place].current, on: item, call.reader) else { continue }
                if let json = noteJSON(at: place, of: item, instant: call.instant) { array.raw(json) }
            }
        }
        return RouteResponse(body: writer.bytes, page: page, source: .notes(item))
    }

    /// `order_by=created_at` is executed as order by id; `updated_at` breaks ties by id.
    private func orderedNotes(of item: Int, _ call: Call) -> RowIndices {
        let rows = items[item].notes.rows
        var places = items[item].notes.indices(at: call.instant)
        switch call.parameters["activity_filter"] {
        case "only_comments" where version.hasActivityFilter:
            places = .some(places.all.filter { !rows[$0].current.isSystem })
        case "only_activity" where version.hasActivityFilter:
            places = .some(places.all.filter { rows[$0].current.isSystem })
        default: break
        }
        guard call.parameters["order_by"] == "updated_at" else { return places }
        let newestFirst = call.parameters["sort"] != "asc"
        let keyed = places.all.map { place in
            (rows[place].value(at: call.instant)?.updatedAt ?? .distantPast, rows[place].id, place)
        }
        return .some(keyed.sorted { newestFirst ? ($0.0, $0.1) > ($1.0, $1.1) : ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2))
    }

    mutating func noteAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let place = try notePlace(call, on: item)
        guard let json = noteJSON(at: place, of: item, instant: call.instant) else { throw .recordNotFound }
        return RouteResponse(body: json, source: .notes(item))
    }

    func notePlace(_ call: Call, on item: Int) throws(APIError) -> Int {
        guard let place = items[item].notes.index(of: call.parameters.integer("note_id") ?? 0),
            let note = items[item].notes.rows[place].value(at: call.instant), canRead(note, on: item, call.reader)
        else { throw .recordNotFound }
        return place
    }

    mutating func writeNote(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let username = people[call.reader].username
        let body = call.parameters["body"] ?? ""
        switch call.route.endpoint {
        case .createNote: return try createNote(call, on: item, body: body)
        case .updateNote:
            let id = try ownNote(call, on: item)
            _ = try APIError.translating { try editNote(by: username, on: item, note: id, body: body, at: call.now) }
            return try noteAnswer(call)
        default:
            let id = try ownNote(call, on: item)
            _ = try APIError.translating { try deleteNote(by: username, on: item, note: id, at: call.now) }
            return .noContent
        }
    }

    /// Authors change their own notes, maintainers every one.
    private func ownNote(_ call: Call, on item: Int) throws(APIError) -> Int64 {
        let row = items[item].notes.rows[try notePlace(call, on: item)]
        let role = projects[items[item].project].members[call.reader] ?? .guest
        guard !row.current.isSystem, row.current.author == call.reader || role >= .maintainer else { throw .forbidden }
        return row.id
    }

    private mutating func createNote(_ call: Call, on item: Int, body: String) throws(APIError) -> RouteResponse {
        try admitNote(call)
        let written = QuickActionText(body)
        if !written.names.isEmpty { return try createNote(call, on: item, written) }
        let createdAt = try backdate(call, on: item)
        let activity = try APIError.translating {
            try comment(
                by: people[call.reader].username,
                on: item,
                body: body,
                isInternal: call.parameters.isTrue("internal"),
                createdAt: createdAt,
                at: call.now
            )
        }
        return try createdNote(activity.noteIDs, on: item, now: call.now)
    }

    /// Without any text there is no note.
    private mutating func createNote(
        _ call: Call,
        on item: Int,
        _ written: QuickActionText
    ) throws(APIError) -> RouteResponse {
        let body = written.text.isEmpty ? nil : written.text
        let done = try APIError.translating {
            try comment(
                by: people[call.reader].username,
                on: item,
                body: body,
                quickActions: written.actions,
                at: call.now
            )
        }
        guard body != nil else { return quickActionAnswer(written.names) }
        let kept = done.first { $0.kind == .commented }
        return try createdNote(kept?.noteIDs ?? [], on: item, now: call.now)
    }

    mutating func createdNote(_ ids: [Int64], on item: Int, now: WallTime) throws(APIError) -> RouteResponse {
        guard let id = ids.first, let place = items[item].notes.index(of: id) else { throw .internalError }
        let visible = max(now, items[item].notes.rows[place].visibleFrom)
        guard let json = noteJSON(at: place, of: item, instant: visible) else { throw .internalError }
        return RouteResponse(status: 201, body: json)
    }

    /// Limiter B.
    mutating func admitNote(_ call: Call) throws(APIError) {
        guard !noteLimiter.admits(call.reader, at: call.now) else { return }
        let retryAfter = version.tellsRateLimits ? NoteLimiter.intervalSeconds : nil
        throw APIError.tooManyNotes(retryAfter: retryAfter).caused(by: noteLimiter.faultID)
    }

    /// Owners may set `created_at`; for others it is ignored.
    private func backdate(_ call: Call, on item: Int) throws(APIError) -> WallTime? {
        guard let time = call.parameters.time("created_at") else { return nil }
        let role = projects[items[item].project].members[call.reader] ?? .guest
        return role >= .owner ? time : nil
    }

    private func quickActionAnswer(_ names: [String]) -> RouteResponse {
        var writer = writer()
        writer.object { object in
            object.objectField("commands_changes") { changes in
                for name in names {
                    changes.key(name)
                    changes.bool(true)
                }
            }
            object.field("summary", strings: ["Commands applied"])
        }
        return RouteResponse(status: 202, body: writer.bytes)
    }
}

extension RowIndices {
    /// Every place, ascending.
    var all: [Int] {
        switch self {
        case .all(let count): Array(0..<count)
        case .some(let indices): indices
        }
    }
}
