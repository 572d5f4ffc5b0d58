import Platform

/// Metrics over time, gathered from pages in Prometheus' text format and written as OpenMetrics.
///
/// A sample is kept when its value changed and at least every two minutes, well within the five that a series may be silent.
/// `up` tells of every scrape whether it was answered.
struct MetricsSeries {
    private struct Sample {
        var at: WallTime
        var value: String
    }

    private struct Family {
        var name: Substring
        var kind: Substring
        var help: Substring
        /// Numbers of its series, in the order of their appearance.
        var members: [Int] = []
    }

    private struct Series {
        /// Name and labels as the page writes them.
        var name: String
        var samples: [Sample] = []
    }

    /// The longest a series is silent.
    private static let longestSilence = Duration.minutes(2)

    private var families: [Family] = []
    private var familyNumbers: [Substring: Int] = [:]
    private var series: [Series] = []
    private var seriesNumbers: [Substring: Int] = [:]
    private var up = Series(name: "up{job=\"notifier\"}")

    /// Takes the page that was asked for at `instant`. A sample that stands before every family is left out.
    mutating func add(_ page: String, at instant: WallTime) {
        Self.append("1", to: &up, at: instant, keepsAll: true)
        var family = 0
        // By bytes: a page is read every few seconds of the run, and finding its characters took longer than all else.
        for line in page.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "# ".utf8) {
                family = takeComment(Substring(line.dropFirst(2)), current: family)
            } else if families.indices.contains(family), let end = line.lastIndex(of: UInt8(ascii: " ")) {
                let number = number(of: Substring(line[..<end]), in: family)
                let value = Substring(line[line.index(after: end)...])
                Self.append(value, to: &series[number], at: instant, keepsAll: false)
            }
        }
    }

    /// Notes that a page asked for at `instant` did not come.
    mutating func addFailure(at instant: WallTime) {
        Self.append("0", to: &up, at: instant, keepsAll: true)
    }

    /// The OpenMetrics text.
    var lines: [String] {
        var lines = ["# TYPE up gauge", "# HELP up Whether the notifier answered."]
        lines += Self.lines(up)
        for family in families where !family.members.isEmpty {
            let name = family.kind == "counter" ? family.name.dropLast("_total".count) : family.name
            lines.append("# TYPE \(name) \(family.kind)")
            lines.append("# HELP \(name) \(family.help)")
            for member in family.members { lines += Self.lines(series[member]) }
        }
        return lines + ["# EOF"]
    }

    /// `HELP name text` comes first, `TYPE name kind` second; what follows belongs to that family.
    private mutating func takeComment(_ comment: Substring, current: Int) -> Int {
        let words = comment.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2).map(Substring.init)
        guard words.count == 3 else { return current }
        let number: Int
        if let known = familyNumbers[words[1]] {
            number = known
        } else {
            number = families.count
            familyNumbers[words[1]] = number
            families.append(Family(name: words[1], kind: "unknown", help: ""))
        }
        if words[0] == "TYPE" { families[number].kind = words[2] } else { families[number].help = words[2] }
        return number
    }

    private mutating func number(of name: Substring, in family: Int) -> Int {
        if let known = seriesNumbers[name] { return known }
        let number = series.count
        // A copy of its own, or each name would keep its whole page.
        let text = String(name)
        seriesNumbers[text[...]] = number
        series.append(Series(name: text))
        families[family].members.append(number)
        return number
    }

    private static func append(_ value: Substring, to series: inout Series, at instant: WallTime, keepsAll: Bool) {
        if !keepsAll, let last = series.samples.last, last.value == value,
            last.at.duration(to: instant) < longestSilence
        {
            return
        }
        series.samples.append(Sample(at: instant, value: String(value)))
    }

    private static func lines(_ series: Series) -> [String] {
        series.samples.map { sample in
            let milliseconds = sample.at.microseconds / 1_000
            let rest = String(1_000 + milliseconds % 1_000).dropFirst()
            return "\(series.name) \(sample.value) \(milliseconds / 1_000).\(rest)"
        }
    }
}
