import Platform

/// Draws what people write: half of it plain, the rest put together of fragments in which a name may count as a mention or not.
///
/// Whom a text mentions is for the fake GitLab to say, which reads it in its own way; the notifier reads it in another.
struct DrawnText {
    /// Who may be named, with their at signs.
    private let people: [String]
    private let items: [String]
    /// Few, so that what is set is moved.
    private let milestones: [String]

    init(of cast: DrawnCast, random: inout RandomStream) {
        people = cast.people
        items = cast.items(of: ItemKind.allCases)
        milestones = random.chance(1, in: 3) ? ["\u{1F680} 2.0 / \u{3B2}", "\"v1\" & <v2>"] : ["v1", "v2"]
    }

    /// A text for a key of an entry that takes any; nil for a key that has its own.
    func text(for key: String, _ random: inout RandomStream) -> String? {
        let isPlain = random.chance(1, in: 2)
        switch key {
        case "body": return comment(&random)
        case "title":
            if random.chance(1, in: 4) { return filled(random.pick(Self.namingTitles) ?? "", &random) }
            return random.pick(isPlain ? Self.plainTitles : Self.oddTitles)
        case "label": return random.pick(isPlain ? Self.plainLabels : Self.oddLabels)
        case "milestone": return random.pick(milestones)
        case "emoji": return random.pick(PlausibleText.emoji)
        default: return nil
        }
    }

    // MARK: Comments

    /// A third of all comments has no body that was drawn, and is plain: so half of all are.
    private func comment(_ random: inout RandomStream) -> String {
        if random.chance(1, in: 4) { return random.pick(Self.plain) ?? "" }
        switch random.next(below: 16) {
        case 0: return random.pick(Self.seeminglyEmpty) ?? ""
        case 1: return lines(30, &random)
        case 2:
            let beginning = String(repeating: "very ", count: random.chance(1, in: 4) ? 1_000 : 90)
            return beginning + line(&random)
        default: return lines(1 + random.next(below: 4), &random)
        }
    }

    private func lines(_ count: UInt64, _ random: inout RandomStream) -> String {
        let separator = random.chance(1, in: 3) ? "\n\n" : "\n"
        var lines: [String] = []
        for _ in 0..<count { lines.append(line(&random)) }
        return lines.joined(separator: separator)
    }

    private func line(_ random: inout RandomStream) -> String {
        filled(random.pick(Self.fragments) ?? "", &random)
    }

