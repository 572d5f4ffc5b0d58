/// The `Link` field: every parameter, defaults and those of the path included, in alphabetical order (GitLab facts §4).
enum LinkHeader {
    /// The field's value; `base` is scheme and host of `external_url` with the path of the request.
    static func text(base: String, parameters: Parameters, page: PageInfo, tellsTotals: Bool) -> String {
        var relations: [(name: String, page: Int)] = []
        if let previous = page.previous { relations.append(("prev", previous)) }
        if let next = page.next { relations.append(("next", next)) }
        relations.append(("first", 1))
        if tellsTotals { relations.append(("last", page.totalPages)) }
        let kept = parameters.entries.filter { $0.name != "page" && $0.name != "per_page" }
        return relations.map { relation in
            "<\(base)?\(query(kept, page: relation.page, perPage: page.request.perPage))>; rel=\"\(relation.name)\""
        }.joined(separator: ", ")
    }

    private static func query(_ kept: [(name: String, values: [String])], page: Int, perPage: Int) -> String {
        var pairs: [(String, String)] = []
        for entry in kept {
            let values = entry.name.hasSuffix("[]") ? entry.values[...] : entry.values.suffix(1)
            pairs += values.map { (entry.name, $0) }
        }
        pairs += [("page", "\(page)"), ("per_page", "\(perPage)")]
        let sorted = pairs.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        return sorted.map {
            PercentEncoding.encodeQuery($0.element.0) + "=" + PercentEncoding.encodeQuery($0.element.1)
        }.joined(separator: "&")
    }
}
