import Verdict

/// Reads reports to compare them.
enum ReadReport {
    /// - Throws: `ProgramError` for what is no report, half of one, a damaged one, or one of a newer format.
    static func read(_ path: String) throws(ProgramError) -> ComparedReport {
        do {
            return try ComparedReport(path)
        } catch let error as ReportError {
            throw ProgramError(error)
        } catch let error as ComparisonError {
            throw ProgramError(error)
        } catch {
            throw ProgramError(.unreadableReport, "\(path) cannot be read: \(error)")
        }
    }
}

extension ProgramError {
    init(_ error: ComparisonError) {
        self.init(.notComparable, error.description, hint: error.hint)
    }
}
