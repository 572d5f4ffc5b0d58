import Platform

/// What happened in quiet hours, told at their end as one notification.
struct Digest: Hashable, Sendable {
    /// In the order in which they were held, at least one.
    var facts: [HeldFact]

    /// So many keys fit into a push beside its text; more facts make another digest.
    static let mostFacts = 100

    /// Lines of a digest's text.
    private static let lineLimit = 8
    /// What of a name or a title stands in a line, so that the lines behind it have room, too.
    private static let titleBytes = 120

    /// One item, or what is none, with its facts.
    private struct Subject {
        var name: String
        var title: String
        var facts: [HeldFact]
    }

    /// Such as `12 updates on 3 items in your quiet hours`.
    var title: String {
        let subjects = subjects.count
        let updates = facts.count == 1 ? "1 update" : "\(facts.count) updates"
        return "\(updates) on \(subjects == 1 ? "1 item" : "\(subjects) items") in your quiet hours"
    }

    /// A line for each item: what it is called and what happened there.
    var body: String {
        let subjects = subjects
        let told = subjects.count > Self.lineLimit ? Self.lineLimit - 1 : subjects.count
        var lines = subjects.prefix(told).map { subject in
            let name = [subject.name, subject.title].filter { !$0.isEmpty }
                .map { JSONText.prefix($0, encodedLimit: Self.titleBytes) }
                .joined(separator: " ")
            return "\(name): \(Self.events(subject.facts))"
        }
        if subjects.count > told { lines.append("and \(subjects.count - told) more items") }
        return lines.joined(separator: "\n")
    }

    /// Leads to what happened first.
    var webURL: String? { facts.lazy.compactMap(\.webURL).first }

    private var subjects: [Subject] {
        var subjects: [Subject] = []
        for fact in facts {
            let isSame = { (subject: Subject) in
                subject.facts[0].subject == fact.subject && !fact.action.standsAlone
                    && !subject.facts[0].action.standsAlone
            }
            if let index = subjects.firstIndex(where: isSame) {
                subjects[index].facts.append(fact)
            } else if fact.action.standsAlone {
                // Each has a title of its own, which names the project.
                subjects.append(Subject(name: fact.itemTitle, title: "", facts: [fact]))
            } else {
                let name = fact.item?.titleText ?? fact.projectPath ?? "GitLab"
                subjects.append(Subject(name: name, title: fact.itemTitle, facts: [fact]))
            }
        }
        return subjects
    }

    /// `2 comments, merged`, kinds in the order in which they came.
    private static func events(_ facts: [HeldFact]) -> String {
        Action.tally(facts.map(\.action)).map { $0.action.counted($0.count) }.joined(separator: ", ")
    }
}
