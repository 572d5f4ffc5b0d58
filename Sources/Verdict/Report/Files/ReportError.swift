/// What can be wrong with a report that is read again.
package enum ReportError: Error, Equatable, CustomStringConvertible {
    /// Something that is no folder stands where the report should be.
    case notADirectory(path: String)
    case notReadable(path: String, reason: String)
    /// The folder has no such file, so that it is not a report or a half one.
    case missingFile(path: String, name: String)
    case damaged(path: String, line: Int)
    /// A file of a later version than this program knows.
    case newer(path: String, version: Int)
    case unknownActivity(Int, known: ClosedRange<Int>?)
    case unknownSeed(UInt64, known: ClosedRange<UInt64>)
    /// The report's ledger holds what was abnormal under several seeds, and this activity was not.
    case notInLedger(Int)

    /// The stable code.
    var code: String {
        switch self {
        case .notADirectory: "report-not-a-directory"
        case .notReadable: "report-not-readable"
        case .missingFile: "report-missing-file"
        case .damaged: "report-damaged"
        case .newer: "report-newer"
        case .unknownActivity: "report-unknown-activity"
        case .unknownSeed: "report-unknown-seed"
        case .notInLedger: "report-not-in-ledger"
        }
    }

    /// One sentence.
    package var description: String {
        switch self {
        case .notADirectory(let path): "\(path) is not a directory."
        case .notReadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .missingFile(let path, let name): "\(path) is not a report: it has no \(name)."
        case .damaged(let path, let line): "\(path) is damaged at line \(line)."
        case .newer(let path, let version):
            "\(path) has version \(version) of its format, which this program does not know."
        case .unknownActivity(let number, _): "The report knows no activity \(number)."
        case .unknownSeed(let seed, _): "The report has no seed \(seed)."
        case .notInLedger(let number): "Activity \(number) is not among the abnormal ones this report kept."
        }
    }

    /// What to do about it.
    package var hint: String {
        switch self {
        case .notADirectory, .notReadable, .missingFile: "Name the folder a run wrote, such as reports/latest."
        case .damaged: "Run the scenario again; a report is written whole or not at all."
        case .newer: "Use the simctl that wrote it, or a later one."
        case .unknownActivity(_, let known):
            known.map { "Activities are numbered from \($0.lowerBound) to \($0.upperBound)." }
                ?? "The report has no activities."
        case .unknownSeed(_, let known):
            known.lowerBound == known.upperBound
                ? "It has seed \(known.lowerBound)." : "It has seeds \(known.lowerBound) to \(known.upperBound)."
        case .notInLedger: "Run that seed alone: the report of one seed holds every activity."
        }
    }
}
