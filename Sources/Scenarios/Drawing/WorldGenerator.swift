import Configuration
import JSON
import Platform

/// A whole valid scenario that a seed has drawn from the tables of the format.
package struct DrawnWorld: Sendable {
    /// The seed that drew it, which is also its own.
    package let seed: UInt64
    /// The file, formatted.
    package let text: String
    /// The same, read back.
    package let scenario: Scenario
    /// Entries of the vocabulary that stand in it, in the order of the tables.
    package let vocabulary: [String]
    /// How many drawn entries and settings the checks refused.
    package let refused: Int
}

/// Draws worlds. The same seed draws the same bytes.
package struct WorldGenerator {
    /// How long something happens and faults strike.
    static let busy = Duration.seconds(2 * 3_600)
    /// How long the world lasts: after the busy hours everything has time to arrive.
    static let whole = Duration.seconds(10 * 3_600)

    private let seed: UInt64
    private let cast: DrawnCast
    private let swarm: Swarm
    private var draw: FieldDraw
    private var faults = 0
    /// Instants in seconds at which faults begin or end: where the next ones are aimed.
    private var edges: [Int64] = [600]

    /// The world of a seed.
    ///
    /// - Throws: `InvalidScenario` when the checks refuse even what is no entry and no setting, a mistake of the generator.
    package static func world(seed: UInt64) throws(InvalidScenario) -> DrawnWorld {
        var generator = WorldGenerator(seed: seed)
        return try generator.world()
    }

    private init(seed: UInt64) {
        self.seed = seed
        var random = RandomStream(seed: seed, stream: "world")
        swarm = Swarm(of: WorldVocabulary.all, random: &random)
        cast = DrawnCast(random: &random)
        draw = FieldDraw(cast: cast, random: random, calendar: DrawnCalendar(seed: seed))
    }

    private mutating func world() throws(InvalidScenario) -> DrawnWorld {
        let world = worldJSON()
        let settings = drawnSettings()
        var timeline: [JSONValue] = []
        let count = 4 + Int(draw.random.next(below: 16))
        while timeline.count < count { timeline += entries() }
        for _ in 0..<draw.random.next(below: 3) { timeline += bout() }
        for _ in 0..<draw.random.next(below: 2) {
            timeline += Beginning.entries(at: instant(before: Self.busy - Beginning.length), &draw)
        }
        timeline += turns()
        var parts = DrawnParts(settings: settings, timeline: timeline)
        let oldNotes = DrawnCast.oldNotes(of: world)
        while true {
            let load = PageLoad(parts.timeline, oldNotes: oldNotes)
            parts.settings.removeAll { Self.isTooShort($0, for: load) }
            let text = file(world: world, settings: parts.settings, timeline: parts.timeline)
            do throws(InvalidScenario) {
                let scenario = try ScenarioReader.read(Array(text.utf8), file: "fuzz-\(seed).json")
                let (vocabulary, refused) = (Self.vocabulary(of: scenario), parts.refused)
                return DrawnWorld(seed: seed, text: text, scenario: scenario, vocabulary: vocabulary, refused: refused)
            } catch {
                guard let lost = parts.leaveOut(error.problems) else { throw error }
                for _ in 0..<lost { parts.timeline += entries() }
            }
        }
    }

    private static func isTooShort(_ setting: JSONMember, for load: PageLoad) -> Bool {
        guard setting.key == "perPage", case .number(let rows) = setting.value else { return false }
        return load.exceeds(perPage: Int64(rows) ?? 1)
    }

    // MARK: The parts of the file

    private func file(world: JSONValue, settings: [JSONMember], timeline: [JSONValue]) -> String {
        var members = [
            JSONMember("name", .string("fuzz-\(seed)")),
            JSONMember("description", .string("Drawn by simctl fuzz from seed \(seed).")),
            JSONMember("seed", .integer(Int64(seed))),
            JSONMember("duration", .string(DurationNotation.text(Self.whole))),
            JSONMember("start", .string(draw.calendar.start)),
            JSONMember("world", world),
        ]
        if !settings.isEmpty { members.append(JSONMember("notifier", .object(settings))) }
        members.append(JSONMember("timeline", .array(timeline)))
        let gates = ["missed", "duplicates", "unexpected"].map { JSONValue.object([JSONMember($0, .string("= 0"))]) }
        members.append(JSONMember("expect", .array(gates)))
        return JSONValue.object(members).text(indented: true) + "\n"
    }

    private mutating func worldJSON() -> JSONValue {
        var gitlab: [JSONMember] = []
        var version = GitLabWorld().version
        func bare(_ entry: String) -> String { String(entry.drop { $0 != " " }.dropFirst()) }
        if let release = swarm.pick(of: WorldVocabulary.releases, random: &draw.random) {
            gitlab.append(JSONMember("version", .string(bare(release))))
            version = GitLabWorld.Version(rawValue: bare(release)) ?? version
        }
        if let edition = swarm.pick(of: WorldVocabulary.editions, random: &draw.random) {
            gitlab.append(JSONMember("edition", .string(bare(edition))))
        }
        if draw.random.chance(1, in: 3) { gitlab.append(JSONMember("webhooks", .bool(true))) }
        let quirks = swarm.active(of: WorldVocabulary.quirks).filter { _ in draw.random.chance(1, in: 4) }
        let drawn = quirks.compactMap { QuirkSetting.Quirk(rawValue: bare($0)) }.map { quirk in
            let number = 1 + Int64(draw.random.next(below: 50))
            let flag = JSONValue.bool(draw.random.chance(1, in: 2))
            return JSONMember(quirk.rawValue, quirk.takesNumber ? .integer(number) : flag)
        }
        if !drawn.isEmpty { gitlab.append(JSONMember("quirks", .object(drawn))) }
        gitlab += DrawnServices.gitlab(&draw.random)
        var members = [JSONMember("gitlab", .object(gitlab))]
        members += DrawnServices.others(&draw.random)
        members += [
            JSONMember("people", cast.peopleJSON(on: version, random: &draw.random)),
            JSONMember("projects", cast.projectsJSON(random: &draw.random)),
        ]
        if !swarm.active(of: WorldVocabulary.dutyActions).isEmpty {
            members.append(JSONMember("duties", cast.dutiesJSON(random: &draw.random, calendar: &draw.calendar)))
        }
        return .object(members)
    }

    private mutating func drawnSettings() -> [JSONMember] {
        let active = Set(swarm.active(of: WorldVocabulary.settings))
        return NotifierOverrides.keys.compactMap { key in
            guard active.contains(WorldVocabulary.setting(key.name)), draw.random.chance(1, in: 4) else { return nil }
            return JSONMember(key.name, SettingDraw.value(of: key, random: &draw.random))
        }
    }

    // MARK: Entries

    /// An action, or a fault and what takes it back.
    private mutating func entries() -> [JSONValue] {
        let isFault = draw.random.chance(1, in: 3)
        let table = isFault ? WorldVocabulary.faults : WorldVocabulary.actions
        let name = swarm.pick(of: table, random: &draw.random) ?? WorldVocabulary.action(.comment)
        if let kind = FaultKind.allCases.first(where: { WorldVocabulary.fault($0) == name }) { return fault(kind.form) }
        guard let kind = ActionKind.allCases.first(where: { WorldVocabulary.action($0) == name }) else { return [] }
        return [action(kind.form)]
    }

    /// Actions in a row, seconds to minutes apart, that mostly are about one person and one item: what somebody chooses matters only to
    /// what happens to the same item soon before and after.
    private mutating func bout() -> [JSONValue] {
        guard let person = draw.random.pick(cast.users), let item = draw.random.pick(cast.items(of: ItemKind.allCases))
        else { return [] }
        draw.focus = FieldDraw.Focus(person: person, item: item)
        defer { draw.focus = nil }
        let last = Self.busy.wholeMilliseconds / 1_000
        var instant = instant(before: Self.busy)
        var made: [JSONValue] = []
        for _ in 0..<(3 + draw.random.next(below: 4)) {
            guard let name = swarm.pick(of: WorldVocabulary.actions, random: &draw.random),
                let kind = ActionKind.allCases.first(where: { WorldVocabulary.action($0) == name })
            else { break }
            made.append(action(kind.form, at: instant))
            instant = min(instant + Int64(draw.random.pick([1, 20, 60, 300, 900]) ?? 1), last)
        }
        return made
    }

    /// What users do in turn, again and again by whoever can, and looks at it: one at a time, few of these are possible.
    private mutating func turns() -> [JSONValue] {
        let active = swarm.active(of: WorldVocabulary.dutyActions)
        guard !active.isEmpty else { return [] }
        let users = JSONValue.strings(cast.users)
        let until = JSONMember("until", .string(DurationNotation.text(Self.busy)))
        var made = ActionKind.allCases.filter { active.contains(WorldVocabulary.action($0)) }.map { kind in
            var members = [
                JSONMember("rate", .string("\(1 + draw.random.next(below: 6))/h")), until,
                JSONMember("action", .string(kind.rawValue)), JSONMember("by", users),
                JSONMember("duty", .string(draw.random.pick(cast.duties) ?? "")),
            ]
            if kind == .giveDuty { members.append(JSONMember("user", users)) }
            if [.addDutyMember, .removeDutyMember].contains(kind) {
                members.append(JSONMember("user", .strings(cast.people)))
            }
            if kind == .editDuty, let field = draw.random.pick(ActionForm.editFields) {
                members += draw.members([field.required], actors: cast.users, kinds: [])
            }
            if kind == .muteDuty {
                let length = draw.random.pick(["5m", "20m", "1h"]) ?? ""
                members.append(JSONMember("for", .string(length)))
            }
            return JSONValue.object(members)
        }
        for user in cast.users {
            made.append(
                .object([
                    JSONMember("rate", .string("\(1 + draw.random.next(below: 3))/h")), until,
                    JSONMember("action", .string(ActionKind.openApp.rawValue)), JSONMember("by", .string(user)),
                    JSONMember("for", .string("10m")),
                ])
            )
        }
        return made
    }

    /// At `instant`; without one at a drawn instant, or again and again.
    private mutating func action(_ form: ActionForm, at instant: Int64? = nil) -> JSONValue {
        var members: [JSONMember] = []
        if instant == nil, draw.random.chance(1, in: 6), !form.needsNotifiedPerson {
            members.append(JSONMember("rate", .string("\(1 + draw.random.next(below: 40))/h")))
            members.append(JSONMember("until", .string(DurationNotation.text(Self.busy))))
        } else {
            let seconds = instant ?? self.instant(before: Self.busy)
            members.append(JSONMember("at", .string(DurationNotation.text(.seconds(seconds)))))
        }
        members.append(JSONMember("action", .string(form.kind.rawValue)))
        var kinds = ItemKind.allCases
        if case .item(let allowed) = form.target { kinds = allowed }
        let actors = form.needsNotifiedPerson ? draw.focus.map { [$0.person] } ?? cast.users : cast.people
        return .object(members + draw.members(form.fields, actors: actors, kinds: kinds))
    }

    /// A fault. One without an end of its own that says how far something moves is taken back by its opposite.
    private mutating func fault(_ form: FaultForm) -> [JSONValue] {
        let begin = instant(before: Self.busy)
        let drawn = draw.members(form.fields, actors: cast.users, kinds: ItemKind.allCases)
        let length = drawn.first { ["for", "downFor", "offFor"].contains($0.key) }?.value
        if case .string(let text)? = length, let span = DurationNotation.parse(text) {
            edges += [begin, begin + span.wholeMilliseconds / 1_000]
        } else {
            edges.append(begin)
        }
        var made = [entry(form, at: begin, drawn)]
        let signed = form.fields.filter { if case .notation(.signedDuration) = $0.shape { true } else { false } }
        if length == nil, !signed.isEmpty {
            let back = drawn.map {
                signed.map(\.key).contains($0.key) ? JSONMember($0.key, Self.negated($0.value)) : $0
            }
            made.append(entry(form, at: begin + 1 + Int64(draw.random.next(below: 1_800)), back))
        }
        return made
    }

    private mutating func entry(_ form: FaultForm, at seconds: Int64, _ drawn: [JSONMember]) -> JSONValue {
        faults += 1
        let members = [
            JSONMember("at", .string(DurationNotation.text(.seconds(seconds)))),
            JSONMember("fault", .string(form.kind.rawValue)), JSONMember("id", .string("fault-\(faults)")),
        ]
        return .object(members + drawn)
    }

    private static func negated(_ value: JSONValue) -> JSONValue {
        guard case .string(let text) = value else { return value }
        return .string(text.hasPrefix("-") ? String(text.dropFirst()) : "-\(text)")
    }

    /// A whole second; half of the time within five of an instant at which a fault begins or ends.
    private mutating func instant(before end: Duration) -> Int64 {
        let last = end.wholeMilliseconds / 1_000
        guard draw.random.chance(1, in: 2), let edge = draw.random.pick(edges) else {
            return Int64(draw.random.next(below: UInt64(last)))
        }
        return min(max(edge + draw.random.next(in: -5...5), 0), last)
    }

    // MARK: What stands in a world

    private static func vocabulary(of scenario: Scenario) -> [String] {
        var seen: Set<String> = []
        for entry in scenario.timeline {
            switch entry.event {
            case .action(let action): seen.insert(WorldVocabulary.action(action.kind))
            case .fault(let fault): seen.insert(WorldVocabulary.fault(fault.kind))
            case .mix: break
            }
        }
        for setting in scenario.notifier.values { seen.insert(WorldVocabulary.setting(setting.key)) }
        let gitlab = scenario.world.gitlab
        for quirk in gitlab.quirks { seen.insert("quirk \(quirk.quirk.rawValue)") }
        seen.insert("release \(gitlab.version.rawValue)")
        seen.insert("edition \(gitlab.edition.rawValue)")
        return WorldVocabulary.all.filter(seen.contains)
    }
}
