import FakeAPNs
import FakeGitLab
import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// What people do, carried out on the services and through the app.
extension SimulatedWorld {
    /// - Throws: `FakeGitLabError` when the fake refuses, which a checked plan does not lead to.
    func perform(_ action: Action) throws {
        switch action {
        case .onItem(let action, let item, let person): try perform(action, on: item, by: person.text)
        case .open(let new, let person): try open(new, by: person.text)
        case .mentionOnCommit(let user, let project, let person):
            try mention(user, onCommitOf: project, by: person.text)
        case .moveMilestone(let title, let due, let project, let person):
            recorder.note(try gitlab.moveMilestone(by: person.text, title, in: project.text, to: due))
        case .todo(let action, let person): try perform(action, by: person.text)
        case .access(let change, let user, let project):
            try change == .lost ? exclude(user, project) : admit(user, project)
        case .token(let action, let person): try perform(action, of: self.person(person))
        case .announcement(let person): try announce(to: person)
        case .register(let person): self.person(person).register()
        case .watch(let item, let person): self.person(person).choose(.watch, item)
        case .unwatch(let item, let person): self.person(person).choose(.unwatch, item)
        case .app(let action, let person): self.person(person).perform(action)
        case .program(let action, let person): self.person(person).perform(action)
        case .duty(let action, let duty, let person, let device): self.person(person).perform(action, duty, on: device)
        case .device(let action, let person, let device): perform(action, on: device, of: self.person(person))
        }
    }

    /// The operator does it beside the process, which may be down. Where the disk takes nothing, nobody is told.
    ///
    /// - Throws: `RunError` when nothing excuses that it cannot be announced.
    private func announce(to person: Username) throws {
        let number = recorder.record.announcements.count + 1
        guard number <= RunLimits.tests else { return }
        let title = "Announcement \(number)"
        do {
            guard let told = try notifier.announce(title, to: person.text) else { return }
            recorder.record.announcements.append(
                AnnouncementRecord(
                    person: person,
                    title: title,
                    at: recorder.now,
                    targets: told.devices,
                    isHeld: told.isHeld
                )
            )
        } catch {
            guard recorder.hasSeenFault(at: [.disk, .database]) else { throw RunError.notifierRefused("\(error)") }
        }
    }

    private func open(_ new: NewItem, by author: String) throws {
        try gitlab.open(
            FakeGitLab::NewItem(
                project: new.reference.project.text,
                kind: new.reference.kind == .issue ? .issue : .mergeRequest,
                iid: new.reference.iid,
                title: new.title,
                author: author,
                assignees: new.assignees.map(\.text),
                reviewers: new.reviewers.map(\.text)
            )
        )
    }

    // MARK: Items

    private func perform(_ action: ItemAction, on reference: ItemReference, by person: String) throws {
        let item = reference.inGitLab
        switch action {
        case .comment, .quickActions, .addTodo, .reply, .diffComment, .editComment, .deleteComment, .react,
            .publishReview, .resolveThread, .importBurst:
            try write(action, on: reference, by: person)
        case .approve: try gitlab.approve(by: person, on: item)
        case .unapprove: try gitlab.unapprove(by: person, on: item)
        case .push(let commits):
            try gitlab.push(by: person, to: item, commits: Phrases.commits(commits))
        case .merge: try gitlab.merge(by: person, on: item)
        case .close: try gitlab.close(by: person, on: item)
        case .reopen: try gitlab.reopen(by: person, on: item)
        case .pipeline(let status):
            try gitlab.finishPipeline(on: item, status: status.inGitLab)
        case .retryPipeline: try gitlab.retryPipeline(on: item)
        case .setAutoMerge: try gitlab.enableAutoMerge(by: person, on: item)
        case .conflict: try gitlab.reportUnmergeable(item)
        case .moveIssue(let project, let number):
            try gitlab.moveIssue(by: person, on: item, to: project.text, iid: number)
        case .deleteItem:
            try gitlab.deleteItem(by: person, on: item)
            recorder.itemGone(reference)
        case .assign, .unassign, .requestReview, .removeReviewRequest, .requireApproval, .addLabel, .setMilestone,
            .clearMilestone, .setDueDate, .changeTitle, .markDraft, .markReady, .confidentialOn, .confidentialOff:
            try change(action, item, by: person)
        }
    }

