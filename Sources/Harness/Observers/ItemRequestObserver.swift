import FoundationEssentials
import HTTP
import Scenarios
import Verdict

/// Notes for which items the notifier asks GitLab with each person's token, unless GitLab had named the item to that very token.
///
/// Merge request 1 of project 1 is left out: whoever has no merge request to ask about routes with asks about that one, so that the question
/// says nothing of it.
struct ItemRequestObserver {
    private struct Item: Hashable {
        var project: Int64
        var kind: ItemKind
        var iid: Int64

        /// Without the kind: it tells few apart, and a case with a name is hashed as its text.
        func hash(into hasher: inout Hasher) {
            hasher.combine(project)
            hasher.combine(iid)
        }
    }

    private struct Row: Decodable {
        var iid: Int64
        var project: Int64

        enum CodingKeys: String, CodingKey {
            case iid
            case project = "project_id"
        }
    }

    private var known: [Username: Set<Item>] = [:]
    private(set) var requests: [ItemRequestRecord] = []
    /// The paths of projects by their numbers.
    var projects: [Int64: ProjectPath] = [:]

    /// Notes a request that the notifier has sent with a token of `person`, and its answer: what an app waits for names items, too.
    mutating func note(
        _ request: HTTPRequest,
        _ reply: SentResponse,
        of person: Username,
        at now: Duration,
        isForApp: Bool = false
    ) {
        let parts = request.path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 7)
        guard parts.count >= 3, parts[0].elementsEqual("api".utf8) else { return }
        if parts.count == 3, let kind = Self.kind(parts[2]) { return learn(kind, from: reply, of: person) }
        guard parts.count >= 5, parts[2].elementsEqual("projects".utf8), let project = Int64(Substring(parts[3])),
            let kind = Self.kind(parts[4]), let path = projects[project]
        else { return }
        let iids = parts.count > 5 ? [Int64(Substring(parts[5]))].compactMap(\.self) : Self.iids(of: request)
        let items = iids.filter { !(project == 1 && kind == .mergeRequest && $0 == 1) }
        let new = items.map { Item(project: project, kind: kind, iid: $0) }
        for item in Self.add(new, to: &known[person, default: []]) where !isForApp {
            let reference = ItemReference(project: path, kind: kind, iid: item.iid)
            requests.append(ItemRequestRecord(person: person, item: reference, at: now))
        }
    }

    /// A list of what the person may read names items to them.
    private mutating func learn(_ kind: ItemKind, from reply: SentResponse, of person: Username) {
        guard reply.response.status == 200,
            let rows = try? JSONDecoder().decode([Row].self, from: Data(reply.response.body))
        else { return }
        let items = rows.map { Item(project: $0.project, kind: kind, iid: $0.iid) }
        _ = Self.add(items, to: &known[person, default: []])
    }

    /// Those that were not among them until now.
    private static func add(_ items: [Item], to known: inout Set<Item>) -> [Item] {
        items.filter { known.insert($0).inserted }
    }

    private static func kind(_ word: Substring.UTF8View) -> ItemKind? {
        if word.elementsEqual("issues".utf8) { return .issue }
        return word.elementsEqual("merge_requests".utf8) ? .mergeRequest : nil
    }

    /// The numbers that a list of a project is asked for.
    private static func iids(of request: HTTPRequest) -> [Int64] {
        guard let query = request.target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return request.target.utf8[query...].dropFirst().split(separator: UInt8(ascii: "&")).compactMap { pair in
            guard pair.starts(with: "iids".utf8), let mark = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return Int64(Substring(pair[mark...].dropFirst()))
        }
    }
}
