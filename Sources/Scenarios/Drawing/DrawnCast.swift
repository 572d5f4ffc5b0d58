import JSON
import Platform

/// Who and what stands in a drawn world: two to five people, one to three projects, a few items in each.
struct DrawnCast {
    static let deviceNames = ["phone", "tablet"]

    let people: [String]
    /// The first of the people, who use the notifier.
    let users: [String]
    let projects: [String]
    /// What users do in turn.
    let duties: [String]
    /// Merge requests and issues of each project.
    private let itemCounts: [(mergeRequests: Int, issues: Int)]

    init(random: inout RandomStream) {
        let isOdd = random.chance(1, in: 3)
        let count = 2 + Int(random.next(below: 4))
        people = isOdd ? DrawnNames.usernames(count, &random) : Array(DrawnNames.plainUsernames.prefix(count))
        users = Array(people.prefix(1 + Int(random.next(below: UInt64(people.count - 1)))))
        let paths = isOdd ? DrawnNames.oddPaths : DrawnNames.plainPaths
        projects = Array(paths.prefix(1 + Int(random.next(below: 3))))
        var counts: [(mergeRequests: Int, issues: Int)] = []
        for _ in projects { counts.append((1 + Int(random.next(below: 3)), 1 + Int(random.next(below: 2)))) }
        itemCounts = counts
        duties = Array(["triage", "release"].prefix(1 + Int(random.next(below: 2))))
    }

    /// The references of all items of these kinds.
    func items(of kinds: [ItemKind]) -> [String] {
        zip(projects, itemCounts).flatMap { path, count in
            kinds.flatMap { kind in
                kind == .issue
                    ? (1...count.issues).map { "\(path)#\($0)" }
                    : (1...count.mergeRequests).map { "\(path)!\($0)" }
            }
        }
    }

    /// The people as they stand in the file, on a GitLab of that release.
    func peopleJSON(on release: GitLabWorld.Version, random: inout RandomStream) -> JSONValue {
        .array(
            people.map { name in
                var members = [
                    JSONMember("username", .string(name)),
                    JSONMember("name", .string(DrawnNames.displayName(of: name))),
                ]
                if users.contains(name) {
                    members.append(JSONMember("notified", notified(on: release, random: &random)))
                }
                return .object(members)
            }
        )
    }

    private func notified(on release: GitLabWorld.Version, random: inout RandomStream) -> JSONValue {
        let ways = NotifiedPerson.SignIn.allCases.filter { $0 != .device || release.offersDeviceSignIn }
        let devices = Self.deviceNames.prefix(1 + Int(random.next(below: 2))).enumerated().map { index, name in
            var members = [JSONMember("name", .string(name))]
            members.append(JSONMember("platform", Self.picked(Device.Platform.self, &random)))
            members.append(JSONMember("environment", Self.picked(Device.Environment.self, &random)))
            if index > 0, random.chance(1, in: 3) { members.append(JSONMember("joinsLater", .bool(true))) }
            if random.chance(1, in: 4) { members.append(JSONMember("sync", .bool(false))) }
            return JSONValue.object(members)
        }
        let watches = projects.flatMap { ["\($0)!*", "\($0)#*"] }.filter { _ in random.chance(3, in: 4) }
        let way = random.pick(ways) ?? .token
        var members = [
            JSONMember("devices", .array(devices)), JSONMember("signIn", .string(way.rawValue)),
            JSONMember("watches", .strings(watches)),
        ]
        // Within or soon after the days in which its person is warned of it, and not before the run.
        if way == .token, random.chance(1, in: 3) {
            let expiry = JSONMember("expires", .string("\(24 + random.next(below: 264))h"))
            members.append(JSONMember("token", .object([expiry])))
        }
        return .object(members)
    }

    /// The projects as they stand in the file; everybody is a member of all.
    func projectsJSON(random: inout RandomStream) -> JSONValue {
        .array(
            zip(projects, itemCounts).map { path, count in
                let members = people.map { name in
                    JSONValue.object([
                        JSONMember("username", .string(name)),
                        JSONMember("role", Self.picked(Member.Role.self, &random)),
                    ])
                }
                return .object([
                    JSONMember("path", .string(path)),
                    JSONMember("members", .array(members)),
                    JSONMember("mergeRequests", items(count.mergeRequests, "Change", areAssigned: false, &random)),
                    JSONMember("issues", items(count.issues, "Report", areAssigned: true, &random)),
                ])
            }
        )
    }

    /// Three of four issues are some user's to do: who has nothing to do by a day hears nothing of it.
    private func items(_ count: Int, _ title: String, areAssigned: Bool, _ random: inout RandomStream) -> JSONValue {
        .array(
            (1...count).map { iid in
                var members = [
                    JSONMember("iid", .integer(Int64(iid))),
                    JSONMember("title", .string("\(title) \(iid)")),
                    JSONMember("author", .string(random.pick(people) ?? people[0])),
                ]
                if areAssigned, random.chance(3, in: 4), let user = random.pick(users) {
                    members.append(JSONMember("assignees", .strings([user])))
                }
                return .object(members)
            }
        )
    }

    /// The duties as they stand in the file: daily, some reminded of or asked for while things happen or soon after, in any zone.
    func dutiesJSON(random: inout RandomStream, calendar: inout DrawnCalendar) -> JSONValue {
        .array(
            duties.map { name in
                let count = 1 + Int(random.next(below: UInt64(users.count)))
                let first = Int(random.next(below: UInt64(users.count)))
                let members = (0..<count).map { users[(first + $0) % users.count] }
                let everyDays = JSONValue.integer(random.pick([1, 1, 1, 2, 7]) ?? 1)
                let time = calendar.time(or: CalendarNotation.timeText(Int(random.next(below: 48)) * 30))
                let zone = calendar.zone(or: random.pick(QuietHours.Zone.allCases)?.rawValue ?? "")
                return .object([
                    JSONMember("name", .string(name)),
                    JSONMember("members", .strings(members)),
                    JSONMember("everyDays", everyDays),
                    JSONMember("time", .string(time)),
                    JSONMember("zone", .string(zone)),
                    JSONMember("mode", Self.picked(WorldDuty.Mode.self, &random)),
                    JSONMember("leadHours", .integer(random.pick([0, 1, 2, 5, 23, 24, 30, 48]) ?? 0)),
                    JSONMember("escalates", .bool(random.chance(1, in: 2))),
                ])
            }
        )
    }

    private static func picked<Value: CaseIterable & RawRepresentable<String>>(
        _ type: Value.Type,
        _ random: inout RandomStream
    ) -> JSONValue {
        .string(random.pick(type.allCases.map(\.rawValue)) ?? "")
    }
}
