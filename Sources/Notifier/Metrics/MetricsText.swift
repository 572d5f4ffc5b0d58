import Platform

/// Writes metrics as Prometheus' text format, version 0.0.4, in the order of the table and with sorted series.
struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let tellsPeopleApart: Bool
    private var text = ""

    /// Everything `registry` has.
    static func render(_ registry: MetricsRegistry) -> String {
        let families = registry.snapshot
        var writer = MetricsText(tellsPeopleApart: registry.tellsPeopleApart)
        for family in MetricFamily.all { writer.write(family, families[family.metric.rawValue]) }
        return writer.text
    }

    private init(tellsPeopleApart: Bool) {
        self.tellsPeopleApart = tellsPeopleApart
    }

    private mutating func write(_ family: MetricFamily, _ values: MetricsRegistry.Family) {
        text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.word)\n"
        switch family.kind {
        case .counter: for (series, value) in sorted(values.values) { line(family, series, "\(value)") }
        case .gauge(let merging):
            for (series, value) in sorted(merged(values.values, by: merging)) {
                line(family, series, Self.decimal(millionths: value))
            }
        case .histogram(let bounds):
            for (series, histogram) in sorted(values.histograms) { write(histogram, bounds, family, series) }
        }
    }

    private func merged(
        _ values: [MetricsRegistry.Series: Int64],
        by merging: MetricFamily.Merging
    ) -> [MetricsRegistry.Series: Int64] {
        guard !tellsPeopleApart else { return values }
        var merged: [MetricsRegistry.Series: Int64] = [:]
        for (series, value) in values {
            let common = MetricsRegistry.Series(labels: series.labels)
            merged[common] = merged[common].map { merging.merge($0, value) } ?? value
        }
        return merged
    }

    private func sorted<Value>(_ values: [MetricsRegistry.Series: Value]) -> [(MetricsRegistry.Series, Value)] {
        values.sorted { left, right in
            guard left.key.labels == right.key.labels else {
                return left.key.labels.lexicographicallyPrecedes(right.key.labels)
            }
            return (left.key.account?.rawValue ?? 0) < (right.key.account?.rawValue ?? 0)
        }
    }

    private mutating func write(
        _ histogram: MetricsRegistry.Histogram,
        _ bounds: [Duration],
        _ family: MetricFamily,
        _ series: MetricsRegistry.Series
    ) {
        var sum: Int64 = 0
        for (index, count) in histogram.counts.enumerated() {
            sum += count
            let bound = index < bounds.count ? Self.decimal(millionths: bounds[index].wholeMicroseconds) : "+Inf"
            line(family, series, "\(sum)", suffix: "_bucket", bound: bound)
        }
        line(family, series, Self.decimal(millionths: histogram.sumMicroseconds), suffix: "_sum")
        line(family, series, "\(sum)", suffix: "_count")
    }

    private mutating func line(
        _ family: MetricFamily,
        _ series: MetricsRegistry.Series,
        _ value: String,
        suffix: String = "",
        bound: String? = nil
    ) {
        // Nobody's zero is there for the sum; beside the people it says nothing.
        if tellsPeopleApart, family.isPerPerson, series.account == nil, value == "0" { return }
        var labels = zip(family.labels, series.labels).map { "\($0.name)=\"\(Self.escaped($1))\"" }
        if let account = series.account { labels.append("user_id=\"\(account.rawValue)\"") }
        if let bound { labels.append("le=\"\(bound)\"") }
        text += family.name + suffix
        if !labels.isEmpty { text += "{" + labels.joined(separator: ",") + "}" }
        text += " \(value)\n"
    }

    /// A number of millionths, without trailing zeros: by whole numbers, so that it reads the same everywhere.
    static func decimal(millionths: Int64) -> String {
        let sign = millionths < 0 ? "-" : ""
        let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        guard rest != 0 else { return "\(sign)\(whole)" }
        var digits = String(1_000_000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}

extension MetricFamily.Kind {
    /// The format's word for it.
    var word: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}

extension MetricFamily.Merging {
    func merge(_ left: Int64, _ right: Int64) -> Int64 {
        switch self {
        case .sum: left + right
        case .minimum: min(left, right)
        case .maximum: max(left, right)
        }
    }
}
