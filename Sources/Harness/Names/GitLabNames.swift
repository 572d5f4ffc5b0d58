import FakeGitLab
import Scenarios

extension ItemReference {
    /// The same item as the fake names it.
    var inGitLab: FakeGitLab::ItemReference {
        FakeGitLab::ItemReference(project: project.text, kind: kind == .issue ? .issue : .mergeRequest, iid: iid)
    }
}

extension FakeGitLab::ItemReference {
    /// The same item as the scenario names it; nil for one of a project that no scenario could have.
    var inScenario: Scenarios::ItemReference? {
        ProjectPath(project).map {
            Scenarios::ItemReference(project: $0, kind: kind == .issue ? .issue : .mergeRequest, iid: iid)
        }
    }
}

extension PipelineStatus {
    /// The same status as the fake names it.
    var inGitLab: FakeGitLab::PipelineStatus {
        switch self {
        case .running: .running
        case .success: .success
        case .failed: .failed
        case .canceled: .canceled
        }
    }
}
