/// Who waits for the person.
extension NotifierClient {
    private struct List: Decodable, Sendable {
        var asks: [Ask]
    }

    /// Reviews, approvals and answers that somebody waits for, the oldest first, 200 at most.
    public func asks() async throws(NotifierError) -> [Ask] {
        let list: List = try await value(.listAsks)
        return list.asks
    }

    private struct Request: Encodable, Sendable {
        var action: String
    }

    /// Ends an ask by the person's own word, or lets its next reminder wait for an hour. In GitLab nothing changes.
    ///
    /// - Returns: whether it is over, and otherwise when the person is told again.
    /// - Throws: why it could not be sent; `ask_not_found` for one that is over already.
    @discardableResult
    public func settle(_ id: String, _ action: SettleAction) async throws(NotifierError) -> SettleAnswer {
        try await value(.settleAsk, id, body: Request(action: action.rawValue))
    }
}
