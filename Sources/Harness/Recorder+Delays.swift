import Scenarios
import Verdict

/// What slow links and a slow GitLab leave open.
extension Recorder {
    /// Whether GitLab may answer only now what an app waited for that has given up since.
    var mayBeForApp: Bool {
        let isSlow = record.faults.contains {
            $0.kind == .gitlabSlow && appsAskedUntil < $0.passedAt + Self.longestRequest
        }
        return now < appsAskedUntil + Self.longestRequest
            && (isSlow || record.faults.mayDelay(from: appsAskedUntil, until: now))
    }
}
