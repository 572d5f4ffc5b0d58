/// Which page a client wants (GitLab facts §4).
struct PageRequest: Sendable {
    let page: Int
    let perPage: Int

    /// Over 100 rows are clamped silently; zero and nonsense are refused.
    init(_ parameters: Parameters) throws(APIError) {
        page = try Self.positive(parameters, "page", standard: 1, zero: "page does not have a valid value")
        let wanted = try Self.positive(parameters, "per_page", standard: 20, zero: "per_page has a value not allowed")
        perPage = min(wanted, 100)
    }

    private static func positive(
        _ parameters: Parameters,
        _ name: String,
        standard: Int,
        zero: String
    ) throws(APIError) -> Int {
        guard let text = parameters[name], !text.isEmpty else { return standard }
        guard let value = Int(text), value >= 0 else {
            throw APIError.error(400, "\(name) does not have a valid value")
        }
        guard value > 0 else { throw APIError.error(400, zero) }
        return min(value, 1_000_000_000)
    }

    /// Positions of the page's rows in a list of `total`.
    func range(of total: Int) -> Range<Int> {
        let start = min(total, (page - 1) * perPage)
        return start..<min(total, start + perPage)
    }
}

/// Where a page lies in its list; `total` counts rows before the visibility filter.
struct PageInfo: Sendable {
    let request: PageRequest
    let total: Int

    /// An empty list has one page.
    var totalPages: Int { max(1, (total + request.perPage - 1) / request.perPage) }
    var next: Int? { request.page < totalPages ? request.page + 1 : nil }
    var previous: Int? { request.page > 1 ? request.page - 1 : nil }
}
