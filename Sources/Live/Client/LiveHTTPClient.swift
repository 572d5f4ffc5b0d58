package import HTTP

/// The notifier's way out: ``HTTP2Client`` to the services that are known to speak nothing else, ``CurlClient`` to all others.
package struct LiveHTTPClient: HTTPClient {
    private let http2Origins: Set<HTTPOrigin>
    private let http2: HTTP2Client
    private let others: CurlClient

    /// Starts nothing before the first request.
    ///
    /// - Parameters:
    ///   - http2Origins: where HTTP/2 is spoken and nothing else: APNs (APNs facts §1).
    ///   - authorityFile: a PEM file with the authorities to trust; nil for the system's.
    ///   - usesSystemProxy: whether `https_proxy` and its kind apply.
    package init(http2Origins: Set<HTTPOrigin>, authorityFile: String?, usesSystemProxy: Bool = true) {
        self.http2Origins = http2Origins
        var http2 = HTTP2Client.Configuration()
        (http2.authorityFile, http2.usesSystemProxy) = (authorityFile, usesSystemProxy)
        var others = CurlClient.Configuration()
        (others.authorityFile, others.usesSystemProxy) = (authorityFile, usesSystemProxy)
        self.http2 = HTTP2Client(http2)
        self.others = CurlClient(others)
    }

    package func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        http2Origins.contains(request.origin)
            ? await http2.send(request, options: options) : await others.send(request, options: options)
    }
}
