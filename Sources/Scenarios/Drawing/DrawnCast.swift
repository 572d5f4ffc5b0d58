import JSON
import Platform

/// Who and what stands in a drawn world: two to five people, one to three projects, a few items in each.
struct DrawnCast {
    let people: [String]
    /// The first of the people, who use the notifier.
    let users: [String]
    /// Projects with who is in them, in the order of the file.
    let places: [DrawnProject]
    /// What users do in turn.
    let duties: [String]
    /// What devices are called. Three only where somebody has that many: what names one that is not there is refused.
    let deviceNames: [String]
    /// How many of these devices each user has.
    private let deviceCounts: [String: Int]
    /// The last of those who do not use the notifier, where it is a bot.
    private let bot: String?

    init(random: inout RandomStream) {
        let isOdd = random.chance(1, in: 3)
        let count = 2 + Int(random.next(below: 4))
        people = isOdd ? DrawnNames.usernames(count, &random) : Array(DrawnNames.plainUsernames.prefix(count))
        users = Array(people.prefix(1 + Int(random.next(below: UInt64(people.count - 1)))))
        let paths = isOdd ? DrawnNames.oddPaths : DrawnNames.plainPaths
        bot = random.chance(1, in: 4) ? people.last : nil
        places = DrawnProject.all(paths, people: people, users: users, random: &random)
        duties = Array(["triage", "release"].prefix(1 + Int(random.next(below: 2))))
        var counts: [String: Int] = [:]
        for user in users { counts[user] = random.pick([1, 1, 1, 1, 2, 2, 2, 3]) ?? 1 }
        deviceCounts = counts
        deviceNames = Array(["phone", "tablet", "laptop"].prefix(max(2, counts.values.max() ?? 2)))
    }

    var projects: [String] { places.map(\.path) }

    /// The devices of a user, those among them that join later.
    func devices(of user: String) -> [String] { Array(deviceNames.prefix(deviceCounts[user] ?? 1)) }

    /// The references of all items of these kinds.
    func items(of kinds: [ItemKind]) -> [String] { places.flatMap { $0.references(of: kinds) } }

    /// The people as they stand in the file, on a GitLab of that release.
    func peopleJSON(on release: GitLabWorld.Version, random: inout RandomStream) -> JSONValue {
        .array(
            people.map { name in
                var members = [
                    JSONMember("username", .string(name)),
                    JSONMember("name", .string(DrawnNames.displayName(of: name))),
                ]
                if name == bot { members.append(JSONMember("bot", .bool(true))) }
                if users.contains(name) {
                    members.append(JSONMember("notified", notified(name, on: release, random: &random)))
                }
                return .object(members)
            }
        )
    }

    private func notified(_ user: String, on release: GitLabWorld.Version, random: inout RandomStream) -> JSONValue {
        let ways = NotifiedPerson.SignIn.allCases.filter { $0 != .device || release.offersDeviceSignIn }
        let devices = deviceNames.prefix(deviceCounts[user] ?? 1).enumerated().map { index, name in
            var members = [JSONMember("name", .string(name))]
            members.append(JSONMember("platform", .picked(Device.Platform.self, &random)))
            members.append(JSONMember("environment", .picked(Device.Environment.self, &random)))
            if index > 0, random.chance(1, in: 3) { members.append(JSONMember("joinsLater", .bool(true))) }
            if random.chance(1, in: 4) { members.append(JSONMember("sync", .bool(false))) }
            return JSONValue.object(members)
        }
        let way = random.pick(ways) ?? .token
        var members = [
            JSONMember("devices", .array(devices)), JSONMember("signIn", .string(way.rawValue)),
            JSONMember("watches", .strings(watches(of: user, random: &random))),
        ]
        let token = way == .token ? Self.token(random: &random) : []
        if !token.isEmpty { members.append(JSONMember("token", .object(token))) }
        return .object(members)
    }

