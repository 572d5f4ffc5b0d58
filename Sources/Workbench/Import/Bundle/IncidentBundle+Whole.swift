extension IncidentBundle {
    /// What was wrong with the server's database when the report was made.
    enum DatabaseFault: String { case missing, unreadable, foreign }

    /// Why no story comes of a report that names nobody.
    var nobody: IncidentFault {
        guard let databaseFault else {
            return IncidentFault(
                "it names no person who uses the notifier",
                hint: "a report that names person, item and time is enough: simctl import --missed"
            )
        }
        return IncidentFault(
            "the server's database was \(databaseFault.rawValue) when it was written, so it tells of nobody",
            hint: "make it again as somebody who may read the database: sudo notifierd export-incident --config FILE"
        )
    }

    /// Why the file may not be all that was written; nil where nothing speaks against it. Whoever sends one may have left lines out.
    var doubt: String? {
        guard let linesWritten else {
            return "the line that ends it is missing, so more may be; what follows from the rest is imported"
        }
        // Somebody may have put lines behind the last one.
        guard linesRead <= linesWritten else { return nil }
        return "of the \(linesWritten) lines that were written before its last one it has \(linesRead - 1)"
    }

    /// What happened on two servers, or in two weeks, is no one story.
    static func second(_ line: Int) -> IncidentFault {
        IncidentFault(
            line: line,
            "a second bundle begins here",
            hint: "import each by itself: every line of the kind \"incident\" begins one"
        )
    }
}
