import Duties
import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// Holds that the devices of a person whose apps are open tell the same as the server, a minute after whatever changed last: once a minute it
/// reads everything there is from the server, as a device that has nothing, and looks at what the devices show.
///
/// Nothing is said of a device on which something waits, and of one whose requests had no answer in the last minutes: it pauses then.
///
/// Unchecked: simulation thread.
final class LikenessCheck: @unchecked Sendable {
    private static let interval = Duration.minutes(1)
    /// An app that was left without an answer asks again after five minutes at most.
    static let longestPause = Duration.minutes(6)
    /// What has waited longer for an answer may show what is old.
    static let longestAnswer = Duration.seconds(10)
    /// Pages of the history at most that are looked through for a notification.
    private static let mostPages = 50
    private weak var person: PersonApp?
    private var isRunning = false
    /// Notifications that the server has forgotten by now, and with them that they were read, which it tells nobody.
    private var gone: Set<String> = []

    init(of person: PersonApp) { self.person = person }

    /// Looks from now on, as long as an app of theirs is open; people with one device have nothing to compare.
    func begin() {
        guard let person, !isRunning, person.devices.count > 1 else { return }
        isRunning = true
        person.node.start { [self] in
            defer { isRunning = false }
            while isAnyOpen {
                do { try await person.node.clock.sleep(for: Self.interval) } catch { return }
                guard await look() else { return }
            }
        }
    }

    private var isAnyOpen: Bool { person?.devices.contains { $0.app.isInForeground } ?? false }

    /// What a device shows that may be judged, beside what the server tells; nil when it may not.
    private func shown(on index: Int, beside told: Lines) -> Lines? {
        guard let person else { return nil }
        let device = person.devices[index]
        guard device.isSettled(at: person.recorder.now) else { return nil }
        return Lines(device.app.memory.sync.shown, at: person.muteClock()).without(marks: gone, but: told)
    }

    /// Compares once, and where something differs again a minute later; false when that could not be done.
    private func look() async -> Bool {
        guard let person else { return false }
        let opened = person.devices.map(\.openings)
        guard let told = await read() else { return true }
        let suspects = person.devices.indices.filter { index in
            shown(on: index, beside: told).map { $0 != told } ?? false
        }
        guard !suspects.isEmpty else { return true }
        do { try await person.node.clock.sleep(for: Self.interval) } catch { return false }
        guard let again = await read(), again == told else { return true }
        for index in suspects where person.devices[index].openings == opened[index] {
            guard var shown = shown(on: index, beside: told), shown != told else { continue }
            let marks = shown.marks(notIn: told)
            if !marks.isEmpty {
                guard let listed = await listed() else { return true }
                gone.formUnion(marks.filter { !listed.contains($0) })
                shown = shown.without(marks: gone, but: told)
                guard shown != told else { continue }
            }
            person.recorder.violate(
                .devicesDiffer,
                "\(person.devices[index].name) of \(person.username) \(shown.difference(from: told))"
            )
        }
        return true
    }

    /// Ids of all notifications that the server has; nil when they cannot be read now, or are too many.
    private func listed() async -> Set<String>? {
        guard let person else { return nil }
        let kit = person.devices[person.home].api.kit
        var (ids, cursor): (Set<String>, String?) = ([], nil)
        for _ in 0..<Self.mostPages {
            guard let page = try? await kit.history(HistoryQuery(limit: 100, cursor: cursor)) else { return nil }
            ids.formUnion(page.notifications.map(\.id))
            cursor = page.nextCursor
            if cursor == nil { return ids }
        }
        return nil
    }

    /// Everything that the server has; nil when it cannot be read now.
    private func read() async -> Lines? {
        guard let person, person.devices[person.home].api.isSignedIn else { return nil }
        return await Lines.read(by: person.devices[person.home].api.kit, at: person.muteClock)
    }
}

extension PersonApp {
    /// When mutes count as over. Where clocks are set nobody can say which of them have ended by whose clock: all have.
    func muteClock() -> Date {
        recorder.record.faults.contains { $0.kind.place == .clock } ? .distantFuture : node.clock.wallNow.date
    }
}

extension PersonApp.DeviceState {
    /// Whether what its open app shows may be judged.
    func isSettled(at now: Duration) -> Bool {
        hasApp && !isRemoved && app.isInForeground && app.isOnline && app.memory.isSignedIn && !app.choices.isWaiting
            && app.lastTrouble.map { $0 + LikenessCheck.longestPause < now } ?? true
            && app.waitingSince.map { now <= $0 + LikenessCheck.longestAnswer } ?? true
    }
}

/// What somebody is shown of what all devices keep alike, a line for each thing.
struct Lines: Equatable {
    private var things: [String: String] = [:]
    /// What is done in turn.
    private var rota = DutyCopy()

    private static let mostPages = 20

    init() {}

    /// Everything that the server tells a device that has nothing; nil when it cannot be read now.
    static func read(by kit: NotifierClient, at now: () -> Date) async -> Lines? {
        var (lines, revision, snapshot): (Lines, UInt64?, UInt64?) = (Lines(), nil, nil)
        for _ in 0..<mostPages {
            guard let page = try? await kit.changes(since: revision, snapshot: snapshot) else { return nil }
            if page.reset { lines = Lines() }
            lines.take(page, at: now())
            (revision, snapshot) = (page.revision, page.snapshot)
            if !page.hasMore { return lines }
        }
        return nil
    }

