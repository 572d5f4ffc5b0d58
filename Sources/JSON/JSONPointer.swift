/// Paths into a JSON document (RFC 6901).
package enum JSONPointer {
    /// The pointer with these reference tokens.
    package static func text(_ tokens: [String]) -> String { tokens.reduce("") { $0 + "/" + escaped($1) } }

    /// `pointer` continued by one member or element.
    package static func append(_ token: String, to pointer: String) -> String { pointer + "/" + escaped(token) }

    private static func escaped(_ token: String) -> String {
        guard token.contains("~") || token.contains("/") else { return token }
        return token.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }
}
