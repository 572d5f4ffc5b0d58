import Platform

/// Lets others' sweeps stand for those of this account, and wakes and is woken where one shows a change.
extension AccountPoller {
    // MARK: Taking

    /// What others have seen of the rows of a list, for an account that came at `askedAt` to ask for what has changed in it; nil when it
    /// must look itself whatever they saw.
    func othersLooks(at list: SweptList, askedAt: MonotonicInstant) -> RowLooks? {
        guard let looks = context.looks, let lookedAt = list.lookedAt, case .full(let policy?) = cycle.kind else {
            return nil
        }
        var rows: [RowLooks.Row] = []
        rows.reserveCapacity(list.items.count)
        for item in list.items {
            guard let validator = item.attention.validator else { return nil }
            rows.append(RowLooks.Row(item: item.shared, place: item.place, validator: validator))
        }
        return RowLooks(
            looks: looks,
            rows: rows,
            since: lookedAt,
            cycleInterval: policy.cycleInterval,
            askedAt: askedAt
        )
    }

    /// As ``RowLooks/lookedAt(_:)`` for an account that comes to ask now, at `askedAt`. Nothing is copied for it, since few cycles have to
    /// wait for their turn after it.
    func othersLookedAt(_ list: SweptList, askedAt: MonotonicInstant) -> MonotonicInstant? {
        guard let looks = context.looks, let lookedAt = list.lookedAt, case .full(let policy?) = cycle.kind else {
            return nil
        }
        let now = context.time.monotonicNow
        var substitute = SweepSubstitute(cycleInterval: policy.cycleInterval, askedAt: askedAt, now: now)
        let isSpared = looks.look(at: list.items, \.shared, in: \.place) { item, known in
            guard let validator = item.attention.validator else { return false }
            return substitute.take(known, of: validator, since: lookedAt)
        }
        return isSpared ? substitute.lookedAt : nil
    }

    /// Takes over what others were shown of rows, where the item's own lists tell all that has come: they are read at once, by this account's
    /// own token, and no sweep of its own has to show the row first.
    func takeHints(in list: SweptList) {
        guard let looks = context.looks, let lookedAt = list.lookedAt, case .full(_?) = cycle.kind,
            looks.haveRowsChanged(since: lookedAt)
        else { return }
        for item in list.items where item.health.isDue(at: cycle.startedAt) {
            guard let validator = item.attention.validator else { continue }
            let hint = looks.look(at: item.shared, in: item.place) { known in
                known.successor(ofRow: validator, since: lookedAt).map { ($0, movedAt: known.movedAt(row: $0)) }
            }
            guard let (successor, movedAt) = hint ?? nil else { continue }
            let now = context.time.monotonicNow
            item.attention.takeHint(successor, movedAt: movedAt ?? now, at: now)
            context.metrics.count(.rowsHinted, 1, of: id)
            _ = take(.hinted)
        }
    }

    /// Begins to ask for the rows of a list; false when that is left to another account, which is asking for them at this moment: it wakes
    /// this one where it is shown a change. Never twice in a row.
    func beginSweep(of list: SweptList) -> Bool {
        guard let looks = context.looks, let watcher else { return true }
        let isBegun = looks.beginSweep(of: watcher.id, at: list.items.map(\.shared), at: context.time.monotonicNow)
        list.hasGivenWay = !isBegun && !list.hasGivenWay
        return !list.hasGivenWay
    }

    /// Ends what ``beginSweep(of:)`` began.
    func endSweep(of list: SweptList) {
        guard let looks = context.looks, let watcher else { return }
        looks.endSweep(of: watcher.id, at: list.items.map(\.shared))
    }

    /// Whether every row of the list as this account knows it was in an answer to somebody since `instant`.
    func wereShown(_ list: SweptList, since instant: MonotonicInstant) -> Bool {
        guard let looks = context.looks else { return false }
        let items = list.items.filter { item in
            guard let row = item.shownRow else { return true }
            return !row.wasShown(since: instant)
        }
        return looks.look(at: items, \.shared, in: \.place) { item, known in
            guard let validator = item.attention.validator, let shownAt = known.shownAt(row: validator) else {
                return false
            }
            item.shownRow = ShownRow(mark: known.rowMark, at: shownAt)
            return shownAt >= instant
        }
    }

    private func standing(
        ofRowOf item: PolledItem,
        since instant: MonotonicInstant,
        in looks: SharedLooks
    ) -> ListLooks.Standing {
        guard let validator = item.attention.validator else { return .unknown }
        return looks.standing(of: validator, since: instant, at: SharedLooks.List(item: item.shared, list: .row))
    }

    // MARK: Giving

    /// Tells others what a sweep that began at `start` showed of the rows of its items, of which the answer held those of the numbers `shown`;
    /// `before` is what each looked like.
    ///
    /// An answer about what has changed that does not show an item says that it has not, unless this person may not see it any more:
    /// therefore nobody is believed alone for long (``SweepSubstitute``).
    func shareRows(of list: SweptList, before: [String?], shown: Set<Int64>, from start: MonotonicInstant) {
        guard let looks = context.looks else { return }
        let sights = zip(list.items, before).compactMap { item, previous -> SharedLooks.Sight? in
            guard let validator = item.attention.validator else { return nil }
            let row = SharedLooks.List(item: item.shared, list: .row)
            return SharedLooks.Sight(
                list: row,
                validator: validator,
                previous: previous,
                frame: item.attention.frame,
                movedAt: item.attention.movedAt,
                isShown: shown.contains(item.watched.item.iid)
            )
        }
        looks.take(sights, look(from: start))
    }

    // MARK: Waking

    /// How long those who are woken by one change take at least to ask, each at a time of its own: so many of them, and no longer than that.
    private static let wakeSpacing = Duration.milliseconds(25)
    private static let longestWake = Duration.seconds(10)

    /// Others have seen changes: where this account has not, its next cycle comes soon.
    func takeSeen() {
        let seen = inbox.takeSeen()
        guard !seen.isEmpty, !isResting, let polled, polled.account.state == .active else { return }
        let news = polled.sweeps.flatMap { list in
            list.items.filter { seen.contains($0.watched.item) && (isOutdated($0) || isRowOutdated(of: $0, in: list)) }
        }
        guard let first = news.first else { return }
        let count = news.compactMap { context.looks?.watcherCount(of: $0.shared) }.max() ?? 0
        let spread = min(.nanoseconds(Self.wakeSpacing.wholeNanoseconds * Int64(count)), Self.longestWake)
        let delay = Jitter.below(spread, draw: context.entropy.nextUInt64())
        schedule.bringForward(to: context.time.monotonicNow.advanced(by: delay))
        context.log.write(.lookWoke, [accountField, ("watch.id", .number(first.watched.watch.rawValue))])
    }

    private func isRowOutdated(of item: PolledItem, in list: SweptList) -> Bool {
        guard let looks = context.looks, let lookedAt = list.lookedAt else { return false }
        return standing(ofRowOf: item, since: lookedAt, in: looks) == .outdated
    }
}
