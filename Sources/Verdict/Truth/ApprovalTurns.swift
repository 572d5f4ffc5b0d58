import Platform
import Scenarios

/// Which approval the list of approvals spoke of. The list has neither ids nor times (GitLab facts §11.1), so that a fact told
/// from it names only the merge request and the person; what the person did by then says which of their approvals it was. The list
/// shows an approval as soon as it is given: its system note is a row of its own, which may be committed later (§7.1).
struct ApprovalTurns: Sendable {
    /// When each approval of a person on a merge request was given.
    private var turns: [String: [Duration]] = [:]
    /// When a person withdrew an approval of a merge request.
    private var withdrawals: [String: [Duration]] = [:]
    /// The keys of approvals by the position of their activity.
    private var keys: [Int: String] = [:]

    /// Reads the approvals of a run.
    init(_ record: RunRecord) {
        for (index, activity) in record.activities.enumerated() {
            guard let list = Self.list(of: activity) else { continue }
            if activity.kind == .unapproved { withdrawals[list, default: []].append(activity.at) }
            guard activity.kind == .approved else { continue }
            turns[list, default: []].append(activity.at)
            keys[index] = Self.key(list, turns[list, default: []].count)
        }
    }

    /// The key of the approval at that position of `RunRecord.activities`, with which of the person's approvals it is, from 1;
    /// nil for what is no approval.
    func key(of activity: Int) -> String? { keys[activity] }

    /// Whether the person had withdrawn an approval of the same merge request no longer before than that.
    func followsWithdrawal(_ approval: ActivityRecord, within span: Duration) -> Bool {
        guard let list = Self.list(of: approval) else { return false }
        return (withdrawals[list] ?? []).contains { $0 <= approval.at && approval.at - span < $0 }
    }

    /// Whether a fact was notified from the list of approvals.
    static func isListed(_ key: String) -> Bool { key.hasPrefix(prefix) }

    /// The key under which a notified fact is looked up: for one of the list of approvals the approval that it showed at `instant`,
    /// when it was read; every other key as it is. How often the person had approved as far as the notifier saw, the last
    /// part of its key, plays no part. A list that was read before anybody approved gives the key as it is, which is nobody's.
    func canonical(_ key: String, readAt instant: Duration) -> String {
        guard Self.isListed(key), let end = key.lastIndex(of: "/") else { return key }
        let list = String(key[..<end])
        guard let turn = turns[list]?.lastIndex(where: { $0 <= instant }) else { return key }
        return Self.key(list, turn + 1)
    }

    private static let prefix = "approval/"

    private static func list(of activity: ActivityRecord) -> String? {
        guard let project = activity.projectID, let item = activity.item, let actor = activity.actorID else {
            return nil
        }
        return "\(prefix)\(project)/\(item.iid)/\(actor)"
    }

    private static func key(_ list: String, _ turn: Int) -> String { "\(list)#\(turn)" }
}
