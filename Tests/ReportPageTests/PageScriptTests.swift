import Crypto
import Testing

@testable import ReportPage

/// What may run in a page, and what the script itself must never do.
struct PageScriptTests {
    @Test func thePolicyNamesTheScriptAndTheStylesAndNothingElse() {
        let head = PageHead(title: "x").drawn.text
        let policy = """
            default-src 'none'; style-src \(PageScript.source(of: StyleSheet.text)); \
            script-src \(PageScript.source(of: PageScript.text)); require-trusted-types-for 'script'; img-src data:; \
            base-uri 'none'; form-action 'none'
            """
        #expect(head.contains("content=\"\(policy)\""))
        #expect(head.contains("<style>\(StyleSheet.text)</style>"))
        #expect(PageHead.script.text == "<script>\(PageScript.text)</script>\n")
        #expect(!PageHead(title: "x", hasScript: false).drawn.text.contains("script-src"))
    }

    @Test func aSourceIsTheDigestAsPoliciesWriteIt() {
        #expect(PageScript.source(of: "") == "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='")
        #expect(PageScript.source(of: "alert(1)") != PageScript.source(of: "alert(2)"))
    }

    @Test(arguments: [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval(", "Function(", "fetch(",
        "XMLHttpRequest", "import(", "localStorage", "setTimeout", "</script", "<!--", "http:", "https:",
    ])
    func theScriptNeverMakesMarkupAndAsksForNothing(_ forbidden: String) {
        #expect(!PageScript.text.contains(forbidden))
    }
}
