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
    var parts = SharedParts()

    subscript(key: Key) -> CachedPage? { pages[key] }

    mutating func store(_ page: CachedPage, for key: Key, limit: Int) {
        if pages.count >= limit { pages.removeAll(keepingCapacity: true) }
        pages[key] = page
    }

    mutating func removeAll() {
        pages.removeAll(keepingCapacity: true)
    }
}

/// Parts of answers that were rendered lately: where many read the same list, its bytes and its header fields are held once.
struct SharedParts: Sendable {
    /// By their entity tags.
    var bodies = SharedArrays<UInt8>()
    /// By their `Link`, or by the entity tag.
    var fields = SharedArrays<HTTPFields.Field>()
}

/// Arrays by a text that equal ones have in common.
struct SharedArrays<Element: Equatable & Sendable>: Sendable {
    /// More are forgotten together. Those who read the same do so within moments, so that few suffice.
    static var limit: Int { 256 }

    private var arrays: [String: [Element]] = [:]

    /// An equal array, in the storage of whoever had it first.
    mutating func shared(_ array: [Element], by key: String) -> [Element] {
        guard !key.isEmpty else { return array }
        if let known = arrays[key], known == array { return known }
        if arrays.count >= Self.limit { arrays.removeAll(keepingCapacity: true) }
        arrays[key] = array
        return array
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
