import Platform

/// `/projects/:id/members` and `/members/all`, which are the same here: there are no groups (supplement §1.4).
extension InstanceState {
    /// By id of the person.
    mutating func memberList(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        let query = call.parameters["query"]?.lowercased() ?? ""
        let wanted = call.parameters.list("user_ids").map { $0.compactMap { Int64($0) } }
        let skipped = call.parameters.list("skip_users").map { $0.compactMap { Int64($0) } } ?? []
        let found = projects[project].members.keys.sorted().filter { index in
            let person = people[index]
            return (wanted?.contains(person.id) ?? true) && !skipped.contains(person.id)
                && (query.isEmpty || person.username.lowercased().contains(query)
                    || person.name.lowercased().contains(query))
        }
        let page = try page(call, of: found.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for person in found[page.request.range(of: page.total)] {
                array.object { writeMember(person, of: project, into: &$0) }
            }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    mutating func memberAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        if call.route.endpoint == .createMember { return try createMember(call, in: project) }
        let id = call.parameters.integer("user_id") ?? 0
        let index = people.firstIndex { $0.id == id }
        guard let person = index, projects[project].members[person] != nil else { throw .recordNotFound }
        switch call.route.endpoint {
        case .updateMember:
            let role = try grantedRole(call, in: project, from: projects[project].members[person])
            try setMember(person, of: project, to: role, call)
        case .deleteMember:
            // Everybody may leave.
            if person != call.reader { _ = try grantedRole(call, in: project, from: projects[project].members[person]) }
            try setMember(person, of: project, to: nil, call)
            return .noContent
        default: break
        }
        return member(person, of: project)
    }

    private func member(_ person: Int, of project: Int, status: Int = 200) -> RouteResponse {
        var writer = writer()
        writer.object { writeMember(person, of: project, into: &$0) }
        return RouteResponse(status: status, body: writer.bytes)
    }

    private mutating func createMember(_ call: Call, in project: Int) throws(APIError) -> RouteResponse {
        try requireRole(.maintainer, call, in: project)
        let id = call.parameters.integer("user_id") ?? 0
        guard let person = people.firstIndex(where: { $0.id == id }) else { throw .notFound("User") }
        guard projects[project].members[person] == nil else { throw .message(409, "Member already exists") }
        try setMember(person, of: project, to: try grantedRole(call, in: project, from: nil), call)
        return member(person, of: project, status: 201)
    }

    /// Maintainers manage members below them; only owners make, change and remove owners.
    private func grantedRole(_ call: Call, in project: Int, from old: Role?) throws(APIError) -> Role? {
        try requireRole(.maintainer, call, in: project)
        let level = call.parameters.integer("access_level")
        let role = level.flatMap { Role(rawValue: Int($0)) }
        if role == .owner || old == .owner { try requireRole(.owner, call, in: project) }
        return role
    }

    private mutating func setMember(_ person: Int, of project: Int, to role: Role?, _ call: Call) throws(APIError) {
        guard projects[project].members[person] != role else { return }
        _ = try APIError.translating { try setRole(of: person, in: project, to: role, by: call.reader, at: call.now) }
    }

    /// A person with the rights of the membership, flat.
    private func writeMember(_ person: Int, of project: Int, into object: inout JSONWriter) {
        writeIdentity(of: person, into: &object, email: false)
        object.field("access_level", projects[project].members[person]?.rawValue ?? 0)
        object.field("created_at", projects[project].joinedAt[person] ?? projects[project].createdAt)
        object.nullField("expires_at")
        if configuration.edition == .enterprise, version.tellsImported { object.field("membership_state", "active") }
    }
}
