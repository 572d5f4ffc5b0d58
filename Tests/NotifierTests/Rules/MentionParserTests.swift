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
        "…-@maria.k", "—@maria.k", "🎉@maria.k",
        "| who | what |\n| --- | --- |\n| @maria.k | look |", "*@maria.k* look",
        "[@maria.k] look", "[why](see @maria.k here)", "[why] (@maria.k)", "see https://a.example/b @maria.k",
        "(https://a.example/(b)/c) @maria.k", "[see https://a.example/b]@maria.k", "http://@maria.k", "a://b, @maria.k",
        "<b>@maria.k</b>", "1 < 2, @maria.k > 0", "<@maria.k>", "<!-- why --> @maria.k", "why <!-- @maria.k",
        "<!-- it`s --> @maria.k can`t", "\\<pre>@maria.k", "<code>a</code> @maria.k", "[a](b) @maria.k [c](d)",
        "The config:\n\n    <!-- begin\n\n@maria.k please", "The tag is\n    <!-- begin\nand @maria.k knows",
        "<!-->\n\n@maria.k", "<!--->\n@maria.k", "    ```\n\n@maria.k", "    <pre>\n\n@maria.k",
        "- a\n\n      <!-- b\n\n  @maria.k", "[a [b](c) @maria.k](d)", "- a\n  <!-- b\n\n@maria.k",
        "<!-- why\n\nnot --> @maria.k", "- <pre>\n  a\n  </pre>\n\n@maria.k",
        "- ```\n  code\n  ```\n\n@maria.k", "- ```\n  code\n@maria.k",
        "1. a\n   - ~~~\n     b\n     ~~~\n\n   @maria.k",
        "> - ```\n>   code\n>   ```\n>\n> @maria.k", "- ```\n  code\n  ```\n\n    @maria.k",
        "C:\\\\@maria.k", "> why\n>     @maria.k", "> - why\n>\n>     @maria.k", "why\n    - @maria.k",
        "   - @maria.k", "- a\n```\nb\n```\n- c\n@maria.k",
        "> a\nlazy\n>     @maria.k", "> > a\n>     @maria.k", "- > a\n  >     @maria.k", "- a\n  > b\n\n    @maria.k",
        "> - a\n>   > b\n>\n>     @maria.k", "> a\n- > b\n\n    @maria.k",
        "> - a\n>   ```\n>   b\n>   ```\n>     @maria.k",
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
        "https://social.example/@maria.k", "see (https://social.example/a_(b)/@maria.k)", "www.social.example/@maria.k",
        "<https://social.example/@maria.k>", "[her](https://social.example/@maria.k)", "[her](/@maria.k \"Maria\")",
        "[a](b \"@maria.k\")", "[@maria.k](https://social.example)", "![@maria.k](a.png)",
        "[![@maria.k](a.png)](b)",
        "<!-- triage: @maria.k --> Green.", "why <!-- @maria.k --> not", "<!--\n\n@maria.k\n\n-->",
        "<!-- never @maria.k",
        "<img alt=\"@maria.k\">", "<a href='/@maria.k'>she</a>", "<a href=/maria>@maria.k</a>", "<code>@maria.k</code>",
        "why <pre>@maria.k</pre>", "<PRE>\n\n@maria.k\n</PRE>", "<style>\n@maria.k {}\n</style>",
        "Steps:\n\n- ```\n  ping @maria.k\n  ```\n", "1. ~~~\n   @maria.k\n   ~~~", "- - ```\n    @maria.k\n    ```",
        "> - ```\n>   @maria.k\n>   ```", "- why\n\n  ```\n  @maria.k\n\n  @maria.k\n  ```",
        "C:\\\\\\@maria.k", ">     @maria.k", "> why\n>\n>     @maria.k", "> # Why\n>     @maria.k", "    - @maria.k",
        "\t1. @maria.k", "    > @maria.k",
        "```\n> ```\n@maria.k\n```", "- ```\n  > b\n  @maria.k\n  ```", "<!--\n> b\n@maria.k\n-->",
        "- a\n```\nb\n```\nc\n  ```\n@maria.k\n  ```",
        "Look:\n>     @maria.k", "> a\n>>     @maria.k", "- Look:\n  >     @maria.k", "> a\n- b\n>     @maria.k",
        "- a\n> b\n\n    @maria.k", ">     > @maria.k", "> - a\n\n>     @maria.k",
    ])
    func `part of a word, of another name, of code, of HTML or of an address is none`(text: String) {
        #expect(!parser.isMentioned(in: text))
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "<", "[", "`", "](", "](<", "![a](", "[](a (", "<!--", "<a b=\"", "<a b='", "</", "<pre ", "a://(", "- ",
            "> ", "\n",
            "``\n", "www.", "[a](b \"", "\\", "- ```\n", "<!--\n", "- <pre>\n", "(",
        ]
    )
    func `no text takes long`(piece: String) {
        let text = String(repeating: piece, count: 65_536 / piece.utf8.count)
        _ = parser.isMentioned(in: text + "@maria")
        #expect(!parser.isMentioned(in: "@maria" + text))
    }
}
