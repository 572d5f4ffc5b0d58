import JSON
import Platform

/// What programs said to people, and what these did about it, as entries of a scenario's timeline. There each person has one program.
struct IncidentPrograms {
    /// A mute that is guessed lies half way between what was told and what was not, but at most so far from that.
    private static let margin = Duration.minutes(5)

    private let bundle: IncidentBundle
    private let timeline: IncidentTimeline
    private let cast: IncidentCast
    /// The runs that ended when, by account, program and instant.
    private let endedRuns: [[Int64]: Int64]

    init(_ bundle: IncidentBundle, _ timeline: IncidentTimeline, _ cast: IncidentCast) {
        (self.bundle, self.timeline, self.cast) = (bundle, timeline, cast)
        let ended = bundle.signals.compactMap { signal -> ([Int64], Int64)? in
            guard signal.ending == .runEnded, let at = signal.settledAt, let run = signal.run else { return nil }
            return ([signal.account, signal.program, at.microseconds], run)
        }
        endedRuns = Dictionary(ended, uniquingKeysWith: { first, _ in first })
    }

    var entries: [JSONValue] {
        let signals = bundle.signals.filter { cast.knows($0.account) }
        let groups = Dictionary(grouping: signals) { [$0.account, $0.program] }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return (signals.flatMap { [said($0), answered($0)] } + revocations(signals)).compactMap(\.self)
            + groups.flatMap { mutes($0.value, of: $0.key[0]) }
    }

    // MARK: What was said

    private static func name(_ signal: IncidentBundle.Signal) -> JSONMember {
        JSONMember("name", .string("signal\(signal.name)"))
    }

    private func said(_ signal: IncidentBundle.Signal) -> JSONValue? {
        let word = signal.word.rawValue.replacing("_", with: "-")
        var more = [JSONMember("says", .string(word)), Self.name(signal)]
        if let run = run(of: signal) { more.append(JSONMember("run", .string(run))) }
        return timeline.action("signal", by: cast.name(signal.account), at: signal.at, guess: nil, more)
    }

    /// Without one a program's run has the name of what it says, and what was asked outside of any would end with it.
    private func run(of signal: IncidentBundle.Signal) -> String? {
        switch signal.word {
        case .approvalNeeded: signal.run.map { "run\($0)" } ?? "alone\(signal.name)"
        case .runCompleted, .runFailed:
            endedRuns[[signal.account, signal.program, signal.at.microseconds]].map { "run\($0)" }
        case .settled: nil
        }
    }

    // MARK: What people did

    private func answered(_ signal: IncidentBundle.Signal) -> JSONValue? {
        guard signal.ending == .done, let at = signal.settledAt else { return nil }
        return timeline.action(
            "settle-signal",
            by: cast.name(signal.account),
            at: at,
            guess: nil,
            [Self.name(signal)]
        )
    }

    private func revocations(_ signals: [IncidentBundle.Signal]) -> [JSONValue?] {
        let revoked = signals.filter { $0.ending == .revoked }.compactMap { signal in
            signal.settledAt.map { [signal.account, $0.microseconds] }
        }
        return Set(revoked).sorted { $0.lexicographicallyPrecedes($1) }.map { revocation in
            let at = WallTime(microseconds: revocation[1])
            return timeline.action("revoke-program", by: cast.name(revocation[0]), at: at, guess: nil)
        }
    }

    /// The mutes of one program, by what it said in order: what it had asked ended with each, and what it said then was not told.
    private func mutes(_ signals: [IncidentBundle.Signal], of account: Int64) -> [JSONValue] {
        var begun = signals.filter { $0.ending == .silenced }.compactMap(\.settledAt).sorted()[...]
        var mutes: [JSONValue?] = []
        var (told, kept): (WallTime?, [IncidentBundle.Signal]) = (nil, [])
        func close(before next: WallTime?) {
            var from: WallTime?
            while let first = begun.first, first <= kept.first?.at ?? next ?? timeline.end { from = begun.popFirst() }
            let end = next == nil ? signals.last?.mutedUntil : nil
            mutes.append(mute(kept, by: account, from: from, after: told, before: next, until: end))
        }
        for signal in signals where signal.word != .settled {
            if signal.silence == .muted {
                kept.append(signal)
            } else {
                close(before: signal.at)
                (told, kept) = (signal.at, [])
            }
        }
        close(before: nil)
        return mutes.compactMap(\.self)
    }

    private func mute(
        _ kept: [IncidentBundle.Signal],
        by account: Int64,
        from known: WallTime?,
        after told: WallTime?,
        before next: WallTime?,
        until end: WallTime?
    ) -> JSONValue? {
        guard let first = known ?? kept.first?.at else { return nil }
        let last = kept.last?.at ?? first
        let from = max(
            known ?? first.advanced(by: .zero - (told.map { half($0, first) } ?? Self.margin)),
            timeline.start
        )
        let standing = end.flatMap { last < $0 ? $0 : nil }
        let until = standing ?? last.advanced(by: next.map { half(last, $0) } ?? Self.margin)
        let isKnown = known != nil && standing != nil
        return timeline.action(
            "mute-program",
            by: cast.name(account),
            at: from,
            guess: isKnown ? nil : "muted between what was told before, what was kept from them and after",
            [JSONMember("for", .string(DurationNotation.text(max(.seconds(1), from.duration(to: until)))))]
        )
    }

    private func half(_ one: WallTime, _ other: WallTime) -> Duration {
        min(Self.margin, .microseconds(one.duration(to: other).wholeMicroseconds / 2))
    }
}
