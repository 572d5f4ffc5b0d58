import Platform

/// Makes the choices an action leaves open, each from the stream of its own occurrence.
struct ActionChooser {
    /// Why there is nothing to choose from.
    struct Impossible: Error { var reason: String }

    let planned: PlannedWorld
    var random: RandomStream

    /// The concrete action; throws when none is possible at this moment.
    mutating func choose(_ template: ActionTemplate) throws(Impossible) -> Action {
        switch template.kind.target {
        case .item: return try chooseItemAction(template)
        case .newItem(let kind): return try chooseNewItem(template, kind)
        case .commit: return try chooseMention(template)
        case .access: return try chooseAccess(template)
        case .watchList: return try chooseWatch(template)
        case .app: return try chooseApp(template)
        case .todos, .token, .registration, .device: return try choosePersonal(template)
        }
    }

    /// One action of a mix: a kind by weight among those possible now.
    mutating func choose(_ mix: MixTemplate) throws(Impossible) -> Action {
        var shares = mix.shares
        while !shares.isEmpty {
            let total = shares.reduce(0) { $0 + $1.weight }
            var position = Int64(random.next(below: UInt64(total)))
            var index = 0
            while position >= shares[index].weight {
                position -= shares[index].weight
                index += 1
            }
            do throws(Impossible) {
                return try choose(template(of: shares[index].kind, mix))
            } catch {
                shares.remove(at: index)
            }
        }
        throw Impossible(reason: "nothing of the mix is possible")
    }

    // MARK: Items

    private mutating func chooseItemAction(_ template: ActionTemplate) throws(Impossible) -> Action {
        if let action = probeItemAction(template) { return action }
        var items = try possibleItems(template)
        var reason = "nobody can do it"
        while !items.isEmpty {
            let index = Int(random.next(below: UInt64(items.count)))
            do throws(Impossible) {
                let person = try choosePerson(template, on: items[index])
                let change = try choosePossibleChange(template, on: items[index], by: person)
                return .onItem(change, item: items[index], by: person)
            } catch {
                reason = error.reason
                items.remove(at: index)
            }
        }
        throw Impossible(reason: reason)
    }

    /// A few draws among all items, which nearly always find a possible one without looking at the rest.
    private mutating func probeItemAction(_ template: ActionTemplate) -> Action? {
        guard case .any = template.on else { return nil }
        for _ in 0..<4 {
            guard let item = random.pick(planned.items), isPossible(template.kind, on: item) else { continue }
            guard let person = try? choosePerson(template, on: item) else { continue }
            guard let change = try? choosePossibleChange(template, on: item, by: person) else { continue }
            return .onItem(change, item: item, by: person)
        }
        return nil
    }

    private func isPossible(_ kind: ActionKind, on item: ItemReference) -> Bool {
        planned.isPlausible(kind, on: item) && planned.obstacle(to: kind, on: item) == nil
    }

    private func possibleItems(_ template: ActionTemplate) throws(Impossible) -> [ItemReference] {
        let candidates: [ItemReference]
        switch template.on {
        case .oneOf(let items) where items.count == 1:
            if let reason = planned.obstacle(to: template.kind, on: items[0]) { throw Impossible(reason: reason) }
            return items
        case .oneOf(let items): candidates = items
        case .any: candidates = planned.items
        case .new, nil: candidates = []
        }
        let possible = candidates.filter { isPossible(template.kind, on: $0) }
        guard possible.isEmpty else { return possible }
        throw Impossible(reason: "there is no item on which \(template.kind.rawValue) is possible")
    }

    private mutating func choosePerson(_ template: ActionTemplate, on item: ItemReference) throws(Impossible)
        -> Username
    {
        let people = candidates(template.by, in: item.project)
        if people.count == 1, case .oneOf = template.by {
            if let reason = planned.obstacle(to: template.kind, on: item, by: people[0]) {
                throw Impossible(reason: reason)
            }
            return people[0]
        }
        let possible = people.filter { planned.obstacle(to: template.kind, on: item, by: $0) == nil }
        let plausible = possible.filter { planned.isPlausible(template.kind, on: item, by: $0) }
        guard let person = random.pick(plausible) else {
            throw Impossible(reason: "nobody can \(template.kind.rawValue) on \(item)")
        }
        return person
    }

