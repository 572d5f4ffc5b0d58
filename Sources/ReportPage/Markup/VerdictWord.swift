import Verdict

/// A verdict with its sign and word, which say it without a colour.
struct VerdictWord {
    private let verdict: Verdict

    init(_ verdict: Verdict) { self.verdict = verdict }

    /// Sign and word.
    var text: String {
        switch verdict {
        case .pass: "✓ PASS"
        case .fail: "✗ FAIL"
        case .insufficient: "? NOT PROVEN"
        }
    }

    /// In its colour.
    var markup: Markup { "<span class=\"word \(verdict.rawValue)\">\(text)</span>" }
}