    private func change(_ action: ItemAction, _ item: FakeGitLab::ItemReference, by person: String) throws {
        switch action {
        case .assign(let user): try gitlab.assign(by: person, on: item, to: [user.text])
        case .unassign(let user): try gitlab.unassign(by: person, on: item, from: [user.text])
        case .requestReview(let user):
            try gitlab.requestReview(by: person, on: item, from: [user.text])
        case .removeReviewRequest(let user):
            try gitlab.removeReviewRequest(by: person, on: item, from: [user.text])
        case .requireApproval(let user): try gitlab.requireApproval(by: person, on: item, from: [user.text])
        case .addLabel(let label): try addLabel(label, to: item, by: person)
        case .setMilestone(let title, let due): try setMilestone(title, due: due, on: item, by: person)
        case .clearMilestone: try gitlab.setMilestone(by: person, on: item, to: nil)
        case .setDueDate(let day): try gitlab.setDueDate(by: person, on: item, to: day)
        case .changeTitle(let title): try gitlab.changeTitle(by: person, on: item, to: title)
        case .markDraft: try gitlab.setDraft(by: person, on: item, true)
        case .markReady: try gitlab.setDraft(by: person, on: item, false)
        case .confidentialOn: try gitlab.setConfidential(by: person, on: item, true)
        case .confidentialOff: try gitlab.setConfidential(by: person, on: item, false)
        default: preconditionFailure("only changes of an item's fields come here")
        }
    }

    private func addLabel(_ label: String, to item: FakeGitLab::ItemReference, by person: String) throws {
        if knownLabels.insert(label).inserted { try gitlab.addLabel(label) }
        try gitlab.changeLabels(by: person, on: item, adding: [label])
    }

    private func setMilestone(
        _ title: String,
        due: CivilDate?,
        on item: FakeGitLab::ItemReference,
        by person: String
    ) throws {
        if knownMilestones.insert("\(item.project)/\(title)").inserted {
            try gitlab.addMilestone(title, in: item.project, dueDate: due)
        }
        try gitlab.setMilestone(by: person, on: item, to: title)
    }

    // MARK: To-dos, access, tokens

    private func perform(_ action: TodoAction, by person: String) throws {
        switch action {
        case .done(let item):
            for id in try todos(of: person, on: item, done: false) { try gitlab.completeTodo(of: person, id) }
        case .snooze(let item, let length):
            let end = gitlabClock.wallNow.advanced(by: length)
            for id in try todos(of: person, on: item, done: false) {
                try gitlab.snoozeTodo(of: person, id, until: end)
            }
        case .undo(let item):
            for id in try todos(of: person, on: item, done: true) { try gitlab.restoreTodo(of: person, id) }
        }
    }

    /// As the person sees them in the browser.
    private func todos(of person: String, on item: ItemReference?, done: Bool) throws -> [Int64] {
        try gitlab.todoIDs(of: person, on: item?.inGitLab, done: done)
    }

    private func exclude(_ user: Username, _ project: ProjectPath) throws {
        try gitlab.setRole(of: user.text, in: project.text, to: nil, by: administrator(of: project))
        changeAccess(of: user) {
            $0.append((project, Span(from: self.recorder.now, until: .seconds(Int64.max / 2))))
        }
    }

    private func admit(_ user: Username, _ project: ProjectPath) throws {
        let role = plan.scenario.world.project(project)?.members.first { $0.username == user }?.role ?? .developer
        try gitlab.setRole(
            of: user.text,
            in: project.text,
            to: WorldBuilder.role(role),
            by: administrator(of: project)
        )
        changeAccess(of: user) { spans in
            guard let last = spans.lastIndex(where: { $0.project == project }) else { return }
            spans[last].span.until = self.recorder.now
        }
    }

    private func changeAccess(of user: Username, _ change: (inout [(project: ProjectPath, span: Span)]) -> Void) {
        guard let person = people.first(where: { $0.username == user }) else { return }
        change(&person.noAccess)
        person.changeRegistration { $0.noAccess = person.noAccess }
    }

    /// Somebody with the rights to change memberships: the member with the most.
    private func administrator(of project: ProjectPath) -> String {
        let members = plan.scenario.world.project(project)?.members ?? []
        return members.max { $0.role < $1.role }?.username.text ?? ""
    }

    private func mention(_ user: Username, onCommitOf project: ProjectPath, by person: String) throws {
        commitMentions += 1
        let title = "\(user) can you look at this commit? (\(commitMentions))"
        // A commit of its own each time: there may be a to-do on the former one still.
        let digits = String(commitMentions)
        let sha = String(repeating: "c", count: 40 - digits.count) + digits
        let target = OtherTodoTarget.commit(project: project.text, sha: sha, title: title)
        try gitlab.addTodo(for: user.text, by: person, .directlyAddressed, about: target)
    }

    private func setBlocked(_ isBlocked: Bool, _ person: PersonApp) throws {
        try gitlab.setAccountState(of: person.username.text, to: isBlocked ? .blocked : .active)
        person.changeRegistration { registration in
            if isBlocked {
                registration.blocked.append(Span(from: self.recorder.now, until: .seconds(Int64.max / 2)))
            } else if let last = registration.blocked.indices.last {
                registration.blocked[last].until = self.recorder.now
            }
        }
    }

