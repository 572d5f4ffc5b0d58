import JSON
import Platform

extension ScenarioDecoder {
    mutating func decodeWorld(_ cursor: Cursor) {
        if let gitlab = cursor["gitlab"] { world.gitlab = decodeGitLab(gitlab) }
        if let latency = cursor["apns"]?["latency"] { world.apns.latency = decodeLatency(latency) }
        if let latency = cursor["apns"]?["deviceLatency"] { world.apns.deviceLatency = decodeLatency(latency) }
        if let latency = cursor["api"]?["latency"] { world.apiLatency = decodeLatency(latency) }
        if let receipts = cursor["api"]?["receipts"] {
            world.receipts.delivered = receipts.ratio("delivered") ?? .zero
            world.receipts.opened = receipts.ratio("opened") ?? .zero
        }
        let people = cursor.list("people")
        for person in people { decodePersonEntry(person) }
        for project in cursor.list("projects") { decodeProjectEntry(project) }
        for (index, person) in people.enumerated() {
            if let notified = person["notified"] { decodeWatches(notified, ofPersonAt: index) }
        }
        for duty in cursor.list("duties") { decodeDuty(duty) }
    }

    private mutating func decodeGitLab(_ cursor: Cursor) -> GitLabWorld {
        var gitlab = GitLabWorld()
        if let version: GitLabWorld.Version = cursor.choice("version") { gitlab.version = version }
        if let edition: GitLabWorld.Edition = cursor.choice("edition") { gitlab.edition = edition }
        if let url = cursor.text("url") { gitlab.externalURL = url }
        if let zone = cursor.text("timeZone").flatMap(CalendarNotation.zoneOffset) { gitlab.timeZoneOffset = zone }
        if let latency = cursor["latency"] { gitlab.latency = decodeLatency(latency) }
        gitlab.authenticatedLimit = cursor["limits"]?["authenticated"].flatMap(decodeLimit)
        gitlab.noteLimit = cursor["limits"]?.integer("notesPerMinute").map {
            RequestLimit(requests: $0, period: .minutes(1))
        }
        gitlab.sendsWebhooks = cursor.bool("webhooks") ?? false
        gitlab.quirks = QuirkSetting.Quirk.allCases.compactMap { quirk in
            guard let node = cursor["quirks"]?.node[quirk.rawValue] else { return nil }
            if let value = node.bool { return QuirkSetting(quirk: quirk, value: .on(value)) }
            return node.integer.map { QuirkSetting(quirk: quirk, value: .number($0)) }
        }
        return gitlab
    }

    private func decodeLimit(_ cursor: Cursor) -> RequestLimit? {
        guard let requests = cursor.integer("requests"), let period = cursor.duration("period") else { return nil }
        return RequestLimit(requests: requests, period: period)
    }

    /// A constant or a distribution; notes a problem when the quantiles fall.
    mutating func decodeLatency(_ cursor: Cursor) -> QuantileTable {
        if let text = cursor.node.string { return .constant(DurationNotation.parse(text) ?? .zero) }
        let keys: [(name: String, perMille: Int64)] = [
            ("min", 0), ("p50", 500), ("p90", 900), ("p99", 990), ("max", 1_000),
        ]
        let points = keys.compactMap { key in
            cursor.duration(key.name).map { QuantileTable.Point(perMille: key.perMille, value: $0) }
        }
        for (left, right) in zip(points, points.dropFirst()) where left.value > right.value {
            note(.outOfRange, cursor, "The quantiles of a latency rise from min to max; here they fall.")
            return .constant(.zero)
        }
        return QuantileTable(points)
    }

    // MARK: People

    private mutating func decodePersonEntry(_ cursor: Cursor) {
        guard let username = cursor.text("username").flatMap(Username.init(notation:)) else { return }
        if world.person(username) != nil, let place = cursor["username"] {
            note(.duplicateName, place, "There are two people called \(username).")
        }
        let notified = cursor["notified"].map { decodeNotifiedPerson($0) }
        let person = Person(
            username: username,
            name: cursor.text("name") ?? "",
            isBot: cursor.bool("bot") ?? false,
            notified: notified
        )
        world.people.append(person)
    }

    private mutating func decodeNotifiedPerson(_ cursor: Cursor) -> NotifiedPerson {
        var devices: [Device] = []
        for place in cursor.list("devices") {
            guard let name = place.text("name").flatMap(DeviceName.init(_:)) else { continue }
            if devices.contains(where: { $0.name == name }), let key = place["name"] {
                note(.duplicateName, key, "The person has two devices called \(quoted(name.text)).")
            }
            let platform: Device.Platform? = place.choice("platform")
            let environment: Device.Environment? = place.choice("environment")
            devices.append(
                Device(
                    name: name,
                    platform: platform ?? .ios,
                    environment: environment ?? .production,
                    joinsLater: place.bool("joinsLater") ?? false,
                    syncs: place.bool("sync") ?? true
                )
            )
        }
        if !devices.isEmpty, devices.allSatisfy(\.joinsLater), let key = cursor["devices"] {
            note(.impossibleAction, key, "Somebody must show the code: one device is there from the start.")
        }
        var token = PersonalAccessToken(expiry: cursor["token"]?.duration("expires"))
        let scopes = cursor["token"]?.list("scopes").compactMap(\.node.string) ?? []
        if !scopes.isEmpty { token.scopes = scopes.compactMap(PersonalAccessToken.Scope.init(rawValue:)) }
        let signIn: NotifiedPerson.SignIn? = cursor.choice("signIn")
        if signIn == .device, !world.gitlab.version.offersDeviceSignIn, let key = cursor["signIn"] {
            note(
                .impossibleAction,
                key,
                "GitLab \(world.gitlab.version.rawValue) lets nobody sign in on another device.",
                hint: "Devices are let in from 17.9 on; with an older release use token or another way."
            )
        }
        return NotifiedPerson(devices: devices, token: token, signIn: signIn ?? .token)
    }

