import Platform

/// `/versions`, `/commits`, `/participants` and `/reviewers` (supplement §1.2).
extension InstanceState {
    /// By id descending.
    func versionList(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let found = versions(of: item, at: call.instant).reversed() + []
        let page = try page(call, of: found.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for version in found[page.request.range(of: page.total)] {
                array.object { write(version, of: item, into: &$0) }
            }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    func versionAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let id = call.parameters.integer("version_id") ?? 0
        guard let version = versions(of: item, at: call.instant).first(where: { $0.id == id }) else {
            throw .recordNotFound
        }
        let commits = (diffs[item]?.commits ?? []).prefix(version.commitCount).reversed()
        var writer = writer(capacity: 2_048)
        writer.object { object in
            write(version, of: item, into: &object)
            object.arrayField("commits") { array in
                for commit in commits { array.object { write(commit, of: item, into: &$0) } }
            }
            object.arrayField("diffs") { array in array.object { writeChange(into: &$0) } }
        }
        return RouteResponse(body: writer.bytes)
    }

    private func versions(of item: Int, at instant: WallTime) -> [DiffHistory.Version] {
        (diffs[item]?.versions ?? []).filter { $0.createdAt <= instant }
    }

    private func write(_ version: DiffHistory.Version, of item: Int, into object: inout JSONWriter) {
        let base = diffs[item]?.base ?? ""
        object.field("id", version.id)
        object.field("head_commit_sha", version.head)
        object.field("base_commit_sha", base)
        object.field("start_commit_sha", base)
        object.field("created_at", version.createdAt)
        object.field("merge_request_id", items[item].id)
        object.field("state", "collected")
        object.field("real_size", "1")
        object.field("patch_id_sha", String(version.head.reversed()))
    }

    /// Every merge request changes one line of one file: the fake has no repository.
    private func writeChange(into object: inout JSONWriter) {
        object.field("diff", "@@ -1 +1 @@\n-old\n+new\n")
        object.field("new_path", "Sources/App/File1.swift")
        object.field("old_path", "Sources/App/File1.swift")
        object.field("a_mode", "100644")
        object.field("b_mode", "100644")
        for name in ["new_file", "renamed_file", "deleted_file"] as [StaticString] { object.field(name, false) }
        if version.tellsImported { object.field("generated_file", false) }
    }

    /// Newest first; a page that is none falls back to the default.
    func commitList(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let found = (diffs[item]?.commits ?? []).filter { $0.createdAt <= call.instant }.reversed() + []
        let page = PageInfo(request: PageRequest(lenient: call.parameters), total: found.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for commit in found[page.request.range(of: page.total)] {
                array.object { write(commit, of: item, into: &$0) }
            }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    private func write(_ commit: DiffHistory.Commit, of item: Int, into object: inout JSONWriter) {
        let person = people[commit.author]
        let time = committerTime(commit)
        object.field("id", commit.sha)
        object.field("short_id", String(commit.sha.prefix(8)))
        object.field("created_at", time)
        object.arrayField("parent_ids") { _ in }
        object.field("title", commit.title)
        object.field("message", commit.title)
        for (name, email, date) in [
            ("author_name", "author_email", "authored_date"), ("committer_name", "committer_email", "committed_date"),
        ] as [(StaticString, StaticString, StaticString)] {
            object.field(name, person.name)
            object.field(email, "\(person.username)@example.com")
            object.field(date, time)
        }
        object.objectField("trailers") { _ in }
        if version.tellsImported { object.objectField("extended_trailers") { _ in } }
        let path = projects[items[item].project].path
        object.field("web_url", "\(configuration.externalURL)/\(path)/-/commit/\(commit.sha)")
    }

    /// In the committer's own zone, never `Z`: people work at three places.
    private func committerTime(_ commit: DiffHistory.Commit) -> String {
        let offsets = [3_600, -18_000, 19_800]
        var bytes: [UInt8] = []
        bytes.appendTimestamp(commit.createdAt, offsetSeconds: offsets[commit.author % offsets.count])
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Author, assignees, reviewers and everyone who wrote or was mentioned.
    mutating func participantList(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let fields = fields(of: item, at: call.instant)
        var found: [Int] = []
        for person in [items[item].author] + fields.assignees + fields.reviewers + items[item].participants
        where !found.contains(person) {
            found.append(person)
        }
        let page = try page(call, of: found.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for person in found[page.request.range(of: page.total)] { array.raw(personJSON(person)) }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    mutating func reviewerList(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let found = fields(of: item, at: call.instant).reviewers
        let page = try page(call, of: found.count)
        var writer = writer(capacity: 1_024)
        writer.array { array in
            for person in found[page.request.range(of: page.total)] {
                let review = diffs[item]?.reviews[person]
                let json = personJSON(person)
                array.object { object in
                    object.field("user", json: json)
                    object.field("state", (review?.state ?? .unreviewed).rawValue)
                    object.field("created_at", review?.requestedAt ?? items[item].createdAt)
                }
            }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }
}

extension PageRequest {
    /// As lists that are no database query read it: what is no page is the first one (supplement §1.2).
    init(lenient parameters: Parameters) {
        func positive(_ name: String) -> Int? { parameters[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
        page = min(positive("page") ?? 1, 1_000_000_000)
        perPage = min(positive("per_page") ?? 20, 100)
    }
}
