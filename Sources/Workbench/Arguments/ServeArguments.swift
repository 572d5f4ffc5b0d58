import FakeGitLab
import HTTP
import Harness

/// The arguments of `simctl serve`.
struct ServeArguments: Equatable {
    var file: String
    /// How many seconds of the world pass in one of the machine's.
    var speed: Int64 = 1
    /// 0 for any that is free.
    var gitlabPort: UInt16 = 0
    var apnsPort: UInt16 = 0
    var controlPort: UInt16 = 0
    /// How many streams APNs allows on a connection that has shown a good provider token.
    var streamLimit = 1_000
    /// How many bad answers end a connection to APNs; nil for as many as it has been seen to bear.
    var badAnswers: Int?
    /// Whether APNs answers at once, without the time that a real one takes.
    var isInstant = false
    /// Where GitLab's own hook goes; nil sends none.
    var webhook: Webhook?
    /// Whether the trace is left out.
    var isQuiet = false
    /// Where certificate and key go; nil for a folder that goes with the server.
    var folder: String?
}

extension ServeArguments {
    init(_ arguments: ParsedArguments) throws(ProgramError) {
        self.init(file: arguments.operands[0])
        if let text = arguments.values["--speed"] { speed = try Self.speed(text) }
        gitlabPort = try Self.port("--gitlab", arguments)
        apnsPort = try Self.port("--apns", arguments)
        controlPort = try Self.port("--control", arguments)
        if let text = arguments.values["--apns-streams"] { streamLimit = try Self.streamLimit(text) }
        if let text = arguments.values["--apns-bad-answers"] { badAnswers = try Self.badAnswers(text) }
        if let text = arguments.values["--webhooks"] { webhook = try Self.webhook(text) }
        isInstant = arguments.has("--instant")
        isQuiet = arguments.has("--quiet")
        folder = arguments.values["--cert-dir"]
    }

    private static func webhook(_ text: String) throws(ProgramError) -> Webhook {
        guard let hook = Webhook(url: text, secret: WorldSecrets.webhook), hook.origin.isPlainLoopback else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not an address for webhooks: --webhooks takes http:// and an address of this machine",
                hint: "--webhooks http://127.0.0.1:9000/webhooks/gitlab"
            )
        }
        return hook
    }

    private static func streamLimit(_ text: String) throws(ProgramError) -> Int {
        guard let limit = Int(text), (1...1_000_000).contains(limit) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a number of streams: --apns-streams takes whole numbers from 1 to 1000000",
                hint: "APNs itself has been seen to allow 1000"
            )
        }
        return limit
    }

    private static func badAnswers(_ text: String) throws(ProgramError) -> Int {
        guard let count = Int(text), (1...1_000_000).contains(count) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a number of answers: --apns-bad-answers takes whole numbers from 1 to 1000000",
                hint: "APNs itself has been seen to tolerate about 2000"
            )
        }
        return count
    }

    /// - Throws: `ProgramError` for what is not a speed.
    static func speed(_ text: String) throws(ProgramError) -> Int64 {
        guard let speed = Int64(text), (1...86_400).contains(speed) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a speed: --speed takes whole numbers from 1 to 86400",
                hint: "--speed 60 lets an hour pass in a minute"
            )
        }
        return speed
    }

    private static func port(_ flag: String, _ arguments: ParsedArguments) throws(ProgramError) -> UInt16 {
        guard let text = arguments.values[flag] else { return 0 }
        guard let port = UInt16(text) else {
            throw ProgramError(
                .badValue,
                "\"\(text)\" is not a port: \(flag) takes 0 to 65535",
                hint: "0 is any that is free"
            )
        }
        return port
    }
}

extension HTTPOrigin {
    /// Plain HTTP to this machine: `localhost`, `127.0.0.0/8` in four decimal numbers, `::1`.
    var isPlainLoopback: Bool {
        guard scheme == "http" else { return false }
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil } }
        return parts.count == 4 && numbers.count == 4 && numbers[0] == 127
    }
}