    private mutating func decodeWatches(_ cursor: Cursor, ofPersonAt index: Int) {
        guard world.people.indices.contains(index) else { return }
        let username = world.people[index].username
        var seen: Set<ItemReference> = []
        for place in cursor.list("watches") {
            let items = decodeItems(place)
            if items.count == 1, seen.contains(items[0]) {
                note(.duplicateItem, place, "\(items[0]) stands twice in the watch list.")
            }
            if let project = items.first?.project, !isMember(username, of: project) {
                note(.notAMember, place, "\(username) is not a member of \(project) and cannot see its items.")
            }
            for item in items where seen.insert(item).inserted {
                world.people[index].notified?.watches.append(item)
            }
        }
    }

    // MARK: Projects

    private mutating func decodeProjectEntry(_ cursor: Cursor) {
        guard let path = cursor.project("path") else { return }
        if world.project(path) != nil, let place = cursor["path"] {
            note(.duplicateName, place, "There are two projects at \(path).")
        }
        var project = Project(path: path, members: [])
        for place in cursor.list("members") {
            guard let name = place["username"], let username = decodePerson(name) else { continue }
            if project.members.contains(where: { $0.username == username }) {
                note(.duplicateName, name, "\(username) is named twice among the members of \(path).")
            }
            let role: Member.Role? = place.choice("role")
            project.members.append(Member(username: username, role: role ?? .developer))
        }
        for place in cursor.list("mergeRequests") { decodeItem(place, .mergeRequest, &project) }
        for place in cursor.list("issues") { decodeItem(place, .issue, &project) }
        if let generate = cursor["generate"] { generateItems(generate, &project) }
        // Merge requests first, as they stand in the file, so that a scenario that is written and read stays the same.
        project.items = project.items.filter { $0.kind == .mergeRequest } + project.items.filter { $0.kind == .issue }
        world.projects.append(project)
    }

    private mutating func decodeItem(_ cursor: Cursor, _ kind: ItemKind, _ project: inout Project) {
        guard let iid = cursor.integer("iid"), let place = cursor["author"], let author = decodePerson(place) else {
            return
        }
        let state: Item.State? = cursor.choice("state")
        let item = Item(
            kind: kind,
            iid: Int64(iid),
            title: cursor.text("title") ?? "",
            author: author,
            assignees: decodePeople(cursor.list("assignees")),
            reviewers: decodePeople(cursor.list("reviewers")),
            labels: cursor.list("labels").compactMap(\.node.string),
            state: state ?? .opened,
            isDraft: cursor.bool("draft") ?? false,
            isConfidential: cursor.bool("confidential") ?? false,
            oldNotes: cursor.integer("oldNotes") ?? 0
        )
        if !existingItems.insert(item.reference(in: project.path)).inserted, let place = cursor["iid"] {
            note(.duplicateItem, place, "There are two items \(item.reference(in: project.path)).")
        }
        project.items.append(item)
    }

    /// People at these places, each once.
    mutating func decodePeople(_ places: [Cursor]) -> [Username] {
        var people: [Username] = []
        for place in places {
            guard let username = decodePerson(place) else { continue }
            if people.contains(username) { note(.duplicateName, place, "\(username) is named twice.") }
            people.append(username)
        }
        return people
    }

    /// Items with built-in titles; those who may develop are authors in turn. Numbers already taken are left out.
    private mutating func generateItems(_ cursor: Cursor, _ project: inout Project) {
        let developers = project.members.filter { $0.role >= .developer }.map(\.username)
        let authors = developers.isEmpty ? project.members.map(\.username) : developers
        guard !authors.isEmpty else { return }
        for (kind, key) in [(ItemKind.mergeRequest, "mergeRequests"), (.issue, "issues")] {
            var iid = Int64(cursor.integer("firstIID") ?? 1)
            for index in 0..<(cursor.integer(key) ?? 0) {
                var item = Item(
                    kind: kind,
                    iid: iid,
                    title: PlausibleText.title(index, of: kind),
                    author: authors[index % authors.count]
                )
                while !existingItems.insert(item.reference(in: project.path)).inserted { item.iid += 1 }
                item.oldNotes = cursor.integer("oldNotes") ?? 0
                project.items.append(item)
                iid = item.iid + 1
            }
        }
    }

    /// Whether the person may see what is in the project.
    func isMember(_ username: Username, of path: ProjectPath) -> Bool {
        world.project(path)?.members.contains { $0.username == username } ?? false
    }
}
