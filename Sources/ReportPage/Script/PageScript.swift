import Crypto
import FoundationEssentials

/// What the page does more with scripts on: details under the pointer, a filter, a way to one activity. Everything it shows stands in the
/// page without it too.
///
/// It handles the names of strangers as text alone: it makes elements and text nodes, never markup, which the page's policy
/// (`require-trusted-types-for`) forbids it besides. Being the only script whose digest that policy names, nothing else on the page can run.
enum PageScript {
    static let text =
        "'use strict';\n(() => {\n" + PageScriptParts.reading + PageScriptParts.details + PageScriptParts.picture
        + PageScriptParts.filter + PageScriptParts.ways + "})();\n"

    /// As a Content-Security-Policy names a script or a style sheet that may stand in the page.
    static func source(of text: String) -> String {
        "'sha256-\(Data(SHA256.digest(Array(text.utf8))).base64EncodedString())'"
    }
}

/// The script, in the order in which it is put together.
enum PageScriptParts {}
