import FakeGitLab
import NotifierKit
import Platform
import Scenarios
import Verdict

/// What the person lets the notifier do once more: look at one item's subscription, or push what it had given up.
extension PersonApp {
    /// The watch list follows GitLab's subscription of one watched item, or GitLab follows the watch list.
    func syncSubscription(of item: Scenarios::ItemReference, _ direction: SyncDirection) {
        run { [self] in
            let device = devices[home]
            guard device.hasApp, device.isOnline, device.api.isSignedIn else { return }
            let (api, wanted) = (device.api, device.api.reference(item))
            guard let list = await api.patiently({ try await $0.watches() }),
                let entry = list.first(where: { $0.item == wanted })?.watchedItemId
            else { return }
            let requestedAt = recorder.now
            let before = seen(item)
            recorder.lastChoices.leaveAlone(item, of: username)
            var attempts = 0
            let outcome: AppClient.Outcome<SyncAnswer> = await api.ask { kit in
                attempts += 1
                return try await kit.syncWatch(entry: entry, direction)
            }
            switch outcome {
            case .answered(let answer):
                recorder.reach(.subscriptionSynced)
                if direction == .pull, !answer.watching { endWatch(of: item, requestedAt, answeredAt: recorder.now) }
                judge(answer, direction, item, before, isFirst: attempts == 1, since: requestedAt)
            // An earlier attempt, whose answer was lost, may have ended it.
            case .refused: if attempts > 1, direction == .pull { endWatch(of: item, requestedAt, answeredAt: .never) }
            case .unanswered: if direction == .pull { endWatch(of: item, requestedAt, answeredAt: .never) }
            }
        }
    }

    /// As the person sees it in GitLab; nil for what is not open, or not to be seen by them.
    private func seen(_ item: Scenarios::ItemReference) -> SeenItem? {
        (try? gitlab.openItems(seenBy: username.text))?[item.inGitLab]
    }

    private func endWatch(of item: Scenarios::ItemReference, _ requestedAt: Duration, answeredAt: Duration) {
        recorder.endWatches(of: item, by: username, requestedAt: requestedAt, endedAt: answeredAt)
        recorder.record.preferences.append(
            PreferenceRecord(
                person: username,
                choice: .unwatched(item),
                requestedAt: requestedAt,
                answeredAt: answeredAt
            )
        )
    }

    /// What the answer says is how it is in GitLab, where nothing stood in the way and nobody changed it meanwhile.
    private func judge(
        _ answer: SyncAnswer,
        _ direction: SyncDirection,
        _ item: Scenarios::ItemReference,
        _ before: SeenItem?,
        isFirst: Bool,
        since requestedAt: Duration
    ) {
        // What is chosen on another device meanwhile may go to GitLab, too.
        guard let before, let after = seen(item), isMirroring == false, !recorder.wasTroubled(since: requestedAt) else {
            return
        }
        guard direction == .push || before.isSubscribed == after.isSubscribed else { return }
        let wanted = direction == .push || before.isSubscribed
        let isChangeRight = direction == .pull || !isFirst || answer.changed != before.isSubscribed
        guard answer.gitlabSubscribed == wanted, answer.watching == wanted, after.isSubscribed == wanted, isChangeRight
        else {
            return recorder.violate(
                .screenMistold,
                "\(username), subscribed to \(item): \(before.isSubscribed), was told after a \(direction.rawValue) "
                    + "that it is watched: \(answer.watching), subscribed to: \(answer.gitlabSubscribed), changed: "
                    + "\(answer.changed); in GitLab it is \(after.isSubscribed)"
            )
        }
    }

    // MARK: Sending again

    /// At so many notifications about one item the person taps.
    private static let mostSentAgain = 20

    /// The person lets all that was given up of what they were told about an item go again; reminders are of no use later.
    func sendAgain(about item: Scenarios::ItemReference) {
        run { [self] in
            let device = devices[home]
            guard device.hasApp, device.isOnline, device.api.isSignedIn else { return }
            let (api, wanted) = (device.api, device.api.reference(item))
            let query = HistoryQuery(limit: 100, item: wanted)
            guard let page = await api.patiently({ try await $0.history(query) }) else { return }
            let told = page.notifications.filter { $0.type == Self.activity }.prefix(Self.mostSentAgain)
            for id in told.map(\.id) { await sendAgain(id, by: api) }
        }
    }

    private func sendAgain(_ id: String, by api: AppClient) async {
        let askedAt = recorder.now
        // What has expired is refused.
        guard let answer = await api.patiently({ try await $0.redrive(id) }), answer.redriven > 0 else { return }
        recorder.reach(.sentAgain)
        guard recorder.record.sentAgain.count < RunLimits.tests else { return }
        recorder.record.sentAgain.append(
            TestRecord(
                person: username,
                notificationID: id,
                askedAt: askedAt,
                answeredAt: recorder.now,
                targets: answer.redriven
            )
        )
    }

    /// The API's word for what somebody did on GitLab.
    private static let activity = "activity"
}
