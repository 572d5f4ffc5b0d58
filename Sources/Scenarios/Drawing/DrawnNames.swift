import Platform

/// What the people and projects of drawn worlds are called: plainly, or with all that GitLab takes.
enum DrawnNames {
    static let plainUsernames = ["@ana", "@ben", "@cleo", "@dag", "@eva"]
    static let plainPaths = ["team/alpha", "team/beta", "team/gamma"]
    /// Groups in groups; the beginning of one path is another.
    static let oddPaths = ["team/sub.group/al-pha", "team/sub.group/al-pha.2", "Team_2/a/b/c/d"]

    /// Some of the odd ones, in any order. They differ not only in their case, and are no longer than a name in a duty may be.
    static func usernames(_ count: Int, _ random: inout RandomStream) -> [String] {
        var left = odd.map { $0.username }
        var drawn: [String] = []
        while drawn.count < count, !left.isEmpty {
            let place = Int(random.next(below: UInt64(left.count)))
            drawn.append(left.remove(at: place))
        }
        return drawn
    }

    /// Another for everybody: a duty's members are told apart by theirs.
    static func displayName(of username: String) -> String {
        if let known = odd.first(where: { $0.username == username }) { return known.name }
        return username.dropFirst().prefix(1).uppercased() + username.dropFirst(2)
    }

    /// Three begin alike. None has a number behind its last hyphen: the tokens of a world are a name, a hyphen and a number.
    private static let odd: [(username: String, name: String)] = [
        ("@jo", "Jo"),
        ("@jo-ann", "Jo \"JJ\" Ann"),
        ("@jo.ann", "Jo-Ann O'Neil (she/her)"),
        ("@Jo_2", "\u{1F98A} Jo \u{1F469}\u{200D}\u{1F4BB}"),
        ("@7of9", "\u{5D9}\u{5D5}\u{5D0}\u{5D1} \u{64A}\u{648}\u{633}\u{641}"),
        ("@_a.B-c", "a & <b>c</b> \\ e\u{301}"),
        ("@" + String(repeating: "long-", count: 12) + "name", String(repeating: "Long ", count: 50) + "Name"),
    ]
}
