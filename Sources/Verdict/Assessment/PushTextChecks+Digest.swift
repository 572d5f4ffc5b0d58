import Scenarios

/// Whether a digest says how much it tells of, on how many items, and on a line for each what happened there.
extension PushTextChecks {
    /// One item of a digest, with what is told of it.
    private struct Subject {
        var name: String
        var titles: Set<String>
        var facts: [[Told]]
    }

    /// More items than these share a line at the end.
    private static let mostLines = 8

    /// What is wrong with a digest that tells of these facts; nil when nothing is. Each commit has a line of its own; with what else concerns
    /// no item nothing is said.
    func digestFault(_ content: PushContent, _ label: PushLabel, _ facts: [[Told]]) -> String? {
        guard content.isTruncated ? label.count > facts.count : label.count == facts.count else {
            return "says that it tells of \(label.count)"
        }
        guard let subjects = subjects(of: facts), !content.isTruncated else { return nil }
        guard content.title.hasPrefix(Self.counted(facts.count, "update")),
            content.title.contains(" on " + Self.counted(subjects.count, "item"))
        else { return "counts otherwise" }
        guard !content.text.hasSuffix("…") else { return nil }
        let lines = content.text.split(separator: "\n")
        guard subjects.count <= Self.mostLines else { return crowdFault(lines, subjects) }
        for subject in subjects {
            // Items of two projects may have one number and one title: any of their lines may be this one's.
            let about = lines.filter { Self.isAbout(subject, $0) }
            guard !about.isEmpty else { return "has no line for \(subject.name)" }
            for (type, count) in Self.counts(subject.facts)
            where count > 1 && !about.contains(where: { $0.contains("\(count) ") }) {
                return "does not say that \(count) times something was \(type) on \(subject.name)"
            }
        }
        return nil
    }

    /// What is wrong with the lines of more items than have one each: the last says how many there are besides.
    private func crowdFault(_ lines: [Substring], _ subjects: [Subject]) -> String? {
        let named = Self.mostLines - 1
        let rest = subjects.count - named
        guard lines.last == "and \(rest) more items" else { return "does not say that there are \(rest) more items" }
        let found = subjects.count { subject in lines.contains { Self.isAbout(subject, $0) } }
        return lines.count == Self.mostLines && found >= named ? nil : "has no lines for \(named) of its items"
    }

    private static func counted(_ count: Int, _ word: String) -> String {
        count == 1 ? "1 \(word) " : "\(count) \(word)s "
    }

    /// The items in the order of the facts; nil where a fact may be about several, or about none.
    private func subjects(of facts: [[Told]]) -> [Subject]? {
        var places: [ItemReference: Int] = [:]
        var subjects: [Subject] = []
        for fact in facts {
            if let commit = Self.commit(fact) {
                subjects.append(commit)
                continue
            }
            guard let item = fact[0].activity.item, fact.allSatisfy({ $0.activity.item == item }),
                fact.allSatisfy({ $0.activity.kind != .signal })
            else { return nil }
            let called = Set(fact.flatMap { titles.titles(of: item, telling: $0.activity, to: $0.person) })
            if let place = places[item] {
                subjects[place].facts.append(fact)
                subjects[place].titles.formUnion(called)
            } else {
                places[item] = subjects.count
                subjects.append(Subject(name: Self.name(of: item), titles: called, facts: [fact]))
            }
        }
        return subjects
    }

    /// A mention on a commit, which is another each time; nil for anything else.
    private static func commit(_ fact: [Told]) -> Subject? {
        let activity = fact[0].activity
        guard fact.count == 1, activity.kind == .other, activity.item == nil, activity.todos.count == 1,
            let project = activity.project
        else { return nil }
        return Subject(name: project.text, titles: activity.body.map { [$0] } ?? [], facts: [fact])
    }

    /// `MR !12: 2 comments`, or with the item's title before the colon.
    private static func isAbout(_ subject: Subject, _ line: Substring) -> Bool {
        guard line.hasPrefix(subject.name), let next = line.dropFirst(subject.name.count).first, !next.isNumber else {
            return false
        }
        return subject.titles.isEmpty || subject.titles.contains { says(line, $0) }
    }

    /// How often each thing happened that is counted; empty where one of the facts may be called in several ways.
    static func counts(_ facts: [[Told]]) -> [(type: String, count: Int)] {
        var counts: [String: Int] = [:]
        for fact in facts {
            let names = Self.names(of: fact)
            guard names.count == 1, let name = names.first, !uncounted.contains(name) else { return [] }
            counts[name, default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Told by a verb alone, however often; builds and pipelines that failed are counted together.
    private static let uncounted: Set<String> = ["approval_required", "unmergeable", "build_failed", "pipeline_failed"]
}
