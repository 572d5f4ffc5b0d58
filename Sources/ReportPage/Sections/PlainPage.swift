/// A page without a script: a banner that says the verdict, links to its sections, and these.
struct PlainPage {
    /// One section and what stands in it.
    struct Part {
        /// What links lead to.
        var id: String
        var title: String
        var body: Markup
    }

    let title: String
    /// The section that a reader who has heard the banner before skips to.
    let skip: (id: String, text: String)
    let banner: Markup
    let parts: [Part]

    /// What a page of `kind` begins with, so that an older one is told from somebody's own file.
    static func beginning(_ kind: String) -> String {
        "<!DOCTYPE html>\n<html lang=\"en\" data-page=\"\(kind)\">\n<head>"
    }

    /// The whole file, which begins with `beginning`.
    func text(_ beginning: String) -> String {
        let page: Markup = """
            \(Markup(stringLiteral: beginning))
            <meta charset="utf-8">
            \(PageHead(title: title, hasScript: false).drawn)\
            </head>
            <body>
            <a class="skip" href="#\(skip.id)">\(skip.text)</a>
            <main>
            \(banner)\(navigation)\(sections)</main>
            </body>
            </html>

            """
        return page.text
    }

    private var navigation: Markup {
        let links = parts.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" as Markup }
        return "<nav aria-label=\"Sections\"><ul>\(links.joined())</ul></nav>\n"
    }

    private var sections: Markup {
        parts.map { Section(id: $0.id, title: $0.title, body: $0.body).drawn }.joined()
    }
}
