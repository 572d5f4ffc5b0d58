import Verdict

/// Latency by kind of activity, and what became of each person's notifications.
struct KindsSection {
    let data: ReportData

    /// More people than these are counted, those with misses first.
    private static let peopleShown = 200

    var drawn: Markup {
        Section(id: "kinds", title: "By kind", body: kinds).drawn
            + Section(id: "people", title: "By person", body: people).drawn
    }

    private var kinds: Markup {
        let kinds = data.summary.latencyByKind.sorted { $0.key < $1.key }
        guard !kinds.isEmpty else { return Section.note("Nothing was displayed.") }
        return Table(
            caption: "Latency by kind of activity",
            columns: [
                .text("kind"), .number("displayed"), .number("p50"), .number("p95"), .number("max"),
                .number("excess p95"), .text("most of the time"),
            ],
            rows: kinds.map { name, kind in
                let latency = kind.latencySeconds
                let largest = (kind.owners.meanSeconds ?? [:]).filter { $0.value > 0 }
                    .max { ($0.value, $1.key) < ($1.value, $0.key) }
                let most = largest.map { "\(PageText.cut($0.key)) \(OwnerBars.text($0.value)) on average" } ?? ""
                return [
                    "\(PageText.cut(name))", "\(latency.samples)", "\(Figures.duration(latency.p50))",
                    "\(Figures.duration(latency.p95))", "\(Figures.duration(latency.max))",
                    "\(Figures.duration(kind.excessLatencySeconds.p95))", "\(most)",
                ]
            }
        ).drawn
    }

    private var people: Markup {
        let people = data.people.enumerated()
            .sorted { ($1.element.missed, $0.offset) < ($0.element.missed, $1.offset) }.map(\.element)
        guard !people.isEmpty else { return Section.note("Nobody was to be told of anything.") }
        let table = Table(
            caption: "Expected notifications by person, those with misses first",
            columns: [
                .text("person"), .number("expected"), .number("missed"), .number("shown twice"), .number("unexpected"),
                .number("late"), .number("known p50"), .number("known p95"), .number("known max"),
            ],
            rows: people.prefix(Self.peopleShown).map(row)
        )
        return table.drawn + remarks(people.count)
    }

    private func row(_ person: PersonFigures) -> [Markup] {
        [
            "<bdi>@\(PageText.cut(person.name))</bdi>", "\(person.expected)", "\(person.missed)",
            "\(person.duplicates)", "\(person.unexpected)", "\(person.late)",
            "\(Figures.duration(milliseconds: person.known.quantile(hundredths: 50)))",
            "\(Figures.duration(milliseconds: person.known.quantile(hundredths: 95)))",
            "\(Figures.duration(milliseconds: person.known.longest))",
        ]
    }

    private func remarks(_ count: Int) -> Markup {
        var remarks: Markup = ""
        if count > Self.peopleShown {
            remarks += Section.note("And \(count - Self.peopleShown) more people in seeds.jsonl.")
        }
        if data.deliveriesLeftOut > 0 {
            remarks += Section.note(
                "\(data.deliveriesLeftOut) of \(data.summary.delivery.expected) expected notifications are not listed one by one "
                    + "in seeds.jsonl and do not count here."
            )
        }
        return remarks
    }
}
