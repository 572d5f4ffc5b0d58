import CommandTable

/// What may be written after `gitlab-notify`: the one table from which arguments are read, help and manual are printed and shells
/// complete.
struct CommandSyntax: Sendable {
    typealias Flag = ProgramTable.Flag

    var name: String
    /// As in the usage line, such as `ITEM…`.
    var operands = ""
    var count: ClosedRange<Int> = 0...0
    var summary: String
    var flags: [Flag] = []
    var notes: [String] = []

    /// Every command has these.
    static let common = [
        Flag(name: "--json", value: nil, summary: "print JSON on standard output, and nothing else"),
        ProgramTable.help,
    ]

    /// The flags of the command and the common ones.
    var allFlags: [Flag] { flags + Self.common }

    static func named(_ name: String) -> CommandSyntax? { all.first { $0.name == name } }

    /// In the order of the help text.
    static let all = signingIn + watching + reading + account

    private static let several = 1...50

    private static let signingIn = [
        CommandSyntax(
            name: "login",
            operands: "SERVER",
            count: 1...1,
            summary: "sign in at a server, in one of four ways",
            flags: [
                Flag(name: "--gitlab", value: "URL", summary: "your GitLab, such as https://gitlab.example.com"),
                Flag(
                    name: "--token-file",
                    value: "FILE",
                    summary: "a file with an access token for it; - is standard input"
                ),
                Flag(name: "--through-gitlab", value: nil, summary: "agree in a browser, on any device, with a code"),
                Flag(name: "--code", value: "CODE", summary: "the pairing code that another device of yours shows"),
                Flag(name: "--name", value: "NAME", summary: "with --code: what your other devices call this one"),
                Flag(
                    name: "--authority",
                    value: "FILE",
                    summary: "PEM file of the authority that signed the server's certificate"
                ),
                Flag(
                    name: "--plain-http",
                    value: nil,
                    summary: "allow http:// to another machine, readable on the way"
                ),
            ],
            notes: [
                "With --gitlab alone you are asked for a token, which needs the scope read_api. It is sent once and not kept here."
            ]
        ),
        CommandSyntax(
            name: "logout",
            summary: "sign out, and forget everything on this machine",
            flags: [Flag(name: "--everywhere", value: nil, summary: "end the sessions of all your devices")]
        ),
        CommandSyntax(name: "status", summary: "how the connection is, and what the server does for you"),
    ]

    private static let watching = [
        CommandSyntax(
            name: "items",
            summary: "list your issues and merge requests",
            flags: [
                Flag(name: "--state", value: "opened|closed|merged|all", summary: "of which state (default: opened)"),
                Flag(name: "--limit", value: "N", summary: "1 to 100 (default: 50)"),
            ]
        ),
        CommandSyntax(
            name: "watch",
            operands: "ITEM…",
            count: several,
            summary: "hear of what happens to items",
            notes: [
                "An ITEM is its address in GitLab, or team/app!847 (merge request), team/app#3 (issue), 42!847 (by project number)."
            ]
        ),
        CommandSyntax(name: "unwatch", operands: "ITEM…", count: several, summary: "hear of them no more"),
        CommandSyntax(name: "list", summary: "list what you watch, also offline"),
        CommandSyntax(
            name: "mute",
            operands: "ITEM…",
            count: several,
            summary: "keep watched items silent for a while",
            flags: [
                Flag(name: "--for", value: "T", summary: "how long, such as 90m or 2d"),
                Flag(name: "--until", value: "INSTANT", summary: "until when, such as 2026-03-02T09:00:00Z"),
            ]
        ),
        CommandSyntax(name: "unmute", operands: "ITEM…", count: several, summary: "let them speak again"),
    ]