    /// The people a selector means in a project, in the order of the file.
    private func candidates(_ selector: PersonSelector?, in project: ProjectPath) -> [Username] {
        switch selector {
        case .oneOf(let people): return people
        case .anyone(let except):
            let members = planned.anyone(in: project)
            return except.isEmpty ? members : members.filter { !except.contains($0) }
        case nil: return []
        }
    }

    private mutating func choosePossibleChange(
        _ template: ActionTemplate,
        on item: ItemReference,
        by person: Username
    ) throws(Impossible) -> ItemAction {
        let change = try chooseChange(template, on: item, by: person)
        if let reason = planned.lackOfRoom(for: change, on: item) { throw Impossible(reason: reason) }
        return change
    }

    private mutating func chooseChange(
        _ template: ActionTemplate,
        on item: ItemReference,
        by person: Username
    ) throws(Impossible) -> ItemAction {
        switch template.kind {
        case .comment: .comment(text(template, on: item, by: person))
        case .reply: .reply(text(template, on: item, by: person))
        case .diffComment: .diffComment(text(template, on: item, by: person))
        case .editComment: .editComment(text(template, on: item, by: person))
        case .deleteComment: .deleteComment
        case .react: .react(emoji: template.text ?? "thumbsup")
        case .publishReview: .publishReview(count: template.count ?? 1)
        case .resolveThread: .resolveThread
        case .approve: .approve
        case .unapprove: .unapprove
        case .push: .push(commits: template.count ?? 1)
        case .merge: .merge
        case .close: .close
        case .reopen: .reopen
        case .pipeline: .pipeline(template.status ?? .success)
        case .retryPipeline: .retryPipeline
        case .setAutoMerge: .setAutoMerge
        case .conflict: .conflict
        case .assign: .assign(try chooseUser(template, on: item, by: person))
        case .unassign: .unassign(try chooseUser(template, on: item, by: person))
        case .requestReview: .requestReview(try chooseUser(template, on: item, by: person))
        case .removeReviewRequest: .removeReviewRequest(try chooseUser(template, on: item, by: person))
        case .addLabel: .addLabel(try newLabel(template.text ?? "", on: item))
        case .setMilestone: .setMilestone(try newMilestone(template.text ?? "", on: item))
        case .changeTitle: .changeTitle(try newTitle(template.text, of: item))
        case .markDraft: .markDraft
        case .markReady: .markReady
        case .confidentialOn: .confidentialOn
        case .confidentialOff: .confidentialOff
        case .moveIssue: .moveIssue(to: try newProject(template.project ?? item.project, of: item, by: person))
        case .deleteItem: .deleteItem
        case .importBurst: .importBurst(count: template.count ?? 1, backdated: template.length ?? .seconds(86_400))
        default: throw Impossible(reason: "\(template.kind.rawValue) is nothing that happens to an item")
        }
    }

    private func newLabel(_ label: String, on item: ItemReference) throws(Impossible) -> String {
        guard planned[item]?.labels.contains(label) != true else {
            throw Impossible(reason: "\(item) has the label \(label) already")
        }
        return label
    }

    private func newTitle(_ title: String?, of item: ItemReference) throws(Impossible) -> String {
        guard let state = planned[item] else { throw Impossible(reason: "\(item) does not exist yet") }
        let before = state.title
        guard let title else { return PlausibleText.revision(of: before) }
        if state.newTitle(title) == before { throw Impossible(reason: "\(item) has that title already") }
        guard state.newTitle(title).count <= PlausibleText.titleLimit, !title.allSatisfy(\.isWhitespace) else {
            throw Impossible(reason: "a title has 1 to \(PlausibleText.titleLimit) characters, not all of them blank")
        }
        return title
    }

    private func newProject(
        _ project: ProjectPath,
        of item: ItemReference,
        by person: Username
    ) throws(Impossible) -> ProjectPath {
        if project == item.project { throw Impossible(reason: "\(item) is in \(project) already") }
        guard let role = planned.role(of: person, in: project), role >= .reporter else {
            throw Impossible(reason: "\(person) may not move issues to \(project)")
        }
        return project
    }

