import Configuration
import Platform

/// Commits what was read, and keeps count of how reading goes.
extension AccountPoller {
    /// When what is done rarely is tried again that the store has refused.
    static let storeRetry = Duration.minutes(1)
    /// For so long readings are given up in cycle after cycle.
    private static let longestGivingUp = Duration.seconds(30)

    /// Commits, in the store and then in what is remembered; false when the store refused, which leaves everything to be read again.
    func store(_ commit: FactCommit, of item: PolledItem?) async -> Bool {
        guard !commit.isEmpty else { return true }
        let now = context.time.wallNow
        do {
            let outcome = try await context.store.transaction { [pipeline = context.pipeline] store in
                try pipeline.take(commit, at: now, in: store)
            }
            polled?.take(commit.advance, of: item?.watched.watch, at: context.time.monotonicNow)
            if !outcome.notifications.isEmpty { context.outboxSignal.send() }
            if !outcome.ruleOutcome.held.isEmpty { context.digestSignal.send() }
            if !outcome.ruleOutcome.tagged.isEmpty { mayHaveTags = true }
            if commit.move != nil { mayHaveMoves = true }
            outcome.write(to: context.log, accountField)
            if commit.droppedSystemNotes > 0 {
                let count: Log.Field = ("fact.count", .count(commit.droppedSystemNotes))
                context.log.write(.factSystemNote, [accountField, count])
            }
            outcome.measure(in: context.metrics, of: id, at: now)
            return true
        } catch is NotificationPipeline.WatchRemoved {
            return false
        } catch is NotificationPipeline.KindsChanged {
            giveUpReadings(of: item)
            return false
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
            if commit.advance.hasApprovals {
                item?.metadataLists.lookAgain(at: context.time.monotonicNow.advanced(by: Self.storeRetry))
            }
            return false
        }
    }

    /// The person has chosen other kinds of activity than the cycle judges by: the rest of it reads nothing that they decide about, and the next
    /// one, which knows of the choice, comes at once.
    private func giveUpReadings(of item: PolledItem?) {
        mustLoad = true
        haveKindsChanged = true
        givingUpSince = givingUpSince ?? context.time.monotonicNow
        item?.metadataLists.readAgain(at: context.time.monotonicNow)
    }

    /// By which kinds of activity the cycle under way judges; nil while nothing is polled. Nil as well where those before it have given
    /// readings up for a while: whoever goes on choosing is not kept without news, and what is told goes by a choice of a moment ago.
    var judgedKinds: FactCommit.JudgedKinds? {
        guard let polled else { return nil }
        let now = context.time.monotonicNow
        if !haveKindsChanged, let givingUpSince, givingUpSince.duration(to: now) > Self.longestGivingUp { return nil }
        return FactCommit.JudgedKinds(wanted: polled.rules.activities, standard: context.configuration.activitySet)
    }

    /// GitLab has answered.
    func countRead() { _ = take(.answered) }

    /// Counts a finished reading and says what was remarkable about it.
    func note<Scan: ListScan>(_ reading: ListReading<Scan>, of list: PolledList, watch: WatchID?) {
        guard !reading.isSpared else { return context.metrics.count(.looksShared, 1, of: id) }
        countRead()
        compareClocks(reading.serverTime)
        let log = context.log
        if reading.isUnchanged { log.write(.scanNotModified, fields(watch)) }
        if reading.requests > 1 {
            log.write(.scanPageFollowed, fields(watch) + [("scan.requests", .count(reading.requests))])
        }
        if reading.scan.restarts > 0 {
            log.write(.scanRestarted, fields(watch) + [("scan.restarts", .count(reading.scan.restarts))])
        }
        guard !reading.scan.found.isEmpty, let largest = list.seen.ids.largest else { return }
        let late = reading.scan.found.count { $0.id < largest }
        if late > 0 { log.write(.scanLateRow, fields(watch) + [("scan.rows", .count(late))]) }
    }

    /// Counts a failed reading; a 401 is looked into at once.
    func take(_ error: GitLabError, watch: WatchID?) async {
        guard !Task.isCancelled else { return }
        let actions = take(.failed(error))
        if case .notFound(isRoute: true) = error { polled?.capabilityWatch.noteMissingRoute() }
        if error != .notAsked { context.log.write(.scanFailed, fields(watch) + [("error", .text(error.code))]) }
        guard actions.contains(.confirmToken) else { return }
        if take(await confirmToken()).contains(.holdBack) { gate.close() }
    }

    func fields(_ watch: WatchID?) -> [Log.Field] {
        guard let watch else { return [accountField] }
        return [accountField, ("watch.id", .number(watch.rawValue))]
    }
}
