/// `…/subscribe` and `…/unsubscribe` (GitLab facts §13).
extension InstanceState {
    /// 304 without a body when nothing changes.
    mutating func writeSubscription(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let wanted = call.route.endpoint == .subscribe
        guard isSubscribed(call.reader, to: item) != wanted else { return .notModified }
        _ = try APIError.translating { try setSubscription(of: call.reader, to: item, wanted, at: call.now) }
        return RouteResponse(status: 201, body: singleJSON(item, call))
    }
}
