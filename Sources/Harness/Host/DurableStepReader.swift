import Scenarios
import SimulatedStorage
import Simulation

/// Tells which steps the notifier reaches, as far as that shows outside.
///
/// Work on the database's executor stands for a commit: a crash before it keeps the commit from happening, one after it keeps
/// everything from happening that the commit would have led to.
struct DurableStepReader {
    /// The link of each exchange under way.
    private var links: [Int64: String] = [:]
    private var tokenExchange: Int64?

    static func step(at moment: JobMoment) -> DurableStep {
        switch moment {
        case .before: .beforeCommit
        case .after: .afterCommit
        }
    }

    static func step(before operation: DiskOperation) -> DurableStep {
        switch operation {
        case .write: .beforeDiskWrite
        case .sync: .beforeDiskSync
        }
    }

    /// In the order in which they are reached; none for most events.
    mutating func steps(in record: TraceRecord) -> [DurableStep] {
        switch record.event {
        case .requestSent(let exchange, let link, _, let target, _):
            links[exchange] = link
            if target == "/oauth/token" { tokenExchange = exchange }
            return link == Link.gitlab.rawValue ? [.beforePoll] : link == Link.apns.rawValue ? [.beforePush] : []
        case .replySent(let exchange, _, _, _):
            return links[exchange] == Link.apns.rawValue ? [.afterPush] : []
        case .exchangeEnded(let exchange, _, _):
            let link = links.removeValue(forKey: exchange)
            let token: [DurableStep] = exchange == tokenExchange ? [.afterTokenRefresh] : []
            if link == Link.gitlab.rawValue { return token + [.afterPollAnswer] }
            return link == Link.apns.rawValue ? token + [.afterPushAnswer] : token
        default: return []
        }
    }
}
