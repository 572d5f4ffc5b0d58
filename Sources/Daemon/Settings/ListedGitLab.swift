import Configuration
import HTTP
import Notifier

/// An entry of `gitlabs`: an address as text, or an object that says more of it.
struct ListedGitLab: Decodable {
    /// Who needs more runs something else.
    private static let limit = 100
    private static let expected = "a list of addresses such as \"https://gitlab.example.com\", without a path"

    let origin: HTTPOrigin

    /// What stands in the settings' text.
    ///
    /// - Throws: `ConfigurationError.badValue`.
    init(_ text: String, allowsPlainHTTP: Bool = false) throws(ConfigurationError) {
        guard text.utf8.count <= 512, let origin = HTTPOrigin(text)?.normal, Self.isPlainHost(origin) else {
            throw .badValue(key: "gitlabs", expected: Self.expected)
        }
        guard !origin.isOddNumber else {
            throw .badValue(key: "gitlabs", expected: "\(Self.expected); an IPv4 address is four decimal numbers")
        }
        guard origin.scheme == "https" || origin.isLoopback || allowsPlainHTTP else {
            throw .badValue(
                key: "gitlabs",
                expected: "\(Self.expected); one to which tokens may go in the clear is an object, "
                    + "{\"address\": \"http://…\", \"allowsPlainHTTP\": true}"
            )
        }
        self.origin = origin
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            try self.init(text)
            return
        }
        let container = try SettingsContainer(decoder, keys: SettingsKey.gitlab)
        var allowsPlainHTTP = false
        try container.read("allowsPlainHTTP", into: &allowsPlainHTTP)
        try self.init(container.text("address", "the address of a GitLab"), allowsPlainHTTP: allowsPlainHTTP)
    }

    /// The origins of a list.
    ///
    /// - Throws: `ConfigurationError.badValue` for one that is named twice, and for too many.
    static func origins(_ list: [ListedGitLab]) throws(ConfigurationError) -> [HTTPOrigin] {
        guard list.count <= limit, Set(list.map(\.origin)).count == list.count else {
            throw .badValue(key: "gitlabs", expected: "\(expected), each once and \(limit) at most")
        }
        return list.map(\.origin)
    }

    /// Brackets and colons belong to addresses alone.
    private static func isPlainHost(_ origin: HTTPOrigin) -> Bool {
        !origin.host.isEmpty && (origin.address != nil || !origin.host.contains { "[]:".contains($0) })
    }
}

extension DaemonSettings {
    /// Whether people can sign in at all, for `check-config`: the server itself starts without, so that it can be installed before it is
    /// set up.
    ///
    /// - Throws: `DaemonError.settingsInvalid`.
    func checkThatSomebodyIsServed() throws(DaemonError) {
        guard gitlabs.isEmpty else { return }
        throw DaemonError(
            .settingsInvalid,
            "no GitLab is listed, so nobody can sign in",
            hint:
                "add \"gitlabs\": [\"https://gitlab.example.com\"] to the settings, or set GITLABS=https://gitlab.example.com"
        )
    }

    /// Whether people can sign in only where they are served.
    ///
    /// - Throws: `DaemonError.settingsInvalid`.
    func checkApplications() throws(DaemonError) {
        let instances = ServedInstances(gitlabs)
        guard let stranger = oauth.first(where: { !instances.serve($0.origin) }) else { return }
        throw Self.invalid("\"oauth\" names \(stranger.origin), which is not among \"gitlabs\"")
    }
}
