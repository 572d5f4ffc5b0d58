import Verdict

/// A shape for each seed, by its 95th percentile: what failed stands out, and is named below.
struct SeedStrip {
    let seeds: [SeedFigures]
    /// Those that have a row below; their shapes lead there.
    let linked: Set<UInt64>

    /// Above so many seeds some share a place, and heights are rounded: what is drawn is bounded, however many there are.
    private static let places = 230
    private static let place = 4.0
    private static let axis = LatencyAxis(top: 12)

    func drawn() -> Markup {
        let shapes = Verdict.allCases.map(drawn).joined() + links
        let ends: Markup = """
            <text class="axis" x="\(Coordinate(TimeAxis.left))" y="\(Coordinate(Self.axis.bottom + 18))">\
            seed \(seeds.first?.seed ?? 0)</text>\
            <text class="axis" x="\(Coordinate(TimeAxis.right))" y="\(Coordinate(Self.axis.bottom + 18))" text-anchor="end">\
            seed \(seeds.last?.seed ?? 0)</text>
            """
        return Picture(
            id: "seed-strip",
            title: "95th percentile of the latency, seed by seed",
            finding: finding,
            height: Self.axis.bottom + 30,
            body: Self.axis.drawn() + shapes + ends
        ).drawn
    }

    /// Bad seeds one by one, each a way to its row.
    private var links: Markup {
        seeds.indices.filter { seeds[$0].isWrong && linked.contains(seeds[$0].seed) }.map { index -> Markup in
            let seed = seeds[index]
            return """
                <a href="#seed-\(seed.seed)" aria-label="seed \(seed.seed)"><path class="s-fail" d="\(shape(.fail, place(index), height(seed)))">\
                <title>seed \(seed.seed): \(seed.trouble)</title></path></a>
                """
        }.joined()
    }

    private var finding: String {
        let failed = seeds.count { $0.verdict == .fail }
        return "\(seeds.count) seeds, \(failed) of which failed by themselves."
    }

    private func place(_ index: Int) -> Double {
        guard seeds.count > Self.places else { return x(index) }
        return TimeAxis.left + 2 + Double(index * Self.places / max(Self.places, seeds.count)) * Self.place
    }

    private func height(_ seed: SeedFigures) -> Double {
        guard let p95 = seed.p95 else { return Self.axis.bottom }
        let y = Self.axis.y(p95)
        return seeds.count > Self.places ? (y / Self.place).rounded() * Self.place : y
    }

    private func x(_ index: Int) -> Double {
        let room = TimeAxis.right - TimeAxis.left - 16
        return TimeAxis.left + 8 + room * (Double(index) + 0.5) / Double(seeds.count)
    }

    /// Seeds that share a place and a height are drawn once.
    private func drawn(_ verdict: Verdict) -> Markup {
        var seen: Set<String> = []
        let path = seeds.indices.filter {
            seeds[$0].verdict == verdict && !(seeds[$0].isWrong && linked.contains(seeds[$0].seed))
        }.compactMap { index -> Markup? in
            let shape = self.shape(verdict, place(index), height(seeds[index]))
            return seen.insert(shape.text).inserted ? shape : nil
        }
        guard !path.isEmpty else { return "" }
        let word = VerdictWord(verdict)
        return """
            <path class="s-\(verdict.rawValue)" d="\(path.joined())"><title>\(word.text)</title></path>
            """
    }

    private func shape(_ verdict: Verdict, _ x: Double, _ y: Double) -> Markup {
        let (x, y) = (Coordinate(x), Coordinate(y))
        switch verdict {
        case .pass: return "M\(x) \(y)m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z"
        case .fail: return "M\(x) \(y)m0-6l6 6-6 6-6-6z"
        case .insufficient: return "M\(x) \(y)m-2.5-2.5h5v5h-5z"
        }
    }
}
