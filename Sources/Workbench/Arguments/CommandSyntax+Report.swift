extension CommandSyntax {
    static let report = CommandSyntax(
        name: "report",
        summary: "make the page of a report from its files",
        operands: Operands(notation: "DIR", count: 1...1),
        flags: [
            Flag(
                name: "--out",
                value: "FILE",
                summary: "where the page goes (default: report.html in DIR); -o is the same"
            ),
            Flag(
                name: "--svg",
                value: "FILE",
                summary: "also draw latency over time, to be shown where no page can be"
            ),
            Flag(name: "--json", value: nil, summary: "print JSON on standard output, and nothing else"),
            Flag(name: "--quiet", value: nil, summary: "print nothing"),
        ],
        examples: [
            Example(command: "simctl report reports/latest", meaning: "its report.html, new"),
            Example(command: "simctl report reports/latest -o outage.html", meaning: "a page to send to somebody"),
        ],
        notes: [
            "simctl run writes the page by itself; this makes it from a report of an older program, which says what that report "
                + "does not hold. One file for any browser: it opens from disk and asks no network for anything; "
                + "scripts only make it easier to find things. The same report gives the same bytes.",
            "An older page is replaced as a whole; a file that is no page is left as it is.",
        ]
    )
}
