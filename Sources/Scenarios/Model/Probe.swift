/// A path through the notifier that a scenario wants to have seen; a run that never took it is no evidence for it.
package enum Probe: String, Sendable, Hashable, CaseIterable {
    case baseline
    case stateEvent = "state-event"
    case approvalNote = "approval-note"
    case mentionMerged = "mention-merged"
    case ownActionFiltered = "own-action-filtered"
    case batched
    case paginationFollowed = "pagination-followed"
    case notModified = "not-modified"
    case lateRowFound = "late-row-found"
    case intervalAdapted = "interval-adapted"
    case sweepFoundChange = "sweep-found-change"
    case hotItemFound = "hot-item-found"
    case sharedLookFound = "shared-look-found"
    case wokenByLook = "woken-by-look"
    case budgetWaited = "budget-waited"
    case quotaSpread = "quota-spread"
    case instanceWaited = "instance-waited"
    case instanceNarrowed = "instance-narrowed"
    case gitlab429Honoured = "gitlab-429-honoured"
    case gitlabBackoff = "gitlab-backoff"
    case gitlabOutageDetected = "gitlab-outage-detected"
    case recoveredAfterOutage = "recovered-after-outage"
    case serviceTroublePush = "service-trouble-push"
    case authExpiredPush = "auth-expired-push"
    case tokenReplaced = "token-replaced"
    case tokenExpiringPush = "token-expiring-push"
    case webhookPolled = "webhook-polled"
    case grantRenewed = "grant-renewed"
    case grantEnded = "grant-ended"
    case grantRenewalFailed = "grant-renewal-failed"
    case apnsRetried = "apns-retried"
    case apnsUnknownOutcome = "apns-unknown-outcome"
    case apns410Deactivated = "apns-410-deactivated"
    case deviceHeld = "device-held"
    case deviceRevived = "device-revived"
    case providerTokenRenewed = "provider-token-renewed"
    case providerTokenReused = "provider-token-reused-after-restart"
    case leaseReclaimed = "lease-reclaimed"
    case upgradeNoticed = "upgrade-noticed"
    case fallbackBegan = "fallback-began"
    case fallbackEnded = "fallback-ended"
    case feedFact = "feed-fact"
    case feedMerged = "feed-merged"
    case pipelineEnd = "pipeline-end"
    case metadataChange = "metadata-change"
    case approvalListed = "approval-listed"
    case restartResumed = "restart-resumed"
    case catchUp = "catch-up"
    case pingUnchanged = "ping-unchanged"
    case pullShown = "pull-shown"
    case pullReset = "pull-reset"
    case silentPushPulled = "silent-push-pulled"
    case readElsewhere = "read-elsewhere"
    case pushSuppressed = "push-suppressed"
    case acknowledged
    case screensShown = "screens-shown"
    case itemsListed = "items-listed"
    case apiFuzzed = "api-fuzzed"
    case devicePaired = "device-paired"
    case deviceRemoved = "device-removed"
    case pushesStopped = "pushes-stopped"
    case choiceAsked = "choice-asked"
    case testSent = "test-sent"
    case subscriptionFollowed = "subscription-followed"
    case watchesImported = "watches-imported"
    case subscriptionSynced = "subscription-synced"
    case sentAgain = "sent-again"
    case signInRefused = "sign-in-refused"
    case signedOut = "signed-out"
    case personLeft = "person-left"
    case choiceSentLate = "choice-sent-late"
    case offlineQueueReplayed = "offline-queue-replayed"
    case syncConflict = "sync-conflict"
    case syncReset = "sync-reset"
    case devicePowerLost = "device-power-lost"
    case storeReopened = "store-reopened"
    case storeBegunAnew = "store-begun-anew"
    case choiceNotKept = "choice-not-kept"
    case sessionRefreshed = "session-refreshed"
    case sessionGivenAgain = "session-given-again"
    case receipt
    case muted
    case actorDenied = "actor-denied"
    case heldInQuietHours = "held-in-quiet-hours"
    case digestSent = "digest-sent"
    case dismissed
    case watchTapped = "watch-tapped"
    case autoWatched = "auto-watched"
    case moveFollowed = "move-followed"
    case storeFailed = "store-failed"
    case storeRecovered = "store-recovered"
    case backupMade = "backup-made"
    case backupRestored = "backup-restored"
    case powerLost = "power-lost"
    case damageRefused = "damage-refused"
    case reminderSent = "reminder-sent"
    case reminderHeld = "reminder-held"
    case dueReminder = "due-reminder"
    case askSettled = "ask-settled"
    case askPostponed = "ask-postponed"
    case signalTaken = "signal-taken"
    case signalRepeated = "signal-repeated"
    case signalLate = "signal-late"
    case signalLimited = "signal-limited"
    case dutyEnded = "duty-ended"
    case dutyOvertaken = "duty-overtaken"
    case dutyGiven = "duty-given"
    case dutyJoined = "duty-joined"
    case dutyLeft = "duty-left"
    case dutyStopped = "duty-stopped"
    case dutySentLate = "duty-sent-late"
    case dutyMuted = "duty-muted"
    case dutyChanged = "duty-changed"
    case dutyMemberAdded = "duty-member-added"

    /// One line for documentation and editors.
    var summary: String {
        switch self {
        case .baseline: "What existed before a person watched was taken as known, without a push."
        case .stateEvent: "A merge, close or reopening was found in the resource state events."
        case .approvalNote: "An approval was found as a system note."
        case .mentionMerged: "A mention seen as to-do and as note became one notification."
        case .ownActionFiltered: "A person's own action was found and not pushed to them."
        case .batched: "Several events on one item became one notification."
        case .paginationFollowed: "A list was read beyond its first page."
        case .notModified: "GitLab answered 304 to a conditional request."
        case .lateRowFound: "A row that became visible after younger ones was found."
        case .intervalAdapted: "The poll interval was widened for the number of watched items."
        case .sweepFoundChange: "A sweep over many items showed which of them had changed."
        case .hotItemFound: "News that an item's row did not show was found by reading the item again."
        case .wokenByLook: "A person's poll came early because another's had seen a change of an item that both watch."
        case .sharedLookFound: "News was found because another person's reading of the same list had shown a change."
        case .budgetWaited: "A poll waited for the account's request budget."
        case .quotaSpread: "A poll came later, so that what GitLab said it still answers lasts until its reset."
        case .instanceWaited: "A request waited a second or longer for what all people together may ask their GitLab."
        case .instanceNarrowed: "A GitLab was asked for less, since it limited several people or had become slow."
        case .gitlab429Honoured: "After a 429 nothing was asked before its Retry-After had passed."
        case .gitlabBackoff: "Polls were spaced out after repeated failures."
        case .gitlabOutageDetected: "GitLab was found to be down."
        case .recoveredAfterOutage: "The first complete poll after an outage succeeded."
        case .serviceTroublePush: "The person was told that GitLab cannot be reached."
        case .authExpiredPush: "The person was told that their GitLab token is dead."
        case .tokenReplaced: "Polling went on with a token the person had replaced."
        case .tokenExpiringPush: "The person was told that their GitLab token will expire."
        case .grantRenewed: "An access token of OAuth was renewed and stored."
        case .grantEnded: "GitLab ended an OAuth grant, so that the person had to agree again."
        case .grantRenewalFailed: "The renewal of an access token brought no answer and was tried again."
        case .webhookPolled: "An item was polled out of turn because a webhook named it."
        case .apnsRetried, .apnsUnknownOutcome, .apns410Deactivated, .deviceHeld, .deviceRevived: pushSummary
        case .providerTokenRenewed, .providerTokenReused: pushSummary
        case .leaseReclaimed: "A delivery that a dead process had claimed was claimed again."
        case .upgradeNoticed: "GitLab was found to run another release, and was asked again what it offers."
        case .fallbackBegan: "An item whose own lists were missing or failed was looked for in its project's feed."
        case .fallbackEnded: "An item's own lists could be relied on again."
        case .feedFact: "An event was notified from a project's activity feed."
        case .feedMerged: "An event that two sources reported without a common id became one notification."
        case .pipelineEnd: "A pipeline of a watched merge request was found to have succeeded or failed."
        case .metadataChange: "A change of labels, milestone, assignees or reviewers was found and notified."
        case .approvalListed: "An approval was found in the list of approvals that no system note reported."
        case .restartResumed: "After a restart polling went on from the stored state."
        case .receipt: "A device told the notifier that it had shown a notification, and the notifier took it."
        case .muted: "News of a muted item was kept from the person."
        case .actorDenied: "News of somebody on the deny-list was kept from the person."
        case .heldInQuietHours: "News was held for the end of the person's quiet hours."
        case .digestSent: "What was held was sent as a digest."
        case .dismissed: "News of a dismissed item was kept from the person."
        case .watchTapped: "The person watched an item from the notification that they were tagged there."
        case .storeFailed, .storeRecovered, .backupMade, .backupRestored, .powerLost, .damageRefused:
            storeSummary
        case .reminderSent, .reminderHeld, .dueReminder, .askSettled, .askPostponed: askSummary
        case .signalTaken, .signalRepeated, .signalLate, .signalLimited: askSummary
        case .autoWatched, .moveFollowed: watchSummary
        case .dutyEnded, .dutyOvertaken, .dutyGiven, .dutyJoined, .dutyLeft, .dutyStopped, .dutySentLate,
            .dutyMuted, .dutyChanged, .dutyMemberAdded:
            dutySummary
        case .pingUnchanged, .pullShown, .pullReset, .readElsewhere, .pushSuppressed, .acknowledged, .silentPushPulled,
            .screensShown, .itemsListed, .catchUp:
            pullSummary
        case .choiceSentLate, .offlineQueueReplayed, .syncConflict, .syncReset: syncSummary
        case .apiFuzzed, .choiceAsked, .devicePaired, .deviceRemoved, .pushesStopped, .testSent, .subscriptionFollowed,
            .watchesImported, .subscriptionSynced, .sentAgain, .signInRefused, .signedOut, .personLeft:
            routeSummary
        case .devicePowerLost, .storeReopened, .storeBegunAnew, .choiceNotKept: deviceStoreSummary
        case .sessionRefreshed, .sessionGivenAgain: sessionSummary
        }
    }

    /// Of those about sessions.
    private var sessionSummary: String {
        switch self {
        case .sessionGivenAgain: "An app that had no answer to a refresh showed the same token again, and went on."
        default: "An app whose access token had ended went on with new ones, without the GitLab token."
        }
    }

    /// Of those about what APNs answers.
    private var pushSummary: String {
        switch self {
        case .apnsRetried: "A push was sent again after a refusal for now."
        case .apnsUnknownOutcome: "A push whose fate was unknown was sent again under the same collapse id."
        case .apns410Deactivated: "A device was deactivated because APNs called its token dead."
        case .deviceHeld: "A device was held after BadDeviceToken without being deactivated."
        case .deviceRevived: "A held device took pushes again, because its app had registered again or a trial passed."
        case .providerTokenRenewed: "The provider token was renewed by age."
        case .providerTokenReused: "After a restart the former provider token was used again."
        default: preconditionFailure("\(self) is about no push")
        }
    }

    /// Of those about watches that nobody asked for.
    private var watchSummary: String {
        self == .autoWatched
            ? "An item was watched because the person was tagged there."
            : "The watch of an issue that was moved went on at the issue it became."
    }

    /// Of those about who waits for the person.
    private var askSummary: String {
        switch self {
        case .reminderSent: "The person was told again that somebody waits for them."
        case .reminderHeld: "A reminder was put off because GitLab could not be read."
        case .dueReminder: "The person was reminded of the day by which they have to have something done."
        case .askSettled: "What somebody waited for was dealt with."
        case .askPostponed: "The person wanted to be told later."
        case .signalTaken: "What a program said was taken."
        case .signalRepeated: "What a program said again was not told again."
        case .signalLimited: "A program was told to wait: it had said more in a minute than it may."
        case .signalLate: "What a program asked after it had said that it was settled was not asked."
        default: preconditionFailure("\(self) is about nobody who waits")
        }
    }

    /// Of those about what people do in turn.
    private var dutySummary: String {
        switch self {
        case .dutyEnded: "What was due was done or left out, and the notifier took it."
        case .dutyOvertaken: "What was due was done or left out on a device, and something earlier stands."
        case .dutyGiven: "What was due was given to somebody by hand, and the notifier took it."
        case .dutyJoined: "Somebody took part in a duty."
        case .dutyLeft: "Somebody took part in a duty no longer."
        case .dutyStopped: "A duty was ended for everybody."
        case .dutySentLate: "What was done about a duty was answered after it had waited on its device for a minute."
        case .dutyMuted: "News of a duty was kept from somebody who had muted it."
        case .dutyChanged: "What may change about a duty was changed while it went on, and the notifier took it."
        case .dutyMemberAdded: "Somebody who does not use the notifier came into a duty, or went."
        default: preconditionFailure("\(self) is about no duty")
        }
    }

    /// Of those about the notifier's database.
    private var storeSummary: String {
        switch self {
        case .storeFailed: "The notifier said that it could not write."
        case .storeRecovered: "The notifier said that it could write again."
        case .backupMade: "A backup was made and verified."
        case .backupRestored: "The notifier was started again from a backup."
        case .damageRefused: "The notifier refused to start on a database that was damaged while it was down."
        case .powerLost: "The notifier's machine lost its power, and with it what its disk had not been made sure of."
        default: preconditionFailure("\(self) is about no database")
        }
    }

    /// Of those about what devices keep alike.
    private var syncSummary: String {
        switch self {
        case .choiceSentLate: "A choice was answered that had waited on its device for a minute."
        case .offlineQueueReplayed:
            "A device had an answer to an envelope with several choices that it had kept for a minute."
        case .syncConflict: "A device heard that another one had chosen otherwise."
        case .syncReset: "A device that had a copy was told to begin anew."
        default: preconditionFailure("\(self) is about nothing that devices keep alike")
        }
    }

    /// Of those about routes that people use on their own.
    private var routeSummary: String {
        switch self {
        case .apiFuzzed: "Every operation of the API was tried with requests that it has to refuse."
        case .choiceAsked: "A choice was made by a route of its own, and answered."
        case .devicePaired: "A device joined by the code that another device showed."
        case .pushesStopped: "An app told the notifier that no pushes are wanted on its device."
        case .deviceRemoved: "A person removed one of their devices."
        case .testSent: "The notifier confirmed a test notification that a person had asked for."
        case .subscriptionFollowed: "A subscription in GitLab was changed as the watch list was."
        case .subscriptionSynced: "A watched item and the person's subscription to it in GitLab were made to agree."
        case .signInRefused: "Sign-ins through GitLab that came to no end were answered so."
        case .sentAgain: "Pushes that had been given up went again, as the person wished."
        case .watchesImported: "What a person is subscribed to in GitLab was watched at their wish."
        case .signedOut: "All sessions and devices of a person were signed out at once."
        case .personLeft: "The notifier forgot somebody who had left."
        default: preconditionFailure("\(self) is about no route")
        }
    }

    /// Of those about where a device keeps what was chosen.
    private var deviceStoreSummary: String {
        switch self {
        case .devicePowerLost: "The battery of a device died, and its disk lost what it had not been made sure of."
        case .storeReopened: "The app read what it had kept, after its device was off or its disk was spoilt."
        case .storeBegunAnew: "The app found what it had kept damaged, said so, and began anew."
        case .choiceNotKept: "The app told its person that it could not keep what they chose."
        default: preconditionFailure("\(self) is about no device's store")
        }
    }

    private var pullSummary: String {
        switch self {
        case .catchUp: "An app read what is new, or the history, from the notifier."
        case .pullReset: "An app whose place the server did not know read everything that is kept."
        case .silentPushPulled: "A silent push woke an app, which fetched what was changed on another device."
        case .readElsewhere: "An app learned that something was read on another device."
        case .pingUnchanged: "An app in the foreground asked whether anything is new, and nothing was."
        case .pullShown: "An app showed by itself what no push had brought."
        case .pushSuppressed:
            "A push came to an app in the foreground that had shown its news already, and was not shown."
        case .acknowledged: "The server took it from an app that it had shown its news."
        case .screensShown: "Somebody went through the screens of the app, and nothing changed meanwhile."
        case .itemsListed: "An app listed the items of its person while nothing was wrong with GitLab."
        default: preconditionFailure("\(self) is about no app that asks")
        }
    }
}
