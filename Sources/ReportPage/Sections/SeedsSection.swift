import Verdict

/// Seed by seed, when there are several; those that went wrong are named with the command that runs them again.
struct SeedsSection {
    let data: ReportData

    /// Seeds that went wrong are listed up to so many, the others only where all of them find room.
    private static let listed = 100

    var drawn: Markup {
        guard data.seeds.count > 1 else { return "" }
        return Section(id: "seeds", title: "Seeds", body: body).drawn
    }

    private var body: Markup {
        let order = data.seeds.sorted { $0.seed < $1.seed }
        let linked = Set(shown(order).map(\.seed))
        return """
            <figure>\(SeedStrip(seeds: order, linked: linked).drawn())<figcaption>By seed, 95th percentile of the latency. Circle: \
            the seed passes by itself; square: by itself it proves too little, which is usual for a single seed; diamond: it fails, \
            missed or showed something wrongly, and leads to its line below.</figcaption></figure>
            \(list(order))
            """
    }

    /// All, or those that went wrong.
    private func shown(_ seeds: [SeedFigures]) -> [SeedFigures] {
        seeds.count <= Self.listed ? seeds : Array(seeds.filter(\.isWrong).prefix(Self.listed))
    }

    private func list(_ seeds: [SeedFigures]) -> Markup {
        let wrong = seeds.filter(\.isWrong)
        let isWhole = seeds.count <= Self.listed
        let shown = shown(seeds)
        guard !shown.isEmpty else { return Section.note("No seed failed, missed or showed anything wrongly.") }
        let stories = MissesSection(data: data).storiesBySeed
        let table = Table(
            caption: isWhole ? "All seeds" : "Seeds that failed, missed or showed something wrongly",
            columns: [
                .text("seed"), .text("verdict"), .number("expected"), .number("missed"), .number("shown twice"),
                .number("unexpected"), .number("p95"), .number("max"), .text("again"),
            ],
            rows: shown.map { row($0, stories[$0.seed]) },
            anchors: shown.map { "seed-\($0.seed)" }
        )
        let left = wrong.count - shown.count
        return table.drawn + (!isWhole && left > 0 ? Section.note("And \(left) more in seeds.jsonl.") : "")
    }

    private func row(_ seed: SeedFigures, _ stories: (address: String, count: Int)?) -> [Markup] {
        let way = stories.map { stories -> Markup in
            " <a href=\"#\(stories.address)\">\(stories.count) \(stories.count == 1 ? "story" : "stories")</a>"
        }
        let word: Markup =
            seed.isCrashed ? "<span class=\"word fail\">✗ CRASHED</span>" : VerdictWord(seed.verdict).markup
        return [
            "\(seed.seed)", word + (way ?? ""), "\(seed.expected)", "\(seed.missed)", "\(seed.duplicates)",
            "\(seed.unexpected)", "\(Figures.duration(milliseconds: seed.p95))",
            "\(Figures.duration(milliseconds: seed.longest))", again(seed),
        ]
    }

    /// The command of the worst seed with another one.
    private func again(_ seed: SeedFigures) -> Markup {
        guard seed.isWrong, let command = data.summary.reproduction, let flag = command.range(of: " --seed ") else {
            return ""
        }
        return "<code>\(String(command[..<flag.lowerBound])) --seed \(seed.seed)</code>"
    }
}

extension SeedFigures {
    /// Whether there is something to look at.
    var isWrong: Bool { verdict == .fail || isCrashed || missed + duplicates + unexpected + invariantsBroken > 0 }

    /// What there is, in short.
    var trouble: String {
        let counts = [
            (missed, "missed"), (duplicates, "shown twice"), (unexpected, "unexpected"),
            (invariantsBroken, "invariants broken"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return isCrashed ? "crashed" : counts.isEmpty ? "fails a requirement" : counts.joined(separator: ", ")
    }
}

extension String {
    /// Where the last occurrence of another text is.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = endIndex
        while start > startIndex {
            start = index(before: start)
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
        }
        return nil
    }
}