    private static let reading = [
        CommandSyntax(name: "inbox", summary: "list what you have not read, newest first, also offline"),
        CommandSyntax(
            name: "history",
            operands: "[ITEM]",
            count: 0...1,
            summary: "list what you were told, newest first",
            flags: [
                Flag(name: "--limit", value: "N", summary: "1 to 100 (default: 20)"),
                Flag(name: "--since", value: "T", summary: "only from this far back, such as 2d, or since an instant"),
            ]
        ),
        CommandSyntax(
            name: "tail",
            summary: "print news as it comes, until Ctrl-C",
            flags: [Flag(name: "--count", value: "N", summary: "end after so many")],
            notes: ["What came while no tail ran comes first. The very first one begins with what comes from then on."]
        ),
        CommandSyntax(
            name: "read",
            operands: "[ID…]",
            count: 0...50,
            summary: "mark notifications as read, on all your devices",
            flags: [Flag(name: "--all", value: nil, summary: "all there are")],
            notes: ["An ID is what inbox and history print; its first letters do."]
        ),
        CommandSyntax(name: "unread", operands: "ID…", count: several, summary: "mark them as unread again"),
        CommandSyntax(name: "asks", summary: "list who waits for your review, approval, answer or turn"),
        CommandSyntax(
            name: "done",
            operands: "ITEM|ASK…",
            count: several,
            summary: "mark everything about items as read, and what is asked there as done",
            notes: [
                "An ASK is the id that asks prints of what a program or a duty asks; its first letters do. A turn is done by it."
            ]
        ),
        CommandSyntax(
            name: "later",
            operands: "ITEM|ASK…",
            count: several,
            summary: "be told again in an hour of what is asked there, and not before"
        ),
        CommandSyntax(
            name: "duties",
            summary: "list what you do in turn with others, and whose turn is next",
            flags: [
                Flag(
                    name: "--invite",
                    value: "ID",
                    summary: "print a code with which somebody else can take part in one"
                ),
                Flag(name: "--join", value: "CODE", summary: "take part in one of somebody else's"),
                Flag(name: "--as", value: "NAME", summary: "with --join and --add: what the others see"),
                Flag(name: "--add", value: "TITLE", summary: "make one; you have the first turn"),
                Flag(name: "--every", value: "DAYS", summary: "with --add: every so many days"),
                Flag(name: "--on", value: "DAYS", summary: "with --add: days of the week, such as mon,thu"),
                Flag(name: "--weeks", value: "N", summary: "with --on: of every so many weeks"),
                Flag(name: "--from", value: "DAY", summary: "with --add: the first day, such as 2026-03-02"),
                Flag(
                    name: "--at",
                    value: "T",
                    summary: "with --add: the time of day at which it is due, such as 09:30"
                ),
                Flag(name: "--zone", value: "ZONE", summary: "with --add: where that is (default: that of settings)"),
                Flag(name: "--lead", value: "HOURS", summary: "with --add: remind this long before (default: never)"),
                Flag(
                    name: "--with",
                    value: "NAME",
                    summary: "with --add: somebody without an account who takes turns, too",
                    isRepeatable: true
                ),
                Flag(name: "--fixed", value: nil, summary: "with --add: every turn is yours while you take part"),
                Flag(name: "--escalates", value: nil, summary: "with --add: ask for it when it is due, three times"),
                Flag(name: "--end", value: "ID", summary: "end one, for everybody who takes part"),
                Flag(name: "--mute", value: "ID", summary: "hear nothing of one for a while; the others do, as ever"),
                Flag(name: "--for", value: "T", summary: "with --mute: how long, such as 90m or 2d"),
                Flag(name: "--until", value: "INSTANT", summary: "with --mute: until when"),
                Flag(name: "--unmute", value: "ID", summary: "let it speak again"),
            ],
            notes: ["An ID is what duties prints; its first letters do. Whoever has an account takes part by --invite."]
        ),
        CommandSyntax(
            name: "duty",
            operands: "done|skip|give ID",
            count: 2...2,
            summary: "say what became of a turn: done, left out, or somebody else's",
            flags: [
                Flag(name: "--to", value: "NAME", summary: "with give: whose it is now"),
                Flag(name: "--note", value: "TEXT", summary: "with done and skip: for the next in turn"),
            ]
        ),
        CommandSyntax(
            name: "dismiss",
            operands: "ID",
            count: 1...1,
            summary: "never hear again of the item that a notification is about",
            flags: [Flag(name: "--undo", value: nil, summary: "take that back")]
        ),
    ]

    private static let account = [
        CommandSyntax(
            name: "settings",
            summary: "show or change when and of what you are told",
            flags: [
                Flag(name: "--time-zone", value: "ZONE", summary: "such as Europe/Berlin"),
                Flag(
                    name: "--quiet-hours",
                    value: "T-T",
                    summary: "such as 22:00-07:00 or mon,tue@18:00-24:00; none switches them off",
                    isRepeatable: true
                ),
                Flag(
                    name: "--urgent",
                    value: "on|off",
                    summary: "whether mentions and review requests pass quiet hours"
                ),
                Flag(
                    name: "--auto-watch",
                    value: "on|off",
                    summary: "whether items are watched once you are tagged there"
                ),
                Flag(
                    name: "--mirror",
                    value: "on|off",
                    summary: "whether watch list and GitLab's subscriptions follow each other"
                ),
                Flag(
                    name: "--reminders",
                    value: "on|off",
                    summary: "whether you are told again that somebody waits for you"
                ),
                Flag(
                    name: "--due-reminders",
                    value: "on|off",
                    summary: "whether you are reminded of what is due that you are assigned to"
                ),
                Flag(name: "--due-lead-hours", value: "N", summary: "how many hours before the day on which it is due"),
                Flag(name: "--kinds", value: "A,B", summary: "kinds of activity to hear of"),
            ]
        ),
        CommandSyntax(
            name: "devices",
            summary: "list your devices",
            flags: [Flag(name: "--remove", value: "ID", summary: "sign one out")]
        ),
        CommandSyntax(
            name: "programs",
            summary: "list the programs that may tell or ask you something",
            flags: [
                Flag(name: "--add", value: "NAME", summary: "let one in, and print its token, this once"),
                Flag(name: "--remove", value: "ID", summary: "take a token back; what the program asked is over"),
                Flag(name: "--mute", value: "ID", summary: "hear nothing of a program for a while"),
                Flag(name: "--for", value: "T", summary: "with --mute: how long, such as 90m or 2d"),
                Flag(name: "--unmute", value: "ID", summary: "let it speak again"),
            ],
            notes: [
                "What a program can send, docs/signals.md says. Whoever has its token can send you signals, and nothing else."
            ]
        ),
        CommandSyntax(name: "pair", summary: "show a code with which another device of yours can sign in"),
        CommandSyntax(name: "test", summary: "send a test push to your phones and Macs"),
        CommandSyntax(
            name: "completion",
            operands: ShellCompletion.allCases.map(\.rawValue).joined(separator: "|"),
            count: 1...1,
            summary: "print a script that lets a shell complete the arguments"
        ),
        CommandSyntax(
            name: "man",
            summary: "print the manual page, for man",
            flags: [Flag(name: "--date", value: "YYYY-MM-DD", summary: "the date in its footer (default: none)")]
        ),
        CommandSyntax(name: "version", summary: "print which program this is"),
    ]
}
