/// How a requirement, or a whole run, was judged. Never pass on no data.
package enum Verdict: String, Sendable, CaseIterable, Codable {
    case pass, fail, insufficient

    /// Four characters for a terminal, which do not need a colour.
    var label: String {
        switch self {
        case .pass: "PASS"
        case .fail: "FAIL"
        case .insufficient: "????"
        }
    }

    /// The verdict of both together: failure outweighs doubt, doubt outweighs a pass.
    func combined(with other: Verdict) -> Verdict {
        if self == .fail || other == .fail { return .fail }
        return self == .insufficient || other == .insufficient ? .insufficient : .pass
    }
}
