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
            rows.append(RowLooks.Row(list: SharedLooks.List(item: item.shared, list: .row), validator: validator))
        }
        return RowLooks(
            looks: looks,
            rows: rows,
            since: lookedAt,
            cycleInterval: policy.cycleInterval,
            askedAt: askedAt
        )
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

    /// Tells others what a sweep that began at `start` showed of the rows of its items; `before` is what each looked like.
    ///
    /// An answer about what has changed that does not show an item says that it has not, unless this person may not see it any more:
    /// therefore nobody is believed alone for long (``SweepSubstitute``).
    func shareRows(of list: SweptList, before: [String?], from start: MonotonicInstant) {
        guard let looks = context.looks else { return }
        let sights = zip(list.items, before).compactMap { item, previous -> SharedLooks.Sight? in
            guard let validator = item.attention.validator else { return nil }
            let row = SharedLooks.List(item: item.shared, list: .row)
            return SharedLooks.Sight(list: row, validator: validator, previous: previous)
        }
        looks.take(sights, look(from: start))
    }

    // MARK: Waking

    /// How long those who are woken by one change take at least to ask, each at a time of its own: so many of them, and no longer than that.
    private static let wakeSpacing = Duration.milliseconds(100)
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
