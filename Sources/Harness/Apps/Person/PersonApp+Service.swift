import FakeAPNs
import FakeGitLab
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What the person does about the notifier as a whole: a test, subscriptions in GitLab, signing out, leaving.
extension PersonApp {
    /// On the device on which they do everything, unless there is no network.
    func performOnService(_ action: AppAction) {
        run { [self] in
            let device = devices[home]
            guard device.hasApp, device.isOnline, device.api.isSignedIn else { return }
            switch action {
            case .sendTest: await sendTest(device.api)
            case .mirroring(let isOn): await mirror(isOn, device.api)
            case .importWatches: await importWatches(device.api)
            case .signOut: await signOutEverywhere(device.api)
            case .leave: await leave(device.api)
            default: preconditionFailure("only what is about the notifier as a whole comes here")
            }
        }
    }

    private func sendTest(_ api: AppClient) async {
        let askedAt = recorder.now
        guard let answer = await api.patiently({ try await $0.sendTest() }) else { return }
        recorder.reach(.testSent)
        guard recorder.record.tests.count < RunLimits.tests else { return }
        recorder.record.tests.append(
            TestRecord(
                person: username,
                notificationID: answer.notificationId,
                askedAt: askedAt,
                answeredAt: recorder.now,
                targets: answer.targetDevices
            )
        )
    }

    // MARK: Subscriptions

    private func mirror(_ isOn: Bool, _ api: AppClient) async {
        var change = SettingsChange()
        change.mirrorSubscriptions = isOn
        let wanted = change
        isMirroring = nil
        if await api.save(wanted) != nil { isMirroring = isOn }
    }

    /// Whatever is watched afterwards and was not before, the import has brought, also an earlier attempt whose answer was lost.
    private func importWatches(_ api: AppClient) async {
        let requestedAt = recorder.now
        guard let seen = try? gitlab.openItems(seenBy: username.text),
            let before = await api.patiently({ try await $0.watches() })
        else { return }
        guard let answer = await importAll(by: api), let after = await api.patiently({ try await $0.watches() }) else {
            // Nobody knows what of it is watched.
            for item in seen.keys.compactMap(\.inScenario) { noteImport(of: item, requestedAt, activeFrom: .never) }
            return
        }
        let known = Set(before.map(\.item))
        let new = after.filter { !known.contains($0.item) && $0.watchSource != Self.autoSource }
        for item in new.compactMap({ api.scenarioItem($0.item) }) {
            noteImport(of: item, requestedAt, activeFrom: recorder.now)
        }
        if !answer.items.isEmpty { recorder.reach(.watchesImported) }
        let seenAfter = try? gitlab.openItems(seenBy: username.text)
        guard seenAfter == seen, !recorder.wasTroubled(since: requestedAt) else { return }
        // What was watched before, and is no more, the person has ended: no import brings that.
        judge(answer, known.union(after.map(\.item)), seen, api, since: requestedAt)
    }

    /// One import after the other, until nothing is left to look at; nil when one has no answer.
    private func importAll(by api: AppClient) async -> ImportAnswer? {
        var whole: ImportAnswer?
        for _ in 0..<Self.mostImports where whole?.complete != true {
            let cursor = whole?.nextCursor
            guard let part = await api.patiently({ try await $0.importWatches(cursor: cursor) }) else { return nil }
            let items = (whole?.items ?? []) + part.items
            whole = part
            whole?.items = items
        }
        return whole
    }

    private static let mostImports = 100
    /// At how many items an import looks on average where the person's share of the requests is spent.
    private static let leastImported = 3

    private func noteImport(of item: Scenarios::ItemReference, _ requestedAt: Duration, activeFrom: Duration) {
        recorder.lastChoices.leaveAlone(item, of: username)
        recorder.record.watches.append(
            WatchRecord(person: username, item: item, requestedAt: requestedAt, activeFrom: activeFrom)
        )
    }

    /// Nothing is watched that the person is not subscribed to, and all of their items that they are subscribed to.
    private func judge(
        _ answer: ImportAnswer,
        _ watched: Set<NotifierKit::ItemReference>,
        _ seen: [FakeGitLab::ItemReference: SeenItem],
        _ api: AppClient,
        since requestedAt: Duration
    ) {
        for entry in answer.items {
            let item = NotifierKit::ItemReference(
                projectID: entry.projectId,
                kind: entry.itemType,
                iid: entry.itemIid
            )
            guard let name = api.scenarioItem(item)?.inGitLab, seen[name]?.isSubscribed != true else { continue }
            recorder.violate(
                .screenMistold,
                "\(username) was told that \(name) was imported, and is not subscribed to it"
            )
        }
        guard answer.complete else {
            if seen.count < Self.leastImported * Self.mostImports {
                recorder.violate(.screenMistold, "imports of \(username), who sees \(seen.count) items, come to no end")
            }
            return
        }
        for (name, truth) in seen.sorted(by: { $0.key.description < $1.key.description })
        where truth.isSubscribed && !truth.involvement.isEmpty {
            guard let item = name.inScenario, !watched.contains(api.reference(item)),
                !mayHaveEnded(item, since: requestedAt)
            else { continue }
            recorder.violate(.screenMistold, "\(username) is subscribed to \(name), and it was not imported")
        }
    }