    /// What the screens of an app show that asks for each by itself.
    init(
        watches: [WatchedItem],
        deniedActors: [DeniedActor],
        settings: NotifierKit::PersonSettings,
        at now: Date
    ) {
        for watch in watches { note(watch, now) }
        for actor in deniedActors { note(actor) }
        // When quiet hours end is no setting, and follows from the clock.
        var settings = settings
        settings.quietUntil = nil
        things["settings"] = "\(settings)"
    }

    /// Of it, what such screens show.
    var onScreens: Lines {
        var lines = Lines()
        lines.things = things.filter { name, _ in
            name == "settings" || name.hasPrefix("watch ") || name.hasPrefix("denied ")
        }
        return lines
    }

    /// What a device shows.
    init(_ copy: SyncCopy, at now: Date) {
        for watch in copy.watches.values { note(watch, now) }
        for (item, choice) in copy.choices { note(item, choice) }
        for actor in copy.deniedActors.values { note(actor) }
        for id in copy.readMarks.keys { note(id, isRead: true) }
        if let settings = copy.settings { things["settings"] = "\(settings)" }
        rota = copy.rota
    }

    /// What the server tells in a page.
    mutating func take(_ page: SyncPage, at now: Date) {
        for watch in page.changes.watches { note(watch, now) }
        for choice in page.changes.choices { note(choice.item, choice.choice) }
        for actor in page.changes.deniedActors { note(actor) }
        for mark in page.changes.readMarks { note(mark.notificationId, isRead: mark.read) }
        if let settings = page.changes.settings { things["settings"] = "\(settings)" }
        rota.take(page.changes)
        for deleted in page.deleted {
            switch deleted {
            case .watch(let item): things["watch \(Self.name(item))"] = nil
            case .deniedActor(let number): things["denied \(number)"] = nil
            case .duty(let id): rota.forget(duty: id)
            case .occurrence(let id): rota.turns[id] = nil
            case .dutyEvent(let id): rota.forget(event: id)
            case .dutyMute(let id): rota.mutes[id] = nil
            case .other: break
            }
        }
    }

    private mutating func note(_ watch: WatchedItem, _ now: Date) {
        let mute = watch.mutedUntil.flatMap { $0 > now ? WireCoding.instant($0) : nil }
        things["watch \(Self.name(watch.item))"] =
            "\(watch.watchedItemId ?? "not known to the server"), \(mute ?? "audible")"
    }

    /// That something is not watched holds also where nothing was ever chosen, and the server forgets it untold.
    private mutating func note(_ item: NotifierKit::ItemReference, _ choice: String) {
        things["choice \(Self.name(item))"] = choice == "unwatched" ? nil : choice
    }

    private mutating func note(_ actor: DeniedActor) {
        things["denied \(actor.gitlabUserId)"] = actor.displayName ?? "nameless"
    }

    private mutating func note(_ id: String, isRead: Bool) { things["mark \(id)"] = isRead ? "read" : nil }

    private static func name(_ item: NotifierKit::ItemReference) -> String {
        "\(item.projectID)\(item.kind.sign)\(item.iid)"
    }

    /// Ids of notifications that are read here and of which `told` says nothing.
    func marks(notIn told: Lines) -> [String] {
        things.keys.filter { $0.hasPrefix("mark ") && told.things[$0] == nil }.map { String($0.dropFirst(5)) }.sorted()
    }

    /// The same without the marks of those notifications, but for what `told` says of them.
    func without(marks ids: Set<String>, but told: Lines) -> Lines {
        var lines = self
        for id in ids where told.things["mark \(id)"] == nil { lines.things["mark \(id)"] = nil }
        return lines
    }

    /// The first thing in which they differ, in words.
    func difference(from told: Lines) -> String {
        let names = Set(things.keys).union(told.things.keys).sorted()
        guard let name = names.first(where: { things[$0] != told.things[$0] }) else {
            return rota == told.rota ? "shows the same" : "shows other duties: \(rota.difference(from: told.rota))"
        }
        return "shows of \(name): \(things[name] ?? "nothing"); the server says: \(told.things[name] ?? "nothing")"
    }
}

extension DutyCopy {
    /// The first thing in which they differ, in words.
    fileprivate func difference(from told: DutyCopy) -> String {
        func first<Value: Equatable>(_ part: KeyPath<DutyCopy, [EntityID: Value]>) -> String? {
            let (own, other) = (self[keyPath: part], told[keyPath: part])
            let id = Set(own.keys).union(other.keys).sorted().first { own[$0] != other[$0] }
            return id.map {
                "\(own[$0].map { "\($0)" } ?? "no \($0)"); the server says: \(other[$0].map { "\($0)" } ?? "none")"
            }
        }
        return first(\.duties) ?? first(\.members) ?? first(\.turns) ?? first(\.ends) ?? first(\.gifts) ?? first(
            \.mutes
        ) ?? "in nothing"
    }
}