    private func filled(_ fragment: String, _ random: inout RandomStream) -> String {
        var text = ""
        for scalar in fragment.unicodeScalars {
            switch scalar {
            case "%": text += name(&random)
            case "$": text += random.pick(items) ?? ""
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Mostly somebody of the cast; else what only begins or ends like their name, a group, or nobody.
    private func name(_ random: inout RandomStream) -> String {
        let person = random.pick(people) ?? ""
        switch random.next(below: 12) {
        case 0: return person.uppercased()
        case 1: return String(person.dropLast())
        case 2: return person + (random.pick(["-x", ".b", "_", "2", ".", "/leads", "'s"]) ?? "")
        case 3: return random.pick(["@team", "@team/leads", "@nobody", "@", "@@"]) ?? ""
        default: return person
        }
    }

    // MARK: Words

    private static let fragments = inSentences + inCode + inBlocks + inMarkup + inScripts + atEdges
    private static let plain = [
        "1", "+1", "Looks good to me.", "Thanks!", "I will look at it tomorrow.", "LGTM :tada:",
    ]
    private static let plainTitles = ["Retry uploads", "Retry downloads", "Speed up the search"]
    /// Names of people and items among plain words: what hides them in a text hides them in no title, and the fake GitLab reads titles as texts.
    private static let namingTitles = [
        "Fix $", "Closes $ and $", "Retry for %", "% asks for a retry", "Ask % and % about $", "Revert $, %",
    ]
    private static let oddTitles = [
        "Draft: retry uploads", "`code`, <b>bold</b> & **bolder**", "\"Quoted\", 'quoted'", "{-old-} {+new+}",
        "\u{1F389} Party \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "1", "\\ / %20 ?a=b", "e\u{301}te\u{301}",
        "\u{5E9}\u{5DC}\u{5D5}\u{5DD} abc \u{645}\u{631}\u{62D}\u{628}\u{627}", "\u{65E5}\u{672C}\u{8A9E}",
        "\u{2800}", longTitle, heapOfMarks,
    ]
    private static let longTitle = String(repeating: "long ", count: 46) + "title"
    private static let heapOfMarks = "Z" + String(repeating: "\u{301}", count: 60)
    private static let plainLabels = ["bug", "backend", "urgent"]
    private static let oddLabels = [
        "priority::1", "a/b c", "C++ & C#", "\"quoted\"", "\u{1F41B}", "\u{5DB}\u{5DF}", "cafe\u{301}", "~bug",
    ]
    /// Beside words, marks and other names. `%` is a name here, `$` an item.
    private static let inSentences = [
        "% can you have a look?", "Can you have a look, %?", "cc % %", "(%)", "Thanks (%).", "Done,%.", "Done:%",
        "\"%\"", "*%*", "**%** decides", "_%_", "~~%~~", "%'s idea", "%, % and %", "%...", "%!", "-%", "/%", "x%",
        "1%", "ä%", "_%", "%/leads", "%-", "%%", "a < b, % > c", "%\r", "Hi\r\n%", "no%.example writes",
        "ana@ben.example", "@", "@ %", "assigned to %", "approved this merge request", "requested review from %",
        "mentioned in !1", "see $", "$ is like $, %", "Closes $.",
    ]
    /// Code of every kind, and what looks like it.
    private static let inCode = [
        "`%`", "``% ` %``", "`%", "% `%` %", "\\`%\\`", "\\%", "\\\\%", "\\\\\\%", "```\n%\n```",
        "```swift\n%\n```\n%", "~~~\n%\n~~~", "~~~~ text\n%\n~~~\n%\n~~~~", "```\n%", "``` % ```", "    %", "\t%",
        "As I said\n    %", "The log:\n\n    % failed\n\n%", "```\n```\n%", "````\n```\n%\n````\n%",
    ]
    /// Quotations, lists, headings and tables.
    private static let inBlocks = [
        "> %", "> % said\n>\n> > yes", ">     %", "> ```\n> %\n> ```\n%", "> said\n%", ">%", "- %", "* `%`", "1. %",
        "2) %", "- a\n  - %", "- [ ] %", "- a\n\n      %", "- a\n\n  %", "- ```\n  %\n  ```\n- %", "# %", "## `%`",
        "#%", "%\n=====\n%", "***\n%", "| who | what |\n|---|---|\n| % | `%` |", "%\n\n---\n\n%",
    ]
    /// Links, addresses and HTML.
    private static let inMarkup = [
        "[%](https://example.com)", "[the log](https://example.com/%)", "[see](/x \"%\")", "![%](a.png)", "[%]",
        "[%](", "[a [b] %](/x)", "[a](/x) %", "<!-- % -->", "<!--\n%\n-->\n%", "<b>%</b>", "<a href=\"/x\">%</a>",
        "<code>%</code>", "<pre>\n%\n</pre>\n%", "<br>%", "<img alt=\"%\">", "<details><summary>%</summary>", "<%>",
        "https://example.com/%", "https://example.com/a_(b)/% %", "www.example.com/%", "<https://example.com/%>",
        "(https://example.com) %", "HTTPS://EXAMPLE.COM/%", "&lt;%&gt;", "&nbsp;%",
    ]
    /// Other scripts, pictures, marks that join what stands before them, and what is not seen.
    private static let inScripts = [
        "🎉 % 🎉", "👨\u{200D}👩\u{200D}👧\u{200D}👦%", "🇩🇪%", "\u{202E}%\u{202C}",
        "\u{645}\u{631}\u{62D}\u{628}\u{627} % \u{634}\u{643}\u{631}\u{627}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD} %",
        "e\u{301}%", "%\u{301}", "\u{200B}%", "\u{FEFF}%", "日本語%さん", "%です", "＠ana",
        "z\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308} %", "\u{A0}%", "\u{3000}%", "\u{2028}%",
    ]
    /// Where one kind of text meets another.
    private static let atEdges = [
        "> - ```\n>   %\n>   ```", "- > %", "-\t%", "1.\n   %", "   ```\n   %\n   ```", "- a\n\n\t%",
        "> text\n>\n>     %", "> - a\n>\n>       %", "- a\n\n  ```\n  %\n  ```\n  %", "```\n% \n  ```\n%",
        "~~~ `x`\n%\n~~~", "<script>\n%\n</script>%", "<textarea>%", "<style>%</style>", "<!---->%", "<!-->\n%",
        "</a>%", "<a\nhref=x>%</a>", "<b class='%'>", "\\<b>%", "\\[%](/x)", "!`%`", "%`", "``%`", "http://a.b/`%`",
        "[`%`](/x)", "[a](<%>)", "[a](/x (%))", "[a]( /% )", "ftp://x/%", "://%", "x://%", "*a*%*b*",
        "- a\n      %", "- a\n\n\n      %", "1. a\n\n   %", "1. a\n\n       %", "10. a\n\n        %", "  - %",
        "    - %", "a\n    - %", "- a\n    - %\n\n          %", "> > %\n> a", "> a\n    %", "#\t%", "####### %",
        "   # %\n    %", "\n    %", "| `a | b` | % |", "- `a\n- % b`", "a `b\n> %` c", "a `b\n# %` c", "`a\n\n%`",
        "<pre>%</pre>%", "<PRE>%</PRE>", "a <pre>\n\n%</pre>", "<code>\n\n%", "<a>\n\n%", "<a href=\"\n%\">",
        "<a href=x%>", "<a %>", "<details>\n<summary>%</summary>\n\n```\n%\n```\n</details>",
        "```suggestion:-0+0\n%\n```", "```math\n%\n```", ":%:", "~%", "&%", "#% !%", "%:", "%;", "%?", "%,%", "%\\",
        "%\\n", "\t- %", "+ %", "* * *\n%", "a\n===\n    %", "a\n---\n    %", "---\n    %",
    ]
    /// Nothing is seen of them, or nothing but a mark.
    private static let seeminglyEmpty = [
        "\u{200B}", "&nbsp;", "<br>", "<!-- -->", "\u{2800}", "\u{3164}", "[](/x)", "> ", "-", "```\n```", "\u{AD}",
    ]
}
