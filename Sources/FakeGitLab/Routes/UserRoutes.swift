import Platform

/// `/users` and `/users/:id` (supplement §1.4).
extension InstanceState {
    /// One person by username, whatever its letters' case; otherwise everybody, newest first.
    mutating func userList(_ call: Call) throws(APIError) -> RouteResponse {
        let filter = UserFilter(call.parameters)
        let found = people.indices.reversed().filter { filter.accepts(people[$0]) }
        let page = try page(call, of: found.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for index in found[page.request.range(of: page.total)] { array.raw(personJSON(index)) }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    func userAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let id = call.parameters.integer("id") ?? 0
        guard let index = people.firstIndex(where: { $0.id == id }) else { throw .notFound("User") }
        let person = people[index]
        var writer = writer(capacity: 1_024)
        writer.object { object in
            writeIdentity(of: index, into: &object, email: true)
            object.field("created_at", person.createdAt)
            object.field("bio", "")
            object.field("location", "")
            if !version.tellsLocked { object.nullField("public_email") }
            if !version.tellsLocked { object.field("skype", "") }
            for name in ["linkedin", "twitter", "discord", "website_url", "organization", "job_title"] as [StaticString]
            {
                object.field(name, "")
            }
            object.nullField("pronouns")
            object.field("bot", person.isBot)
            object.nullField("work_information")
            object.field("followers", 0)
            object.field("following", 0)
            object.field("is_followed", false)
            object.nullField("local_time")
        }
        return RouteResponse(body: writer.bytes)
    }
}

/// The filters that are there for everybody; order is not.
private struct UserFilter {
    private let username: String?
    private let search: String
    private let wantsActive: Bool
    private let wantsBlocked: Bool
    private let excludesActive: Bool
    private let excludesBots: Bool
    private let excludesHumans: Bool
    private let isNobody: Bool

    init(_ parameters: Parameters) {
        username = parameters["username"]?.lowercased()
        search = parameters["search"]?.lowercased() ?? ""
        wantsActive = parameters.isTrue("active")
        wantsBlocked = parameters.isTrue("blocked")
        excludesActive = parameters.isTrue("exclude_active")
        excludesBots = parameters.isTrue("humans") || parameters.isTrue("without_project_bots")
        excludesHumans = parameters.isTrue("exclude_humans")
        // No account of this instance is external.
        isNobody = parameters.isTrue("external")
    }

    func accepts(_ person: Person) -> Bool {
        guard !isNobody, username.map({ $0 == person.username.lowercased() }) ?? true else { return false }
        guard
            search.isEmpty || person.username.lowercased().contains(search)
                || person.name.lowercased().contains(search)
        else { return false }
        if wantsActive, person.state.wireName != "active" { return false }
        if wantsBlocked, person.state != .blocked { return false }
        if excludesActive, person.state.wireName == "active" { return false }
        return !(person.isBot ? excludesBots : excludesHumans)
    }
}
