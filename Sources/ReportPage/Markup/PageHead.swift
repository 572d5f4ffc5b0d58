/// The head of a page: what it is called, how it looks, and the policy that keeps everything out that is not of the page itself.
struct PageHead {
    var title: String
    /// A page without a script allows none.
    var hasScript = true

    /// No address is asked for anything; of styles and scripts only the page's own may be, named by their digests. That forbids handlers and
    /// `style` attributes, too, whoever wrote them.
    private var policy: Markup {
        let style = PageScript.source(of: StyleSheet.text)
        let script =
            hasScript
            ? " script-src \(PageScript.source(of: PageScript.text)); require-trusted-types-for 'script';" : ""
        return Markup(
            stringLiteral:
                "default-src 'none'; style-src \(style);\(script) img-src data:; base-uri 'none'; form-action 'none'"
        )
    }

    var drawn: Markup {
        """
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <link rel="icon" href="data:,">
        <style>\(Markup(stringLiteral: StyleSheet.text))</style>

        """
    }

    /// The script, to stand at the end of the body.
    static var script: Markup { "<script>\(Markup(stringLiteral: PageScript.text))</script>\n" }
}
