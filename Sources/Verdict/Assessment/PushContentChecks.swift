import Platform
import Scenarios

/// Whether what was pushed is true, and whether everything was pushed that must be besides news of activities.
struct PushContentChecks {
    private let judged: JudgedRun
    private let record: RunRecord

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
    }

    func violations() -> [ViolationRecord] { misleadingPushes() + wipedNews() + untoldRefusals() }

    // MARK: push-leads-elsewhere

    /// Pushes that name another item than the one that a fact of theirs, or a day, is about, or that do not lead there.
    private func misleadingPushes() -> [ViolationRecord] {
        let items = ItemsOfKeys(record, judged.truth)
        let numbers = Dictionary(judged.truth.people.enumerated().map { ($1, $0) }) { first, _ in first }
        return record.pushes.compactMap { push in
            guard let person = push.person, let number = numbers[person], let content = push.content,
                let target = content.target
            else { return nil }
            var told = content.factKeys.compactMap { items.item(of: $0, person: number) }
            if let due = content.due?.item { told.append(due) }
            let other = told.first { !target.names($0) }
            guard let what = other?.description ?? misledKey(content, target, of: told.first) else { return nil }
            return ViolationRecord(
                invariant: .pushMisleads,
                at: push.at,
                detail: "A push to \(person) tells of \(what) and leads to \(target.itemType) \(target.itemNumber) "
                    + "of \(target.projectPath ?? "a project"), \(target.webAddress ?? "without an address")."
            )
        }
    }

    /// A push has no room for longer addresses, and leaves them away.
    private static let longestAddress = 900
    /// What follows an item's address at most: the number of a comment.
    private static let fragment = 40

    /// What a push tells of first, if it has to lead there and does not: its address is left away although there is room for it, or it is
    /// not that of the comment or the pipeline.
    private func misledKey(_ content: PushContent, _ target: PushTarget, of item: ItemReference?) -> String? {
        guard content.label != nil, let key = content.factKeys.first,
            let path = target.projectPath ?? item?.project.description
        else { return nil }
        guard let address = target.webAddress else {
            let place = "\(record.resolved.scenario.world.gitlab.externalURL)/\(path)/-/\(target.itemType)s/"
            return place.utf8.count + Self.fragment <= Self.longestAddress ? key : nil
        }
        let parts = key.split(separator: "/")
        guard parts.count > 2 else { return nil }
        switch parts[0] {
        case "note", "mention": return address.hasSuffix("#note_\(parts[2])") ? nil : key
        case "pipeline": return address.hasSuffix("/-/pipelines/\(parts[2])") ? nil : key
        default: return nil
        }
    }

    // MARK: push-says-otherwise

    /// Where something stands on the screen of a device, until another takes its place.
    private struct Place: Hashable {
        var person: Username
        var device: DeviceName
        var installation: Int
        var id: String
    }

    /// Pushes that took the place of one that told of something else, which nobody sees any more. A reminder takes the place of what it reminds
    /// of, and one of a push that is repeated takes its own.
    private func wipedNews() -> [ViolationRecord] {
        func place(_ event: DeviceEventRecord, _ content: PushContent) -> Place {
            Place(
                person: event.person,
                device: event.device,
                installation: event.installation,
                id: event.collapseID ?? content.notificationID
            )
        }
        var taken: Set<Place> = []
        for event in record.deviceEvents where event.kind == .replaced {
            if let content = judged.observations.content(of: event, in: record) { taken.insert(place(event, content)) }
        }
        guard !taken.isEmpty else { return [] }
        var standing: [Place: PushContent] = [:]
        return record.deviceEvents.compactMap { event in
            guard event.isShown, let content = judged.observations.content(of: event, in: record) else { return nil }
            let place = place(event, content)
            guard taken.contains(place) else { return nil }
            let before = standing.updateValue(content, forKey: place)
            guard event.kind == .replaced, let before, before.notificationID != content.notificationID,
                !before.isTruncated, !content.isTruncated,
                Set(before.factKeys).isDisjoint(with: content.factKeys)
            else { return nil }
            return ViolationRecord(
                invariant: .pushMisstates,
                at: event.at,
                detail: "On \(event.person) \(event.device) a push of \(content.factKeys.joined(separator: ", ")) "
                    + "took the place of one of \(before.factKeys.joined(separator: ", "))."
            )
        }
    }

    // MARK: refused-token-untold

    /// How long GitLab must have refused a token, while it could be asked, for the person to be told. How soon that is, is not judged: slow
    /// links may put it off, which are no obstacle to everything.
    private static let patience = Duration.minutes(30)
    /// The type of a push that says so.
    static let refusal = "auth_expired"

    /// Whether GitLab gave the person nothing all the time between, so that what was told before needs not be told again.
    private func isStillRefused(from told: Duration, until instant: Duration, _ person: Username) -> Bool {
        judged.truth.people.firstIndex(of: person).map { place in
            judged.truth.obstacles[place].readable(from: told) >= instant.wholeNanoseconds
        } ?? false
    }

    /// Spans in which GitLab did not take the person's token and nobody told the person.
    private func untoldRefusals() -> [ViolationRecord] {
        let devices = DeviceFates(record)
        return record.registrations.filter { !$0.tokenDead.isEmpty }.flatMap { registration in
            let person = registration.person
            let pushed = record.pushes.filter { $0.person == person && $0.content?.type == Self.refusal }.map(\.at)
            // An open app fetches it before its push has left, and then none is sent.
            let shown = record.deviceEvents.filter { $0.person == person && $0.content?.type == Self.refusal }.map(\.at)
            let told = pushed + shown
            return registration.tokenDead.compactMap { span -> ViolationRecord? in
                let noticed = judged.truth.refusalDeadline(from: span.from, grace: Self.patience, for: person)
                let sent = judged.truth.sendingDeadline(from: noticed, for: person)
                // Whoever is blocked has been told so by GitLab, and hears nothing of it from the notifier; nor does who has left.
                let isBlocked = registration.blocked.contains { $0.from < noticed && span.from < $0.until }
                let hasLeft = registration.leftAt.map { $0 < noticed } ?? false
                // Nor does who has another token before APNs takes a push.
                guard !isBlocked, !hasLeft, max(noticed, sent) < min(span.until, record.idleSince ?? .zero),
                    devices.hasUsable(for: person, from: span.from, until: sent),
                    !told.contains(where: {
                        $0 <= span.until && (span.from <= $0 || isStillRefused(from: $0, until: span.from, person))
                    })
                else { return nil }
                return ViolationRecord(
                    invariant: .refusalUntold,
                    at: span.from,
                    detail: "GitLab refused the token of \(person) from then on, and no push ever said so."
                )
            }
        }
    }
}