    /// Whole projects mostly, single items with one in four. Nobody watches what is in a project that they are not in.
    private func watches(of user: String, random: inout RandomStream) -> [String] {
        let own = places.filter { $0.role(of: user) != nil }
        guard random.chance(1, in: 4) else {
            return own.flatMap { ["\($0.path)!*", "\($0.path)#*"] }.filter { _ in random.chance(3, in: 4) }
        }
        return own.flatMap { $0.references(of: ItemKind.allCases) }.filter { _ in random.chance(1, in: 2) }
    }

    /// One that may write lets GitLab's subscriptions follow what is watched. One that may not read is no token for the notifier.
    private static func token(random: inout RandomStream) -> [JSONMember] {
        var members: [JSONMember] = []
        if random.chance(1, in: 4) {
            let scopes = random.pick([["api"], ["api", "read_user"], ["read_user", "read_api"]]) ?? ["api"]
            members.append(JSONMember("scopes", .strings(scopes)))
        }
        // Within or soon after the days in which its person is warned of it, and not before the run.
        if random.chance(1, in: 3) {
            members.append(JSONMember("expires", .string("\(24 + random.next(below: 264))h")))
        }
        return members
    }

    /// The projects as they stand in the file.
    func projectsJSON(random: inout RandomStream) -> JSONValue {
        let histories = DrawnHistories(places, random: &random)
        return .array(places.map { $0.json(users: users, histories: histories, random: &random) })
    }

    /// How many comments from long before the story the items of that world have.
    static func oldNotes(of world: JSONValue) -> Int64 {
        guard case .array(let projects)? = world["projects"] else { return 0 }
        return projects.reduce(0) { $0 + DrawnProject.oldNotes(of: $1) }
    }

    /// The duties as they stand in the file: daily mostly, some reminded of or asked for while things happen or soon after, in any zone.
    func dutiesJSON(random: inout RandomStream, calendar: inout DrawnCalendar) -> JSONValue {
        .array(
            duties.map { name in
                let count = 1 + Int(random.next(below: UInt64(users.count)))
                let first = Int(random.next(below: UInt64(users.count)))
                let members = (0..<count).map { users[(first + $0) % users.count] }
                let time = calendar.time(or: CalendarNotation.timeText(Int(random.next(below: 48)) * 30))
                let zone = calendar.zone(or: random.pick(QuietHours.Zone.allCases)?.rawValue ?? "")
                var object = [JSONMember("name", .string(name)), JSONMember("members", .strings(members))]
                object += Self.rhythm(random: &random)
                object += [
                    JSONMember("time", .string(time)),
                    JSONMember("zone", .string(zone)),
                    JSONMember("mode", .picked(WorldDuty.Mode.self, &random)),
                    JSONMember("leadHours", .integer(random.pick([0, 1, 2, 5, 23, 24, 30, 48]) ?? 0)),
                    JSONMember("escalates", .bool(random.chance(1, in: 2))),
                ]
                return .object(object)
            }
        )
    }

    /// The story begins on a Monday or a Saturday, and on one of these a duty may be due.
    private static func rhythm(random: inout RandomStream) -> [JSONMember] {
        var members: [JSONMember] = []
        if random.chance(1, in: 4) {
            let days = random.pick(["mon-fri", "mon", "sat,sun", "sun,mon", "mon,tue,sat", "mon-sun"]) ?? "mon"
            members.append(JSONMember("weekdays", .string(days)))
            if random.chance(1, in: 2) {
                members.append(JSONMember("everyWeeks", .integer(Int64(1 + random.next(below: 3)))))
            }
        } else {
            members.append(JSONMember("everyDays", .integer(random.pick([1, 1, 1, 2, 7]) ?? 1)))
        }
        if random.chance(1, in: 4) {
            members.append(JSONMember("from", .string(random.pick(["+0", "+1", "+2", "-1", "-6"]) ?? "+0")))
        }
        return members
    }
}

extension JSONValue {
    /// One of the values of a closed list.
    static func picked<Value: CaseIterable & RawRepresentable<String>>(
        _ type: Value.Type,
        _ random: inout RandomStream
    ) -> JSONValue {
        .string(random.pick(type.allCases.map(\.rawValue)) ?? "")
    }
}
