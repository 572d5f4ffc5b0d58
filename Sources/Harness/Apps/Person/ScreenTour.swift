import FakeGitLab
import FoundationEssentials
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// A person goes through the screens of the app on one device, each of which asks the server by itself.
///
/// What several of them tell has to agree, and the list of GitLab's items has to hold what GitLab holds. Nothing is said where something changed
/// while they were read, or a request had no answer.
struct ScreenTour {
    /// Small, so that there is more than one page.
    private static let historyPage: Int64 = 7
    private static let wholePage: Int64 = 100
    private static let itemPage: Int64 = 10
    private static let mostPages = 40

    private let person: PersonApp
    private let device: PersonApp.DeviceState

    private var kit: NotifierClient { device.api.kit }
    private var recorder: Recorder { person.recorder }
    private var who: String { "\(device.name) of \(person.username)" }

    /// What the screens that the server answers out of its own store show.
    fileprivate struct Own {
        var dataVersion: UInt64
        var notificationVersion: UInt64
        var told: Lines
        var watches: [WatchedItem]
        var settings: NotifierKit::PersonSettings
        var shown: Lines
        var devices: [RegisteredDevice]
        var status: ServerStatus
        var asks: [Ask]
        var history: [AppNotification]
        var wholeHistory: [AppNotification]
        /// Of the item that the newest notification is about; empty where it is about none.
        var historyOfNewest: [String]
        var unread: UnreadCount
    }

    init(of person: PersonApp, on device: PersonApp.DeviceState) {
        (self.person, self.device) = (person, device)
    }

    /// Reads every screen once, and says what is wrong with what they show.
    func walk() async {
        guard device.api.isSignedIn else { return }
        do {
            if let own = try await readOwn() {
                compare(own)
                try await compareItems(own)
            }
        } catch let error as NotifierError {
            guard error.status == 500 else { return }
            recorder.violate(.screenMistold, "\(who) was answered \(error.code): \(error.message)")
        } catch {
            // The world is over.
        }
    }

    // MARK: What the server keeps

    /// Nil where something changed meanwhile.
    private func readOwn() async throws -> Own? {
        let before = try await kit.ping()
        let askedAt = recorder.now
        let first = try await kit.status()
        guard let told = await Lines.read(by: kit, at: person.muteClock) else { return nil }
        let (watches, denied) = (try await kit.watches(), try await kit.deniedActors())
        let settings = try await kit.settings()
        let whole = try await readHistory(pages: Self.wholePage)
        let own = Own(
            dataVersion: before.dataVersion,
            notificationVersion: before.notificationVersion,
            told: told.onScreens,
            watches: watches,
            settings: settings,
            shown: Lines(watches: watches, deniedActors: denied, settings: settings, at: person.muteClock()),
            devices: try await kit.devices(),
            status: try await kit.status(),
            asks: try await kit.asks(),
            history: try await readHistory(pages: Self.historyPage),
            wholeHistory: whole,
            historyOfNewest: try await readHistory(of: whole.first?.item),
            unread: try await kit.unread()
        )
        let last = try await kit.status()
        let after = try await kit.ping()
        let isSame =
            after.dataVersion == before.dataVersion && after.notificationVersion == before.notificationVersion
        guard isSame, first.asks == last.asks, first.account == last.account else { return nil }
        note(own, askedAt: askedAt)
        noteWords(own)
        return own
    }

    /// The whole history, in pages of that many.
    private func readHistory(pages length: Int64) async throws -> [AppNotification] {
        var (all, cursor): ([AppNotification], String?) = ([], nil)
        for _ in 0..<Self.mostPages {
            let page = try await kit.history(HistoryQuery(limit: length, cursor: cursor))
            all += page.notifications
            cursor = page.nextCursor
            if cursor == nil { break }
        }
        return all
    }

    private func readHistory(of item: NotifierKit::ItemReference?) async throws -> [String] {
        guard let item else { return [] }
        return try await kit.history(HistoryQuery(limit: Self.wholePage, item: item)).notifications.map(\.id)
    }

    /// What only GitLab's ledger can judge.
    private func note(_ own: Own, askedAt: Duration) {
        guard recorder.record.screens.count < RunLimits.screens else { return }
        let items = own.asks.compactMap { ask in ask.item.flatMap(person.api.scenarioItem) }
        recorder.record.screens.append(
            ScreenRecord(
                person: person.username,
                device: device.name,
                askedAt: askedAt,
                answeredAt: recorder.now,
                accountState: own.status.account.state,
                tokenExpiresOn: own.status.account.tokenExpiresOn,
                quietUntil: own.settings.quietUntil.map(sinceStart),
                asks: items,
                troubleSince: own.status.account.troubleSince.map(sinceStart),
                isSetAside: own.status.pollState.setAsideUntil != nil,
                oldest: own.wholeHistory.map(\.sentAt).min().map(sinceStart)
            )
        )
        recorder.told(own.settings, to: person.username, on: device.name, askedAt: askedAt)
        recorder.reach(.screensShown)
    }

