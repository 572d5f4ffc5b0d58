import Configuration
import HTTP
import Platform

/// Sweeps: one request for many items, which tells what has changed among them.
extension AccountPoller {
    /// So few sweeps are asked one after the other: tasks of their own would cost more than they gain.
    private static let fewSweeps = 2

    /// Asks every sweep of the account, a few at a time.
    func sweep() async {
        guard let count = polled?.sweeps.count, count > 0 else { return }
        guard count > Self.fewSweeps else { return await askSweeps() }
        await work(on: count) { await $0.askSweeps() }
    }

    private func askSweeps() async {
        while !Task.isCancelled, let sweeps = polled?.sweeps, let place = cycle.nextSweep(of: sweeps.count) {
            await ask(sweeps[place])
        }
    }

    private func ask(_ list: SweptList) async {
        let startedAt = context.time.monotonicNow
        guard let polled, let question = list.progress.question(at: startedAt) else { return }
        takeHints(in: list)
        guard !mayRest(list, at: startedAt) else { return }
        let mustAsk = question == .everything && !mayLeaveEverything(of: list, at: startedAt)
        guard mustAsk || !take(othersLookedAt(list, askedAt: startedAt), for: list) else { return }
        guard mustAsk || beginSweep(of: list) else { return }
        defer { endSweep(of: list) }
        let others = mustAsk ? nil : othersLooks(at: list, askedAt: startedAt)
        await RequestReason.$current.withValue(mustAsk ? .everything : .changes) {
            let isAsked = await ask(question, of: list, polled, unless: others, at: startedAt)
            // What the others saw has changed again since the turn was given away.
            if !isAsked, !take(others?.lookedAt(context.time.monotonicNow), for: list) {
                _ = await ask(question, of: list, polled, unless: nil, at: startedAt)
            }
        }
    }

    private func mayRest(_ list: SweptList, at now: MonotonicInstant) -> Bool {
        guard list.progress.isAnswered, let lookedAt = list.lookedAt else { return false }
        return schedule.policy.maySkip(askedAt: lookedAt, at: now, items: polled?.items.count ?? 0)
    }

    /// Whether others are shown all that this account would be, as often as it would ask.
    private func mayLeaveEverything(of list: SweptList, at now: MonotonicInstant) -> Bool {
        let since = now.advanced(by: .zero - context.configuration.patrolInterval)
        return list.progress.mayLeaveEverything(at: now, admittedAt: list.admittedAt) && wereShown(list, since: since)
    }

    /// Lets others' looks stand for this account's sweep, of which the oldest began at `lookedAt`; false when they do not.
    private func take(_ lookedAt: MonotonicInstant?, for list: SweptList) -> Bool {
        guard let lookedAt else { return false }
        list.lookedAt = lookedAt
        context.metrics.count(.sweeps, 1, ["shared"], of: id)
        return true
    }

    /// Asks unless others' looks stand for it when its turn has come; false then.
    private func ask(
        _ question: SweepProgress.Question,
        of list: SweptList,
        _ polled: PolledAccount,
        unless others: RowLooks?,
        at startedAt: MonotonicInstant
    ) async -> Bool {
        let time = context.time
        let need = others.map { others in RequestNeed { others.lookedAt(time.monotonicNow) == nil } }
        do {
            let answer: PageResponse<ItemRow> = try await polled.reader.page(by: list.request(question), need: need)
            take(answer, to: question, of: list, from: startedAt)
            await storeDueDates(of: list)
            await storeDescriptions(of: list)
        } catch .spared {
            return false
        } catch {
            // What a limit holds back has not failed: it has its turn in a later cycle, and what is known of it holds.
            if !error.isHeldBack {
                list.forget()
                list.progress.takeFailure(
                    at: context.time.monotonicNow,
                    pace: schedule.policy.pace.interval(items: polled.items.count)
                )
            }
            context.metrics.count(.sweeps, 1, ["failed"], of: id)
            context.log.write(.sweepFailed, [accountField, ("error", .text(error.code))])
            await take(error, watch: nil)
        }
        return true
    }

    private func take(
        _ answer: PageResponse<ItemRow>,
        to question: SweepProgress.Question,
        of list: SweptList,
        from start: MonotonicInstant
    ) {
        let now = context.time.monotonicNow
        let before = list.validators
        var shown: Set<Int64> = []
        var serverTime: WallTime?
        countRead()
        switch answer {
        case .unchanged:
            context.metrics.count(.sweeps, 1, ["unchanged"], of: id)
            context.log.write(.scanNotModified, [accountField])
            if question == .everything { shown = Set(list.scope.iids) }
        case .page(let page):
            context.metrics.count(.sweeps, 1, ["changed"], of: id)
            serverTime = page.head.serverTime
            compareClocks(serverTime)
            show(page, to: question, in: list, at: now)
            shown = Set(page.rows.map(\.iid))
            list.remember(page.head.entityTag, of: question)
        }
        list.progress.take(
            answerTo: question,
            serverTime: serverTime,
            overlap: max(context.configuration.overlap, ItemAttention.settlingTime),
            at: now,
            next: pauses.patrol()
        )
        list.noteAnswer(from: start, holdsRows: !shown.isEmpty)
        // That everything looks as it did then says nothing of what has changed in between, where something has.
        if case .unchanged = answer, question == .everything, !list.isAsEverythingWas { return }
        shareRows(of: list, before: before, shown: shown, from: start)
    }

    /// Tells each item what the sweep showed of it. A list of everything that does not show an item is no proof that it is
    /// gone, but a reason to read it by itself (GitLab facts §18, trap 36).
    private func show(
        _ page: Page<ItemRow>,
        to question: SweepProgress.Question,
        in list: SweptList,
        at now: MonotonicInstant
    ) {
        var changed = 0
        for item in list.items {
            guard let row = page.rows.first(where: { $0.iid == item.watched.item.iid }) else {
                // What is not there need not be done; when it is again, the same row says by when.
                if question == .everything {
                    item.attention.vanish()
                    item.dueOn = nil
                }
                continue
            }
            item.describe(as: row, serverTime: page.head.serverTime)
            let age = page.head.serverTime.flatMap { server in row.fingerprint.updatedAt?.duration(to: server) }
            item.attention.appear(as: row.fingerprint, age: age ?? .zero, at: now)
            item.health.show()
            item.dueOn = polled.flatMap { row.fingerprint.dueOn(for: $0.account.gitlabUserID) }
            if item.attention.state.isChanged { changed += 1 }
        }
        guard changed > 0 else { return }
        _ = take(.changesSwept)
        context.log.write(.sweepChanged, [accountField, ("sweep.items", .count(changed))])
    }
}
