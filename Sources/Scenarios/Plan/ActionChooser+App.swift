import Platform

/// Choices a person makes in the app.
extension ActionChooser {
    /// What the template asks for, by somebody who is registered.
    mutating func chooseApp(_ template: ActionTemplate) throws(Impossible) -> Action {
        guard let person = random.pick((template.by?.people ?? []).filter(planned.isRegistered)) else {
            throw Impossible(reason: "none of them is registered")
        }
        return .app(try chooseAppAction(template, by: person), by: person)
    }

    private mutating func chooseAppAction(
        _ template: ActionTemplate,
        by person: Username
    ) throws(Impossible) -> AppAction {
        switch template.kind {
        case .mute: return .mute(try chooseWatched(template, by: person), length: template.length ?? .seconds(3_600))
        case .unmute: return .unmute(try chooseWatched(template, by: person))
        case .denyActor: return .denyActor(try chooseActor(template))
        case .allowActor: return .allowActor(try chooseActor(template))
        case .setQuietHours: return .quietHours(template.quietHours)
        case .autoWatchOn: return .autoWatch(true)
        case .autoWatchOff: return .autoWatch(false)
        case .tapWatch: return .tapWatch(try chooseItem(template))
        case .tapDismiss: return .tapDismiss(try chooseItem(template))
        case .undismiss: return .undismiss(try chooseItem(template))
        default: return .quietHours(nil)
        }
    }

    private mutating func chooseWatched(
        _ template: ActionTemplate,
        by person: Username
    ) throws(Impossible) -> ItemReference {
        let all: [ItemReference]
        if case .oneOf(let items) = template.on { all = items } else { all = planned.items }
        guard let item = random.pick(all.filter { planned.isWatching(person, $0) }) else {
            throw Impossible(reason: "\(person) does not watch it")
        }
        return item
    }

    /// Whether there is a notification about it, only the run can tell.
    private mutating func chooseItem(_ template: ActionTemplate) throws(Impossible) -> ItemReference {
        let all: [ItemReference]
        if case .oneOf(let items) = template.on { all = items } else { all = planned.items }
        guard let item = random.pick(all.filter { planned[$0]?.isThere == true }) else {
            throw Impossible(reason: "there is no such item")
        }
        return item
    }

    private mutating func chooseActor(_ template: ActionTemplate) throws(Impossible) -> Username {
        guard let user = random.pick(template.user?.people ?? []) else { throw Impossible(reason: "nobody is named") }
        return user
    }
}