    /// Whether the person chose, while an import was under way, to watch the item no more: by what was answered since then, or waits for its answer.
    private func mayHaveEnded(_ item: Scenarios::ItemReference, since start: Duration) -> Bool {
        if recorder.lastChoices.isWaiting(item, of: username) { return true }
        return recorder.record.preferences.contains { entry in
            guard entry.person == username, start <= entry.answeredAt else { return false }
            return entry.choice == .unwatched(item) || entry.choice == .dismissed(item)
        }
    }

    private static let autoSource = "auto"

    // MARK: Signing out, and leaving

    /// What is known of a request that ends the session by which it is asked.
    private enum Ending {
        case done
        /// Nobody knows: the answer to an attempt was lost, and the session is over since or there was no answer at all.
        case possible
        case refused
    }

    private func end(by api: AppClient, _ call: (NotifierClient) async throws -> Void) async -> Ending {
        var attempts = 0
        let outcome: AppClient.Outcome<Void> = await api.ask { kit in
            attempts += 1
            try await call(kit)
        }
        switch outcome {
        case .answered: return .done
        case .refused: return attempts > 1 && !api.isSignedIn ? .possible : .refused
        case .unanswered: return .possible
        }
    }

    /// How long the person takes before they sign in anew: nothing may come to their devices meanwhile.
    private static let signedOutFor = Duration.minutes(3)

    /// Afterwards the person signs in on each device on which the app is.
    private func signOutEverywhere(_ api: AppClient) async {
        let requestedAt = recorder.now
        let ending = await end(by: api) { try await $0.revokeAllSessions() }
        guard ending != .refused else { return }
        if ending == .done { recorder.reach(.signedOut) }
        let present = devices.indices.filter { devices[$0].serverID != nil && !devices[$0].isRemoved }
        noteEnd()
        for index in present { endDevice(index, ending, requestedAt: requestedAt) }
        do { try await node.clock.sleep(for: Self.signedOutFor) } catch { return }
        for index in present where devices[index].hasApp {
            if await !pairNow(index) {
                guard await signIn(on: index) else { continue }
            }
            devices[index].isRemoved = false
            await tellPushToken(of: index)
        }
    }

    private func leave(_ api: AppClient) async {
        let requestedAt = recorder.now
        let ending = await end(by: api) { try await $0.removeAccount() }
        guard ending != .refused else { return }
        hasServer = false
        let forgottenAt = ending == .done ? recorder.now : nil
        changeRegistration { ($0.leftAt, $0.forgottenAt) = (requestedAt, forgottenAt) }
        for item in Set(recorder.record.watches.filter { $0.person == username }.map(\.item)) {
            recorder.endWatches(of: item, by: username, requestedAt: requestedAt)
        }
        for duty in recorder.record.resolved.scenario.world.duties where takesPart(in: duty.name) {
            var deed = DutyDeed(person: username, duty: duty.name, what: .left, id: "", datedAt: DutyDeed.whenHeard)
            (deed.sentAt, deed.answeredAt) = (requestedAt, forgottenAt)
            recorder.record.dutyDeeds.append(deed)
        }
        if ending == .done {
            recorder.departed(username)
            judgeGrant()
        }
        noteEnd()
        for index in devices.indices where devices[index].serverID != nil {
            endDevice(index, ending, requestedAt: requestedAt)
        }
    }

    /// What had come of a question to GitLab that was under way when somebody left is ended there as well, a little later.
    private static let longestQuestion = Duration.minutes(5)
    /// GitLab's access tokens live for two hours: the answer that brought the newest pair came since.
    private static let grantAge = Duration.hours(3)

    /// What the person had granted by GitLab's sign-in is over there too, also what was granted before they signed in again. Where an answer of
    /// GitLab's may have been lost, or it may refuse the question, nothing is said.
    private func judgeGrant() {
        guard signInBy != .token, recorder.record.resolved.scenario.world.gitlab.authenticatedLimit == nil else {
            return
        }
        simulation.schedule(after: Self.longestQuestion) { [self] in
            let isSure = !recorder.wasTroubled(since: .zero)
            guard gitlab.hasGrant(of: username.text, orFormer: isSure),
                isSure || !recorder.wasTroubled(since: recorder.now - Self.grantAge)
            else { return }
            recorder.violate(.askedAfterLeaving, "GitLab still lets the notifier in for \(username), who has left")
        }
    }

    /// Or may take part: that it ended for all, or for them, counts once that is answered.
    private func takesPart(in duty: String) -> Bool {
        let heard = recorder.record.dutyDeeds.filter { deed in
            deed.duty == duty && (![.left, .stopped].contains(deed.what) || deed.answeredAt != nil)
        }
        return heard.lastMembership(of: username)?.what == .joined
    }

    /// The notifier knows none of the person's devices any more, whatever their names stand for.
    private func noteEnd() {
        recorder.record.devicesEnds.append(DevicesEndRecord(person: username, at: recorder.now))
    }

    /// The notifier knows the device no more; the app on it finds out when it next asks.
    private func endDevice(_ index: Int, _ ending: Ending, requestedAt: Duration) {
        devices[index].isRemoved = true
        if ending == .done {
            let (token, number) = (devices[index].token.hex, devices[index].serverID)
            recorder.pushWatch.remove(token: token, of: number, at: recorder.now)
        }
        closeSpan(of: devices[index].name, requestedAt: requestedAt)
    }
}
