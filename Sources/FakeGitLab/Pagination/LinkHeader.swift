/// The `Link` field: every parameter, defaults and those of the path included, in alphabetical order (GitLab facts §4).
enum LinkHeader {
    /// The field's value; `base` is scheme and host of `external_url` with the path of the request.
    static func text(base: String, parameters: Parameters, page: PageInfo, tellsTotals: Bool) -> String {
        var relations: [(name: String, page: Int)] = []
        if let previous = page.previous { relations.append(("prev", previous)) }
        if let next = page.next { relations.append(("next", next)) }
        relations.append(("first", 1))
        if tellsTotals { relations.append(("last", page.totalPages)) }
        let kept = pairs(of: parameters)
        return relations.map { relation in
            "<\(base)?\(query(kept, page: relation.page, perPage: page.request.perPage))>; rel=\"\(relation.name)\""
        }.joined(separator: ", ")
    }

    /// What stands in the query of every relation: the name, and the whole pair as it is written.
    private static func pairs(of parameters: Parameters) -> [(name: String, text: String)] {
        parameters.entries.filter { $0.name != "page" && $0.name != "per_page" }.flatMap { entry in
            let values = entry.name.hasSuffix("[]") ? entry.values[...] : entry.values.suffix(1)
            let name = PercentEncoding.encodeQuery(entry.name)
            return values.map { (entry.name, name + "=" + PercentEncoding.encodeQuery($0)) }
        }
    }

    private static func query(_ kept: [(name: String, text: String)], page: Int, perPage: Int) -> String {
        let pairs = kept + [("page", "page=\(page)"), ("per_page", "per_page=\(perPage)")]
        let sorted = pairs.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
        return sorted.map(\.element.text).joined(separator: "&")
    }
}
