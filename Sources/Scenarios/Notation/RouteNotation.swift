/// How a scenario writes which requests to GitLab a fault hits: `/projects/*/issues/**`, or `GET /todos` for one method alone.
/// Paths are below `/api/v4`.
enum RouteNotation {
    private static let methods: Set<Substring> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// Whether the text is a path, with or without a method before it.
    static func isSound(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        guard (1...2).contains(words.count), let path = words.last, path.hasPrefix("/") else { return false }
        return words.count == 1 || methods.contains(words[0])
    }
}
