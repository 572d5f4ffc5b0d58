import Platform

/// Approvals and pipelines of merge requests (GitLab facts §11).
extension InstanceState {
    mutating func approvals(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        return RouteResponse(body: approvalsJSON(item, call, at: call.instant), source: .item(item))
    }

    /// Short on the Community Edition, with the merge request's own fields on the Enterprise Edition.
    private mutating func approvalsJSON(_ item: Int, _ call: Call, at instant: WallTime) -> [UInt8] {
        let fields = fields(of: item, at: instant)
        let approvers = personJSONs(fields.approvals.map(\.person))
        var writer = writer(capacity: 1_024)
        writer.object { object in
            if configuration.edition == .enterprise { writeEnterpriseApprovals(item, fields, into: &object) }
            object.field("user_has_approved", hasApproved(fields, call.reader))
            object.field("user_can_approve", canApprove(item, call.reader) && !hasApproved(fields, call.reader))
            object.field("approved", !fields.approvals.isEmpty || configuration.edition == .enterprise)
            object.arrayField("approved_by") { array in
                for (approval, json) in zip(fields.approvals, approvers) {
                    array.object { entry in
                        entry.field("user", json: json)
                        if configuration.approvalsTellTime { entry.field("approved_at", approval.at) }
                    }
                }
            }
        }
        return writer.bytes
    }

    private func writeEnterpriseApprovals(_ item: Int, _ fields: ItemFields, into object: inout JSONWriter) {
        writeItemHead(items[item], fields, into: &object)
        object.field("merge_status", fields.state == .opened ? "can_be_merged" : "cannot_be_merged")
        object.field("approvals_required", 0)
        object.field("approvals_left", 0)
    }

    func approvalState(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        var writer = writer()
        writer.object { object in
            object.field("approval_rules_overwritten", false)
            object.arrayField("rules") { _ in }
        }
        return RouteResponse(body: writer.bytes, source: .item(item))
    }

    /// Who may not approve gets 401, which is no problem of the token (trap 21); another head gets 409.
    mutating func writeApproval(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let username = people[call.reader].username
        let fields = items[item].row.current
        if call.route.endpoint == .approve {
            if let sha = call.parameters["sha"], sha != fields.sha {
                throw .message(409, "SHA does not match HEAD of source branch: \(fields.sha ?? "")")
            }
            guard canApprove(item, call.reader), !hasApproved(fields, call.reader), fields.state == .opened else {
                throw .unauthorized
            }
            _ = try APIError.translating { try approve(by: username, on: item, at: call.now) }
        } else {
            guard hasApproved(fields, call.reader) else { throw .recordNotFound }
            _ = try APIError.translating { try unapprove(by: username, on: item, at: call.now) }
        }
        return RouteResponse(status: 201, body: approvalsJSON(item, call, at: call.instant))
    }

    /// Newest first.
    func pipelineList(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        guard canReadPipelines(of: items[item].project, call.reader) else { throw .forbidden }
        let table = items[item].pipelines
        let places = table.indices(at: call.instant)
        let page = try page(call, of: places.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for position in page.request.range(of: page.total) {
                let row = table.rows[places.place(position, newestFirst: true)]
                guard let pipeline = row.value(at: call.instant) else { continue }
                array.object { writePipeline(pipeline, id: row.id, of: item, into: &$0) }
            }
        }
        return RouteResponse(body: writer.bytes, page: page, source: .pipelines(item))
    }
}
