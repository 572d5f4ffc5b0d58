/// Something that must reach the program as a parameter instead.
struct Ban: Sendable {
    /// The tokens of the banned call.
    let tokens: [String]
    let replacement: String
    /// Targets where it is allowed beside the live adapters.
    var allowedIn: [String] = []

    /// The call as it is written.
    var text: String { tokens.joined() }

    static let all: [Ban] = time + randomness + surroundings + order

    private static let time = [
        Ban(tokens: ["Date", "("], replacement: "take WallTime from the injected TimeSource"),
        Ban(tokens: ["Date", ".", "now"], replacement: "take WallTime from the injected TimeSource"),
        Ban(tokens: ["ContinuousClock"], replacement: "read monotonicNow of the injected TimeSource"),
        Ban(tokens: ["SuspendingClock"], replacement: "read monotonicNow of the injected TimeSource"),
        Ban(tokens: ["DispatchTime"], replacement: "read monotonicNow of the injected TimeSource"),
        Ban(tokens: ["DispatchWallTime"], replacement: "read wallNow of the injected TimeSource"),
        Ban(tokens: ["clock_gettime"], replacement: "read the injected TimeSource"),
        Ban(tokens: ["gettimeofday"], replacement: "read wallNow of the injected TimeSource"),
        Ban(tokens: ["time", "(", "nil", ")"], replacement: "read wallNow of the injected TimeSource"),
        Ban(tokens: ["Task", ".", "sleep"], replacement: "await sleep(for:) of the injected TimeSource"),
        Ban(tokens: ["Thread", ".", "sleep"], replacement: "await sleep(for:) of the injected TimeSource"),
        Ban(tokens: ["usleep", "("], replacement: "await sleep(for:) of the injected TimeSource"),
        Ban(tokens: ["nanosleep", "("], replacement: "await sleep(for:) of the injected TimeSource"),
    ]

    private static let randomness = [
        Ban(tokens: ["UUID", "("], replacement: "call uuidString() of the injected EntropySource"),
        Ban(tokens: [".", "random", "("], replacement: "draw from a RandomStream or the injected EntropySource"),
        Ban(tokens: [".", "randomElement", "("], replacement: "call pick of a RandomStream"),
        Ban(tokens: [".", "shuffled", "("], replacement: "draw the order from a RandomStream by its own functions"),
        Ban(
            tokens: [".", "shuffle", "(", ")"],
            replacement: "draw the order from a RandomStream by its own functions"
        ),
        Ban(tokens: ["shuffle", "(", "using"], replacement: "draw the order from a RandomStream by its own functions"),
        Ban(tokens: ["SystemRandomNumberGenerator"], replacement: "take an EntropySource as a parameter"),
        Ban(tokens: ["arc4random"], replacement: "take an EntropySource as a parameter"),
        Ban(tokens: ["getrandom", "("], replacement: "take an EntropySource as a parameter"),
        Ban(tokens: ["RAND_bytes"], replacement: "take an EntropySource as a parameter"),
    ]

    /// The entry points may look around; what they see goes down as parameters.
    private static let surroundings = [
        Ban(
            tokens: ["getenv", "("],
            replacement: "take it as a parameter from the entry point",
            allowedIn: ["simctl", "notifierd", "gitlab-notify"]
        ),
        Ban(
            tokens: ["ProcessInfo"],
            replacement: "take it as a parameter from the entry point",
            allowedIn: ["simctl", "notifierd", "gitlab-notify"]
        ),
        Ban(
            tokens: ["CommandLine"],
            replacement: "take it as a parameter from the entry point",
            allowedIn: ["simctl", "notifierd", "gitlab-notify", "FuzzTests"]
        ),
        Ban(tokens: ["Locale", ".", "current"], replacement: "format without a locale"),
        Ban(tokens: ["TimeZone", ".", "current"], replacement: "pass an offset from UTC to CivilDate"),
        Ban(tokens: ["Calendar", ".", "current"], replacement: "use CivilDate"),
        Ban(tokens: ["localtime"], replacement: "use CivilDate with an offset from UTC"),
        Ban(tokens: ["localtime_r"], replacement: "use CivilDate with an offset from UTC"),
    ]

    /// Hash values differ in every process.
    private static let order = [
        Ban(tokens: [".", "hashValue"], replacement: "sort by a key, or hash with SHA256"),
        Ban(tokens: ["Hasher", "("], replacement: "sort by a key, or hash with SHA256"),
        Ban(
            tokens: ["ObjectIdentifier", "("],
            replacement: "number the objects yourself: addresses differ in every run"
        ),
    ]
}

extension Rule {
    /// Time, randomness and surroundings are injected: the calls that fetch them stand in files named `Live…` only.
    static let bannedCalls = Rule(name: "outside live adapters no call reaches for clock, chance or surroundings") {
        file in
        guard !file.isLive else { return [] }
        return file.tokens.indices.flatMap { index in
            (bansByFirstToken[file.tokens[index].text] ?? [])
                .filter { file.matches($0.tokens, at: index) && !$0.allowedIn.contains(file.target) }
                .map { file.finding(file.tokens[index].line, "instead of \($0.text) \($0.replacement)") }
        }
    }
}

private let bansByFirstToken = Dictionary(grouping: Ban.all) { $0.tokens[0] }
