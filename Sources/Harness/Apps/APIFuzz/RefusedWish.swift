import FoundationEssentials
import HTTP
import JSON
import Platform
import Scenarios

/// A request that the notifier has to refuse by what it means, or that changes nothing, and how it has to be answered.
struct RefusedWish {
    /// Who seems to ask.
    enum Asker: String {
        /// Somebody with a session or a program's token, where one is asked for.
        case known
        /// By another scheme than the API's.
        case basic
        /// By the scheme's name alone.
        case bare
        /// With a session of which a letter was changed.
        case tampered
        /// With longer header fields than a server takes.
        case long
    }

    /// What a request is made of beside the table.
    struct Circumstances {
        var session: String
        /// Nil where the person lets no program in.
        var program: String?
        var gitlabAddress: String
        var now: WallTime
    }

    /// How it may be answered.
    struct Answer: Equatable {
        var status: Int
        /// The catalogue's; nil where it is granted.
        var code: String?
    }

    let asker: Asker
    /// Several where it depends on the server's settings, or on what it was asked before.
    let answers: [Answer]
    private let method: HTTPMethod
    private let target: String
    /// With what stands for longer texts; empty where nothing is sent.
    private let body: String
    /// Whether it is a change in an envelope, which is answered by itself.
    private let isPart: Bool

    /// In the order of the table.
    static let all = RefusedWishTable.lines.split(separator: "\n").compactMap { RefusedWish(String($0)) }

    /// Some of them, perhaps one of them twice.
    static func drawn(_ count: Int, by random: RandomStream) -> [RefusedWish] {
        var random = random
        return (0..<count).compactMap { _ in random.pick(all) }
    }

    /// Nil for what is no line of the table.
    init?(_ line: String) {
        let isShort = line.hasPrefix("DUTY ") || line.hasPrefix("SYNC ")
        var words = line.split(separator: " ", maxSplits: isShort ? 2 : 4).map(String.init)
        if isShort, let first = words.first {
            let isDuty = first == "DUTY"
            words.replaceSubrange(0..<1, with: ["POST", isDuty ? "/duties" : "/sync", isDuty ? "400" : "200"])
        }
        guard words.count >= 4, let answers = Self.answers(words[2], words[3]) else { return nil }
        let head = words[0].split(separator: ":").map(String.init)
        guard let asker = head.count > 1 ? Asker(rawValue: head[1]) : Asker.known else { return nil }
        (self.asker, self.answers) = (asker, answers)
        method = HTTPMethod(rawValue: head[0])
        target = words[1]
        isPart = line.hasPrefix("SYNC ")
        let text = words.count > 4 ? words[4] : ""
        body = line.hasPrefix("DUTY ") ? Self.duty(text) : isPart ? Self.envelope(text) : text
    }

    /// One status goes with all codes, several with one each; nil for anything else.
    private static func answers(_ statuses: String, _ codes: String) -> [Answer]? {
        let codes: [String?] = codes.split(separator: "|").map { $0 == "-" ? nil : String($0) }
        let numbers = statuses.split(separator: "|").compactMap { Int($0) }
        if numbers.count == 1 { return codes.map { Answer(status: numbers[0], code: $0) } }
        guard !numbers.isEmpty, numbers.count == codes.count else { return nil }
        return zip(numbers, codes).map { Answer(status: $0, code: $1) }
    }