    /// What the lists say of each notification and of each who waits, for comparison with pushes and items.
    private func noteWords(_ own: Own) {
        let (reader, place) = (person.username, device.name)
        for entry in own.wholeHistory {
            let words = PayloadReader.Words(
                notificationID: entry.id,
                title: entry.title,
                body: entry.body,
                address: entry.webUrl
            )
            recorder.noteListed(words, of: reader, on: place)
        }
        // What a program asks is in its own words.
        for ask in own.asks where ask.kind != "approval_needed" {
            guard let item = ask.item.flatMap(person.api.scenarioItem) else { continue }
            recorder.noteListed(
                .ask(on: item),
                id: ask.id,
                title: ask.title,
                text: ask.itemTitle ?? "",
                address: ask.webUrl,
                of: reader,
                on: place
            )
        }
    }

    /// An instant of the server's, in whole seconds.
    private func sinceStart(_ date: Date) -> Duration {
        let instant = WallTime(secondsSinceEpoch: Int64(date.timeIntervalSince1970.rounded()))
        return recorder.record.resolved.scenario.start.duration(to: instant)
    }

    private func compare(_ own: Own) {
        if own.shown != own.told { mistold("\(own.shown.difference(from: own.told)), where all devices are told it") }
        let counted = own.status.watchedItems.count
        if counted != own.watches.count { mistold("counts \(counted) watched items and lists \(own.watches.count)") }
        if own.status.asks.open != own.asks.count {
            mistold("counts \(own.status.asks.open) who wait and lists \(own.asks.count)")
        }
        compareReminders(own.asks)
        compareDevices(own.devices)
        compareHistory(own)
        compareWithFormer(own)
    }

    /// Nobody is told again sooner than the first reminder, or "Later", comes after they were told of it or it was known.
    private func compareReminders(_ asks: [Ask]) {
        guard let first = recorder.record.resolved.scenario.notifier.reminderDelays.min(),
            !recorder.record.faults.contains(where: { $0.kind.place == .clock })
        else { return }
        let least = Double(min(first, .hours(1)).components.seconds) - 1
        for ask in asks where ask.item != nil {
            let known = min(ask.raisedAt, ask.toldAt ?? ask.raisedAt)
            guard let remindAt = ask.remindAt, remindAt.timeIntervalSince(known) < least else { continue }
            mistold("says that \(ask.title) comes again \(Int(remindAt.timeIntervalSince(known))) s after it was known")
        }
    }

    /// What is listed changes with one of the numbers by which apps know that there is something new; they would not ask otherwise.
    private func compareWithFormer(_ own: Own) {
        let listed = Listed(own)
        defer { person.formerScreens = listed }
        // A backup brings old numbers back, and what they stand for then is something else.
        let isBroughtBack = recorder.record.faults.contains { [.database, .disk].contains($0.kind.place) }
        guard let former = person.formerScreens, former.versions == listed.versions, !isBroughtBack else { return }
        for (name, place) in Listed.lists where former[keyPath: place] != listed[keyPath: place] {
            mistold("is told that nothing has changed, and lists other \(name) than before")
        }
    }

    /// What lists held, and the numbers by which they were known.
    struct Listed {
        fileprivate var versions: [UInt64]
        private var watches: [String]
        private var devices: [String]
        private var asks: [String]

        fileprivate static var lists: [(name: String, place: KeyPath<Listed, [String]>)] {
            [("watched items", \.watches), ("devices", \.devices), ("people who wait", \.asks)]
        }

        fileprivate init(_ own: Own) {
            versions = [own.dataVersion, own.notificationVersion]
            watches = own.watches.compactMap(\.watchedItemId)
            devices = own.devices.map { "\($0.deviceId) \($0.platform) \($0.state)" }
            asks = own.asks.map(\.askId)
        }
    }

    private func compareDevices(_ listed: [RegisteredDevice]) {
        let current = listed.filter(\.isCurrent).map(\.deviceId)
        guard let own = device.serverID, !device.isRemoved else { return }
        // A replaced device may not have been let register yet.
        if !current.isEmpty, current != [own] { mistold("is said to be \(current), and is \(own)") }
        for other in person.devices where other.serverID != nil && !other.isRemoved {
            guard let entry = listed.first(where: { $0.deviceId == other.serverID }) else { continue }
            if entry.platform != other.platform.rawValue { mistold("lists \(other.name) as \(entry.platform)") }
        }
    }

