/// How much it would hurt if a request to GitLab waited.
enum RequestUrgency: String, Hashable, Sendable, CaseIterable {
    /// Somebody waits for the answer.
    case person
    /// Something points to news, or may at any time.
    case news
    /// Nothing points to anything: rounds that are made in case a trace was lost.
    case rounds

    /// Whether it comes first where both wait.
    func isBefore(_ other: RequestUrgency) -> Bool {
        self != other && (self == .person || other == .rounds)
    }
}
