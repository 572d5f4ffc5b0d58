import Platform

/// `/projects/:id/labels` (supplement §1.3).
extension InstanceState {
    /// Every label the project knows, by title.
    func labelList(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        let search = call.parameters["search"]?.lowercased() ?? ""
        let known = labels.indices.filter { index in
            isKnown(label: index, in: project)
                && (search.isEmpty || labels[index].name.lowercased().contains(search)
                    || (labels[index].description ?? "").lowercased().contains(search))
        }
        let found = known.sorted { (labels[$0].name, $0) < (labels[$1].name, $1) }
        let page = try page(call, of: found.count)
        let counts = call.parameters.isTrue("with_counts")
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for index in found[page.request.range(of: page.total)] {
                array.object { writeLabel(index, of: project, counts: counts, call, into: &$0) }
            }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    mutating func labelAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        switch call.route.endpoint {
        case .createLabel: return try createLabel(call, in: project)
        case .updateLabel: return try updateLabel(call, in: project)
        case .deleteLabel:
            let label = try label(of: call, in: project)
            try requireRole(.reporter, call, in: project)
            deleteLabel(label, at: call.now)
            return .noContent
        default: return answer(try label(of: call, in: project), of: project, call)
        }
    }

    private func answer(_ label: Int, of project: Int, status: Int = 200, _ call: Call) -> RouteResponse {
        var writer = writer()
        writer.object { writeLabel(label, of: project, counts: false, call, into: &$0) }
        return RouteResponse(status: status, body: writer.bytes)
    }

    /// By id or by title; the routes without either in the path take it as a parameter.
    private func label(of call: Call, in project: Int) throws(APIError) -> Int {
        guard let text = call.parameters["name"] ?? call.parameters["label_id"] else {
            throw .error(400, "label_id, name are missing, exactly one parameter must be provided")
        }
        let byID = Int64(text).flatMap { id in labels.firstIndex { $0.id == id } }
        guard let index = byID ?? knownLabel(text, in: project), isKnown(label: index, in: project) else {
            throw .notFound("Label")
        }
        return index
    }

    private mutating func createLabel(_ call: Call, in project: Int) throws(APIError) -> RouteResponse {
        try requireRole(.reporter, call, in: project)
        let name = call.parameters["name"] ?? ""
        let color = try Self.color(call.parameters["color"])
        try Self.requireTitle(name)
        guard knownLabel(name, in: project) == nil else { throw .message(409, "Label already exists") }
        let label = insertLabel(name, color: color, in: project)
        labels[label].description = call.parameters["description"]
        labels[label].priorities[project] = try Self.priority(call.parameters["priority"])
        return answer(label, of: project, status: 201, call)
    }

    /// A label of this project alone.
    mutating func insertLabel(_ name: String, color: String = "#6699cc", in project: Int) -> Int {
        projects[project].labels[name] = labels.count
        labels.append(Label(id: sequences.next(.label), name: name, color: color, project: project))
        return labels.count - 1
    }

    private mutating func updateLabel(_ call: Call, in project: Int) throws(APIError) -> RouteResponse {
        try requireRole(.reporter, call, in: project)
        let parameters = call.parameters
        try parameters.requireOne(of: ["new_name", "color", "description", "priority"])
        let label = try label(of: call, in: project)
        let color = try parameters["color"].map { (text) throws(APIError) in try Self.color(text) }
        let priority = try Self.priority(parameters["priority"])
        if let name = parameters["new_name"], name != labels[label].name {
            try Self.requireTitle(name)
            guard knownLabel(name, in: project) == nil else {
                throw .fields([("title", "has already been taken")])
            }
            rename(label, to: name)
        }
        if let color { labels[label].color = color }
        if let description = parameters["description"] { labels[label].description = description }
        if parameters["priority"] != nil { labels[label].priorities[project] = priority }
        invalidateEverything()
        return answer(label, of: project, call)
    }

    private mutating func rename(_ label: Int, to name: String) {
        let old = labels[label].name
        labels[label].name = name
        if let project = labels[label].project {
            projects[project].labels[old] = nil
            projects[project].labels[name] = label
        } else {
            labelsByName[old] = nil
            labelsByName[name] = label
        }
    }

    private func writeLabel(_ index: Int, of project: Int, counts: Bool, _ call: Call, into object: inout JSONWriter) {
        writeLabel(index, into: &object)
        if counts {
            object.field("open_issues_count", count(.issue, .opened, with: index, in: project, call))
            object.field("closed_issues_count", count(.issue, .closed, with: index, in: project, call))
            object.field("open_merge_requests_count", count(.mergeRequest, .opened, with: index, in: project, call))
        }
        object.field("subscribed", false)
        object.field("priority", labels[index].priorities[project])
        object.field("is_project_label", true)
    }

    private func count(_ kind: ItemKind, _ state: ItemState, with label: Int, in project: Int, _ call: Call) -> Int {
        projects[project].items.count { item in
            guard items[item].kind == kind, let fields = items[item].row.value(at: call.instant) else { return false }
            return fields.state == state && fields.labels.contains(label) && canRead(item: item, call.reader)
        }
    }

    /// `#rgb` or `#rrggbb`; names of colours are not known here.
    private static func color(_ text: String?) throws(APIError) -> String {
        let text = text ?? ""
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.utf8.count == 3 || digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit)
        else { throw .fields([("color", "must be a valid color code")]) }
        return text
    }

    private static func requireTitle(_ text: String) throws(APIError) {
        guard !text.allSatisfy(\.isWhitespace) else { throw .fields([("title", "can't be blank")]) }
        guard text.count <= 255 else {
            throw .fields([("title", "is too long (maximum is 255 characters)")])
        }
        guard !text.contains(",") else { throw .fields([("title", "is invalid")]) }
    }

    private static func priority(_ text: String?) throws(APIError) -> Int64? {
        guard let text, !text.isEmpty else { return nil }
        guard let value = Int64(text), value >= 0 else {
            throw .fields([("priorities.priority", "must be greater than or equal to 0")])
        }
        return value
    }
}
