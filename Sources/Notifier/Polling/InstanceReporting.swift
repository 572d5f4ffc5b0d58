import Configuration
import Platform

extension InstanceGates {
    /// Gates as they are configured, which tell log and metrics what there is to say.
    convenience init(
        _ configuration: NotifierConfiguration,
        time: any TimeSource,
        log: Log,
        metrics: MetricsRegistry
    ) {
        self.init(InstanceBudget.Limits(configuration), time: time) { news in
            switch news {
            case .waited(let wait, let urgency, let isRare):
                metrics.observe(.instanceWait, wait, [urgency.rawValue])
                if isRare { log.write(.instanceWaited, [("wait.ms", .milliseconds(wait))]) }
            case .narrowed(let isNarrowed):
                metrics.set(.instanceNarrowed, to: isNarrowed ? 1 : 0)
                log.write(isNarrowed ? .instanceNarrowed : .instanceWidened)
            case .answered(let list, let reason, let answer):
                metrics.count(.instanceRequests, 1, [list.rawValue, reason.name, answer.rawValue])
            }
        }
    }
}
