import Scenarios

/// Releases of GitLab, as the fake knows them.
enum IncidentRelease {
    /// The newest that is not newer; the oldest of all for one that is older still.
    static func nearest(major: Int64, minor: Int64) -> String? {
        let known = GitLabWorld.Version.allCases.map { version in
            let parts = version.rawValue.split(separator: ".").compactMap { Int64($0) }
            return (name: version.rawValue, major: parts.first ?? 0, minor: parts.last ?? 0)
        }
        return (known.last { ($0.major, $0.minor) <= (major, minor) } ?? known.first)?.name
    }
}
