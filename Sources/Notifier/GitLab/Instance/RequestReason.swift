/// Why a request is made of GitLab: the label `reason` of `gitlab_requests_total`.
enum RequestReason: Hashable, Sendable {
    /// An app asked, and somebody waits for the answer.
    case app
    /// The to-dos, because their time has come.
    case todosDue
    /// The to-dos, because something points to one.
    case todosPointedTo
    /// Rows that have changed: a sweep.
    case changes
    /// The rows of everything.
    case everything
    /// A list of an item that is read for this reason.
    case item(String, RequestUrgency)
    /// What the account itself needs: its token, what its GitLab can do, feeds that stand in for lists, probes.
    case account

    /// How much it would hurt if the request waited.
    var urgency: RequestUrgency {
        switch self {
        case .app: .person
        case .todosDue, .todosPointedTo, .changes, .account: .news
        case .everything: .rounds
        case .item(_, let urgency): urgency
        }
    }

    /// As operators read it.
    var name: String {
        switch self {
        case .app: "app"
        case .todosDue: "todos_due"
        case .todosPointedTo: "todos_pointed_to"
        case .changes: "changes"
        case .everything: "everything"
        case .item(let reason, _): "item_\(reason)"
        case .account: "account"
        }
    }

    /// That of the requests which the current task and its children make.
    @TaskLocal static var current = RequestReason.account
}
