import Configuration
import FoundationEssentials
import JSON
import Platform
import Scenarios

/// A scenario out of a bundle: what it knows, and what is guessed because it does not, marked as a guess.
struct IncidentScenario {
    /// A run goes on for so long after the story's end, as does what was recorded when nothing happened any more.
    private static let tail = Duration.minutes(20)
    /// Rounds in which what GitLab would refuse becomes a comment; each mends up to fifty entries.
    private static let rounds = 400

    private let bundle: IncidentBundle
    private let timeline: IncidentTimeline
    private let cast: IncidentCast
    private let events: IncidentEvents
    private let name: String

    /// - Throws: `IncidentFault` for a bundle that tells of nothing. One without an item may tell of duties and of what went wrong.
    init(_ bundle: IncidentBundle, name: String) throws(IncidentFault) {
        guard !bundle.accounts.isEmpty else { throw bundle.nobody }
        self.bundle = bundle
        self.name = name
        timeline = try IncidentTimeline(bundle)
        cast = IncidentCast(bundle)
        events = IncidentEvents(bundle, timeline)
    }

    /// The text of a scenario that `simctl check` takes.
    ///
    /// - Throws: `IncidentFault` with what the check says, where it takes none that could be made.
    func text() throws(IncidentFault) -> String {
        var entries = sorted(told)
        var refused = ""
        for _ in 0..<Self.rounds {
            let text = document(entries).text(indented: true) + "\n"
            do throws(InvalidScenario) {
                _ = try ScenarioReader.read(Array(text.utf8), file: "imported")
                return text
            } catch {
                refused = error.problems.first?.text ?? ""
                let mended = mend(&entries, error.problems)
                guard mended else { break }
            }
        }
        throw IncidentFault("no scenario comes of it: \(refused)", hint: "please report this, with the bundle")
    }

    /// What happened, in no order.
    private var told: [JSONValue] {
        let parts = [
            IncidentPreferences(bundle, timeline, cast).entries, events.entries(cast, from: timeline.start),
            IncidentTroubles(bundle, timeline, cast).entries, IncidentRota(bundle, timeline, cast).entries,
            IncidentPrograms(bundle, timeline, cast).entries,
            IncidentHooks(bundle, events.events, timeline).entries(timeline),
        ]
        return parts.flatMap(\.self)
    }

    /// Actions on an item that are left out where they are refused: choices, which no comment stands for, and what is a comment already.
    private static let removed: Set<String> = [
        "comment", "watch", "unwatch", "mute", "unmute", "tap-dismiss", "settle", "todo-done", "set-due-date",
    ]

    /// Lets what GitLab would refuse be a comment, and leaves out what is none and still refused. False when nothing can be done.
    private func mend(_ entries: inout [JSONValue], _ problems: [Problem]) -> Bool {
        let indices = Set(problems.compactMap(\.timelineEntry)).filter(entries.indices.contains)
        for index in indices.sorted(by: >) {
            guard case .string(let action)? = entries[index]["action"], !Self.removed.contains(action),
                entries[index]["on"] != nil
            else {
                entries.remove(at: index)
                continue
            }
            entries[index] = Self.comment(in: entries[index])
        }
        return !indices.isEmpty
    }

    private static func comment(in entry: JSONValue) -> JSONValue {
        let kept = (entry.members ?? []).filter { ["at", "by", "on"].contains($0.key) }
        let word = if case .string(let text)? = entry["action"] { text } else { "something else" }
        return .object(
            [JSONMember("description", .string("Guess: it was \(word), which cannot happen here.")), kept[0]]
                + [JSONMember("action", "comment")] + kept.dropFirst()
        )
    }

    private func sorted(_ entries: [JSONValue]) -> [JSONValue] {
        let timed = entries.enumerated().map { (offset: Self.offset($1), index: $0, entry: $1) }
        return timed.sorted { ($0.offset, $0.index) < ($1.offset, $1.index) }.map(\.entry)
    }

    private static func offset(_ entry: JSONValue) -> Duration {
        guard case .string(let text)? = entry["at"] else { return .zero }
        return DurationNotation.parse(text) ?? .zero
    }

    // MARK: The document

