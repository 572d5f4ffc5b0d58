import FoundationEssentials

/// `timeline.json`: the timeline of the seed that the report tells in detail.
package enum TimelineFile {
    /// One line of JSON with a newline at its end; equal runs give equal bytes.
    package static func text(_ record: RunRecord) throws -> String {
        try DeterministicJSON.line(TimelineBuilder(JudgedRun(record)).made()) + "\n"
    }
}
