import JSON
import Platform

/// A project of a drawn world: who is in it with which rights, and how many items it has.
struct DrawnProject {
    /// A person's place in it.
    struct Place {
        let name: String
        let role: Member.Role
    }

    let path: String
    /// Never none, and a user of the notifier among them.
    let members: [Place]
    /// Of each kind, numbered from one: first those that stand in the file by themselves, then those without words of their own.
    private let counts: [ItemKind: (named: Int, generated: Int)]
    /// Whether its items may differ in more than who wrote them, and whose they are.
    private let isVaried: Bool

    /// One to three. Everybody is in all of them in three of four worlds; in one of sixteen a project has twenty items or more.
    static func all(
        _ paths: [String],
        people: [String],
        users: [String],
        random: inout RandomStream
    ) -> [DrawnProject] {
        let paths = paths.prefix(1 + Int(random.next(below: 3)))
        let isPartial = random.chance(1, in: 4)
        let large = random.chance(1, in: 16) ? random.pick(Array(paths)) : nil
        let isVaried = random.chance(1, in: 2)
        return paths.map { path in
            var names = people.filter { _ in !isPartial || random.chance(2, in: 3) }
            if names.count < 2 || !names.contains(where: { users.contains($0) }) { names = people }
            let members = names.map { Place(name: $0, role: random.pick(Member.Role.allCases) ?? .developer) }
            let more = path == large ? (12 + Int(random.next(below: 12)), 6 + Int(random.next(below: 6))) : (0, 0)
            let counts: [ItemKind: (named: Int, generated: Int)] = [
                .mergeRequest: (1 + Int(random.next(below: 3)), more.0),
                .issue: (1 + Int(random.next(below: 2)), more.1),
            ]
            return DrawnProject(path: path, members: members, counts: counts, isVaried: isVaried)
        }
    }

    func role(of person: String) -> Member.Role? { members.first { $0.name == person }?.role }

    /// Members with at least these rights.
    func members(least: Member.Role) -> [String] { members.filter { $0.role >= least }.map(\.name) }

    /// The references of its items of these kinds.
    func references(of kinds: [ItemKind]) -> [String] {
        kinds.flatMap { kind in (1...count(of: kind)).map { reference(to: $0, kind) } }
    }