    /// A whole duty with those members instead of its own.
    private static func duty(_ text: String) -> String {
        let whole = expanded(#"{$turns,"members":[{$me}]}"#)
        guard var duty = JSONValue(reading: Array(whole.utf8)),
            let other = JSONValue(reading: Array(expanded(text).utf8))?.members
        else { return whole }
        for member in other { duty = duty.with(member.key, member.value) }
        return JSONValue.object((duty.members ?? []).filter { $0.value != .null }).text(indented: false)
    }

    private static func envelope(_ text: String) -> String {
        let dated = text.contains("changedAt") || text.contains("$word") ? "" : #""changedAt":"$now","#
        let head = #"{"baseRevision":0,"clientChangeId":"wish-1","changes":[{"id":"1","#
        return head + dated + String(text.dropFirst()) + "]}"
    }

    private static func expanded(_ text: String) -> String {
        RefusedWishTable.shorthand.reduce(text) { text, short in
            text.contains(short.mark) ? text.replacing(short.mark, with: short.text) : text
        }
    }

    // MARK: Asking

    /// Nil where it is a program's and there is none.
    func request(at origin: HTTPOrigin, in circumstances: Circumstances) -> HTTPRequest? {
        var request = HTTPRequest(method: method, origin: origin, target: Self.expanded(target))
        switch asker {
        case .known, .long:
            if target == "/signals" {
                guard let program = circumstances.program else { return nil }
                request.fields.append("Authorization", "Bearer \(program)")
            } else if !target.hasPrefix("/auth/"), !target.hasPrefix("/webhooks/") {
                request.fields.append("Authorization", "Bearer \(circumstances.session)")
            }
        case .basic: request.fields.append("Authorization", "Basic bWFyaWE6")
        case .bare: request.fields.append("Authorization", "Bearer")
        case .tampered:
            request.fields.append("Authorization", "Bearer \(Self.tampered(circumstances.session))")
        }
        if asker == .long { request.fields.append("X-Long", String(repeating: "a", count: 20_000)) }
        guard !body.isEmpty else { return request }
        request.body = Array(written(in: circumstances).utf8)
        request.fields.append("Content-Type", "application/json")
        return request
    }

    /// Longer ago than anything is kept, and later than anything may be muted.
    private func written(in circumstances: Circumstances) -> String {
        let now = circumstances.now
        let marks = [
            ("$now", Self.text(now)), ("$old", Self.text(now.advanced(by: .zero - .days(4_000)))),
            ("$far", Self.text(now.advanced(by: .days(400)))), ("$gitlab", circumstances.gitlabAddress),
        ]
        return marks.reduce(Self.expanded(body)) { text, mark in text.replacing(mark.0, with: mark.1) }
    }

    /// To the minute.
    private static func text(_ time: WallTime) -> String {
        let date = CivilDate(time)
        return "\(CalendarNotation.dayText(date))T\(CalendarNotation.timeText(date.hour * 60 + date.minute)):00Z"
    }

    /// The same but for the first letter of its last part, which is what it is signed with.
    private static func tampered(_ session: String) -> String {
        var parts = session.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let last = parts.popLast(), let first = last.first else { return session + "A" }
        parts.append((first == "A" ? "B" : "A") + String(last.dropFirst()))
        return parts.joined(separator: ".")
    }

    // MARK: Judging

    /// In a sentence.
    var name: String { "\(method.rawValue) \(target) \(body.prefix(Self.shownCharacters))" }

    private static let shownCharacters = 200

    /// What is wrong with an answer, in words; nil when nothing is. Who was signed out meanwhile is refused for that, where they show a session. Without
    /// `isSure` the notifier may know other days or choices than the world: then any refusal will do.
    func complaint(about response: HTTPResponse, isSure: Bool = true) -> String? {
        let answered = response.status
        guard !ResponseJudge.always.contains(answered) else { return nil }
        let answer = JSONValue(reading: response.body)
        var found = answer?["code"]?.text
        if isPart, answered == 200 { found = answer?["refused"]?.elements.first?["code"]?.text }
        guard !answers.contains(Answer(status: answered, code: found)) else { return nil }
        let isRefused = (400..<500).contains(answered) || isPart && answered == 200 && found != nil
        let isSignedOut = answered == 401 && !answers.contains { $0.status == 401 }
        if isRefused, isSignedOut || !isSure { return nil }
        let right = answers.map { "\($0.status) \($0.code ?? "")" }.joined(separator: " or ")
        return "was answered \(answered) \(found ?? "no code"), and not \(right)"
    }
}
