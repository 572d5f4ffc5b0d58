import HTTP
import Platform
import SQLite

/// `GET /metrics`: Prometheus' page.
extension RESTAPI {
    static let metricsRoutes = [
        APIRoute(.get, "/metrics", access: .open, .metrics) { api, _ in try await api.metrics() }
    ]

    private func metrics() async throws -> HTTPResponse {
        do {
            let figures = try await context.store.read { [now = context.time.wallNow] in try $0.figures(at: now) }
            context.metrics.take(figures, at: context.time.wallNow)
        } catch let error as SQLiteError where error.storeTrouble != nil {
            // The page must tell of just this: what stands in no table is shown, and no figure that may be wrong.
            context.metrics.dropFigures()
        }
        var fields = HTTPFields()
        fields["Content-Type"] = MetricsText.contentType
        fields["Cache-Control"] = "no-store"
        return HTTPResponse(status: 200, fields: fields, body: Array(MetricsText.render(context.metrics).utf8))
    }

    /// Counts an answered request, under the route's pattern: paths hold ids.
    func measure(_ response: HTTPResponse, _ route: APIRoute?, since start: MonotonicInstant) {
        let name = route.map { "\($0.method.rawValue) \($0.path)" } ?? MetricsRegistry.other
        context.metrics.count(.httpRequests, 1, [name, "\(response.status)"])
        context.metrics.observe(.httpRequestDuration, start.duration(to: context.time.monotonicNow), [name])
    }
}

extension RouteDescription {
    fileprivate static let metrics = RouteDescription(
        "metrics",
        "Gives the server's metrics to Prometheus.",
        answers: [.text("The page, in Prometheus' text format.", mediaType: MetricsText.contentType)],
        examples: [Example("page", "All of them.")]
    )
}
