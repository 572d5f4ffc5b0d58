/// A part of the page with a heading and an address of its own.
struct Section {
    var id: String
    var title: String
    var body: Markup

    var drawn: Markup {
        """
        <section id="\(id)" aria-labelledby="\(id)-h"><h2 id="\(id)-h">\(title)</h2>
        \(body)</section>

        """
    }

    /// A sentence instead of a picture that would be empty.
    static func note(_ sentence: String) -> Markup { "<p class=\"muted\">\(sentence)</p>\n" }

    /// What a picture shows, as a table to open.
    static func data(_ table: Table) -> Markup {
        "<details><summary>Data: \(table.caption)</summary>\(table.drawn)</details>\n"
    }
}