    /// As it stands in references.
    func reference(to number: Int, _ kind: ItemKind) -> String { "\(path)\(kind == .issue ? "#" : "!")\(number)" }

    private func count(of kind: ItemKind) -> Int {
        counts[kind].map { $0.named + $0.generated } ?? 0
    }

    /// The project as it stands in the file, with what `histories` says of old comments.
    func json(users: [String], histories: DrawnHistories, random: inout RandomStream) -> JSONValue {
        var object = [
            JSONMember("path", .string(path)),
            JSONMember(
                "members",
                .array(
                    members.map { member in
                        .object([
                            JSONMember("username", .string(member.name)),
                            JSONMember("role", .string(member.role.rawValue)),
                        ])
                    }
                )
            ),
        ]
        for (key, kind) in [("mergeRequests", ItemKind.mergeRequest), ("issues", .issue)] {
            let items = (1...(counts[kind]?.named ?? 1)).map { number in
                let old = histories.oldNotes[reference(to: number, kind)]
                return JSONValue.object(item(number, kind, users, random: &random) + Self.oldNotes(old))
            }
            object.append(JSONMember(key, .array(items)))
        }
        let (mergeRequests, issues) = (counts[.mergeRequest]?.generated ?? 0, counts[.issue]?.generated ?? 0)
        if mergeRequests + issues > 0 {
            var generate = [
                JSONMember("mergeRequests", .integer(Int64(mergeRequests))),
                JSONMember("issues", .integer(Int64(issues))),
            ]
            generate += Self.oldNotes(histories.ofEachGenerated)
            object.append(JSONMember("generate", .object(generate)))
        }
        return .object(object)
    }

    private static func oldNotes(_ count: Int?) -> [JSONMember] {
        count.map { [JSONMember("oldNotes", .integer(Int64($0)))] } ?? []
    }

    /// How many comments from long before the story a project of a file has.
    static func oldNotes(of project: JSONValue) -> Int64 {
        var sum: Int64 = 0
        for key in ["mergeRequests", "issues"] {
            guard case .array(let items)? = project[key] else { continue }
            sum += items.reduce(0) { $0 + number($1["oldNotes"]) }
        }
        guard let generate = project["generate"] else { return sum }
        let count = number(generate["mergeRequests"]) + number(generate["issues"])
        return sum + count * number(generate["oldNotes"])
    }

    private static func number(_ value: JSONValue?) -> Int64 {
        guard case .number(let text)? = value else { return 0 }
        return Int64(text) ?? 0
    }

    // MARK: Items

    private func item(_ number: Int, _ kind: ItemKind, _ users: [String], random: inout RandomStream) -> [JSONMember] {
        let isConfidential = isVaried && kind == .issue && random.chance(1, in: 4)
        let state = isVaried && random.chance(1, in: 8) ? Self.ended(kind, random: &random) : .opened
        // Who closes or merges it is its author, and nobody is asked for what they cannot see.
        let authors = members(least: state != .opened ? .developer : isConfidential ? .reporter : .guest)
        let readers = members(least: kind == .mergeRequest || isConfidential ? .reporter : .guest)
        let hasAuthor = !authors.isEmpty
        let author = random.pick(hasAuthor ? authors : members.map(\.name)) ?? users[0]
        var object = [
            JSONMember("iid", .integer(Int64(number))),
            JSONMember("title", .string("\(kind == .issue ? "Report" : "Change") \(number)")),
            JSONMember("author", .string(author)),
        ]
        let assignees = assignees(kind, among: readers, users, random: &random)
        if !assignees.isEmpty { object.append(JSONMember("assignees", .strings(assignees))) }
        guard isVaried else { return object }
        if random.chance(1, in: 4) {
            let labels = random.pick([["bug"], ["backend"], ["bug", "backend"]]) ?? []
            object.append(JSONMember("labels", .strings(labels)))
        }
        if hasAuthor, state != .opened { object.append(JSONMember("state", .string(state.rawValue))) }
        if hasAuthor, isConfidential { object.append(JSONMember("confidential", .bool(true))) }
        guard kind == .mergeRequest else { return object }
        let reviewers = readers.filter { $0 != author }
        if random.chance(1, in: 4), !reviewers.isEmpty {
            let count = 1 + Int(random.next(below: UInt64(reviewers.count)))
            object.append(JSONMember("reviewers", .strings(reviewers.prefix(count))))
        }
        if state != .merged, random.chance(1, in: 4) { object.append(JSONMember("draft", .bool(true))) }
        return object
    }

    private static func ended(_ kind: ItemKind, random: inout RandomStream) -> Item.State {
        kind == .mergeRequest && random.chance(1, in: 2) ? .merged : .closed
    }

    /// Three of four issues are some user's to do: who has nothing to do by a day hears nothing of it.
    private func assignees(
        _ kind: ItemKind,
        among readers: [String],
        _ users: [String],
        random: inout RandomStream
    ) -> [String] {
        if kind == .issue, random.chance(3, in: 4) {
            return random.pick(readers.filter { users.contains($0) }).map { [$0] } ?? []
        }
        guard kind == .mergeRequest, isVaried, random.chance(1, in: 4) else { return [] }
        return Array(readers.prefix(1 + Int(random.next(below: 2))))
    }
}

/// How many comments from long before the story items have: none mostly.
struct DrawnHistories {
    /// By the reference of an item.
    private(set) var oldNotes: [String: Int] = [:]
    /// Of each item that has no words of its own.
    private(set) var ofEachGenerated: Int?

    /// In one of twelve worlds one item has a long past, in one of four two at most have a short one. Old comments are a member's who may
    /// read everything.
    init(_ places: [DrawnProject], random: inout RandomStream) {
        let written = places.filter { !$0.members(least: .reporter).isEmpty }
        // The first of each kind stand in the file by themselves.
        let items = written.flatMap { place in ItemKind.allCases.map { place.reference(to: 1, $0) } }
        if random.chance(1, in: 4) {
            for _ in 0..<2 {
                if let item = random.pick(items) { oldNotes[item] = Int(random.next(in: 10...150)) }
            }
        }
        if random.chance(1, in: 12), let item = random.pick(items) {
            oldNotes[item] = Int(random.next(in: 150...1_200))
        }
        if written.count == places.count, random.chance(1, in: 2) {
            ofEachGenerated = Int(random.next(in: 1...5))
        }
    }
}
