import Platform

/// `…/discussions` (GitLab facts §9).
extension InstanceState {
    /// A thread at one instant.
    private struct Thread {
        let index: Int
        let places: [Int]
        let firstCreatedAt: WallTime
        let firstID: Int64
    }

    /// Ordered by the first note; a reply does not move its thread.
    private func threads(of item: Int, at instant: WallTime) -> [Thread] {
        let table = items[item].notes
        let threads = items[item].discussions.indices.compactMap { index -> Thread? in
            let places = items[item].discussions[index].notes.compactMap { table.index(of: $0) }
                .filter { table.rows[$0].exists(at: instant) }
            guard let first = places.first else { return nil }
            let createdAt = places.map { table.rows[$0].current.createdAt }.min() ?? .distantPast
            return Thread(index: index, places: places, firstCreatedAt: createdAt, firstID: table.rows[first].id)
        }
        return threads.sorted { ($0.firstCreatedAt, $0.firstID) < ($1.firstCreatedAt, $1.firstID) }
    }

    mutating func discussionList(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let threads = threads(of: item, at: call.instant)
        let page = try page(call, of: threads.count)
        var writer = writer(capacity: 4_096)
        writer.array { array in
            for thread in threads[page.request.range(of: page.total)] { write(thread, of: item, call, into: &array) }
        }
        return RouteResponse(body: writer.bytes, page: page, source: .notes(item))
    }

    /// A thread none of whose notes may be read is left out.
    private mutating func write(_ thread: Thread, of item: Int, _ call: Call, into writer: inout JSONWriter) {
        let readable = thread.places.filter { canRead(items[item].notes.rows[$0].current, on: item, call.reader) }
        let notes = readable.compactMap { noteJSON(at: $0, of: item, instant: call.instant) }
        guard !notes.isEmpty else { return }
        let discussion = items[item].discussions[thread.index]
        writer.object { object in
            object.field("id", discussion.id)
            object.field("individual_note", discussion.isIndividual)
            object.arrayField("notes") { array in
                for json in notes { array.raw(json) }
            }
        }
    }

    mutating func discussionAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let index = try discussionIndex(call, on: item)
        var writer = writer(capacity: 2_048)
        let table = items[item].notes
        let places = items[item].discussions[index].notes.compactMap { table.index(of: $0) }
        let thread = Thread(index: index, places: places, firstCreatedAt: call.now, firstID: 0)
        write(thread, of: item, call, into: &writer)
        guard !writer.bytes.isEmpty else { throw .notFound("Discussion") }
        return RouteResponse(body: writer.bytes, source: .notes(item))
    }

    private func discussionIndex(_ call: Call, on item: Int) throws(APIError) -> Int {
        let id = call.parameters["discussion_id"]
        guard let index = items[item].discussions.firstIndex(where: { $0.id == id && !$0.notes.isEmpty }) else {
            throw .notFound("Discussion")
        }
        return index
    }

    mutating func writeDiscussion(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let username = people[call.reader].username
        let body = call.parameters["body"] ?? ""
        switch call.route.endpoint {
        case .createDiscussion:
            try admitNote(call)
            _ = try APIError.translating { try startThread(by: username, on: item, body: body, at: call.now) }
            var created = call
            created.parameters.add("discussion_id", items[item].discussions.last?.id ?? "")
            var answer = try discussionAnswer(created)
            answer.status = 201
            return answer
        case .replyToDiscussion:
            try admitNote(call)
            let first = items[item].discussions[try discussionIndex(call, on: item)].notes[0]
            let activity = try APIError.translating {
                try reply(by: username, on: item, to: first, body: body, at: call.now)
            }
            return try createdNote(activity.noteIDs, on: item, now: call.now)
        default:
            let first = items[item].discussions[try discussionIndex(call, on: item)].notes[0]
            let resolved = call.parameters.isTrue("resolved")
            _ = try APIError.translating {
                try resolveThread(by: username, on: item, of: first, resolved: resolved, at: call.now)
            }
            return try discussionAnswer(call)
        }
    }
}