    private func newMilestone(_ milestone: String, on item: ItemReference) throws(Impossible) -> String {
        guard planned[item]?.milestone != milestone else {
            throw Impossible(reason: "\(item) is in the milestone \(milestone) already")
        }
        return milestone
    }

    private mutating func chooseUser(
        _ template: ActionTemplate,
        on item: ItemReference,
        by person: Username
    ) throws(Impossible) -> Username {
        let people = candidates(template.user, in: item.project)
        if people.count == 1, case .oneOf = template.user {
            if let reason = planned.obstacle(to: template.kind, on: item, user: people[0]) {
                throw Impossible(reason: reason)
            }
            return people[0]
        }
        let possible = people.filter { planned.obstacle(to: template.kind, on: item, user: $0) == nil }
        guard let user = random.pick(possible) else {
            throw Impossible(reason: "there is nobody to \(template.kind.rawValue)")
        }
        return user
    }

    private mutating func text(_ template: ActionTemplate, on item: ItemReference, by person: Username) -> CommentText {
        let mentionable = candidates(template.mention, in: item.project).filter { mentioned in
            mentioned != person && planned.role(of: mentioned, in: item.project) != nil
        }
        let mention = random.pick(mentionable)
        if let body = random.pick(template.bodies) {
            guard let mention, !Mentions.find(in: body).contains(mention) else { return CommentText(body) }
            return CommentText("\(mention) \(body)")
        }
        guard let mention else { return CommentText(PlausibleText.comment(on: item.kind, from: &random)) }
        return CommentText(PlausibleText.comment(mentioning: mention, from: &random))
    }
}

// MARK: - Mixes, new items and people

extension ActionChooser {
    /// An action of a mix with the details a mix does not name.
    private mutating func template(of kind: ActionKind, _ mix: MixTemplate) -> ActionTemplate {
        var template = ActionTemplate(kind: kind, by: mix.by, on: mix.on)
        switch kind {
        case .comment, .reply, .diffComment, .editComment: if random.chance(1, in: 5) { template.mention = mix.mention }
        case .react: template.text = random.pick(PlausibleText.emoji)
        case .publishReview: template.count = Int(random.next(in: 2...8))
        case .push: template.count = Int(random.next(in: 1...4))
        case .pipeline: template.status = random.chance(3, in: 4) ? .success : .failed
        case .assign, .unassign, .requestReview, .removeReviewRequest: template.user = .anyone(except: [])
        case .addLabel: template.text = random.pick(PlausibleText.labels)
        case .setMilestone: template.text = random.pick(PlausibleText.milestones)
        case .openMergeRequest, .openIssue:
            template.on = random.pick(planned.world.projects).map { .new(in: $0.path) }
        default: break
        }
        return template
    }

    private mutating func chooseNewItem(_ template: ActionTemplate, _ kind: ItemKind) throws(Impossible) -> Action {
        let reference: ItemReference
        switch template.on {
        case .oneOf(let references) where !references.isEmpty: reference = references[0]
        case .new(let project): reference = planned.nextReference(in: project, kind)
        default: throw Impossible(reason: "no project is named")
        }
        if planned[reference] != nil { throw Impossible(reason: "\(reference) exists already") }
        let least = template.kind.form.leastRole
        let people = candidates(template.by, in: reference.project).filter { person in
            planned.role(of: person, in: reference.project).map { $0 >= least } ?? false && !planned.isBlocked(person)
        }
        guard let person = random.pick(people) else {
            throw Impossible(reason: "none of them may open a \(kind.phrase) in \(reference.project)")
        }
        let item = NewItem(
            reference: reference,
            title: template.text ?? PlausibleText.title(Int(random.next(below: 240)), of: kind),
            assignees: template.assignees,
            reviewers: template.reviewers
        )
        return .open(item, by: person)
    }

