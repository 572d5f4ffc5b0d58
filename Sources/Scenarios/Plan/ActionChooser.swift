import Platform

/// Makes the choices an action leaves open, each from the stream of its own occurrence.
struct ActionChooser {
    /// Why there is nothing to choose from.
    struct Impossible: Error { var reason: String }

    let planned: PlannedWorld
    var random: RandomStream

    /// The concrete action; throws when none is possible at this moment.
    mutating func choose(_ template: ActionTemplate) throws(Impossible) -> ResolvedAction {
        var template = template
        switch template.kind.target {
        case .item: return try chooseItemAction(template)
        case .newItem(let kind): try chooseNewItem(&template, kind)
        case .commit: try chooseMention(&template)
        case .milestone: try chooseMilestone(&template)
        case .access: try chooseAccess(&template)
        case .watchList: try chooseWatch(&template)
        case .app, .program: try chooseApp(&template)
        case .duty: try chooseDuty(&template)
        case .todos, .token, .registration, .device: try choosePerson(&template)
        }
        return try resolve(template)
    }

    private func resolve(_ template: ActionTemplate) throws(Impossible) -> ResolvedAction {
        do {
            return try template.resolved()
        } catch {
            throw Impossible(reason: "\(error)")
        }
    }

    /// One action of a mix: a kind by weight among those possible now.
    mutating func choose(_ mix: MixTemplate) throws(Impossible) -> ResolvedAction {
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

    private mutating func chooseItemAction(_ template: ActionTemplate) throws(Impossible) -> ResolvedAction {
        if let action = probeItemAction(template) { return action }
        var items = try possibleItems(template)
        var reason = "nobody can do it"
        while !items.isEmpty {
            let index = Int(random.next(below: UInt64(items.count)))
            do throws(Impossible) {
                let person = try choosePerson(template, on: items[index])
                return try resolve(template, on: items[index], by: person)
            } catch {
                reason = error.reason
                items.remove(at: index)
            }
        }
        throw Impossible(reason: reason)
    }

    /// A few draws among all items, which nearly always find a possible one without looking at the rest.
    private mutating func probeItemAction(_ template: ActionTemplate) -> ResolvedAction? {
        guard case .any = template.on else { return nil }
        for _ in 0..<4 {
            guard let item = random.pick(planned.items), isPossible(template.kind, on: item) else { continue }
            guard let person = try? choosePerson(template, on: item) else { continue }
            if let action = try? resolve(template, on: item, by: person) { return action }
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
    func candidates(_ selector: PersonSelector?, in project: ProjectPath) -> [Username] {
        switch selector {
        case .oneOf(let people): return people
        case .anyone(let except):
            let members = planned.anyone(in: project)
            return except.isEmpty ? members : members.filter { !except.contains($0) }
        case nil: return []
        }
    }

    /// The action on that item by that person, with everything chosen that is open still.
    private mutating func resolve(
        _ template: ActionTemplate,
        on item: ItemReference,
        by person: Username
    ) throws(Impossible) -> ResolvedAction {
        var template = template
        template.on = .oneOf([item])
        template.by = .oneOf([person])
        try chooseDetails(of: &template, on: item, by: person)
        let resolved = try resolve(template)
        if let reason = planned.lackOfRoom(for: resolved, on: item) { throw Impossible(reason: reason) }
        return resolved
    }

    private mutating func chooseDetails(
        of template: inout ActionTemplate,
        on item: ItemReference,
        by person: Username
    ) throws(Impossible) {
        if template.kind == .quickActions { return try chooseQuickActions(of: &template, on: item, by: person) }
        for key in template.kind.form.keys {
            switch key {
            case .body:
                template.bodies = [text(template, on: item, by: person)]
                template.mention = nil
            case .user: template.user = .oneOf([try chooseUser(template, on: item, by: person)])
            case .emoji: template.text = template.text ?? "thumbsup"
            case .count, .commits: template.count = template.count ?? 1
            case .label: try checkLabel(template.text, on: item)
            case .milestone: try checkMilestone(template.text, due: template.due, on: item)
            case .due where template.kind == .setDueDate: try checkDueDate(template.due, on: item)
            case .title: template.text = try newTitle(template.text, of: item)
            case .to: try checkProject(template.project, of: item, by: person)
            case .by, .on, .mention, .duty, .device, .project, .due, .status, .says, .name, .run, .length, .backdated,
                .offset, .quietHours, .kinds, .commands, .assignees, .reviewers,
                .time, .zone, .mode, .leadHours, .escalates, .environment:
                break
            }
        }
    }

    private func checkLabel(_ label: String?, on item: ItemReference) throws(Impossible) {
        guard let label, planned[item]?.labels.contains(label) == true else { return }
        throw Impossible(reason: "\(item) has the label \(label) already")
    }

    private func checkMilestone(_ milestone: String?, due: CivilDate?, on item: ItemReference) throws(Impossible) {
        guard let milestone else { return }
        if planned[item]?.milestone == milestone {
            throw Impossible(reason: "\(item) is in the milestone \(milestone) already")
        }
        guard let due, let known = planned.milestone(milestone, in: item.project), known.due != due else { return }
        throw Impossible(reason: "the milestone \(milestone) is there already, with another last day or none")
    }

    private func checkDueDate(_ day: CivilDate?, on item: ItemReference) throws(Impossible) {
        guard let day, planned[item]?.dueDate == day else { return }
        throw Impossible(reason: "\(item) is due on \(CalendarNotation.dayText(day)) already")
    }

    private func newTitle(_ title: String?, of item: ItemReference) throws(Impossible) -> String {
        guard let state = planned[item] else { throw Impossible(reason: "\(item) does not exist yet") }
        let before = state.title
        guard let title else { return PlausibleText.revision(of: before) }
        if state.newTitle(title) == before { throw Impossible(reason: "\(item) has that title already") }
        guard state.newTitle(title).count <= PlannedItem.titleLimit, !title.allSatisfy(\.isWhitespace) else {
            throw Impossible(reason: "a title has 1 to \(PlannedItem.titleLimit) characters, not all of them blank")
        }
        return title
    }

    private func checkProject(_ project: ProjectPath?, of item: ItemReference, by person: Username) throws(Impossible) {
        guard let project else { return }
        if project == item.project { throw Impossible(reason: "\(item) is in \(project) already") }
        guard let role = planned.role(of: person, in: project), role >= .reporter else {
            throw Impossible(reason: "\(person) may not move issues to \(project)")
        }
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

    private mutating func text(_ template: ActionTemplate, on item: ItemReference, by person: Username) -> String {
        let mentionable = candidates(template.mention, in: item.project).filter { mentioned in
            mentioned != person && planned.role(of: mentioned, in: item.project) != nil
        }
        let mention = random.pick(mentionable)
        if let body = random.pick(template.bodies) {
            guard let mention, !Mentions.find(in: body).contains(mention) else { return body }
            return "\(mention) \(body)"
        }
        guard let mention else { return PlausibleText.comment(on: item.kind, from: &random) }
        return PlausibleText.comment(mentioning: mention, from: &random)
    }
}

// MARK: - Mixes, new items and people

extension ActionChooser {
    /// An action of a mix with the details a mix does not name.
    private mutating func template(of kind: ActionKind, _ mix: MixTemplate) -> ActionTemplate {
        var template = ActionTemplate(kind: kind, by: mix.by, on: mix.on)
        for key in kind.form.keys {
            switch key {
            case .mention: if random.chance(1, in: 5) { template.mention = mix.mention }
            case .emoji: template.text = random.pick(PlausibleText.emoji)
            case .count: template.count = Int(random.next(in: 2...8))
            case .commits: template.count = Int(random.next(in: 1...4))
            case .status: template.status = random.chance(3, in: 4) ? .success : .failed
            case .user: template.user = .anyone(except: [])
            case .label: template.text = random.pick(PlausibleText.labels)
            case .milestone: template.text = random.pick(PlausibleText.milestones)
            default: break
            }
        }
        if case .newItem = kind.target { template.on = random.pick(planned.world.projects).map { .new(in: $0.path) } }
        return template
    }

    private mutating func chooseNewItem(_ template: inout ActionTemplate, _ kind: ItemKind) throws(Impossible) {
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
        template.on = .oneOf([reference])
        template.by = .oneOf([person])
        template.text = template.text ?? PlausibleText.title(Int(random.next(below: 240)), of: kind)
    }

    private mutating func chooseAccess(_ template: inout ActionTemplate) throws(Impossible) {
        guard let project = template.project else { throw Impossible(reason: "no project is named") }
        let isLoss = template.kind == .loseAccess
        let people = template.user?.people ?? []
        let possible = people.filter { user in
            isLoss ? planned.role(of: user, in: project) != nil : planned.hasLostAccess(user, to: project)
        }
        guard let user = random.pick(possible) else {
            throw Impossible(reason: isLoss ? "they have no access to \(project)" : "none of them had lost it")
        }
        template.user = .oneOf([user])
    }

    private mutating func chooseMention(_ template: inout ActionTemplate) throws(Impossible) {
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
        (template.by, template.user) = (.oneOf([person]), .oneOf([user]))
    }

    private mutating func chooseWatch(_ template: inout ActionTemplate) throws(Impossible) {
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
        (template.by, template.on) = (.oneOf([person]), .oneOf([item]))
    }

    private mutating func choosePerson(_ template: inout ActionTemplate) throws(Impossible) {
        guard let person = random.pick(template.by?.people ?? []) else { throw Impossible(reason: "nobody is named") }
        let isRegistration = template.kind == .register
        if template.kind.form.needsNotifiedPerson && planned.isRegistered(person) == isRegistration {
            throw Impossible(reason: "\(person) is \(isRegistration ? "registered already" : "not registered yet")")
        }
        if let reason = planned.obstacle(to: template.kind, of: person) { throw Impossible(reason: reason) }
        template.by = .oneOf([person])
    }
}
