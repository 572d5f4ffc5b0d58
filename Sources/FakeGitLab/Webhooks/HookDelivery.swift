package import HTTP
import Platform

extension FakeGitLab {
    /// The hooks of everything that happened after that entry of the ledger. The fake sends nothing itself: who runs it sends them,
    /// some seconds later and in no particular order, once each (GitLab facts §15.1).
    package func hooks(after sequence: Int) -> [HookDelivery] {
        act { state, now in
            guard state.configuration.webhook != nil || !state.hooks.isEmpty else { return [] }
            return state.ledger.dropFirst(sequence).flatMap { state.deliveries(of: $0, at: now) }
        }
    }

    /// What became of a hook: 2xx and 3xx are a success, all else a failure (GitLab facts §15.1).
    package func hookAnswered(_ outcome: HTTPOutcome, of hook: Int64? = nil) {
        act { state, now in
            var isSuccess = false
            if case .response(let response) = outcome { isSuccess = (200..<400).contains(response.status) }
            guard let hook else { return state.hookHealth.note(isSuccess: isSuccess, at: now) }
            guard let index = state.hooks.firstIndex(where: { $0.id == hook }) else { return }
            state.hooks[index].health.note(isSuccess: isSuccess, at: now)
        }
    }
}

extension InstanceState {
    /// Whether failing hooks are switched off here.
    var disablesHooks: Bool { configuration.webhook?.disablesItself ?? false }

    /// The instance's own hook first, then those that were added to the project.
    fileprivate mutating func deliveries(of activity: Activity, at now: WallTime) -> [HookDelivery] {
        guard let item = activity.item, let project = projectsByID[item.projectID] else { return [] }
        var targets: [HookTarget] = []
        if let hook = configuration.webhook, !(disablesHooks && hookHealth.pause(at: now) != .none) {
            targets.append(HookTarget(hook, uuid: configuredHookUUID))
        }
        for hook in hooks where hook.project == project && !hook.isConfigured {
            guard let target = HookTarget(hook), !(disablesHooks && hook.health.pause(at: now) != .none) else {
                continue
            }
            targets.append(target)
        }
        guard !targets.isEmpty else { return [] }
        return payloads(of: activity).flatMap { payload in
            targets.filter { $0.wants(payload.event) }.map { deliver(payload, of: activity, to: $0) }
        }
    }

    private mutating func payloads(of activity: Activity) -> [(event: String, body: [UInt8])] {
        guard let item = activity.item, let project = projectsByID[item.projectID].map({ projects[$0] }) else {
            return []
        }
        guard let index = (item.kind == .issue ? project.issues : project.mergeRequests)[item.iid] else { return [] }
        if let action = activity.kind.noteAction {
            let notes = activity.noteIDs.filter { !activity.systemNoteIDs.contains($0) }
            return notes.map { noteHook($0, action, index, activity) }
        }
        guard let action = activity.kind.itemAction else { return [] }
        return [itemHook(action, index, activity)]
    }

    private mutating func deliver(
        _ payload: (event: String, body: [UInt8]),
        of activity: Activity,
        to target: HookTarget
    ) -> HookDelivery {
        var fields: HTTPFields = [
            "Content-Type": "application/json", "User-Agent": "GitLab/\(version)", "X-Gitlab-Event": payload.event,
            "X-Gitlab-Instance": "\(configuration.externalURL)",
        ]
        if version.tellsWebhookUUID {
            let isPerAttempt = configuration.webhookUUIDPerAttempt
            fields.append("X-Gitlab-Webhook-UUID", isPerAttempt ? UUIDText.next(&hookRandom) : target.uuid)
        }
        fields.append("X-Gitlab-Event-UUID", UUIDText.next(&hookRandom))
        if version.tellsIdempotencyKey { fields.append("Idempotency-Key", UUIDText.next(&hookRandom)) }
        if let secret = target.secret { fields.append("X-Gitlab-Token", secret) }
        let request = HTTPRequest(
            method: .post,
            origin: target.origin,
            target: target.path,
            fields: fields,
            body: payload.body
        )
        return HookDelivery(
            activity: activity.sequence,
            event: payload.event,
            request: request,
            hook: target.id
        )
    }
}

/// Where one hook goes.
private struct HookTarget {
    let id: Int64?
    let uuid: String
    let origin: HTTPOrigin
    let path: String
    let secret: String?
    /// Nil for the instance's own.
    private let hook: ProjectHook?

    init(_ hook: Webhook, uuid: String) {
        (id, self.uuid, secret, self.hook) = (nil, uuid, hook.secret, nil)
        (origin, path) = (hook.origin, hook.target)
    }

    /// Nil for a hook whose address is none.
    init?(_ hook: ProjectHook) {
        guard let address = ProjectHook.split(hook.url) else { return nil }
        (id, uuid, secret, self.hook) = (hook.id, hook.uuid, hook.secret, hook)
        (origin, path) = address
    }

    /// The instance's own hook is told of everything; others of what they asked for (GitLab facts §15.2).
    func wants(_ event: String) -> Bool {
        guard let hook else { return true }
        return switch event {
        case "Note Hook": hook.isOn("note_events")
        case "Confidential Note Hook": hook.isOn("confidential_note_events")
        case "Issue Hook": hook.isOn("issues_events")
        case "Confidential Issue Hook": hook.isOn("confidential_issues_events")
        default: hook.isOn("merge_requests_events")
        }
    }
}

/// Random UUIDs (version 4).
enum UUIDText {
    static func next(_ random: inout RandomStream) -> String {
        var digits: [UInt8] = []
        digits.appendHex(random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000)
        digits.appendHex(random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
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
            .milestoneChanged, .titleChanged, .descriptionChanged, .dueDateChanged, .markedDraft, .markedReady,
            .confidentialityChanged:
            "update"
        default: nil
        }
    }
}
