import JSON
import Scenarios

/// The JSON Schemas of what a report holds for programs.
package enum ReportSchema: String, CaseIterable, Sendable {
    /// `summary.json`.
    case summary
    /// A line of `seeds.jsonl`.
    case seeds

    /// Draft 2020-12, the same bytes every time.
    package var text: String {
        switch self {
        case .summary: SummarySchema.node.document(title: "summary.json of the notifier workbench")
        case .seeds: SeedsSchema.node.document(title: "A line of seeds.jsonl of the notifier workbench")
        }
    }

    // MARK: what both files hold

    /// Sixteen hexadecimal digits; nothing when nothing was run.
    static let digest = JSONSchema.matching("^([0-9a-f]{16})?$")

    static let verdict = JSONSchema.oneOf(Verdict.allCases.map(\.rawValue))
        .described("No data is never a pass.")

    static let exitCode = JSONSchema.oneOf(
        [.met, .failed, .insufficientEvidence, .invariantBroken].map { (code: ExitCode) in Int64(code.rawValue) }
    )
    .described("0 all met, 1 failed, 2 insufficient evidence, 3 an invariant broke.")

    static let seed = JSONSchema.count.described("At most 2^53 - 1.")

    static let misses = JSONSchema.map(to: .count)
        .described("Every miss has exactly one cause; causes that took nothing are left out.")

    static let requestFields: [(String, JSONSchema)] = [
        ("gitlab", .count.described("Requests to GitLab in the name of registered people.")),
        ("gitlabRefused", .count.described("Those answered 429.")),
        ("apns", .count),
    ]

    static let pushes = JSONSchema.object([
        ("accepted", .count), ("refused", .count),
        ("repeated", .count.described("Pushes under an apns-id that had been tried before.")),
        ("tokensDropped", .count.described("Pushes answered 410.")),
        ("catchUps", .count), ("shown", .count), ("receipts", .count), ("opened", .count),
    ])
}
