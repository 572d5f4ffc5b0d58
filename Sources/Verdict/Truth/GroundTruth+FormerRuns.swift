extension GroundTruth {
    /// The keys of former runs of a pipeline that may also tell of its end at that position of the activities. GitLab says nowhere which run it
    /// shows, so that the notifier counts the ends it has seen: those that had to be told count for certain, every other one may not.
    func keysOfFormerRuns(before index: Int, in activities: [ActivityRecord], for person: Int) -> [String] {
        let end = activities[index]
        guard end.isPipelineEnd, end.pipelineRun > 1, let project = end.projectID, let pipeline = end.pipelineID,
            let status = end.pipelineStatus
        else { return [] }
        let counted = activities.indices.prefix(index).filter { former in
            activities[former].pipelineID == pipeline && activities[former].isPipelineEnd
                && pairs[former * people.count + person].standing.isExpected
        }
        let first = Int64(counted.count) + 1
        guard first < end.pipelineRun else { return [] }
        return (first..<end.pipelineRun).map { run in "pipeline/\(project)/\(pipeline)/\(status)/\(run)" }
    }
}