    /// Pages are without gaps and repetitions, the newest first, and count as many unread as the badge says.
    private func compareHistory(_ own: Own) {
        let (ids, whole) = (own.history.map(\.id), own.wholeHistory.map(\.id))
        let isCut = own.history.count >= Self.mostPages * Int(Self.historyPage)
        if isCut ? ids != Array(whole.prefix(ids.count)) : ids != whole {
            mistold("shows a history of \(ids.count) in short pages, and of \(whole.count) in long ones")
        }
        if Set(whole).count != whole.count { mistold("shows something twice in its history") }
        // Where the notifier's clock was set, what came later may seem to be older; and so may what had to wait longer for the disk.
        let mayTurn = recorder.hasSeenFault(at: [.clock, .disk, .database])
        let isTurned = zip(own.wholeHistory, own.wholeHistory.dropFirst()).contains { $0.sentAt < $1.sentAt }
        if isTurned, !mayTurn {
            mistold("shows its history in another order than the newest first")
        }
        if let item = whole.isEmpty ? nil : own.wholeHistory[0].item {
            let about = own.wholeHistory.filter { $0.item == item }.prefix(Int(Self.wholePage)).map(\.id)
            if about != own.historyOfNewest { mistold("shows another history of its newest item than of all") }
        }
        let unread = own.wholeHistory.count { $0.counts && $0.readAt == nil }
        if unread != own.unread.count { mistold("counts \(own.unread.count) unread and lists \(unread)") }
        let subjects = own.unread.bySubject.reduce(0) { $0 + $1.count }
        if own.unread.moreSubjects == 0, subjects != own.unread.count {
            mistold("counts \(own.unread.count) unread, and \(subjects) by subject")
        }
    }

    // MARK: What GitLab has

    /// The open items of the person, page by page, against what the person would see in the browser.
    private func compareItems(_ own: Own) async throws {
        let askedAt = recorder.now
        let seen = try person.gitlab.openItems(seenBy: person.username.text)
        var (entries, cursor): ([ItemPage.Entry], String?) = ([], nil)
        for _ in 0..<Self.mostPages {
            let page = try await kit.items(ItemQuery(limit: Self.itemPage, cursor: cursor))
            entries += page.items
            cursor = page.nextCursor
            if cursor == nil { break }
        }
        let filter = ItemFilterCheck(number: person.tours, project: entries.first?.projectId)
        person.tours += 1
        let part = try await filter.read(by: kit)
        // Of what is watched nothing is said where that changed meanwhile.
        let watches = try await kit.ping().dataVersion == own.dataVersion ? Set(own.watches.map(\.item)) : nil
        let seenAfter = try person.gitlab.openItems(seenBy: person.username.text)
        guard seen == seenAfter, cursor == nil, !recorder.wasTroubled(since: askedAt) else { return }
        recorder.reach(.itemsListed)
        var listed: Set<FakeGitLab::ItemReference> = []
        for entry in entries {
            guard let item = person.api.scenarioItem(entry.item)?.inGitLab else { continue }
            if !listed.insert(item).inserted { mistold("lists \(item) twice") }
            guard let truth = seen[item] else {
                mistold("lists \(item), which is not open or not to be seen by \(person.username)")
                continue
            }
            compare(entry, truth, item)
            if let watches, entry.watched != watches.contains(entry.item) {
                mistold("lists \(item) as \(entry.watched ? "" : "not ")watched")
            }
        }
        for (item, truth) in seen.sorted(by: { $0.key.description < $1.key.description })
        where !truth.involvement.isEmpty || truth.mention == .certain {
            guard !listed.contains(item) else { continue }
            mistold("does not list \(item), which is open, and theirs")
        }
        let difference = part.flatMap { part in
            filter.difference(part, of: entries) { reference in
                let truth = person.api.scenarioItem(reference).flatMap { seen[$0.inGitLab] }
                return truth.map { !$0.involvement.isEmpty } ?? false
            }
        }
        if let difference { mistold(difference) }
    }

    private func compare(_ entry: ItemPage.Entry, _ truth: SeenItem, _ item: FakeGitLab::ItemReference) {
        if entry.title != truth.title { mistold("lists \(item) as \"\(entry.title)\", and it is \"\(truth.title)\"") }
        if entry.state != "opened" { mistold("lists \(item) as \(entry.state), and it is open") }
        let isMentioned = entry.involvement.contains("mentioned")
        if isMentioned ? truth.mention == .never : truth.mention == .certain {
            mistold("lists \(item) as \(isMentioned ? "" : "not ")mentioning \(person.username)")
        }
        let told = Set(entry.involvement).subtracting(["mentioned"])
        let involved = Set(truth.involvement.map(\.inAPI))
        if told != involved {
            mistold("lists \(item) as \(told.sorted()) of \(person.username), and it is \(involved.sorted())")
        }
    }

    private func mistold(_ what: String) { recorder.violate(.screenMistold, "\(who) \(what)") }
}

extension SeenItem.Involvement {
    /// The API's word.
    fileprivate var inAPI: String {
        switch self {
        case .author: "authored"
        case .assignee: "assigned"
        case .reviewer: "reviewer"
        }
    }
}
