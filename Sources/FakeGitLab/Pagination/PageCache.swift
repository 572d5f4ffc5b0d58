import HTTP
import Platform

/// Rendered pages by reader and address: an unchanged page is neither routed nor rendered again.
struct PageCache: Sendable {
    struct Key: Hashable, Sendable {
        let person: Int
        let isSecure: Bool
        let target: String

        init(person: Int, request: HTTPRequest) {
            self.person = person
            isSecure = request.origin.scheme == "https"
            target = request.target
        }
    }

    private var pages: [Key: CachedPage] = [:]
    /// Of pages that were rendered lately.
    var bodies = SharedBodies()

    subscript(key: Key) -> CachedPage? { pages[key] }

    mutating func store(_ page: CachedPage, for key: Key, limit: Int) {
        if pages.count >= limit { pages.removeAll(keepingCapacity: true) }
        pages[key] = page
    }

    mutating func removeAll() {
        pages.removeAll(keepingCapacity: true)
    }
}

/// Bodies by their entity tags: where many read the same list, its bytes are held once.
struct SharedBodies: Sendable {
    /// More are forgotten together. Those who read the same do so within moments, so that few suffice.
    private static let limit = 256

    private var bodies: [String: [UInt8]] = [:]

    /// The same bytes, in the storage of whoever had them first.
    mutating func shared(_ body: [UInt8], etag: String) -> [UInt8] {
        guard !etag.isEmpty else { return body }
        if let known = bodies[etag], known == body { return known }
        if bodies.count >= Self.limit { bodies.removeAll(keepingCapacity: true) }
        bodies[etag] = body
        return body
    }
}

/// One rendered page and until when it is right. A class, so that finding it copies one reference.
final class CachedPage: Sendable {
    let route: Route
    let source: PageSource
    let version: Int64
    let generation: Int64
    let from: WallTime
    let until: WallTime
    let hasNext: Bool
    let rendered: RenderedResponse

    init(
        route: Route,
        source: PageSource,
        version: Int64,
        generation: Int64,
        span: (from: WallTime, until: WallTime),
        hasNext: Bool,
        rendered: RenderedResponse
    ) {
        self.route = route
        self.source = source
        self.version = version
        self.generation = generation
        (from, until) = span
        self.hasNext = hasNext
        self.rendered = rendered
    }
}
