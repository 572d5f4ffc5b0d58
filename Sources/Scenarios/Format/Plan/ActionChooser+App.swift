import Platform

/// Choices a person makes in the app.
extension ActionChooser {
    /// What the template asks for, by somebody who is registered.
    mutating func chooseApp(_ template: ActionTemplate) throws(Impossible) -> Action {
        guard let person = random.pick((template.by?.people ?? []).filter(planned.isRegistered)) else {
            throw Impossible(reason: "nobody of them is registered")
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

    private mutating func chooseActor(_ template: ActionTemplate) throws(Impossible) -> Username {
        guard let user = random.pick(template.user?.people ?? []) else { throw Impossible(reason: "nobody is named") }
        return user
    }
}