    private func document(_ entries: [JSONValue]) -> JSONValue {
        var members = [
            JSONMember("$schema", "./scenario.schema.json"), JSONMember("name", .string(name)),
            JSONMember("description", .string(description)), JSONMember("seed", 1),
            JSONMember("duration", .string(DurationNotation.text(duration(entries)))),
            JSONMember("start", .string(timeline.start.utcText(.seconds))), JSONMember("world", cast.world(timeline)),
        ]
        let settings = changedSettings
        if !settings.isEmpty { members.append(JSONMember("notifier", .object(settings))) }
        members.append(JSONMember("timeline", .array(entries)))
        members.append(
            JSONMember(
                "expect",
                [
                    ["missed": "= 0"], ["duplicates": "= 0"], ["unexpected": "= 0"],
                    ["excessLatency.max": "<= 5m"],
                ]
            )
        )
        return .object(members)
    }

    /// Until the export, without the quiet time at its end that a run adds by itself.
    private func duration(_ entries: [JSONValue]) -> Duration {
        let last = (entries.map(Self.end).max() ?? .zero) + .minutes(1)
        let whole = timeline.start.duration(to: timeline.end)
        return .seconds(max(last, whole - Self.tail).wholeMilliseconds / 1_000 + 1)
    }

    private static func end(_ entry: JSONValue) -> Duration {
        let lengths = ["for", "downFor"].compactMap { key -> Duration? in
            guard case .string(let text)? = entry[key] else { return nil }
            return DurationNotation.parse(text)
        }
        return offset(entry) + (lengths.first ?? .zero)
    }

    private var description: String {
        var sentences = [
            "What notifierd export-incident told of \(timeline.start.utcText(.seconds)) to "
                + "\(timeline.end.utcText(.seconds)): \(bundle.accounts.count) people, \(bundle.items.count) items, "
                + "\(events.events.count) activities.",
            "Guesses: names, titles and texts, who did what nobody of the notifier's did, roles, the time zone, what nobody was told "
                + "of; and what entries of the timeline say.",
        ]
        if commonKinds != nil {
            sentences.append("A guess, too: that all had the kinds of news from the beginning that they have now.")
        }
        if events.leftOut > 0 { sentences.append("\(events.leftOut) activities that cannot be played are left out.") }
        return sentences.joined(separator: " ")
    }

    // MARK: Settings

    /// The settings that are not the usual ones; those that this program does not know are left out.
    private var changedSettings: [JSONMember] {
        let usual = Self.usualSettings
        let changed = bundle.settings.filter { member in
            guard let value = usual[member.key], !Self.worldSettings.contains(member.key) else { return false }
            return value != member.value && ![JSONValue.string("usual"), .string("changed")].contains(member.value)
        }
        guard let kinds = commonKinds else { return changed }
        return changed.filter { $0.key != Self.kindSetting } + [JSONMember(Self.kindSetting, .string(kinds))]
    }

    private static let kindSetting = "activities"

    /// The kinds of news that everybody has chosen, if all have the same and any: they are the server's then, as nobody knows when each was chosen.
    private var commonKinds: String? {
        let chosen = bundle.accounts.map { account in bundle.preferences.first { $0.account == account.id }?.kinds }
        guard let first = chosen.first, let kinds = first, !kinds.isEmpty, chosen.allSatisfy({ $0 == kinds }) else {
            return nil
        }
        return kinds.map(\.rawValue).sorted().joined(separator: " ")
    }

    /// What belongs to the world, and no scenario can set.
    private static let worldSettings: Set<String> = ["productionAPNs", "sandboxAPNs", "bundleID"]

    private static var usualSettings: [String: JSONValue] {
        let encoder = JSONEncoder()
        guard let data = try? encoder.encode(ReportedConfiguration(NotifierConfiguration())) else { return [:] }
        var reader = JSONReader(bytes: Array(data))
        let members = (try? reader.read())?.value.members ?? []
        return Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Problem {
    /// Which entry of the timeline it is about.
    fileprivate var timelineEntry: Int? {
        let parts = pointer.split(separator: "/")
        guard parts.count >= 2, parts[0] == "timeline" else { return nil }
        return Int(parts[1])
    }
}
