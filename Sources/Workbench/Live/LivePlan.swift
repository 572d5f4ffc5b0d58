import Platform
import Scenarios

/// What of a plan can be played with a `notifierd` of its own.
struct LivePlan {
    /// The plan without the rest.
    var plan: ResolvedScenario
    /// Why each of the rest is left out, once each.
    var leftOut: [String] = []

    init(_ plan: ResolvedScenario) {
        self.plan = plan
        self.plan.steps = plan.steps.filter { step in
            guard let obstacle = Self.obstacle(to: step.event) else { return true }
            if !leftOut.contains(obstacle) { leftOut.append(obstacle) }
            return false
        }
    }

    private static func obstacle(to event: Step.Event) -> String? {
        if case .action(let resolved) = event, case .announcement = resolved.action {
            return "announce: the database is on this machine's disk"
        }
        guard case .fault(let fault) = event else { return nil }
        switch fault.effect {
        case .crashAtStep(_, _, _, let keeps) where keeps != .all: return "loss of power: the machine is this one"
        case .crashAtStep(let step, _, _, _) where step.isInDatabase:
            return "crash at \(step.rawValue): from outside one cannot see when notifierd commits"
        case .powerLoss: return "loss of power: the machine is this one"
        default: break
        }
        switch fault.kind.place {
        case .disk, .database: return "\(fault.kind.rawValue): the disk is this machine's"
        case .link, .gitlab, .webhooks, .apns, .process, .clock, .device: return nil
        }
    }
}