    private mutating func chooseAccess(_ template: ActionTemplate) throws(Impossible) -> Action {
        guard let project = template.project else { throw Impossible(reason: "no project is named") }
        let isLoss = template.kind == .loseAccess
        let people = template.user?.people ?? []
        let possible = people.filter { user in
            isLoss ? planned.role(of: user, in: project) != nil : planned.hasLostAccess(user, to: project)
        }
        guard let user = random.pick(possible) else {
            throw Impossible(reason: isLoss ? "they have no access to \(project)" : "none of them had lost it")
        }
        return .access(isLoss ? .lost : .regained, user: user, project: project)
    }

    private mutating func chooseMention(_ template: ActionTemplate) throws(Impossible) -> Action {
        guard let project = template.project else { throw Impossible(reason: "no project is named") }
        func reporters(_ people: [Username]) -> [Username] {
            people.filter { person in
                !planned.isBlocked(person) && planned.role(of: person, in: project).map { $0 >= .reporter } ?? false
            }
        }
        guard let person = random.pick(reporters(template.by?.people ?? [])) else {
            throw Impossible(reason: "none of them may comment on a commit of \(project)")
        }
        let others = reporters(template.user?.people ?? []).filter { $0 != person }
        guard let user = random.pick(others) else {
            throw Impossible(reason: "none of them can be mentioned on a commit of \(project)")
        }
        return .mentionOnCommit(user: user, project: project, by: person)
    }

    private mutating func chooseWatch(_ template: ActionTemplate) throws(Impossible) -> Action {
        let isStart = template.kind == .watch
        guard let person = random.pick((template.by?.people ?? []).filter(planned.isRegistered)) else {
            throw Impossible(reason: "none of them is registered")
        }
        let all: [ItemReference]
        if case .oneOf(let items) = template.on { all = items } else { all = planned.items }
        let possible = all.filter { item in
            planned[item]?.isThere == true && planned.isWatching(person, item) != isStart
        }
        guard let item = random.pick(possible) else {
            throw Impossible(reason: isStart ? "there is nothing new to watch" : "\(person) does not watch it")
        }
        return isStart ? .watch(item, by: person) : .unwatch(item, by: person)
    }

    private mutating func choosePersonal(_ template: ActionTemplate) throws(Impossible) -> Action {
        guard let person = random.pick(template.by?.people ?? []) else { throw Impossible(reason: "nobody is named") }
        let isRegistration = template.kind == .register
        if template.kind.form.needsNotifiedPerson && planned.isRegistered(person) == isRegistration {
            throw Impossible(reason: "\(person) is \(isRegistration ? "registered already" : "not registered yet")")
        }
        if let reason = planned.obstacle(to: template.kind, of: person) { throw Impossible(reason: reason) }
        let item: ItemReference?
        if case .oneOf(let items) = template.on { item = items.first } else { item = nil }
        let device = template.device
        switch template.kind {
        case .register: return .register(by: person)
        case .todoDone: return .todo(.done(item), by: person)
        case .todoSnooze:
            guard planned.hasSnooze else {
                throw Impossible(reason: "nobody can snooze to-dos before GitLab 17.9")
            }
            return .todo(.snooze(item, length: template.length ?? .seconds(3_600)), by: person)
        case .todoUndo: return .todo(.undo(item), by: person)
        case .rotateToken: return .token(.rotate, by: person)
        case .revokeToken: return .token(.revoke, by: person)
        case .expireToken: return .token(.expire, by: person)
        case .replaceToken: return .token(.replace, by: person)
        case .blockAccount: return .token(.block, by: person)
        case .unblockAccount: return .token(.unblock, by: person)
        case .deviceOffline: return .device(.offline, by: person, device: device)
        case .deviceOnline: return .device(.online, by: person, device: device)
        case .deviceReplace: return .device(.replace, by: person, device: device)
        case .pairDevice: return .device(.pair, by: person, device: device)
        case .removeDevice: return .device(.remove, by: person, device: device)
        case .appRemove: return .device(.removeApp, by: person, device: device)
        case .notificationsOff: return .device(.notificationsOff, by: person, device: device)
        case .notificationsOn: return .device(.notificationsOn, by: person, device: device)
        default: return .device(.openApp, by: person, device: device)
        }
    }
}
