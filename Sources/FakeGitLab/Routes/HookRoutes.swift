import HTTP
import Platform

/// `/projects/:id/hooks`, for maintainers (supplement §1.5).
extension InstanceState {
    func hookList(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        try requireRole(.maintainer, call, in: project)
        let found = hooks.filter { $0.project == project }
        let page = try page(call, of: found.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for hook in found[page.request.range(of: page.total)] { array.object { write(hook, call, into: &$0) } }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    mutating func hookAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        try requireRole(.maintainer, call, in: project)
        if call.route.endpoint == .createHook { return try createHook(call, in: project) }
        let id = call.parameters.integer("hook_id") ?? 0
        guard let index = hooks.firstIndex(where: { $0.id == id && $0.project == project }) else {
            throw .recordNotFound
        }
        switch call.route.endpoint {
        case .deleteHook:
            hooks.remove(at: index)
            return .noContent
        case .updateHook:
            if let url = call.parameters["url"] { hooks[index].url = try Self.address(url) }
            apply(call.parameters, to: index)
        default: break
        }
        return answer(hooks[index], call)
    }

    private mutating func createHook(_ call: Call, in project: Int) throws(APIError) -> RouteResponse {
        let url = try Self.address(call.parameters["url"] ?? "")
        let hook = ProjectHook(
            id: sequences.next(.hook),
            project: project,
            createdAt: call.now,
            uuid: UUIDText.next(&hookIdentityRandom),
            url: url
        )
        hooks.append(hook)
        apply(call.parameters, to: hooks.count - 1)
        return answer(hooks[hooks.count - 1], status: 201, call)
    }

    /// An administrator has allowed hooks into the local network.
    private static func address(_ url: String) throws(APIError) -> String {
        guard ProjectHook.split(url) != nil else { throw .error(422, "Invalid url given") }
        return url
    }

    private mutating func apply(_ parameters: Parameters, to index: Int) {
        if let name = parameters["name"] { hooks[index].name = name }
        if let description = parameters["description"] { hooks[index].description = description }
        if let secret = parameters["token"] { hooks[index].secret = secret.isEmpty ? nil : secret }
        if parameters.has("enable_ssl_verification") {
            hooks[index].verifiesTLS = parameters.isTrue("enable_ssl_verification")
        }
        for event in ProjectHook.switches where parameters[event.name] != nil {
            hooks[index].events[event.name] = parameters.isTrue(event.name)
        }
    }

    private func answer(_ hook: ProjectHook, status: Int = 200, _ call: Call) -> RouteResponse {
        var writer = writer(capacity: 1_024)
        writer.object { write(hook, call, into: &$0) }
        return RouteResponse(status: status, body: writer.bytes)
    }

    private func write(_ hook: ProjectHook, _ call: Call, into object: inout JSONWriter) {
        let health = hook.isConfigured ? hookHealth : hook.health
        let pause = disablesHooks ? health.pause(at: call.now) : .none
        object.field("id", hook.id)
        object.field("url", hook.url)
        object.field("name", hook.name)
        object.field("description", hook.description)
        object.field("created_at", hook.createdAt)
        for event in ProjectHook.switches {
            object.key(event.name)
            object.bool(hook.isOn(event.name))
        }
        object.field("enable_ssl_verification", hook.verifiesTLS)
        object.field("alert_status", pause.wireName)
        object.field("disabled_until", pause.end)
        object.arrayField("url_variables") { _ in }
        object.field("project_id", projects[hook.project].id)
    }
}
