import FakeAPNs
import FakeGitLab
package import HTTP
import Platform
import Scenarios
import Simulation

/// Makes the services of a world and connects them to its network.
package enum WorldBuilder {
    /// Where the notifier reaches GitLab, whatever GitLab believes to be its own address.
    static let gitlabOrigin = HTTPOrigin(scheme: "https", host: "gitlab.example.com")
    package static let notifierOrigin = HTTPOrigin(scheme: "https", host: "notifier.example.com")
    /// Where GitLab's webhooks reach the notifier: a name of their own, so that their link can fail by itself.
    package static let webhookOrigin = HTTPOrigin(scheme: "https", host: "notifier-hooks.example.com")
    static let productionOrigin = HTTPOrigin(scheme: "https", host: "api.push.apple.com")
    static let sandboxOrigin = HTTPOrigin(scheme: "https", host: "api.sandbox.push.apple.com")
    /// The app's bundle id.
    package static let topic = "com.example.gitlab-notifier"

    /// A GitLab with the people, projects and items of the scenario, as they are before it begins.
    ///
    /// - Throws: `RunError.worldRefused`.
    static func makeGitLab(
        _ scenario: Scenario,
        seed: UInt64,
        clock: NodeClock,
        recorder: Recorder,
        hook: Webhook
    ) throws -> (FakeGitLab, GitLabNumbers) {
        let gitlab = FakeGitLab(
            configuration: configuration(of: scenario.world.gitlab, hook: hook),
            time: clock,
            seed: seed,
            observer: { recorder.observe(unknown: $0) }
        )
        do {
            return (gitlab, try populate(gitlab, from: scenario))
        } catch {
            throw RunError.worldRefused(step: nil, "\(error)")
        }
    }

    private static func configuration(of world: GitLabWorld, hook: Webhook) -> FakeGitLab.Configuration {
        var configuration = FakeGitLab.Configuration()
        if let version = GitLabVersion(world.version.rawValue) { configuration.version = version }
        configuration.edition = world.edition == .community ? .community : .enterprise
        if let origin = HTTPOrigin(world.externalURL) { configuration.externalURL = origin }
        configuration.timeZoneOffsetSeconds = Int(world.timeZoneOffset.wholeMilliseconds / 1_000)
        configuration.requestLimit = world.authenticatedLimit.map {
            FakeGitLab.RequestLimit(requests: $0.requests, period: $0.period)
        }
        configuration.noteLimit = world.noteLimit?.requests
        configuration.oauthApplications = [
            OAuthApplication(
                clientID: WorldSecrets.oauthClientID,
                secret: WorldSecrets.oauthClient,
                redirectURI: WorldSecrets.oauthRedirectURI
            )
        ]
        configuration.oauthTokenPrefix = "\(WorldSecrets.marker)-"
        if world.sendsWebhooks { configuration.webhook = hook }
        for setting in world.quirks { apply(setting, to: &configuration) }
        return configuration
    }

    private static func populate(_ gitlab: FakeGitLab, from scenario: Scenario) throws -> GitLabNumbers {
        var numbers = GitLabNumbers()
        for person in scenario.world.people {
            numbers.people[person.username] = try gitlab.addPerson(
                NewPerson(username: person.username.text, name: person.name, isBot: person.isBot)
            )
        }
        let labels = Set(scenario.world.projects.flatMap { $0.items.flatMap(\.labels) })
        for label in labels.sorted() { try gitlab.addLabel(label) }
        for project in scenario.world.projects {
            numbers.projects[project.path] = try add(project, to: gitlab, before: scenario.start)
        }
        for person in scenario.world.people { try addToken(of: person, to: gitlab, start: scenario.start) }
        return numbers
    }

    private static func add(_ project: Project, to gitlab: FakeGitLab, before start: WallTime) throws -> Int64 {
        var members: [String: Role] = [:]
        for member in project.members { members[member.username.text] = role(member.role) }
        let id = try gitlab.addProject(project.path.text, members: members)
        for item in project.items {
            let reference = try gitlab.addItem(
                FakeGitLab::NewItem(
                    project: project.path.text,
                    kind: item.kind == .issue ? .issue : .mergeRequest,
                    iid: item.iid,
                    title: item.title,
                    author: item.author.text,
                    assignees: item.assignees.map(\.text),
                    reviewers: item.reviewers.map(\.text),
                    labels: item.labels,
                    isConfidential: item.isConfidential,
                    isDraft: item.isDraft,
                    createdAt: start.advanced(by: .days(-30))
                )
            )
            try addPast(of: item, reference, in: project, to: gitlab)
        }
        return id
    }

    private static func addPast(
        of item: Item,
        _ reference: FakeGitLab::ItemReference,
        in project: Project,
        to gitlab: FakeGitLab
    ) throws {
        if item.oldNotes > 0 {
            let authors = project.members.filter { $0.role >= .reporter }.map(\.username.text)
            try gitlab.addHistory(of: item.oldNotes, to: reference, by: authors, every: .minutes(30))
        }
        switch item.state {
        case .opened: break
        case .closed: try gitlab.close(by: item.author.text, on: reference)
        case .merged: try gitlab.merge(by: item.author.text, on: reference)
        }
    }

    private static func addToken(of person: Person, to gitlab: FakeGitLab, start: WallTime) throws {
        guard let notified = person.notified else { return }
        try gitlab.addToken(
            WorldSecrets.gitlabToken(of: person.username, generation: 0),
            for: person.username.text,
            scopes: notified.token.scopes.compactMap { TokenScope(rawValue: $0.rawValue) },
            expiresOn: notified.token.expiry.map { CivilDate(start.advanced(by: $0)) }
        )
    }

    static func role(_ role: Member.Role) -> Role {
        switch role {
        case .guest: .guest
        case .reporter: .reporter
        case .developer: .developer
        case .maintainer: .maintainer
        case .owner: .owner
        }
    }
}

/// By which numbers GitLab's API knows what the scenario names.
struct GitLabNumbers {
    var people: [Username: Int64] = [:]
    var projects: [ProjectPath: Int64] = [:]
}