    private func perform(_ action: TokenAction, of person: PersonApp) throws {
        if action == .block || action == .unblock { return try setBlocked(action == .block, person) }
        guard person.signInBy == .token else { return try performOnGrant(action, of: person) }
        switch action {
        case .revoke:
            try gitlab.setToken(person.gitlabToken, to: .revoked)
            person.openTokenDeath()
        case .expire:
            try gitlab.setToken(person.gitlabToken, to: .expired)
            person.openTokenDeath()
        case .rotate:
            try gitlab.setToken(person.gitlabToken, to: .revoked)
            try giveToken(to: person)
            person.openTokenDeath()
        case .replace:
            try giveToken(to: person)
            person.signIn()
        case .block, .unblock: break
        }
    }

    /// The same for somebody who signed in through GitLab; an access token that expires is renewed by the notifier.
    private func performOnGrant(_ action: TokenAction, of person: PersonApp) throws {
        switch action {
        case .expire:
            guard let token = gitlab.issuedTokens(after: 0).last(where: { $0.person == person.username.text }) else {
                return
            }
            try gitlab.setToken(token.secret, to: .expired)
        case .revoke, .rotate:
            try gitlab.revokeGrants(of: person.username.text)
            person.openTokenDeath()
        case .replace: person.signIn()
        case .block, .unblock: break
        }
    }

    private func giveToken(to person: PersonApp) throws {
        person.tokenGeneration += 1
        let scopes = plan.scenario.world.person(person.username)?.notified?.token.scopes ?? [.readAPI]
        try gitlab.addToken(
            person.gitlabToken,
            for: person.username.text,
            scopes: scopes.compactMap { TokenScope(rawValue: $0.rawValue) }
        )
        recorder.learn(gitlabToken: person.gitlabToken, of: person.username)
    }

    // MARK: Devices

    private func perform(_ action: DeviceAction, on device: DeviceName?, of person: PersonApp) {
        for index in person.devices.indices where device == nil || person.devices[index].name == device {
            let id = person.devices[index].id
            switch action {
            case .offline:
                person.devices[index].app.hasNetwork = false
                fleet.goOffline(id)
            case .online:
                person.devices[index].app.hasNetwork = true
                guard person.devices[index].app.hasPower else { continue }
                fleet.comeOnline(id)
                person.backOnline(index)
                person.devices[index].app.sendChoices()
            case .powerSavingOn, .powerSavingOff:
                person.devices[index].app.isSavingPower = action == .powerSavingOn
                fleet.setPowerSaving(action == .powerSavingOn, on: id)
            case .replace: replace(index, of: person)
            case .changePushToken(let environment): person.changePushToken(on: index, to: environment)
            case .pair:
                person.pair(index)
                person.registerDevice(index)
            case .remove: person.removeDevice(index)
            case .openApp(let length): person.openApp(on: index, for: length)
            case .closeApp: person.closeApp(on: index)
            case .killApp: person.killApp(on: index)
            case .pushes(let isOn): person.wantPushes(isOn, on: index)
            case .quitApp: person.quitApp(on: index)
            case .clock(let offset): person.devices[index].app.memory.clockOffset = offset
            case .removeApp, .notificationsOff, .notificationsOn: performOnApp(action, person, index)
            }
        }
    }

    /// A device that came in place of one without the app has none either.
    private func performOnApp(_ action: DeviceAction, _ person: PersonApp, _ index: Int) {
        let device = person.devices[index]
        guard device.hasApp else { return }
        if action == .removeApp {
            person.devices[index].hasApp = false
            person.killApp(on: index)
            device.app.abandon()
            fleet.removeApp(WorldBuilder.topic, on: device.id)
        } else {
            fleet.setNotificationsEnabled(action == .notificationsOn, for: WorldBuilder.topic, on: device.id)
        }
    }

    private func replace(_ index: Int, of person: PersonApp) {
        var device = person.devices[index]
        device.replacements += 1
        device.wantsPushes = true
        device.hasExpiredToken = false
        let new = DeviceID(rawValue: "\(device.id.rawValue)'")
        let moved = fleet.replaceDevice(device.id, with: new, kind: device.platform == .ios ? .phone : .mac)
        device.id = new
        if let token = moved.first(where: { $0.bundleID == WorldBuilder.topic })?.token { device.token = token }
        device.hasApp = moved.contains { $0.bundleID == WorldBuilder.topic }
        device.app.abandon()
        device.app = person.makeApp(on: device.name, new)
        person.devices[index] = device
        recorder.record.deviceReplacements.append(
            DeviceReplacementRecord(person: person.username, device: device.name, at: recorder.now)
        )
        person.learn(device)
        person.rejoin(index)
        person.catchUp(index)
    }
}
