import FoundationEssentials
import HTTP
import Scenarios

/// What the first line of `simctl serve` tells of the world, as far as a sender needs it.
struct ServedPlace: Decodable, Sendable {
    struct GitLab: Decodable, Sendable {
        var url: String
        /// By username.
        var tokens: [String: String]
    }

    struct APNs: Decodable, Sendable {
        var url: String
        var sandboxURL: String
        var keyPEM: String
        var keyID: String
        var teamID: String
        var bundleID: String
    }

    struct Device: Decodable, Sendable {
        /// With an `@`.
        var person: String
        var platform: String
        var environment: String
        var token: String
    }

    var caFile: String
    var gitlab: GitLab
    var apns: APNs
    var devices: [Device]

    /// - Throws: `ProgramError` for a file that cannot be read or holds something else.
    static func read(_ file: String) throws(ProgramError) -> ServedPlace {
        do {
            let bytes = try FileBytes.read(path: file, limitBytes: 64 * 1_024 * 1_024)
            return try JSONDecoder().decode(ServedPlace.self, from: Data(bytes))
        } catch {
            throw ProgramError(
                .badValue,
                "\(file) does not hold the first line of a served world",
                hint: "simctl serve FILE > \(file) writes it there"
            )
        }
    }

    /// People with devices, in the order of their names.
    var people: [(username: String, gitlabToken: String, devices: [Device])] {
        gitlab.tokens.sorted { $0.key < $1.key }.map { username, token in
            (username, token, devices.filter { $0.person == "@\(username)" })
        }
    }
}
