extension ReportComparison {
    /// What is worse, the gravest first. What must never happen has no test and counts with any number of seeds: one more is worse
    /// (statistics §6); so do failed gates.
    package var worse: [String] {
        var findings: [String] = []
        if crashes.more > 0 {
            findings.append("the notifier crashed under \(Self.seeds(crashes.more)) that it survived before")
        }
        if invariants.second > invariants.first {
            findings.append(
                invariants.first == 0 ? "an invariant broke under \(Self.seeds(invariants.more))" : change(invariants)
            )
        }
        findings += counts.filter { $0.second > $0.first }.map(change)
        findings += gates.filter { $0.second == .fail }.map { "\($0.rule) fails and \(Self.before($0.first))" }
        return hasEnoughSeeds ? findings + figures.filter(\.isWorse).map(Self.sentence) : findings
    }

    /// What is better, in the same order. That less went wrong might be chance, unlike the opposite, and is tested.
    package var better: [String] {
        var findings: [String] = []
        if crashes.fewer > 0, crashes.more == 0 {
            findings.append("the notifier survived \(Self.seeds(crashes.fewer)) that it crashed under before")
        }
        if invariants.first > 0, invariants.second == 0 {
            findings.append("no invariant broke, and before one did under \(Self.seeds(invariants.fewer))")
        }
        findings += gates.filter { $0.first == .fail && $0.second == .pass }.map {
            "\($0.rule) passes and failed before"
        }
        guard hasEnoughSeeds else { return findings }
        return findings + provenLess.map(change) + figures.filter(\.isBetter).map(Self.sentence)
    }

    /// Requirements that were met before and are neither met nor broken, as where nothing was expected any more.
    package var noLongerProven: [String] {
        gates.filter { $0.first == .pass && $0.second == .insufficient }.map(\.rule)
    }

    /// The conclusion in one sentence, its first words those of the conclusion.
    package var sentence: String {
        switch conclusion {
        case .worse, .noLongerProven, .better:
            let parts = [("worse", worse), ("no longer proven", noLongerProven), ("better", better)]
            return parts.filter { !$0.1.isEmpty }.map { "\($0.0): " + $0.1.joined(separator: "; ") }
                .joined(separator: "; ")
        case .noDifference:
            return "no difference seen in \(Self.seeds(wholeSeeds)), and \(whatWouldHaveShown)\(whatIsSpread)"
        case .tooFewSeeds:
            let alike = identicalSeeds == wholeSeeds && wholeSeeds > 0 ? ", which ran alike to the last event" : ""
            return "too few seeds: \(wholeSeeds) in both reports\(alike), and \(Self.fewestSeeds) are needed"
        }
    }

    private static var alphaOfEach: Double { 1 - confidenceOfEach }

    /// What the seeds could not have hidden.
    private var whatWouldHaveShown: String {
        let sizes = figures.compactMap { figure in
            figure.detectable.flatMap { $0 > 0 ? "\(figure.kind.text($0)) in \(figure.kind.title)" : nil }
        }
        guard identicalSeeds < wholeSeeds, !sizes.isEmpty else {
            let share = SignTest.shareThatWouldShow(seeds: wholeSeeds, confidence: Self.confidence)
            let same =
                isAnythingElse ? "excess latency and requests differ under no seed" : "no figure of any seed differs"
            let alike = identicalSeeds == wholeSeeds ? "all ran alike to the last event" : same
            return
                "\(alike): one under more than \(FigureText.decimal(share * 100, 1))% of all seeds would have shown (95%)"
        }
        return "one of more than \(Self.listed(sizes)) would have shown (80%)"
    }

    /// Whether anything differs beside the judged figures.
    private var isAnythingElse: Bool {
        let found = [deliveries.lost, deliveries.won, deliveries.slower, deliveries.faster]
        return !differing.isEmpty || longest.more + longest.fewer > 0
            || plain.contains { $0.differences.values.contains { $0 != 0 } } || found.contains { $0.count > 0 }
    }

    /// What should never happen, or had to come, and did not as often under every seed.
    private var differing: [ComparedCount] {
        (expected + counts + [invariants]).filter { $0.more + $0.fewer > 0 }
    }

    /// Counts that differ and are neither more in all nor proven to be less.
    private var whatIsSpread: String {
        differing.isEmpty ? "" : "; not the same under every seed: " + differing.map(change).joined(separator: ", ")
    }

    /// Each by itself: many misses less outweigh no double. Those that differ under no seed cannot be found and share in no error.
    private var provenLess: [ComparedCount] {
        let alpha = Self.alphaOfEach / Double(max(1, counts.count { $0.more + $0.fewer > 0 }))
        return counts.filter { $0.second < $0.first && $0.fewer > $0.more && $0.pValue <= alpha }
    }

    /// Such as `missed 0 -> 9 (more under 9 seeds of 10)`.
    private func change(_ count: ComparedCount) -> String {
        let more = ("more", count.more)
        let fewer = ("less", count.fewer)
        let sides = (count.second > count.first ? [more, fewer] : [fewer, more]).filter { $0.1 > 0 }
        let parts = sides.enumerated().map { index, side in
            "\(side.0) under \(index == 0 ? "\(Self.seeds(side.1)) of \(wholeSeeds)" : "\(side.1)")"
        }
        return "\(count.title) \(count.first) -> \(count.second) (\(parts.joined(separator: ", ")))"
    }

    private static func sentence(_ figure: ComparedFigure) -> String {
        guard let difference = figure.difference, let interval = figure.interval else { return figure.kind.title }
        let kind = figure.kind
        return
            "\(kind.title) \(kind.signed(difference)) (\(kind.signed(interval.lower)) to \(kind.signed(interval.upper)))"
    }

    private static func before(_ verdict: Verdict) -> String {
        verdict == .pass ? "passed before" : "was not proven to before"
    }

    private static func seeds(_ count: Int) -> String { count == 1 ? "1 seed" : "\(count) seeds" }

    private static func listed(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "nothing" }
        return parts.dropLast().joined(separator: ", ") + " or " + last
    }
}
