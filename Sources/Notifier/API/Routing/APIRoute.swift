import HTTP

/// One method on one path: who may ask, and who answers. The table of all of them is ``RESTAPI/routes``.
struct APIRoute: Sendable {
    /// Who may ask.
    enum Access: Sendable, Equatable {
        /// Anybody.
        case open
        /// A person, by the session in `Authorization`.
        case account
        /// A person's device, by a session that belongs to it.
        case device
        /// A program, by a token that a person made for it; it may say something to that person, and nothing else.
        case program
    }

    /// What a request takes of those that its address may send in a minute.
    enum Toll: Sendable, Equatable {
        /// Nothing: a flood from an orchestrator's own address must not look like a server that is down.
        case none
        /// One.
        case whole
        /// The twentieth part of one, from whoever has a session: apps in the foreground ask every ten seconds, and a whole office
        /// may have one address.
        case twentieth
    }

    let method: HTTPMethod
    let path: PathPattern
    let access: Access
    /// Whether the answer waits for GitLab: only so many such requests are admitted at a time.
    let asksGitLab: Bool
    let toll: Toll
    /// What the published document says of it.
    let description: RouteDescription
    let answer: @Sendable (RESTAPI, APICall) async throws -> HTTPResponse

    init(
        _ method: HTTPMethod,
        _ path: PathPattern,
        access: Access = .account,
        asksGitLab: Bool = false,
        toll: Toll = .whole,
        _ description: RouteDescription,
        answer: @escaping @Sendable (RESTAPI, APICall) async throws -> HTTPResponse
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.asksGitLab = asksGitLab
        self.toll = toll
        self.description = description
        self.answer = answer
    }
}

/// A path in which some segments are names for anything but nothing, such as `/watch/{id}/mute`.
struct PathPattern: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Segment: Sendable, Equatable {
        case text(String)
        case name(String)
    }

    let description: String
    private let segments: [Segment]

    init(stringLiteral text: String) {
        precondition(text.hasPrefix("/"), "a path begins with a slash")
        description = text
        segments = Self.split(text[...]).map { segment in
            segment.hasPrefix("{") && segment.hasSuffix("}")
                ? .name(String(segment.dropFirst().dropLast())) : .text(String(segment))
        }
    }

    /// The names in the order of the path.
    var names: [String] {
        segments.compactMap { segment in
            guard case .name(let name) = segment else { return nil }
            return name
        }
    }

    /// What stands for the names in `path`; nil when it is another path.
    func match(_ path: Substring) -> [String: String]? {
        let found = Self.split(path)
        guard found.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, text) in zip(segments, found) {
            switch segment {
            case .text(let expected):
                guard text.utf8.elementsEqual(expected.utf8) else { return nil }
            case .name(let name):
                guard !text.isEmpty else { return nil }
                values[name] = PercentCoding.decode(text)
            }
        }
        return values
    }

    /// What stands between the slashes. By bytes: a slash with a combining mark behind it is one character, and still a slash.
    private static func split(_ path: Substring) -> [Substring] {
        path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
