import Platform

/// The three kinds of resource events (GitLab facts §10): ascending by id, so that new rows are on the last page.
extension InstanceState {
    mutating func resourceEventList(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        switch call.route.endpoint {
        case .stateEvents:
            return try eventRows(call, items[item].stateEvents, .stateEvents(item)) { state, row, writer in
                state.write(row.current, id: row.id, on: item, into: &writer)
            }
        case .labelEvents:
            return try eventRows(call, items[item].labelEvents, .labelEvents(item)) { state, row, writer in
                state.write(row.current, id: row.id, on: item, into: &writer)
            }
        default:
            return try eventRows(call, items[item].milestoneEvents, .milestoneEvents(item)) { state, row, writer in
                state.write(row.current, id: row.id, on: item, into: &writer)
            }
        }
    }

    private mutating func eventRows<Value>(
        _ call: Call,
        _ table: Table<Value>,
        _ source: PageSource,
        _ write: (inout InstanceState, Row<Value>, inout JSONWriter) -> Void
    ) throws(APIError) -> RouteResponse {
        let places = table.indices(at: call.instant)
        let page = try page(call, of: places.count)
        let range = page.request.range(of: page.total)
        var writer = writer(capacity: 64 + range.count * 400)
        writer.array { array in
            for position in range { write(&self, table.rows[places.place(position, newestFirst: false)], &array) }
        }
        return RouteResponse(body: writer.bytes, page: page, source: source)
    }

    mutating func resourceEventAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let id = call.parameters.integer("event_id") ?? 0
        var writer = writer()
        switch call.route.endpoint {
        case .stateEvent:
            guard let event = items[item].stateEvents.value(id, at: call.instant) else { throw .recordNotFound }
            write(event, id: id, on: item, into: &writer)
        case .labelEvent:
            guard let event = items[item].labelEvents.value(id, at: call.instant) else { throw .recordNotFound }
            write(event, id: id, on: item, into: &writer)
        default:
            guard let event = items[item].milestoneEvents.value(id, at: call.instant) else { throw .recordNotFound }
            write(event, id: id, on: item, into: &writer)
        }
        return RouteResponse(body: writer.bytes)
    }

    private mutating func writeHead(_ id: Int64, _ person: Int, _ at: WallTime, _ item: Int, _ object: inout JSONWriter)
    {
        object.field("id", id)
        write("user", person: person, into: &object)
        object.field("created_at", at)
        object.field("resource_type", items[item].kind.className)
        object.field("resource_id", items[item].id)
    }

    private mutating func write(_ event: StateEvent, id: Int64, on item: Int, into writer: inout JSONWriter) {
        writer.object { object in
            writeHead(id, event.person, event.createdAt, item, &object)
            object.field("source_commit", event.sourceCommit)
            object.field("source_merge_request_id", event.sourceMergeRequest.map { items[$0].id })
            object.field("state", event.state)
        }
    }

    private mutating func write(_ event: LabelEvent, id: Int64, on item: Int, into writer: inout JSONWriter) {
        writer.object { object in
            writeHead(id, event.person, event.createdAt, item, &object)
            if labels[event.label].isDeleted {
                object.nullField("label")
            } else {
                object.objectField("label") { label in
                    label.field("id", labels[event.label].id)
                    label.field("name", labels[event.label].name)
                    label.field("color", labels[event.label].color)
                    label.field("description", labels[event.label].description)
                }
            }
            object.field("action", event.isAddition ? "add" : "remove")
        }
    }

    private mutating func write(_ event: MilestoneEvent, id: Int64, on item: Int, into writer: inout JSONWriter) {
        writer.object { object in
            writeHead(id, event.person, event.createdAt, item, &object)
            if milestones[event.milestone].isDeleted {
                object.nullField("milestone")
            } else {
                object.objectField("milestone") { writeMilestone(event.milestone, into: &$0) }
            }
            object.field("action", event.isAddition ? "add" : "remove")
            object.field("state", event.state.rawValue)
        }
    }
}
