import Platform

/// Figures as people read them. Always with a unit, never longer than nine characters.
package enum FigureText {
    /// `value` with so many decimals, rounded half away from zero.
    package static func decimal(_ value: Double, _ digits: Int) -> String {
        fixed(value, digits, .toNearestOrAwayFromZero)
    }

    /// A share in per cent with two decimals, rounded down so that it promises nothing.
    static func percentDown(_ share: Double) -> String { fixed(share * 100 + 1e-9, 2, .down) + "%" }

    /// A share in per cent with two decimals, rounded up.
    static func percentUp(_ share: Double) -> String { fixed(share * 100 - 1e-9, 2, .up) + "%" }

    private static func fixed(_ value: Double, _ digits: Int, _ rule: FloatingPointRoundingRule) -> String {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        guard value.isFinite, abs(value) < 1e15 / Double(scale) else { return "-" }
        let scaled = Int64((value * Double(scale)).rounded(rule))
        let sign = scaled < 0 ? "-" : ""
        let whole = "\(sign)\(abs(scaled) / scale)"
        guard digits > 0 else { return whole }
        return "\(whole).\(String(String(abs(scaled) % scale + scale).dropFirst()))"
    }

    /// A length of time: `430 ms`, `7.7 s`, `61 s`, `4m12s`, `2h05m`, `3.4 d`.
    package static func duration(milliseconds: Int64) -> String {
        let sign = milliseconds < 0 ? "-" : ""
        let value = abs(milliseconds)
        switch value {
        case ..<1_000: return "\(sign)\(value) ms"
        case ..<10_000: return "\(sign)\(decimal(Double(value) / 1_000, 1)) s"
        case ..<120_000: return "\(sign)\((value + 500) / 1_000) s"
        case ..<3_600_000: return "\(sign)\(value / 60_000)m\(twoDigits(value / 1_000 % 60))s"
        case ..<172_800_000: return "\(sign)\(value / 3_600_000)h\(twoDigits(value / 60_000 % 60))m"
        default: return "\(sign)\(decimal(Double(value) / 86_400_000, 1)) d"
        }
    }

    /// A length of time to the tenth of a second, for comparing with a bound.
    package static func precise(milliseconds: Int64) -> String {
        let sign = milliseconds < 0 ? "-" : ""
        let value = abs(milliseconds)
        if value < 1_000 { return "\(sign)\(value) ms" }
        if value < 600_000 { return "\(sign)\(decimal(Double(value) / 1_000, 1)) s" }
        return duration(milliseconds: milliseconds)
    }

    /// An instant since the start: `00:31:07`, from a day on `2d 03:10:00`.
    package static func instant(milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        let clock = "\(twoDigits(seconds / 3_600 % 24)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
        return seconds < 86_400 ? clock : "\(seconds / 86_400)d \(clock)"
    }

    /// Seeds as ranges: `1-300`, `1-5,7`.
    package static func seeds(_ seeds: [UInt64]) -> String {
        var parts: [String] = []
        var index = 0
        while index < seeds.count {
            var last = index
            while last + 1 < seeds.count, seeds[last + 1] == seeds[last] &+ 1 { last += 1 }
            parts.append(last == index ? "\(seeds[index])" : "\(seeds[index])-\(seeds[last])")
            index = last + 1
        }
        return parts.count <= 6 ? parts.joined(separator: ",") : "\(seeds.count) seeds"
    }

    private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
}
