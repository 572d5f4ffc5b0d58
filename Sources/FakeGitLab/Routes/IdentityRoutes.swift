import Platform

/// `/version`, `/metadata`, `/user`, `/personal_access_tokens/self` (GitLab facts §5).
extension InstanceState {
    func metadata(_ call: Call) -> RouteResponse {
        var writer = writer()
        let isWhole = call.route.endpoint == .metadata || version.versionIsMetadata
        let isEnterprise = configuration.edition == .enterprise
        writer.object { object in
            object.field("version", "\(version)" + (isEnterprise ? "-ee" : ""))
            object.field("revision", "a1b2c3d4e5f")
            guard isWhole else { return }
            object.objectField("kas") { kas in
                kas.field("enabled", false)
                kas.nullField("externalUrl")
                if version.tellsKubernetesProxy { kas.nullField("externalK8sProxyUrl") }
                kas.nullField("version")
            }
            if version.tellsEnterprise { object.field("enterprise", isEnterprise) }
        }
        return RouteResponse(body: writer.bytes, source: .account)
    }

    func currentUser(_ call: Call) -> RouteResponse {
        var writer = writer(capacity: 1_024)
        let person = people[call.reader]
        writer.object { object in
            writeIdentity(of: call.reader, into: &object, email: true)
            object.field("created_at", person.createdAt)
            object.field("bio", "")
            object.field("location", "")
            if !version.tellsLocked { object.nullField("public_email") }
            for name in ["website_url", "organization", "job_title"] as [StaticString] { object.field(name, "") }
            object.nullField("pronouns")
            object.field("bot", person.isBot)
            object.nullField("work_information")
            object.nullField("local_time")
            object.field("last_sign_in_at", person.createdAt)
            object.field("confirmed_at", person.createdAt)
            object.field("last_activity_on", CivilDate(person.createdAt).dateText)
            object.field("email", "\(person.username)@example.com")
            object.field("theme_id", 3)
            object.field("color_scheme_id", 1)
            object.field("projects_limit", 100_000)
            object.field("current_sign_in_at", person.createdAt)
            object.arrayField("identities") { _ in }
            for name in ["can_create_group", "can_create_project"] as [StaticString] { object.field(name, true) }
            for name in ["two_factor_enabled", "external", "private_profile"] as [StaticString] {
                object.field(name, false)
            }
            object.field("commit_email", "\(person.username)@example.com")
            object.field("namespace_id", person.id)
        }
        return RouteResponse(body: writer.bytes, source: .account)
    }

    /// Not kept: `last_used_at` moves.
    func tokenSelf(_ call: Call) throws(APIError) -> RouteResponse {
        var writer = writer()
        let token = call.token
        guard !token.isOAuth else {
            let what = "This endpoint requires token type to be a personal access token"
            throw .message(400, "400 Bad request - \(what)")
        }
        writer.object { writeToken(token, into: &$0) }
        return RouteResponse(body: writer.bytes)
    }
}
