package import HTTP

/// The GitLabs that this server serves, by their exact origins. Nothing is asked of another one, whoever wants it: a server that asks
/// wherever strangers point it tells them about its network, and takes tokens there.
package struct ServedInstances: Sendable, Equatable {
    /// In normal form, each once.
    let origins: [HTTPOrigin]

    /// Serves nobody's GitLab when the list is empty.
    package init(_ origins: [HTTPOrigin]) {
        var known: Set<HTTPOrigin> = []
        self.origins = origins.map(\.normal).filter { known.insert($0).inserted }
    }

    /// The listed origin that `origin` is another spelling of; nil for any other.
    func listed(_ origin: HTTPOrigin) -> HTTPOrigin? {
        let normal = origin.normal
        return origins.contains(normal) ? normal : nil
    }

    /// Whether GitLab is asked anything there.
    package func serve(_ origin: HTTPOrigin) -> Bool { listed(origin) != nil }
}
