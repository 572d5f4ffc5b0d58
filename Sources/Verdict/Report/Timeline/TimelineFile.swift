import JSON

/// `timeline.json`: the timeline of the seed that the report tells in detail.
enum TimelineFile {
    /// One line of JSON with a newline at its end; equal runs give equal bytes.
    static func text(_ judged: JudgedRun) throws -> String {
        try DeterministicJSON.line(TimelineBuilder(judged).made()) + "\n"
    }
}
