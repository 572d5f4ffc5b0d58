import Platform

/// When somebody had an item muted. The bundle tells the last mute; of those before it tells what they kept from the person.
struct IncidentMutes: Equatable {
    /// A time in which the item said nothing to the person.
    struct Mute: Equatable {
        var from: WallTime
        var until: WallTime
        /// Whether the person ended it themselves.
        var wasEnded = false
        var isGuess = false
    }

    /// A guess lies half way between what was told and what was not, but at most so far from that.
    private static let margin = Duration.minutes(5)

    private(set) var mutes: [Mute] = []

    /// - Parameters:
    ///   - watch: of the item by the person.
    ///   - facts: of the bundle.
    ///   - end: of the story.
    init(_ watch: IncidentBundle.Watch, _ facts: [IncidentBundle.Fact], end: WallTime) {
        let own = facts.filter { fact in
            fact.account == watch.account && fact.item == watch.item
                && (fact.notification != nil || fact.isHeld || fact.silence == .muted)
        }
        mutes = Self.guesses(own.sorted { ($0.noticedAt, $0.number) < ($1.noticedAt, $1.number) }, end: end)
        guard let changed = watch.muteChangedAt else { return }
        if let until = watch.mutedUntil {
            mutes.removeAll { changed <= $0.until }
            if changed < until { mutes.append(Mute(from: changed, until: until)) }
        } else if let last = mutes.indices.last(where: { mutes[$0].from < changed }) {
            mutes[last].until = changed
            mutes[last].wasEnded = true
        }
    }

    private static func guesses(_ facts: [IncidentBundle.Fact], end: WallTime) -> [Mute] {
        var mutes: [Mute] = []
        var (told, first, last): (WallTime?, WallTime?, WallTime?) = (nil, nil, nil)
        func close(at next: WallTime?) {
            guard let from = first, let until = last else { return }
            mutes.append(
                Mute(
                    from: told.map { from.advanced(by: .zero - half($0, from)) } ?? from.advanced(by: .zero - margin),
                    until: next.map { until.advanced(by: half(until, $0)) } ?? min(end, until.advanced(by: margin)),
                    isGuess: true
                )
            )
        }
        for fact in facts {
            if fact.silence == .muted {
                first = first ?? fact.noticedAt
                last = fact.noticedAt
            } else {
                close(at: fact.noticedAt)
                (told, first, last) = (fact.noticedAt, nil, nil)
            }
        }
        close(at: nil)
        return mutes
    }

    private static func half(_ one: WallTime, _ other: WallTime) -> Duration {
        min(margin, .microseconds(one.duration(to: other).wholeMicroseconds / 2))
    }
}
