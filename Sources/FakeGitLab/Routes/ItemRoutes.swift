import Platform

/// Single issues and merge requests and their lists (GitLab facts §7).
extension InstanceState {
    mutating func itemAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        return RouteResponse(body: singleJSON(item, call), source: .item(item))
    }

    mutating func singleJSON(_ item: Int, _ call: Call) -> [UInt8] {
        let fields = fields(of: item, at: call.instant)
        var writer = writer(capacity: 4_096)
        writer.object { object in
            writeItem(item, fields, labelDetails: call.parameters.isTrue("with_labels_details"), into: &object)
            writeSinglePart(item, fields, call, into: &object)
        }
        return writer.bytes
    }

    mutating func itemList(_ call: Call) throws(APIError) -> RouteResponse {
        let project: Int? = call.route.endpoint == .projectItems ? try self.project(of: call) : nil
        let filter = try ItemFilter(call, in: self)
        let found = matchingItems(filter, call, in: project)
        let page = try page(call, of: found.count)
        let range = page.request.range(of: page.total)
        let details = call.parameters.isTrue("with_labels_details")
        let isSimple = call.parameters["view"] == "simple"
        var writer = writer(capacity: 64 + range.count * 2_048)
        writer.array { array in
            for item in found[range] {
                if isSimple {
                    array.object { writeSimple(item, fields(of: item, at: call.instant), into: &$0) }
                } else if project != nil, !details, let kept = keptFields(of: item, call) {
                    array.object { writeItem(item, kept, labelDetails: false, into: &$0) }
                } else if let json = itemJSON(item, instant: call.instant, labelDetails: details) {
                    array.raw(json)
                }
            }
        }
        // What depends on the day is not kept.
        let source: PageSource? = filter.isDated ? nil : project.map { .projectItems($0) } ?? .allItems
        return RouteResponse(body: writer.bytes, page: page, source: source)
    }

    /// The items a list shows, in its order. Unlike notes, they are filtered before the page is cut.
    private func matchingItems(_ filter: ItemFilter, _ call: Call, in project: Int?) -> [Int] {
        let found = candidates(filter, call, in: project).filter { item in
            guard items[item].kind == call.route.kind, project == nil || items[item].project == project,
                let fields = items[item].row.value(at: call.instant)
            else { return false }
            return filter.accepts(item, fields, in: self) && canRead(item: item, call.reader)
        }
        return ItemOrder(call.parameters).sorted(found, in: self, at: call.instant)
    }

    /// With `updated_after` only recently updated items are looked at.
    private func candidates(_ filter: ItemFilter, _ call: Call, in project: Int?) -> [Int] {
        if let bound = filter.updatedAfter, call.instant == call.now { return touchLog.items(updatedFrom: bound) }
        return project.map { projects[$0].items } ?? Array(items.indices)
    }

    /// A row of `view=simple`: neither author nor sha (supplement §2).
    private func writeSimple(_ item: Int, _ fields: ItemFields, into object: inout JSONWriter) {
        writeItemHead(items[item], fields, into: &object)
        object.field("web_url", webURL(of: item))
    }
}
