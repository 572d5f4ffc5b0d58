/// What `simctl run --live` takes besides the rest of `simctl run`.
struct LiveArguments: Equatable {
    /// How many seconds pass in one of the machine's.
    var speed: Int64
    /// The program to run; nil for the one beside this.
    var notifierd: String?
    /// Where the incident report goes that `notifierd` writes in the end; nil for none.
    var incident: String?

    private static let onlyLive = ["--speed", "--notifierd", "--incident"]
    /// Virtual time knows them, the machine's does not.
    private static let neverLive = ["--jobs", "--explore", "--time-limit", "--metrics-every", "--shard"]

    init(speed: Int64 = 60, notifierd: String? = nil) {
        self.speed = speed
        self.notifierd = notifierd
    }

    /// Nil without `--live`.
    ///
    /// - Throws: `ProgramError` for a bad value, or flags that do not go together.
    init?(_ arguments: ParsedArguments) throws(ProgramError) {
        guard arguments.has("--live") else {
            for flag in Self.onlyLive where arguments.has(flag) {
                throw ProgramError(.conflictingFlags, "\(flag) is for live runs", hint: "add --live")
            }
            return nil
        }
        for flag in Self.neverLive where arguments.has(flag) {
            throw ProgramError(.conflictingFlags, "\(flag) is not for live runs", hint: "leave out \(flag) or --live")
        }
        self.init()
        if let text = arguments.values["--speed"] { speed = try ServeArguments.speed(text) }
        notifierd = arguments.values["--notifierd"]
        incident = arguments.values["--incident"]
    }
}
