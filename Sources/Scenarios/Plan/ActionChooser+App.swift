import Platform

/// Choices a person makes in the app.
extension ActionChooser {
    /// Somebody who is registered, and what of the item or the other person they mean.
    mutating func chooseApp(_ template: inout ActionTemplate) throws(Impossible) {
        guard let person = random.pick((template.by?.people ?? []).filter(planned.isRegistered)) else {
            throw Impossible(reason: "none of them is registered")
        }
        template.by = .oneOf([person])
        for key in template.kind.form.keys {
            switch key {
            case .on: template.on = .oneOf([try chooseItem(template, by: person)])
            case .user:
                guard let user = random.pick(template.user?.people ?? []) else {
                    throw Impossible(reason: "nobody is named")
                }
                template.user = .oneOf([user])
            default: break
            }
        }
    }

    /// What is done to an entry of the watch list.
    private static let ofWatched: [ActionKind] = [.mute, .unmute, .pullSubscription, .pushSubscription]

    /// Only what is watched can be muted, or follow GitLab. Whether there is a notification about an item, only the run can tell.
    private mutating func chooseItem(
        _ template: ActionTemplate,
        by person: Username
    ) throws(Impossible) -> ItemReference {
        let all: [ItemReference]
        if case .oneOf(let items) = template.on { all = items } else { all = planned.items }
        let isOfWatched = Self.ofWatched.contains(template.kind)
        let possible = all.filter { isOfWatched ? planned.isWatching(person, $0) : planned[$0]?.isThere == true }
        guard let item = random.pick(possible) else {
            throw Impossible(reason: isOfWatched ? "\(person) does not watch it" : "there is no such item")
        }
        return item
    }
}
