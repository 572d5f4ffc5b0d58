import Verdict

/// What went wrong, by cause, and the first stories of each.
struct MissesSection {
    let data: ReportData

    /// Stories of one cause, and of all.
    private static let storiesOfCause = 20
    private static let stories = 60

    var drawn: Markup { Section(id: "misses", title: "What went wrong", body: body).drawn }

    private var body: Markup {
        guard !data.abnormal.isEmpty || !data.summary.misses.isEmpty else {
            return Section.note("Nothing was missed, shown twice, late or unexpected.")
        }
        return causes + groups.joined()
    }

    private var causes: Markup {
        let misses = data.summary.misses.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard !misses.isEmpty else { return "" }
        return Table(
            caption: "Missed \(data.summary.delivery.missed) of \(data.summary.delivery.expected), by cause",
            columns: [.text("cause"), .number("missed")],
            rows: misses.map { ["<code>\(PageText.cut($0.key))</code>", "\($0.value)"] }
        ).drawn
    }

    /// A story that is told.
    private struct Story {
        var line: LedgerLine
        /// From 1.
        var number: Int
        var address: String
    }

    /// What went wrong in one way.
    private struct Group {
        var name: String
        var told: [Story]
        var left: Int
    }

    /// By what is wrong, misses by their cause.
    private var grouped: [Group] {
        var names: [String] = []
        var lines: [String: [LedgerLine]] = [:]
        for line in data.abnormal {
            let name = [line.abnormal.joined(separator: " and "), line.cause].compactMap { $0 }.joined(separator: ": ")
            if lines[name] == nil { names.append(name) }
            lines[name, default: []].append(line)
        }
        var number = 0
        var addresses: [Int: Int] = [:]
        return names.map { name in
            let all = lines[name] ?? []
            let told = Self.chosen(all, room: min(Self.stories - number, Self.storiesOfCause)).map { line in
                number += 1
                addresses[line.activity ?? 0, default: 0] += 1
                return Story(line: line, number: number, address: address(line, addresses[line.activity ?? 0] ?? 1))
            }
            return Group(name: name, told: told, left: all.count - told.count)
        }
    }

    /// So many of the lines, in their order: the first of each seed before the second of any.
    static func chosen(_ lines: [LedgerLine], room: Int) -> [LedgerLine] {
        var ranks: [UInt64: Int] = [:]
        let turns = lines.enumerated().map { index, line in
            defer { ranks[line.seed, default: 0] += 1 }
            return (rank: ranks[line.seed, default: 0], index: index)
        }
        return turns.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.prefix(room).map(\.index).sorted().map {
            lines[$0]
        }
    }

    private var groups: [Markup] {
        grouped.map { group -> Markup in
            let stories = group.told.map { story($0.line, $0.number, $0.address) }
            let more: Markup =
                group.left > 0 ? Section.note("And \(group.left) more of these in ledger.jsonl.") : ""
            return "<h3>\(PageText.cut(group.name))</h3>\n\(stories.joined())\(more)"
        } + [notKept]
    }

    /// For each seed with stories, the address of the first and how many there are.
    var storiesBySeed: [UInt64: (address: String, count: Int)] {
        var found: [UInt64: (address: String, count: Int)] = [:]
        for story in grouped.flatMap(\.told) {
            found[story.line.seed, default: (story.address, 0)].count += 1
        }
        return found
    }

    private var notKept: Markup {
        let inAll = data.abnormalCounts.values.reduce(0, +)
        guard inAll > data.abnormal.count else { return "" }
        let counts = data.abnormalCounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return Section.note(
            "In all: \(counts.joined(separator: ", ")). The page looks at the first \(ReportData.abnormalKept) of each and "
                + "at the first of each seed; ledger.jsonl has more."
        )
    }

    /// `activity-42` for its first story, as that is what one looks for; others of it, under other seeds or for other people, are counted.
    private func address(_ line: LedgerLine, _ count: Int) -> String {
        let activity = line.activity.map { "activity-\($0)" } ?? "unexpected"
        return count == 1 ? activity : "\(activity)-\(count)"
    }

    private func story(_ line: LedgerLine, _ number: Int, _ address: String) -> Markup {
        let at = Figures.instant(nanoseconds: line.atNanoseconds)
        let isDrawn = line.seed == data.timeline?.seed
        let faults = isDrawn ? (data.timeline?.faults ?? []) : []
        let lanes = StoryLanes(line: line, id: "story-\(number)", faults: faults)
        let left: Markup =
            lanes.leftOut > 0 ? Section.note("\(lanes.leftOut) more pushes and events are in ledger.jsonl.") : ""
        return """
            <details class="story" id="\(address)"\(attributes(line))><summary>seed \(line.seed) at \(at): \(what(line)) for \
            @\(PageText.cut(line.person))</summary>
            \(facts(line))\(lanes.drawn())\(left)</details>

            """
    }

    /// What the page's script filters by.
    private func attributes(_ line: LedgerLine) -> Markup {
        let largest = (line.owners ?? [:]).max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        return """
             data-seed="\(line.seed)" data-activity="\(line.activity.map(String.init) ?? "-")" \
            data-kind="\(line.kind ?? "-")" data-person="\(PageText.cut("@\(line.person)", to: NotificationList.nameLength))" \
            data-owner="\(PageText.cut(line.cause ?? largest ?? "-", to: NotificationList.nameLength))"
            """
    }

    private func what(_ line: LedgerLine) -> String {
        guard let activity = line.activity else { return "\"\(PageText.cut(line.itemTitle ?? "", to: 60))\"" }
        let item = PageText.cut(line.item ?? "no item", to: 60)
        return "#\(activity) \(line.kind ?? "") by @\(PageText.cut(line.actor ?? "", to: 60)) on \(item)"
    }

    private func facts(_ line: LedgerLine) -> Markup {
        var rows: [(name: String, value: String)] = []
        if let title = line.itemTitle { rows.append(("title", PageText.cut(title))) }
        rows.append(("standing", "\(line.standing): \(PageText.sentence(line.reasonSentence ?? ""))"))
        if let cause = line.cause { rows.append(("cause", "\(cause). \(PageText.sentence(line.causeSentence ?? ""))")) }
        if let latency = line.latencyNanoseconds, let excess = line.excessLatencyNanoseconds {
            let texts = [latency, excess].map { FigureText.precise(milliseconds: $0 / 1_000_000) }
            rows.append(("latency", "\(texts[0]), of which \(texts[1]) are excess"))
        }
        let owners = (line.owners ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if !owners.isEmpty {
            let parts = owners.map { "\($0.key) \(FigureText.precise(milliseconds: $0.value / 1_000_000))" }
            rows.append(("owners", parts.joined(separator: ", ")))
        }
        if !line.faults.isEmpty { rows.append(("faults", PageText.sentence(line.faults.joined(separator: ", ")))) }
        let list = rows.map { "<dt>\($0.name)</dt><dd>\($0.value)</dd>" as Markup }.joined()
        guard let activity = line.activity else { return "<dl>\(list)</dl>\n" }
        return """
            <dl>\(list)<dt>all of it</dt><dd><code>simctl explain DIR \(activity) --seed \(line.seed)</code> (DIR is the folder \
            of this report)</dd></dl>

            """
    }
}
