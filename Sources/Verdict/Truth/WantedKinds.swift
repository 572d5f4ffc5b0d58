import JSON
import Scenarios

/// Which kinds of activity people who watch an item are notified of, read from the scenario, not from the notifier.
struct WantedKinds {
    /// What the notifier's documentation promises to who has chosen nothing.
    private var settings: Set<String> = ["comments", "approvals", "pushes", "states"]

    init(overrides: NotifierOverrides) {
        guard case .string(let text)? = overrides["activities"] else { return }
        settings = Set(text.split(separator: " ").map(String.init))
    }

    /// Whether who watches its item is notified of `activity`. A pipeline is notified when it has come to an end that people wait for.
    func contains(_ activity: ActivityRecord) -> Bool {
        guard let setting = activity.kind.setting, settings.contains(setting) else { return false }
        return activity.kind != .pipelineFinished || activity.isPipelineEnd
    }
}

extension ActivityRecord {
    /// Whether a pipeline succeeded or failed (GitLab facts §11.3).
    var isPipelineEnd: Bool { pipelineStatus == "success" || pipelineStatus == "failed" }

    /// Whether only a list tells of it that the notifier reads first after a watch has begun, or of which a watch's beginning takes all that it
    /// shows.
    var isToldByLateLists: Bool {
        [.labelled, .milestoneSet, .pipelineFinished].contains(kind) || isOnlyListed
    }
}
