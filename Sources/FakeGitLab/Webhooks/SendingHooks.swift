package import HTTP
import Platform

extension FakeGitLab {
    /// The hooks of everything that happened after that entry of the ledger. The fake sends nothing itself: who runs it sends them,
    /// some seconds later and in no particular order, once each (GitLab facts §15.1).
    package func hooks(after sequence: Int) -> [HookDelivery] {
        act { state, now in
            guard let hook = state.configuration.webhook, !state.isHookDisabled(hook, at: now) else { return [] }
            return state.ledger.dropFirst(sequence).flatMap { state.hooks(of: $0, hook) }
        }
    }

    /// What became of a hook: 2xx and 3xx are a success, all else a failure (GitLab facts §15.1).
    package func hookAnswered(_ outcome: HTTPOutcome) {
        act { state, now in
            var isSuccess = false
            if case .response(let response) = outcome { isSuccess = (200..<400).contains(response.status) }
            state.hookHealth.note(isSuccess: isSuccess, at: now)
        }
    }
}

extension State {
    fileprivate func isHookDisabled(_ hook: Webhook, at now: WallTime) -> Bool {
        hook.disablesItself && hookHealth.isDisabled(at: now)
    }

    fileprivate mutating func hooks(of activity: Activity, _ hook: Webhook) -> [HookDelivery] {
        guard let item = activity.item else { return [] }
        let project = projectsByID[item.projectID].map { projects[$0] }
        guard let project, let index = (item.kind == .issue ? project.issues : project.mergeRequests)[item.iid] else {
            return []
        }
        if let action = activity.kind.noteAction {
            let notes = activity.noteIDs.filter { !activity.systemNoteIDs.contains($0) }
            return notes.map { deliver(noteHook($0, action, index, activity), of: activity, hook) }
        }
        guard let action = activity.kind.itemAction else { return [] }
        return [deliver(itemHook(action, index, activity), of: activity, hook)]
    }

    private mutating func deliver(_ payload: (event: String, body: [UInt8]), of activity: Activity, _ hook: Webhook)
        -> HookDelivery
    {
        var fields: HTTPFields = [
            "Content-Type": "application/json", "User-Agent": "GitLab/\(version)", "X-Gitlab-Event": payload.event,
            "X-Gitlab-Instance": "\(configuration.externalURL)",
        ]
        if version.tellsWebhookUUID { fields.append("X-Gitlab-Webhook-UUID", hookUUID()) }
        fields.append("X-Gitlab-Event-UUID", hookUUID())
        if version.tellsIdempotencyKey { fields.append("Idempotency-Key", hookUUID()) }
        if let secret = hook.secret { fields.append("X-Gitlab-Token", secret) }
        let request = HTTPRequest(
            method: .post,
            origin: hook.origin,
            target: hook.target,
            fields: fields,
            body: payload.body
        )
        return HookDelivery(activity: activity.sequence, event: payload.event, request: request)
    }

    /// A random UUID (version 4).
    private mutating func hookUUID() -> String {
        var digits: [UInt8] = []
        digits.appendHex(hookRandom.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000)
        digits.appendHex(hookRandom.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
        let text = String(decoding: digits, as: UTF8.self)
        var parts: [Substring] = []
        var rest = text[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}

extension Activity.Kind {
    /// The `action` of a note hook; nil for what makes none: deletions and system notes send nothing (GitLab facts §15.2).
    fileprivate var noteAction: String? {
        switch self {
        case .commented, .replied, .diffCommented, .reviewPublished: "create"
        case .noteEdited: "update"
        default: nil
        }
    }

    /// The `action` of an issue's or merge request's hook (GitLab facts §15.2).
    fileprivate var itemAction: String? {
        switch self {
        case .opened: "open"
        case .closed: "close"
        case .reopened: "reopen"
        case .merged: "merge"
        case .approved: "approval"
        case .unapproved: "unapproval"
        case .pushed, .assigned, .unassigned, .reviewRequested, .reviewRequestRemoved, .labelsChanged,
            .milestoneChanged, .titleChanged, .markedDraft, .markedReady, .confidentialityChanged:
            "update"
        default: nil
        }
    }
}
