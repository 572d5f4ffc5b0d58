import Verdict

/// `report.html`: one file that opens from disk and needs nothing else. Everything it tells can be read without scripts; its one script only
/// finds things in it. Nothing in it depends on when or where it was made, so that equal reports have equal pages.
package enum ReportPage {
    /// The page of a report.
    package static func text(_ data: ReportData) -> String { page(data).text }

    private static func page(_ data: ReportData) -> Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        \(PageHead(title: "\(VerdictWord(data.summary.verdict).text) \(PageText.cut(data.summary.scenario))").drawn)\
        </head>
        <body>
        <a class="skip" href="#gates">Skip to the requirements</a>
        <main>
        \(VerdictSection(data: data).drawn)\(navigation(data))\(sections(data))</main>
        \(PageHead.script)</body>
        </html>

        """
    }

    private static func sections(_ data: ReportData) -> Markup {
        [
            GatesSection(summary: data.summary).drawn, MissesSection(data: data).drawn,
            TimelineSection(timeline: data.timeline).drawn, LatencySection(data: data).drawn,
            KindsSection(data: data).drawn, SeedsSection(data: data).drawn, LoadSection(timeline: data.timeline).drawn,
            DevicesSection(data: data).drawn, ProofSection(summary: data.summary).drawn,
            FilesSection(files: data.files).drawn,
        ].joined()
    }

    private static func navigation(_ data: ReportData) -> Markup {
        let all: [(id: String, title: String)] = [
            ("gates", "Requirements"), ("misses", "What went wrong"), ("timeline", "Timeline"), ("latency", "Latency"),
            ("kinds", "By kind"), ("people", "By person"), ("seeds", "Seeds"), ("load", "Load"), ("devices", "Devices"),
            ("probes", "Probes"), ("invariants", "Invariants"), ("files", "Files"),
        ]
        let links = all.filter { $0.id != "seeds" || data.seeds.count > 1 }
            .map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" as Markup }
        return "<nav aria-label=\"Sections\"><ul>\(links.joined())</ul></nav>\n"
    }
}
