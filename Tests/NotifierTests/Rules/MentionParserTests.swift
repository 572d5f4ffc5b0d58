import Testing

@testable import Notifier

struct MentionParserTests {
    private let parser = MentionParser(username: "maria.k")

    @Test(arguments: [
        "@maria.k please look", "please look, @Maria.K", "(@maria.k)", "thanks @maria.k.", "**@maria.k**",
        "ask @maria.k,",
        "`code` and @maria.k", "unclosed ` and @maria.k", "```\ncode\n```\n@maria.k", "> @maria.k", "@maria.k/",
        "it`s\n\n@maria.k can`t", "- it`s\n- @maria.k can`t", "\\`@maria.k\\`", "why\n    @maria.k",
        "- why\n\n    @maria.k",
        "> ```\n> code\n\n@maria.k", "# it`s\n@maria.k can`t", "> it`s\n@maria.k can`t", "#1 is yours\n    @maria.k",
        "- a\nlazy\n\n    @maria.k", "#1: it`s\nwhat `@maria.k` is not, @maria.k",
        "é@maria.k", "请看@maria.k",
        "…-@maria.k", "—@maria.k",
    ])
    func `a name that stands for itself is a mention`(text: String) {
        #expect(parser.isMentioned(in: text))
    }

    @Test(arguments: [
        "", "maria.k", "mail@maria.k", "@maria.kim", "@maria", "@maria.k-2", "@maria.k/team", "\\@maria.k", "@all",
        "`@maria.k`", "``a ` @maria.k``", "```\n@maria.k\n```", "~~~ruby\n@maria.k\n~~~", "````\n```\n@maria.k\n````",
        "```\nnever closed @maria.k", "> ```\n> @maria.k\n> ```",
        "    @maria.k", "why\n\n    @maria.k", "why\n\n\t@maria.k", "# Why\n    @maria.k", "`it is\n@maria.k`",
        "1. why\n   ```\n   @maria.k\n   ```",
        "    one\n\n    @maria.k", "\\``@maria.k`",
    ])
    func `part of a word, of another name or of code is none`(text: String) {
        #expect(!parser.isMentioned(in: text))
    }
}
